import { sliceState } from '@forecourt/slots/slices';
import { mkdirSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type { ReleaseManifest } from '@forecourt/releases/manifest';
import { type RootState, marketplaceState } from '@forecourt/search/state';
import type { Call, SlotModule } from '@forecourt/slots';
import { isSlotModule } from '@forecourt/slots/module';
import { renderSlot } from '@forecourt/slots/server';
import { z } from 'zod';
import { readBuiltDirectory } from '@forecourt/release-kit/archive';
import type { ReleaseFiles } from '@forecourt/release-kit/releaseFiles';
import { verifyRelease } from '@forecourt/release-kit/verifyRelease';

/** A build of the remote with its files in memory: pages that have an older one go on loading from it. */
export interface DevBuild {
  readonly modules: ReadonlyMap<string, SlotModule>;
  readonly manifest: ReleaseManifest;
  readonly manifestBytes: Buffer;
  readonly files: ReleaseFiles;
}

interface Container {
  readonly init: (scope: object) => unknown;
  readonly get: (module: string) => Promise<() => { default?: unknown }>;
}

/** A Module Federation share scope with the installed packages, which are those that this command renders with. */
async function createShareScope(shared: Readonly<Record<string, string>>): Promise<object> {
  const entries = Object.entries(shared).map(async ([name, version]): Promise<[string, object]> => {
    const module = (await import(name)) as object;
    return [
      name,
      { [version]: { get: () => Promise.resolve(() => module), loaded: 1, eager: true, from: 'dev' } },
    ];
  });
  return Object.fromEntries(await Promise.all(entries));
}

/** Loads the slots of the build in `dist`. `folder` keeps the files that they run from, because the next build replaces those. */
export async function openBuild(
  dist: string,
  { folder, shared }: { readonly folder: string; readonly shared: Readonly<Record<string, string>> },
): Promise<DevBuild> {
  const built = await readBuiltDirectory(dist);
  const { manifest, manifestBytes, files } = verifyRelease(built.manifestBytes, built.files);
  const own = join(folder, manifest.version);
  for (const [path, bytes] of files) {
    if (!path.startsWith('node/')) continue;
    mkdirSync(dirname(join(own, path)), { recursive: true });
    writeFileSync(join(own, path), bytes);
  }
  const entry = join(own, manifest.entry.node);
  const container = createRequire(entry)(entry) as Container;
  await container.init(await createShareScope(shared));
  const modules = new Map<string, SlotModule>();
  for (const [slot, { expose }] of Object.entries(manifest.slots)) {
    const { default: module } = (await container.get(expose))();
    if (!isSlotModule(module)) throw new Error(`${expose} is not a slot`);
    modules.set(slot, module);
  }
  return { manifest, manifestBytes, files, modules };
}

/** A page of a shell as this proxy reads it; everything else in it stays as it is. */
const bootSlotSchema = z.looseObject({
  slot: z.string(),
  remote: z.string().nullable(),
  rendered: z.enum(['release', 'fallback', 'none']),
  /** Styles that the page does not link yet. */
  styles: z.array(z.string()),
});
const bootRemoteSchema = z.looseObject({
  name: z.string(),
  version: z.string(),
  integrity: z.record(z.string(), z.string()),
});
const contentSchema = z.looseObject({
  search: z.looseObject({}),
  data: z.record(z.string(), z.unknown()),
});
const pageSchema = z.looseObject({
  state: z.looseObject({}),
  /** The content, or its path. */
  content: z.union([z.string(), contentSchema]),
  slots: z.array(bootSlotSchema),
  remotes: z.array(bootRemoteSchema),
  extension: z.looseObject({ data: z.looseObject({ followsBuilds: z.boolean().optional() }) }).optional(),
});

/** Boot data of a build, from the gate of the shell. */
export const bootBuildSchema = z.looseObject({ remote: bootRemoteSchema, slots: z.array(bootSlotSchema) });
export type BootBuild = z.infer<typeof bootBuildSchema>;

/** The build in place of a release of its remote. */
interface PlacedBuild extends Pick<DevBuild, 'modules'> {
  readonly boot: BootBuild;
}

interface PageSources {
  /** Fetches the content of a page from the shell by its path. */
  readonly readContent: (path: string) => Promise<unknown>;
  /** Runs a call in the name of a slot, as the page's browser would. */
  readonly callAs: (slot: string) => Call;
  readonly onFailure: (slot: string, error: unknown) => void;
}

const BOOT = /(<script type="application\/json" id="fc-boot">)([^]*?)(<\/script>)/;

/** Every `div`, and what may contain the text of one: comments and raw text. Attributes contain no bare `<`. */
const DIVS = /<!--[^]*?-->|<(script|style|textarea|title)\b[^]*?<\/\1\s*>|<(\/?)div\b[^>]*>/gi;

/** Where the HTML inside a slot's element begins and ends; undefined if the page has no place for the slot. */
export function slotRange(html: string, slot: string): readonly [from: number, to: number] | undefined {
  const start = html.indexOf(`<div id="slot-${slot}" `);
  if (start < 0) return undefined;
  let depth = 0;
  let from = start;
  DIVS.lastIndex = start;
  for (let found = DIVS.exec(html); found; found = DIVS.exec(html)) {
    const [text, , closing] = found;
    if (closing === undefined) continue;
    depth += closing === '' ? 1 : -1;
    if (depth === 1 && closing === '' && found.index === start) from = start + text.length;
    if (depth === 0) return [from, found.index];
  }
  return undefined;
}

const escapeJson = (json: string): string =>
  json.replace(
    /[<\u2028\u2029]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );

const escapeAttribute = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('"', '&quot;');

const PRELOADS = /(<script type="application\/json" id="fc-preloads">)([^]*?)(<\/script>)/;
/** URL and integrity of each script. */
const preloadsSchema = z.array(z.tuple([z.string(), z.string()]));

/** The page without links to the files of the live release, which nothing uses. */
function withoutLinks(html: string, remote: string): string {
  const folder = `/remotes/${remote}/`;
  return html
    .replace(new RegExp(`<link rel="(?:preload|stylesheet)"[^>]* href="${folder}[^>]*>`, 'g'), '')
    .replace(PRELOADS, (_, open: string, list: string, close: string) => {
      const others = preloadsSchema.parse(JSON.parse(list)).filter(([url]) => !url.startsWith(folder));
      return open + escapeJson(JSON.stringify(others)) + close;
    });
}

interface RenderedSlot {
  readonly slot: string;
  readonly html: string;
  readonly data: unknown;
}

/** Renders what the server has rendered; a slot that fails is rendered in the browser. */
async function renderAll(
  slots: readonly string[],
  { modules }: PlacedBuild,
  state: RootState,
  { callAs, onFailure }: PageSources,
): Promise<readonly RenderedSlot[]> {
  const signal = AbortSignal.timeout(RENDER_MS);
  const rendered = await Promise.all(
    slots.map(async (slot) => {
      const module = modules.get(slot);
      if (!module) return [];
      try {
        const input = {
          slot,
          state: sliceState(marketplaceState, state, module.reads),
          call: callAs(slot),
          signal,
        };
        const { html, data } = await renderSlot(marketplaceState, module, input);
        return [{ slot, html, data }];
      } catch (error) {
        onFailure(slot, error);
        return [];
      }
    }),
  );
  return rendered.flat();
}

/** No deadline of a production shell: a slow call is no reason to see another release. */
const RENDER_MS = 30_000;

/** The HTML with the slots' own in place of the live release's, and the styles of the build before the first of them. */
function spliceSlots(html: string, rendered: readonly RenderedSlot[], { remote, slots }: BootBuild): string {
  const links = [...new Set(slots.flatMap(({ styles }) => styles))]
    .map(
      (url) =>
        `<link rel="stylesheet" href="${escapeAttribute(url)}" integrity="${remote.integrity[url] ?? ''}" crossorigin="anonymous">`,
    )
    .join('');
  let page = html;
  let first = Infinity;
  for (const { slot, html: own } of rendered) {
    const range = slotRange(page, slot);
    if (!range) continue;
    first = Math.min(first, page.lastIndexOf('<div', range[0] - 1));
    page = page.slice(0, range[0]) + own + page.slice(range[1]);
  }
  return first === Infinity ? page : page.slice(0, first) + links + page.slice(first);
}

/**
 * The shell's page with the build in place of the live release: rendered here, with its files and data in the boot data, so
 * that the browser hydrates it. Undefined if the page has no slot of the remote. Rejects if the override has ended, and if the
 * page is not one that this version knows.
 */
export async function placeBuild(
  html: string,
  build: PlacedBuild,
  sources: PageSources,
): Promise<string | undefined> {
  const json = BOOT.exec(html)?.[2];
  if (json === undefined) return undefined;
  const page = pageSchema.parse(JSON.parse(json));
  const { remote, slots: ownSlots } = build.boot;
  // Also of slots in frames, whose documents the shell serves for releases that it knows: the build shows them in the page itself.
  const isOwn = (slot: z.infer<typeof bootSlotSchema>) => slot.remote === remote.name;
  if (!page.slots.some(isOwn)) return undefined;
  if (page.extension?.data.followsBuilds !== true)
    throw new Error('the shell takes no local build any more: the token has expired, or was withdrawn');
  const content =
    typeof page.content === 'string'
      ? contentSchema.parse(await sources.readContent(page.content))
      : page.content;
  const state = { ...page.state, search: content.search } as unknown as RootState;
  const names = page.slots.filter((slot) => isOwn(slot) && slot.rendered !== 'none').map(({ slot }) => slot);
  const rendered = await renderAll(names, build, state, sources);

  const boot = {
    ...page,
    content: {
      ...content,
      data: { ...content.data, ...Object.fromEntries(rendered.map(({ slot, data }) => [slot, data])) },
    },
    remotes: [...page.remotes.filter(({ name }) => name !== remote.name), remote],
    slots: page.slots.map((slot) => {
      const own = ownSlots.find((candidate) => isOwn(slot) && candidate.slot === slot.slot);
      if (!own) return slot;
      const isRendered = rendered.some((one) => one.slot === slot.slot);
      // The browser renders a slot that failed here, in place of the live release's HTML.
      return { ...own, rendered: isRendered ? 'release' : slot.rendered === 'none' ? 'none' : 'fallback' };
    }),
  };
  const spliced = spliceSlots(withoutLinks(html, remote.name), rendered, build.boot);
  return spliced.replace(
    BOOT,
    (_, open: string, __, close: string) => `${open}${escapeJson(JSON.stringify(boot))}${close}`,
  );
}
