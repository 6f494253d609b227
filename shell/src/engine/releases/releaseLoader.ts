import { checkStyles } from '@forecourt/releases/checkStyles';
import { ContainerError } from '@forecourt/releases/containerError';
import { loadRefusal } from '@forecourt/releases/loadRefusal';
import { checkCopies } from '@forecourt/releases/secondCopies';
import {
  checkManifest,
  describeRefusal,
  type GateResult,
  type Provides,
  type Refusal,
  providesOf,
  slotsByRemote,
} from '@forecourt/releases/gate';
import { allPlacements, browserCallsBySlot, emitsOf, hearsOf } from '../layout/permissions.ts';
import type { Site } from '../site.ts';
import { type RenderedSlot, RenderFailure, type SlotRenderer } from '../rendering/slotRenderer.ts';
import { pagesFor, recordedDeadlineMs, recordedJob } from './recordedJob.ts';
import type { RecordedPage } from './recordedPage.ts';
import { ReleaseError, type RegistryClient } from './registryClient.ts';
import { browserHalfOf, releaseId, type LoadedRelease, type ReleaseHalf } from '../rendering/release.ts';
import { providedVersions, SLOTS_CONTRACT } from '../rendering/container.ts';
import { messageOf } from '../universal/messageOf.ts';
import { warmUpRelease } from './warmUpRelease.ts';
import { assertFragment } from '../rendering/fragment/fragmentCheck.ts';

type Files = Pick<RegistryClient, 'manifest' | 'file'>;

export interface ReleaseLoader {
  /**
   * Loads a release for pages: its files verified, its modules running, each slot rendered once. Throws ReleaseError
   * NOT_ACCEPTED with every refusal. `mayLackSlots` accepts one that fills only some of its places.
   */
  readonly load: (
    name: string,
    version: string,
    options?: { readonly mayLackSlots?: boolean },
  ) => Promise<LoadedRelease>;
  /** The same for files of another source, under a separate id. */
  readonly loadFrom: (files: Files, name: string, version: string, id: string) => Promise<LoadedRelease>;
  /** Runs the gate for a release without adopting it. Rejects when the registry is unreachable. */
  readonly tryOut: (name: string, version: string) => Promise<GateResult>;
}

/** Why a release that did not load is refused. */
function refusalOf(error: unknown, half: ReleaseHalf = 'server'): Refusal {
  const found = messageOf(error);
  if (error instanceof ReleaseError && error.code === 'SIGNATURE')
    return {
      rule: 'FILES_UNUSABLE',
      expected: 'a manifest signed by a key that RELEASE_KEYS of the shell trusts for the remote',
      found: `${error.code}: ${found}`,
      remedy: 'publish a new version with RELEASE_KEY_FILE, or add the key to RELEASE_KEYS of the shell',
    };
  if (error instanceof ReleaseError)
    return {
      rule: 'FILES_UNUSABLE',
      expected: 'manifest and every file from the registry, as published',
      found: `${error.code}: ${found}`,
      remedy: 'ask `npx forecourt doctor`; what is damaged is published again under a new version',
    };
  if (error instanceof RenderFailure && error.code === 'LEFT_RUNNING')
    return {
      rule: 'LEFT_RUNNING',
      expected: 'modules that start nothing when they are loaded',
      found,
      remedy: 'start timers in an effect of a view and stop them there; every open page shares the module',
    };
  return loadRefusal(half, error instanceof ContainerError ? error.fault : undefined, found);
}

async function fetchRelease(registry: Files, manifest: LoadedRelease['manifest'], id: string) {
  const paths = Object.keys(manifest.files);
  const bodies = await Promise.all(paths.map((path) => registry.file(manifest, path)));
  const files = new Map(paths.map((path, at) => [path, bodies[at] as Buffer]));
  const side = (prefix: string) => [...files].filter(([path]) => path.startsWith(prefix));
  return {
    id,
    manifest,
    nodeSources: new Map(
      side('node/').map(([path, body]) => [path.slice('node/'.length), body.toString('utf8')]),
    ),
    webFiles: new Map(side('web/')),
  } satisfies LoadedRelease;
}

/** What the gate needs to know of the site. */
type GatedSite = Pick<Site, 'layouts' | 'recordedPages' | 'calls' | 'state'>;

