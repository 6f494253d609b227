import { type FileLink, releaseFileLink } from '../releases/release.ts';
import type { Snapshot } from '../releases/snapshot.ts';
import type { ShellAssets } from './assets.ts';
import { LAYOUT, type SlotPlacement } from './layout.ts';
import { releaseOf } from './renderSlots.ts';

/** What the first view of one snapshot needs. */
export interface EarlyFiles {
  /** The shell's styles and those of the slots in the first view. */
  readonly css: string;
  /** URLs of the releases' styles that `css` holds. */
  readonly styles: ReadonlySet<string>;
  /** Further styles of the shell and of those slots, for behind the results. */
  readonly laterStyles: readonly FileLink[];
  readonly preloads: readonly FileLink[];
}
export type EarlyFilesOf = (snapshot: Snapshot) => EarlyFiles;

type ShellStyles = Pick<ShellAssets, 'firstViewCss' | 'laterStyles'>;

/** Snapshots at a time: one, with a canary of each remote some dozens. */
const MAX_REMEMBERED = 64;

export const isEarly = ({ hydrate }: SlotPlacement): boolean => hydrate === 'load' || hydrate === 'idle';

function collect(shell: ShellStyles, snapshot: Snapshot): EarlyFiles {
  const styles = new Set<string>();
  const later = new Map(shell.laterStyles.map((link) => [link.url, link]));
  const preloads = new Map<string, FileLink>();
  let css = shell.firstViewCss;
  for (const placement of LAYOUT.filter(isEarly)) {
    const release = releaseOf(placement, snapshot);
    const facts = release?.manifest.slots[placement.slot];
    if (!release || !facts) continue;
    for (const path of facts.styles) {
      const style = releaseFileLink(release, path);
      if (facts.laterStyles?.includes(path)) {
        later.set(style.url, style);
        continue;
      }
      if (styles.has(style.url)) continue;
      styles.add(style.url);
      css += `\n${release.webFiles.get(path)?.toString('utf8') ?? ''}`;
    }
    for (const path of [release.manifest.entry.web, ...facts.scripts]) {
      const script = releaseFileLink(release, path);
      preloads.set(script.url, script);
    }
  }
  return { css, styles, laterStyles: [...later.values()], preloads: [...preloads.values()] };
}

/**
 * Styles and scripts of what is in the first view: styles into the page's head,
 * later ones as links behind the results, scripts as preloads. Collected once a snapshot.
 */
export function createEarlyFiles(shell: ShellStyles): EarlyFilesOf {
  const known = new Map<string, EarlyFiles>();
  return (snapshot) => {
    const key = [...snapshot.values()].map(({ id }) => id).join(' ');
    const files = known.get(key) ?? collect(shell, snapshot);
    // The one used last is the last to go.
    known.delete(key);
    known.set(key, files);
    const [oldest] = known.keys();
    if (known.size > MAX_REMEMBERED && oldest !== undefined) known.delete(oldest);
    return files;
  };
}
