import { PAGE_SLOTS, type ReleaseManifest } from './release.ts';

/** Maximum bytes of one remote, and the reason for this limit. */
interface SizeBudget {
  readonly bytes: number;
  readonly reason: string;
}

const KB = 1000;

/**
 * Uncompressed bytes, as stated in the manifest and verified everywhere: compression ratios depend on the
 * server, and browsers parse the uncompressed code. Brotli reduces them to about a quarter. The first view
 * (shell, filters, results) has 160 kB of brotli in total.
 */
export const SIZE_BUDGETS: {
  readonly remotes: Readonly<Record<string, SizeBudget>>;
  /** For remotes without a budget of their own. */
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
 * Uncompressed bytes of the browser's entry and of the files that slots load initially; lazy parts don't
 * count. The main slot of a separate page never loads with the other slots, so only the largest page counts.
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