/** The gate: the only way for a release into this shell. */
export function createReleaseLoader(parts: {
  readonly site: GatedSite;
  readonly registry: Files;
  /** Source for trials, which are not stored on disk. */
  readonly trialRegistry?: Files;
  readonly renderer: SlotRenderer;
  readonly provides: Provides;
  /** Whether a release that is accepted gets visitors at once. The start of a shell warms up its own. */
  readonly warmsUp?: () => boolean;
}): ReleaseLoader {
  const { site, registry, trialRegistry = registry, renderer, provides, warmsUp = () => false } = parts;
  const pages = site.recordedPages();

  async function attempt(
    files: Files,
    [name, version]: readonly [string, string],
    { id, mayLackSlots = false }: { readonly id: string; readonly mayLackSlots?: boolean },
  ): Promise<{ release?: LoadedRelease; refusals: readonly Refusal[]; renders: GateResult['renders'] }> {
    const refused = (refusals: readonly Refusal[]) => ({ refusals, renders: [] });
    let release: LoadedRelease;
    let manifest: LoadedRelease['manifest'] | undefined;
    try {
      manifest = await files.manifest(name, version);
      const refusals = checkManifest(manifest, provides).filter(
        ({ rule }) => !mayLackSlots || rule !== 'SLOT_MISSING',
      );
      // Incompatible code is never run.
      if (refusals.length > 0) return refused(refusals);
      release = await fetchRelease(files, manifest, id);
      const { webFiles } = release;
      const { nodeSources } = release;
      const foreign = [
        ...checkStyles(manifest, (path) => webFiles.get(path), provides),
        ...checkCopies(
          manifest,
          (path) => webFiles.get(path) ?? Buffer.from(nodeSources.get(path.slice('node/'.length)) ?? ''),
        ),
      ];
      if (foreign.length > 0) return refused(foreign);
    } catch (error) {
      // Without a manifest nothing is known about the release.
      const isAway = error instanceof ReleaseError && error.code === 'REGISTRY_UNREACHABLE' && !manifest;
      if (isAway) throw error;
      return refused([refusalOf(error)]);
    }
    try {
      await renderer.prepare(release);
    } catch (error) {
      return refused([refusalOf(error)]);
    }
    const { refusals, renders, rendered } = await smokeRender(release, { site, renderer, pages });
    // What servers can't render, browsers can't hydrate. React's development code needs a React of its kind, which the shell's
    // is not: pages of `npm run dev` have one, and show what fails.
    if (refusals.length > 0 || release.manifest.development) return { release, refusals, renders };
    return { release, refusals: await tryInBrowsers(release, rendered, { site, renderer, pages }), renders };
  }

  async function load(
    files: Files,
    [name, version]: readonly [string, string],
    options: { readonly id: string; readonly mayLackSlots?: boolean },
  ): Promise<LoadedRelease> {
    const { release, refusals } = await attempt(files, [name, version], options).catch((error: unknown) => ({
      release: undefined,
      refusals: [refusalOf(error)],
    }));
    if (release && refusals.length === 0) return release;
    renderer.retire(options.id);
    throw new ReleaseError(
      'NOT_ACCEPTED',
      `${options.id} is refused: ${refusals.map(describeRefusal).join(' | ')}`,
      refusals,
    );
  }

  return {
    async load(name, version, options) {
      const release = await load(registry, [name, version], { id: releaseId(name, version), ...options });
      if (warmsUp() && !release.manifest.development) await warmUpRelease(release, { site, renderer, pages });
      return release;
    },
    loadFrom: (files, name, version, id) => load(files, [name, version], { id }),
    async tryOut(name, version) {
      const release = releaseId(name, version);
      // A separate id, so that the trial never affects the live release.
      const id = `${release} (not live)`;
      try {
        const { refusals, renders } = await attempt(trialRegistry, [name, version], { id });
        return { release, isAccepted: refusals.length === 0, refusals: [...refusals], renders };
      } finally {
        renderer.retire(id);
      }
    },
  };
}

/** What of the site the gate's rules depend on, and what its slots may do. */
export type ProvidingSite = Pick<
  Site,
  'layouts' | 'permissions' | 'state' | 'shared' | 'contracts' | 'releasePolicy'
>;

/** What this shell shares with releases, and the slots that its pages place in them. */
export function shellProvides(site: ProvidingSite, { takesDevelopmentBuilds = false } = {}): Provides {
  const placements = allPlacements(site.layouts);
  const calls = browserCallsBySlot(site);
  const permissions = placements.map(({ slot }) => [
    slot,
    { emits: [...emitsOf(site, slot)], hears: [...hearsOf(site, slot)], calls: [...(calls.get(slot) ?? [])] },
  ]);
  const provides = providesOf({
    shared: providedVersions(site),
    contracts: { ...site.contracts, ...SLOTS_CONTRACT },
    state: site.state.parts,
    ...site.releasePolicy,
    placed: slotsByRemote(placements),
    mayRead: Object.fromEntries(placements.map(({ slot, mayRead }) => [slot, mayRead])),
    takesDevelopmentBuilds,
  });
  return { ...provides, permissions: Object.fromEntries(permissions) as Provides['permissions'] };
}

