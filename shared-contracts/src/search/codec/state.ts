import type { BrandCode } from '../../brands/brands.ts';
import { LEGACY_PAGE_SIZE, MAX_NUM_RECORDS, PAGE_SIZE } from '../../rules/constants.ts';
import type { SearchCriteria } from '../criteria.ts';
import { CATEGORY_VALUES, EXPERIENCES } from '../criteria.ts';
import { isSortValue, resolveSort } from '../sorts.ts';
import type { StateName } from './names.ts';
import { MAX_CODE_LENGTH, cleanText, firstOf, wholeNumber } from './text.ts';

/** Gives the values of a name in the order of the URL. */
export type Values = (name: string) => readonly string[];

export interface StateOptions {
  readonly brand?: BrandCode;
  /** A page loaded from the server sorts by relevance without a sort (AMB-001). Default true. */
  readonly serverLoaded?: boolean;
}

/** Offsets past this are no page of any result. */
const MAX_FIRST_RECORD = 10_000_000;
const MAX_PATH_LENGTH = 2000;

const isTrue = (text: string) => (['true', '1'].includes(text.trim().toLowerCase()) ? true : undefined);

const among =
  <Value extends string>(values: readonly Value[]) =>
  (text: string): Value | undefined =>
    values.find((value) => value === text.trim().toLowerCase());

const code = (text: string) => cleanText(text, MAX_CODE_LENGTH) || undefined;

/** Several sponsors, repeated or as a comma list: the first counts (B5-URL-01). */
const firstCode = (text: string) => firstOf(text.split(','), code);

/**
 * A path on this origin. Browsers read '/\host' and '//host' as another
 * origin, so both are refused (AMB-054).
 */
export function sameOriginPath(text: string): string | undefined {
  const path = cleanText(text, MAX_PATH_LENGTH);
  return /^\/(?![/\\])/.test(path) && !path.includes('\\') ? path : undefined;
}

function pageSize(values: Values, brand: BrandCode | undefined): number {
  const asked = firstOf(values('numRecords'), wholeNumber);
  if (asked === undefined || asked < 1 || asked > MAX_NUM_RECORDS) return PAGE_SIZE;
  return asked === LEGACY_PAGE_SIZE && brand === 'oem' ? PAGE_SIZE : asked;
}

/** Everything of the criteria but filters and unknown parameters (A2-QP-05..07, 28, 30..36, B2-QP-07, B2-QP-08). */
export function readState(
  values: Values,
  options: StateOptions,
): Omit<SearchCriteria, 'filters' | 'unknown'> {
  const numRecords = pageSize(values, options.brand);
  const asked = firstOf(values('firstRecord'), wholeNumber) ?? 0;
  const sort = firstOf(values('sortBy'), (text) => (isSortValue(text.trim()) ? text.trim() : undefined));
  const optional = {
    experience: firstOf(values('experience'), among(EXPERIENCES)),
    categorySearch: firstOf(values('categorySearch'), among(CATEGORY_VALUES)),
    isSponsorship: firstOf(values('isSponsorship'), isTrue),
    showcaseOwnerId: firstOf(values('showcaseOwnerId'), firstCode),
    psid: firstOf(values('psid'), code),
    siomid: firstOf(values('siomid'), code),
    searchBookmarkId: firstOf(values('searchBookmarkId'), code),
    bookmarkId: firstOf(values('bookmarkId'), code),
    defaultScreen: firstOf(values('defaultScreen'), among(['signup'] as const)),
    refUrl: firstOf(values('refUrl'), sameOriginPath),
    expiredListing: firstOf(values('expiredListing'), isTrue),
  };
  return {
    sortBy: resolveSort(sort, { serverLoaded: options.serverLoaded ?? true }),
    // A page starts at a multiple of its size; anything between is floored (AMB-029).
    firstRecord: Math.floor(Math.min(asked, MAX_FIRST_RECORD) / numRecords) * numRecords,
    numRecords,
    ...Object.fromEntries(Object.entries(optional).filter(([, value]) => value !== undefined)),
  };
}

/** The written form of the same; defaults are left out (AMB-001, AMB-029, AMB-050). */
export function writeState(criteria: SearchCriteria): (readonly [StateName, string])[] {
  const text: Record<StateName, string | undefined> = {
    sortBy: criteria.sortBy === 'relevance' ? undefined : criteria.sortBy,
    firstRecord: criteria.firstRecord > 0 ? String(criteria.firstRecord) : undefined,
    numRecords: criteria.numRecords === PAGE_SIZE ? undefined : String(criteria.numRecords),
    experience: criteria.experience,
    categorySearch: criteria.categorySearch,
    isSponsorship: criteria.isSponsorship ? 'true' : undefined,
    showcaseOwnerId: criteria.showcaseOwnerId,
    psid: criteria.psid,
    siomid: criteria.siomid,
    searchBookmarkId: criteria.searchBookmarkId,
    bookmarkId: criteria.bookmarkId,
    defaultScreen: criteria.defaultScreen,
    refUrl: criteria.refUrl,
    expiredListing: criteria.expiredListing ? '1' : undefined,
  };
  return (Object.entries(text) as [StateName, string | undefined][]).filter(
    (pair): pair is [StateName, string] => !!pair[1],
  );
}
