import { PAGE_SLOTS, type ReleaseManifest } from './release.ts';

/** Most bytes that one remote may cost a visitor before anybody does anything, and why just so many. */
interface SizeBudget {
  readonly bytes: number;
  readonly reason: string;
}

const KB = 1000;

/**
 * Plain bytes, as the manifest states and everybody verifies them: how well a
 * file compresses depends on who compresses it, and a browser parses all of it.
 * Brotli makes about a quarter of them. The first view (shell, filters, results)
 * has 160 kB of brotli in all.
 */
export const SIZE_BUDGETS: {
  readonly remotes: Readonly<Record<string, SizeBudget>>;
  /** Of a remote that has none of its own. */
  readonly preset: SizeBudget;
} = {
  remotes: {
    'mfe-filters': { bytes: 130 * KB, reason: 'the panel is needed at once and stands in every first view' },
    'mfe-results': { bytes: 120 * KB, reason: 'the largest contentful paint waits for its styles' },
    'mfe-leads': {
      bytes: 80 * KB,
      reason: 'nothing of it is seen at first, each dialog is a file of its own',
    },
    'mfe-model-reference': { bytes: 65 * KB, reason: 'it stands below the results' },
    'mfe-showcase': { bytes: 45 * KB, reason: 'one row of tiles above the results' },
  },
  preset: { bytes: 60 * KB, reason: 'for a remote without a budget of its own' },
};

/**
 * Plain bytes of the browser's entry and of the files that slots begin with; lazy parts don't count. The main slot of
 * a page of its own never loads with the other slots, so the largest page counts.
 */
export function firstViewBytes({
  entry,
  slots,
  files,
}: Pick<ReleaseManifest, 'entry' | 'slots' | 'files'>): number {
  const named = Object.entries(slots);
  const pages = [
    named.filter(([slot]) => !PAGE_SLOTS.has(slot)),
    ...named.filter(([slot]) => PAGE_SLOTS.has(slot)).map((slot) => [slot]),
  ];
  const bytesOf = (path: string) => (Object.hasOwn(files, path) ? (files[path]?.bytes ?? 0) : 0);
  const totals = pages.map((page) => {
    const paths = new Set([entry.web, ...page.flatMap(([, { scripts, styles }]) => [...scripts, ...styles])]);
    return [...paths].reduce((sum, path) => sum + bytesOf(path), 0);
  });
  return Math.max(...totals);
}