/** Characters of HTML that the gate's report has of a slot. */
const MAX_SHOWN = 200_000;
interface SmokeRenderResult {
  readonly renders: GateResult['renders'];
  readonly refusals: readonly Refusal[];
}

/** What the server rendered, by slot and page. */
type Rendered = Map<string, Pick<RenderedSlot, 'html' | 'data'>>;

const keyOf = (slot: string, { name }: RecordedPage): string => `${slot} ${name}`;

/** How the HTML of a browser differs from that of the server, from shortly before the first difference. */
function describeDifference(server: string, browser: string): string {
  let at = 0;
  while (at < server.length && server[at] === browser[at]) at += 1;
  const around = (html: string) => html.slice(Math.max(0, at - 40), at + 80);
  return `'${around(browser)}' where the server has '${around(server)}'`;
}

interface TrialParts {
  readonly site: GatedSite;
  readonly renderer: Pick<SlotRenderer, 'render'>;
  readonly pages: readonly RecordedPage[];
}

/**
 * Renders each slot of a prepared release over its recorded pages; every slot that fails on one is a refusal, and so is, in a
 * browser, one that differs from `expected`.
 */
async function smokeRender(
  release: LoadedRelease,
  parts: TrialParts,
  expected?: Rendered,
): Promise<SmokeRenderResult & { readonly rendered: Rendered }> {
  const placements = allPlacements(parts.site.layouts);
  const renders: GateResult['renders'] = [];
  const refusals: Refusal[] = [];
  const rendered: Rendered = new Map();

  async function renderOn(page: RecordedPage, slot: string): Promise<Pick<RenderedSlot, 'html' | 'data'>> {
    const loaded = expected?.get(keyOf(slot, page));
    const result = await parts.renderer.render({
      ...recordedJob({ release, slot, page }, parts.site),
      checksReads: true,
      ...(loaded && { loaded: { data: loaded.data } }),
    });
    const placement = placements.find((one) => one.slot === slot);
    const isMainSlot = placement?.isPage === true && page.state.page.kind === slot;
    await assertFragment(result, { slot, ids: placement?.ids ?? [], isMain: isMainSlot });
    if (isMainSlot && !result.page) throw new RenderFailure('THREW', 'the main slot returned no page');
    return { html: result.html, data: result.data };
  }

  const refuse = (slot: string, page: RecordedPage, deadlineMs: number, found: string) =>
    refusals.push(
      expected
        ? {
            rule: 'BROWSER_RENDER',
            expected: `slot ${slot} renders the recorded page '${page.name}' (${page.url}) in a browser as on the server`,
            found,
            remedy:
              'render what the server knows, and read the browser in effects; build both sides from the same sources',
          }
        : {
            rule: 'SLOT_RENDER',
            expected: `slot ${slot} renders the recorded page '${page.name}' (${page.url}) within ${deadlineMs} ms`,
            found,
            remedy: 'add that page as a scenario of the remote, and repair the slot',
          },
    );

  for (const slot of Object.keys(release.manifest.slots)) {
    const deadlineMs = recordedDeadlineMs(slot, parts.site);
    for (const page of pagesFor(slot, parts.pages, parts.site)) {
      const startedAt = performance.now();
      const record = (isGood: boolean, html?: string) => {
        const ms = Math.round(performance.now() - startedAt);
        renders.push({ slot, context: page.name, isGood, ms, ...(html && { html }) });
      };
      try {
        const result = await renderOn(page, slot);
        const { html } = result;
        rendered.set(keyOf(slot, page), result);
        const onServer = expected?.get(keyOf(slot, page))?.html ?? html;
        if (onServer !== html) refuse(slot, page, deadlineMs, describeDifference(onServer, html));
        record(onServer === html, page.isShown && html.length <= MAX_SHOWN ? html : undefined);
      } catch (error) {
        record(false);
        refuse(slot, page, deadlineMs, messageOf(error));
        // A hang or crash takes seconds each time, and another page would show the same.
        if (!(error instanceof RenderFailure) || !['THREW', 'BAD_HTML'].includes(error.code)) break;
      }
    }
  }
  return { renders, refusals, rendered };
}

/**
 * Loads the release's code for browsers as a page would, and renders its slots as a page does when it hydrates them: effects
 * do not run, and there is no layout.
 */
async function tryInBrowsers(
  release: LoadedRelease,
  onServer: Rendered,
  parts: TrialParts & { readonly renderer: SlotRenderer },
): Promise<readonly Refusal[]> {
  const inBrowsers = browserHalfOf(release);
  try {
    await parts.renderer.prepare(inBrowsers);
    const { refusals } = await smokeRender(inBrowsers, parts, onServer);
    return refusals;
  } catch (error) {
    return [refusalOf(error, 'browser')];
  } finally {
    parts.renderer.retire(inBrowsers.id);
  }
}
