import { type FilterParam, FILTER_PARAMS } from './criteria.ts';

/** Second and third names of a parameter, read together with it (A2-QP-09ff, B2-QP-03, AMB-014, AMB-049). */
const ALIASES: Partial<Record<FilterParam, readonly string[]>> = {
  makeCode: ['makeCodeList', 'makeCode1', 'makeCode2', 'makeCode3'],
  modelCode: ['modelCodeList', 'modelCode1', 'modelCode2', 'modelCode3'],
  trimCode: ['trimCodeList'],
  vehicleStyleCode: ['vehicleStyleCodes'],
  listingType: ['listingTypes'],
  sellerType: ['sellerTypes'],
  mpgRange: ['mpgRanges'],
};

/** Parameters which tell nothing any more and go without a trace (B5-URL-03). */
const DROPPED_NAMES: ReadonlySet<string> = new Set(['lastExec', 'mmt']);

/** Every name by which a filter parameter may come, in the order in which they are united. */
export const namesOf = (param: FilterParam): readonly string[] => [param, ...(ALIASES[param] ?? [])];

/** Parameters of a search that are no filters. */
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
] as const;
export type StateName = (typeof STATE_NAMES)[number];

const FILTER_NAMES: ReadonlySet<string> = new Set(FILTER_PARAMS.flatMap(namesOf));
const KNOWN: ReadonlySet<string> = new Set([...FILTER_NAMES, ...STATE_NAMES]);

export const isFilterName = (name: string): boolean => FILTER_NAMES.has(name);
export const isKnownName = (name: string): boolean => KNOWN.has(name) || DROPPED_NAMES.has(name);

const GROUPED: ReadonlySet<FilterParam> = new Set(['makeCode', 'modelCode', 'trimCode']);

/** The one name under which values are written: make, model and trim have a second one for several (AMB-014). */
export const writtenName = (param: FilterParam, count: number): string =>
  GROUPED.has(param) && count > 1 ? `${param}List` : param;
