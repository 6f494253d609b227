export {
  addFilters,
  changeFilters,
  clearFilters,
  filtersInPlace,
  leaveSponsorship,
  selectCategory,
  setPage,
} from './changes.ts';
export {
  FILTER_PARAMS,
  PLACE_PARAMS,
  hasPlace,
  SORT_VALUES,
  type FilterParam,
  type FilterValues,
  type SearchCriteria,
} from './criteria.ts';
export {
  CATEGORIES,
  normalizeFilters,
  singleValue,
  singleYear,
  valuesOf,
  withMakeList,
  withValues,
  withoutParams,
} from './filterValues.ts';
export {
  DEFAULT_SEARCH_RADIUS,
  MAX_MAKE_GROUPS,
  MAX_SEARCH_RADIUS,
  PAGE_SIZE,
  SEARCH_RADIUS_OPTIONS,
} from './criteria.ts';
export { DEFAULT_PATH, RESERVED_SEGMENTS, RESULTS_PATH } from './path.ts';
export {
  EMPTY_SLUG_REFERENCE,
  createSlugReference,
  slugsOf,
  type SlugData,
  type SlugReference,
} from './slugs.ts';
export { readMapArea, writeMapArea } from './mapArea.ts';
export {
  highestPriceWithin,
  paymentLimitLabel,
  readPaymentLimit,
  withPaymentFields,
  writePaymentLimit,
} from './paymentFilter.ts';
export { RELEVANCE_SORT, isSortValue, resolveSort } from './names.ts';
export { INVALID_ZIP, ZIP_LENGTH, isZip, normalizeZip, typedZipError } from './values.ts';
