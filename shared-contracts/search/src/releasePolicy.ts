import type { PageKind } from './state/state.ts';

/** Maximum bytes of one remote, and the reason for this limit. */
interface SizeBudget {
  readonly bytes: number;
  readonly reason: string;
}

const KB = 1000;

/**
 * Uncompressed bytes, as stated in the manifest and verified everywhere: compression ratios depend on the
 * server, and browsers parse the uncompressed code. Brotli reduces them to about a quarter. The first view
 * (shell, filters, results) has 147 kB of brotli in total.
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
 * Slots that other pages than the plain results have: their main slots, each named after its page kind, and the map.
 * Builds put their files into separate chunks.
 */
export const PAGE_SLOTS: readonly string[] = [
  'vehicle',
  'compare',
  'build-your-price',
  'map',
  'saved-searches',
  'saved-vehicles',
] satisfies (Exclude<PageKind, 'results'> | 'map')[];
