import { type SortValue, SORT_VALUES } from './criteria.ts';

/** The sort by the upstream's own formula (B9-GRID-15). */
export const RELEVANCE_SORT = 'relevance' satisfies SortValue;
/** Order of a search which the browser makes without a (known) sort (A3-SORT-11). */
export const DEFAULT_SORT = 'derivedpriceDESC' satisfies SortValue;
export const isSortValue = (raw: unknown): raw is SortValue =>
  (SORT_VALUES as readonly unknown[]).includes(raw);

/**
 * A known sort stays. Without one a server-loaded page uses relevance, a
 * search made in the browser the default (A3-SORT-11, A3-SORT-12, AMB-001).
 */
export function resolveSort(raw: string | null | undefined, context: { serverLoaded: boolean }): SortValue {
  if (isSortValue(raw)) return raw;
  return context.serverLoaded ? RELEVANCE_SORT : DEFAULT_SORT;
}
