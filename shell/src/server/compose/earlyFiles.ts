import { createLruCache } from '../bounds/lruCache.ts';
import type { SlotPlacement } from '../layout/placement.ts';
import type { Snapshot } from '../releases/snapshot.ts';
import { releaseFileLink, type FileLink } from '../rendering/release.ts';
import { type InlineElement, inlineStyle } from './html.ts';
import { releaseOf } from './renderSlots.ts';
import type { ShellAssets } from './shellAssets.ts';

/** Files of a page's first view in one snapshot. */
export interface EarlyFiles {
  /** Styles of the shell and of the slots in the first view. */
  readonly css: string;
  /** The same as an element. */
  readonly style: InlineElement;
  /** URLs of the release styles contained in `css`. */
  readonly styles: ReadonlySet<string>;
  /** Styles of the shell and of those slots to link after the main slot. */
  readonly laterStyles: readonly FileLink[];
  readonly preloads: readonly FileLink[];
}
export type EarlyFilesOf = (snapshot: Snapshot) => EarlyFiles;

type ShellStyles = Pick<ShellAssets, 'firstViewCss' | 'laterStyles'>;

/** Usually one snapshot is live; with a canary of each remote there are some dozens. */
const MAX_SNAPSHOTS = 64;

/** Whether the slot's styles belong into the head: a late slot may be in the first view, but only its HTML. */
export const isInFirstView = ({ hydrate, deadlineMs }: SlotPlacement): boolean =>
  hydrate === 'load' || hydrate === 'idle' || (hydrate === 'late' && deadlineMs > 0);

function collect(shell: ShellStyles, layout: readonly SlotPlacement[], snapshot: Snapshot): EarlyFiles {
  const styles = new Set<string>();
  const later = new Map(shell.laterStyles.map((link) => [link.url, link]));
  const preloads = new Map<string, FileLink>();
  let css = shell.firstViewCss;
  for (const placement of layout.filter((one) => isInFirstView(one) && one.isolation !== 'frame')) {
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
      css += `\n${release.webFiles.get(path)?.toString('utf8') ?? ''}`;
    }
    if (placement.hydrate === 'late') continue;
    for (const path of [release.manifest.entry.web, ...declaration.scripts]) {
      const script = releaseFileLink(release, path);
      preloads.set(script.url, script);
    }
  }
  return {
    css,
    style: inlineStyle(css),
    styles,
    laterStyles: [...later.values()],
    preloads: [...preloads.values()],
  };
}

/**
 * Collects styles and scripts of the first view, once per snapshot: styles for
 * the head, later styles as links and scripts as preloads after the main slot.
 */
export function createEarlyFiles(shell: ShellStyles, layout: readonly SlotPlacement[]): EarlyFilesOf {
  const cache = createLruCache<EarlyFiles>({ maxEntries: MAX_SNAPSHOTS });
  return (snapshot) => {
    const key = [...snapshot.values()].map(({ id }) => id).join(' ');
    const cached = cache.get(key);
    if (cached) return cached;
    const files = collect(shell, layout, snapshot);
    cache.set(key, files);
    return files;
  };
}

/** Styles of a page's head; an extension may add some. */
export const headStyle = ({ css, style }: EarlyFiles, additionalCss = ''): InlineElement =>
  additionalCss === '' ? style : inlineStyle(css + additionalCss);
