import { releaseFileUrl } from '../releases/release.ts';
import type { Snapshot } from '../releases/snapshot.ts';
import type { PreloadedScript } from './frame.ts';
import { LAYOUT, type SlotPlacement } from './layout.ts';
import { releaseOf } from './renderSlots.ts';

/** What the first view of one snapshot needs. */
export interface EarlyFiles {
  /** The shell's styles and those of the slots in the first view. */
  readonly css: string;
  /** URLs of the releases' styles that `css` holds. */
  readonly styles: ReadonlySet<string>;
  readonly preloads: readonly PreloadedScript[];
}
export type EarlyFilesOf = (snapshot: Snapshot) => EarlyFiles;

/** Snapshots at a time: one, with a canary of each remote some dozens. */
const MAX_REMEMBERED = 64;

export const isEarly = ({ hydrate }: SlotPlacement): boolean => hydrate === 'load' || hydrate === 'idle';

function collect(shellCss: string, snapshot: Snapshot): EarlyFiles {
  const styles = new Set<string>();
  const preloads = new Map<string, PreloadedScript>();
  let css = shellCss;
  for (const placement of LAYOUT.filter(isEarly)) {
    const release = releaseOf(placement, snapshot);
    const facts = release?.manifest.slots[placement.slot];
    if (!release || !facts) continue;
    const { entry, files } = release.manifest;
    for (const path of facts.styles) {
      const url = releaseFileUrl(release, path);
      if (styles.has(url)) continue;
      styles.add(url);
      css += `\n${release.webFiles.get(path)?.toString('utf8') ?? ''}`;
    }
    for (const path of [entry.web, ...facts.scripts]) {
      const url = releaseFileUrl(release, path);
      preloads.set(url, { url, integrity: files[path]?.integrity ?? '' });
    }
  }
  return { css, styles, preloads: [...preloads.values()] };
}

/** Styles and scripts of what is in the first view: styles into the page, scripts as preloads. Collected once a snapshot. */
export function createEarlyFiles(shellCss: string): EarlyFilesOf {
  const known = new Map<string, EarlyFiles>();
  return (snapshot) => {
    const key = [...snapshot.values()].map(({ id }) => id).join(' ');
    const files = known.get(key) ?? collect(shellCss, snapshot);
    // The one used last is the last to go.
    known.delete(key);
    known.set(key, files);
    const [oldest] = known.keys();
    if (known.size > MAX_REMEMBERED && oldest !== undefined) known.delete(oldest);
    return files;
  };
}
