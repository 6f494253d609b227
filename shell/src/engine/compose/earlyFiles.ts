import { createLruCache } from '@forecourt/service-kit/lruCache';
import type { SlotPlacement } from '../layout/placement.ts';
import type { Snapshot } from '../releases/snapshot.ts';
import {
  type FileLink,
  integrityOf,
  joinedPath,
  joinScripts,
  type LoadedRelease,
  releaseFileLink,
  releaseFileUrl,
} from '../rendering/release.ts';
import { type InlineElement, inlineStyle } from './html.ts';
import { releaseOf } from './renderSlots.ts';
import type { ShellAssets } from './shellAssets.ts';

/** A remote's entry with the chunk that all its slots of the page need: one request instead of two. */
export interface JoinedEntry extends FileLink {
  /** URL of the chunk in it. */
  readonly chunk: string;
}

/** Files of a page's first view in one snapshot. */
export interface EarlyFiles {
  /** Styles of the shell and of the slots in the first view, down to the main slot. */
  readonly css: string;
  /** The same as an element. */
  readonly style: InlineElement;
  /** URLs of the release styles that the page contains, in `css` or in `styleBelow`. */
  readonly styles: ReadonlySet<string>;
  /** Styles of the first view's slots below the main slot, for the place after it; undefined if there are none. */
  readonly styleBelow: InlineElement | undefined;
  /** Styles of the shell and of those slots to link below the first view. */
  readonly laterStyles: readonly FileLink[];
  readonly preloads: readonly FileLink[];
  /** By remote. */
  readonly entries: ReadonlyMap<string, JoinedEntry>;
}
export type EarlyFilesOf = (snapshot: Snapshot) => EarlyFiles;

type ShellStyles = Pick<ShellAssets, 'firstViewCss' | 'laterStyles'>;

/** Usually one snapshot is live; with a canary of each remote there are some dozens. */
const MAX_SNAPSHOTS = 64;

/** Whether the slot's styles belong into the head: a late slot may be in the first view, but only its HTML. */
export const isInFirstView = ({ hydrate, deadlineMs }: SlotPlacement): boolean =>
  hydrate === 'load' || hydrate === 'idle' || (hydrate === 'afterFirstView' && deadlineMs > 0);

/** Undefined if its slots of the page share no chunk, or if another origin has its files. */
function joinedEntryOf(release: LoadedRelease, slots: readonly string[]): JoinedEntry | undefined {
  const { entry, slots: declared } = release.manifest;
  const scripts = slots.flatMap((slot) => (declared[slot] ? [declared[slot].scripts] : []));
  const path = scripts[0]?.find((script) => scripts.every((others) => others.includes(script)));
  const [chunkBytes, entryBytes] = [path, entry.web].map((one) => release.webFiles.get(one ?? ''));
  if (path === undefined || !chunkBytes || !entryBytes || release.filesFrom !== undefined) return undefined;
  const bytes = joinScripts(chunkBytes, entryBytes);
  return {
    url: releaseFileUrl(release, joinedPath(path, entry.web)),
    integrity: integrityOf(bytes),
    chunk: releaseFileUrl(release, path),
  };
}

function joinEntries(layout: readonly SlotPlacement[], snapshot: Snapshot): ReadonlyMap<string, JoinedEntry> {
  const entries = new Map<string, JoinedEntry>();
  for (const [name, release] of snapshot) {
    const placements = layout.filter(
      ({ source, isolation }) => source !== 'shell' && source.remote === name && isolation !== 'frame',
    );
    const isPreloaded = placements.some((one) => isInFirstView(one) && one.hydrate !== 'afterFirstView');
    const joined = isPreloaded
      ? joinedEntryOf(
          release,
          placements.map(({ slot }) => slot),
        )
      : undefined;
    if (joined) entries.set(name, joined);
  }
  return entries;
}

function collect(
  shell: ShellStyles,
  { layout, mainSlot }: { readonly layout: readonly SlotPlacement[]; readonly mainSlot: string },
  snapshot: Snapshot,
): EarlyFiles {
  const styles = new Set<string>();
  const later = new Map(shell.laterStyles.map((link) => [link.url, link]));
  const preloads = new Map<string, FileLink>();
  const entries = joinEntries(layout, snapshot);
  const main = layout.findIndex(({ slot }) => slot === mainSlot);
  let css = shell.firstViewCss;
  let cssBelow = '';
  for (const [index, placement] of layout.entries()) {
    if (!isInFirstView(placement) || placement.isolation === 'frame') continue;
    const release = releaseOf(placement, snapshot);
    const declaration = release?.manifest.slots[placement.slot];
    if (!release || !declaration) continue;
    for (const path of declaration.styles) {
      const style = releaseFileLink(release, path);
      if (declaration.laterStyles?.includes(path)) {
        later.set(style.url, style);
        continue;
      }
      if (styles.has(style.url)) continue;
      styles.add(style.url);
      const text = `\n${release.webFiles.get(path)?.toString('utf8') ?? ''}`;
      if (index > main) cssBelow += text;
      else css += text;
    }
    if (placement.hydrate === 'afterFirstView') continue;
    const entry = entries.get(release.manifest.name) ?? releaseFileLink(release, release.manifest.entry.web);
    preloads.set(entry.url, { url: entry.url, integrity: entry.integrity });
    for (const path of declaration.scripts) {
      const script = releaseFileLink(release, path);
      if (!('chunk' in entry) || entry.chunk !== script.url) preloads.set(script.url, script);
    }
  }
  return {
    css,
    style: inlineStyle(css),
    styles,
    styleBelow: cssBelow === '' ? undefined : inlineStyle(cssBelow),
    laterStyles: [...later.values()],
    preloads: [...preloads.values()],
    entries,
  };
}

/**
 * Collects styles and scripts of the first view, once per snapshot: styles for the head and, below the main slot, of the
 * slots after it, scripts as preloads, and later styles as links below the first view.
 */
export function createEarlyFiles(
  shell: ShellStyles,
  layout: readonly SlotPlacement[],
  mainSlot: string,
): EarlyFilesOf {
  const cache = createLruCache<EarlyFiles>({ maxEntries: MAX_SNAPSHOTS });
  return (snapshot) => {
    const key = [...snapshot.values()].map(({ id }) => id).join(' ');
    const cached = cache.get(key);
    if (cached) return cached;
    const files = collect(shell, { layout, mainSlot }, snapshot);
    cache.set(key, files);
    return files;
  };
}

/** Styles of a page's head; an extension may add some. */
export const headStyle = ({ css, style }: EarlyFiles, additionalCss = ''): InlineElement =>
  additionalCss === '' ? style : inlineStyle(css + additionalCss);
