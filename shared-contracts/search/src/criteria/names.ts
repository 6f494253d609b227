import { PAYMENT_FIELDS } from './paymentFilter.ts';
import { FILTER_PARAMS, type FilterParam, SORT_VALUES, type SortValue } from './criteria.ts';

/** Aliases of a parameter, whose values are merged. */
const ALIASES: Partial<Record<FilterParam, readonly string[]>> = {
  makeCode: ['makeCodeList', 'makeCode1', 'makeCode2', 'makeCode3'],
  modelCode: ['modelCodeList', 'modelCode1', 'modelCode2', 'modelCode3'],
  trimCode: ['trimCodeList'],
  vehicleStyleCode: ['vehicleStyleCodes'],
  listingType: ['listingTypes'],
  sellerType: ['sellerTypes'],
  mpgRange: ['mpgRanges'],
};

/** Obsolete parameters, and form fields that are merged into another parameter: removed from URLs. */
const DROPPED_NAMES: ReadonlySet<string> = new Set(['lastExec', 'mmt', ...PAYMENT_FIELDS]);

/** All names of a filter parameter, in merge order. */
export const namesOf = (param: FilterParam): readonly string[] => [param, ...(ALIASES[param] ?? [])];

/** Parameters of a search that are not filters. */
export const STATE_NAMES = [
  'sortBy',
  'firstRecord',
  'numRecords',
  'experience',
  'categorySearch',
  'isSponsorship',
  'showcaseOwnerId',
  'psid',
  'siomid',
  'searchBookmarkId',
  'bookmarkId',
  'defaultScreen',
  'refUrl',
  'expiredListing',
  'openSection',
  'view',
] as const;
export type StateName = (typeof STATE_NAMES)[number];

const FILTER_NAMES: ReadonlySet<string> = new Set(FILTER_PARAMS.flatMap(namesOf));
const KNOWN: ReadonlySet<string> = new Set([...FILTER_NAMES, ...STATE_NAMES]);

export const isFilterName = (name: string): boolean => FILTER_NAMES.has(name);
export const isKnownName = (name: string): boolean => KNOWN.has(name) || DROPPED_NAMES.has(name);

const GROUPED: ReadonlySet<FilterParam> = new Set(['makeCode', 'modelCode', 'trimCode']);

/**
 * The name used when writing a parameter: make, model and trim use the list name for several values
 * (AMB-014).
 */
export const queryNameOf = (param: FilterParam, count: number): string =>
  GROUPED.has(param) && count > 1 ? `${param}List` : param;

/** The sort by the upstream's relevance formula. */
export const RELEVANCE_SORT = 'relevance' satisfies SortValue;
/** Sort of a browser search without a valid sort. */
export const DEFAULT_SORT = 'derivedpriceDESC' satisfies SortValue;
export const isSortValue = (raw: unknown): raw is SortValue =>
  (SORT_VALUES as readonly unknown[]).includes(raw);

/**
 * Returns a valid sort unchanged. Otherwise the default: relevance for a server-loaded page, the highest
 * price for a browser search.
 */
export function resolveSort(raw: string | null | undefined, context: { serverLoaded: boolean }): SortValue {
  if (isSortValue(raw)) return raw;
  return context.serverLoaded ? RELEVANCE_SORT : DEFAULT_SORT;
}
