import {
  checkManifest,
  describeRefusal,
  type GateResult,
  type Provides,
  type Refusal,
  providesOf,
  slotsByRemote,
} from '@forecourt/shared-contracts/slots/gate';
import { ALL_PLACEMENTS } from '../layout/layouts.ts';
import { readsOf } from '../layout/placement.ts';
import { RenderFailure, type SlotRenderer } from '../rendering/slotRenderer.ts';
import { recordedPages } from './recorded/pages.ts';
import type { RecordedPage } from './recorded/schema.ts';
import { ReleaseError, type RegistryClient } from './registryClient.ts';
import { releaseId, type LoadedRelease } from '../rendering/release.ts';
import { smokeRender } from './smokeRender.ts';
import { providedVersions } from '../rendering/container.ts';
import { messageOf } from '../../both/messageOf.ts';

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
function refusalOf(error: unknown): Refusal {
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
  return {
    rule: 'MODULE_LOAD',
    expected: 'a container whose modules run and are slots',
    found,
    remedy: 'run the remote alone (`npm run dev -- REMOTE --alone`), and build again',
  };
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

/** The gate: the only way for a release into this shell. */
export function createReleaseLoader(parts: {
  readonly registry: Files;
  /** Source for trials, which are not stored on disk. */
  readonly trialRegistry?: Files;
  readonly renderer: SlotRenderer;
  readonly provides: Provides;
  readonly pages?: readonly RecordedPage[];
}): ReleaseLoader {
  const { registry, trialRegistry = registry, renderer, provides, pages = recordedPages() } = parts;

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
    return { release, ...(await smokeRender(release, { renderer, pages })) };
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
    load: (name, version, options) =>
      load(registry, [name, version], { id: releaseId(name, version), ...options }),
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

/** What this shell shares with releases, and the slots that its pages place in them. */
export function shellProvides({ takesDevelopmentBuilds = false } = {}): Provides {
  const shared = providedVersions();
  return providesOf({
    shared,
    contract: shared['@forecourt/shared-contracts/slots'],
    placed: slotsByRemote(ALL_PLACEMENTS),
    reads: Object.fromEntries(ALL_PLACEMENTS.map((placement) => [placement.slot, readsOf(placement)])),
    takesDevelopmentBuilds,
  });
}
