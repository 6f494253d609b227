import type { FilterParam } from './filterSections.ts';

export { FILTER_PARAMS, isFilterParam, type FilterParam } from './filterSections.ts';

/** Where a visitor searches: kept when what they search for is replaced (AMB-198). */
export const PLACE_PARAMS: readonly FilterParam[] = ['zip', 'searchRadius', 'state', 'city', 'area'];

export type FilterValues = Readonly<Partial<Record<FilterParam, readonly string[]>>>;

/** Whether a search has a place, which a radius alone is not (AMB-199). */
export const hasPlace = (filters: FilterValues): boolean =>
  PLACE_PARAMS.some((param) => param !== 'searchRadius' && filters[param]);

export const SORT_VALUES = [
  'relevance',
  'derivedpriceASC',
  'derivedpriceDESC',
  'distanceASC',
  'datelistedASC',
  'datelistedDESC',
  'mileageASC',
  'mileageDESC',
  'yearASC',
  'yearDESC',
  'monthlyPaymentASC',
  'monthlyPaymentDESC',
] as const;
export type SortValue = (typeof SORT_VALUES)[number];

export const EXPERIENCES = ['commercial', 'best-deals'] as const;
type Experience = (typeof EXPERIENCES)[number];

export const CATEGORY_VALUES = ['best-deals', 'buy-online', 'by-owner', 'certified'] as const;
export type CategoryValue = (typeof CATEGORY_VALUES)[number];

/**
 * A decoded search: the only form in the store and on the bus. `filters` never contains empty lists; a
 * parameter without values is absent.
 */
export interface SearchCriteria {
  readonly filters: FilterValues;
  readonly sortBy: SortValue;
  /** Zero-based offset of the last loaded page, a multiple of the page size (AMB-029). */
  readonly firstRecord: number;
  readonly numRecords: number;
  readonly experience?: Experience;
  /** Absent = All Results (AMB-085). */
  readonly categorySearch?: CategoryValue;
  /** The page shows one sponsor's inventory. */
  readonly isSponsorship?: boolean;
  readonly showcaseOwnerId?: string;
  readonly psid?: string;
  readonly siomid?: string;
  readonly searchBookmarkId?: string;
  readonly bookmarkId?: string;
  /** Opens the sign-in on its sign-up screen (AMB-054). */
  readonly defaultScreen?: 'signup';
  /** Same-origin path to return to after sign-in. */
  readonly refUrl?: string;
  /** A filter whose section of the panel is open, or all of them: the way to their options without JavaScript. */
  readonly openSection?: FilterParam | 'all';
  /** The map of sellers is shown beside the results. */
  readonly view?: 'map';
  /** The visitor came from the page of a vehicle that is no longer for sale (AMB-149). */
  readonly expiredListing?: boolean;
  /**
   * URL segments of the search's makes, models and trims by code ('FORD', 'FORD/F150', 'FORD/F150/F150|XLT'), so that
   * links without the server's reference are canonical.
   */
  readonly slugs?: readonly (readonly [code: string, slug: string])[];
  /** Unknown parameters in URL order, decoded. */
  readonly unknown: readonly (readonly [name: string, value: string])[];
}

/**
 * Constants of the URL grammar, with unit and spec row. Constants that a single package uses are in that
 * package.
 */

/** Listings per page. */
export const PAGE_SIZE = 30;

/**
 * A page size that URLs of the manufacturer brand may still have; replaced by PAGE_SIZE.
 */
export const LEGACY_PAGE_SIZE = 25;

/** Maximum page size in a URL (AMB-050). */
export const MAX_NUM_RECORDS = 100;

/** Maximum make groups in the filter panel and in a URL. */
export const MAX_MAKE_GROUPS = 5;

/** Miles; the largest search radius. */
export const MAX_SEARCH_RADIUS = 100;

/** Miles; sent with a ZIP that has no radius (AMB-165). */
export const DEFAULT_SEARCH_RADIUS = 50;

/** Miles; 0 is 'Any', nationwide (AMB-008). */
export const SEARCH_RADIUS_OPTIONS = [10, 25, 50, 75, 100, 0] as const;
