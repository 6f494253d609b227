import {
  CATEGORY_VALUES,
  EXPERIENCES,
  FILTER_PARAMS,
  type FilterParam,
  type FilterValues,
  type SearchCriteria,
  LEGACY_PAGE_SIZE,
  MAX_NUM_RECORDS,
  PAGE_SIZE,
} from './criteria.ts';
import { categoryFilter, matchesCategory } from './filterValues.ts';
import { isKnownName, isSortValue, namesOf, resolveSort } from './names.ts';
import { DEFAULT_PATH, type NotFoundReason, parsePath } from './path.ts';
import { EMPTY_SLUG_REFERENCE, type SlugReference } from './slugs.ts';
import { MAX_CODE_LENGTH, cleanText, firstOf, wholeNumber } from './text.ts';
import { PAYMENT_FIELDS, withPaymentFields } from './paymentFilter.ts';
import { readValues } from './values.ts';
import { BRANDS, type BrandCode } from '../brands/brands.ts';

export type DecodeOptions = StateOptions;

type DecodeResult =
  | { readonly kind: 'search'; readonly criteria: SearchCriteria }
  | { readonly kind: 'notFound'; readonly reason: NotFoundReason };

/** Maximum number of query pairs; the rest is ignored. */
const MAX_PAIRS = 300;
const MAX_UNKNOWN = 30;
const MAX_UNKNOWN_LENGTH = 512;

/**
 * Decodes a path and a query. Never throws: invalid query values are dropped, an invalid path is not found. A
 * value in the path wins over the same parameter in the query (AMB-046).
 */
export function decodeUrl(
  pathname: string,
  query: string | URLSearchParams,
  reference: SlugReference,
  options: DecodeOptions = {},
): DecodeResult {
  const path = parsePath(pathname, reference);
  if ('reason' in path) return { kind: 'notFound', reason: path.reason };
  const pairs = [...(typeof query === 'string' ? new URLSearchParams(query) : query)].slice(0, MAX_PAIRS);
  const valuesByName = new Map<string, string[]>();
  for (const [name, value] of pairs) {
    const values = valuesByName.get(name);
    if (values) values.push(value);
    else valuesByName.set(name, [value]);
  }
  const values = (name: string): readonly string[] => valuesByName.get(name) ?? [];

  const withOwnTerms = (value: string) =>
    withPaymentFields(
      value,
      PAYMENT_FIELDS.map((name) => values(name)[0]),
    );

  const filters: Partial<Record<FilterParam, readonly string[]>> = {};
  for (const param of FILTER_PARAMS) {
    const fromPath = path.filters[param];
    const rawValues = fromPath ?? namesOf(param).flatMap(values);
    const typedValues = param === 'monthlyPayment' ? rawValues.map(withOwnTerms) : rawValues;
    const normalValues = rawValues.length > 0 ? readValues(param, typedValues) : [];
    if (normalValues.length > 0) filters[param] = normalValues;
  }
  const state = readState(values, options);
  const { categorySearch, ...others } = state;
  const limitedFilters = limitGroups(filters, reference, options.brand);
  const withCategory = applyCategory(limitedFilters, categorySearch);
  return {
    kind: 'search',
    criteria: {
      ...others,
      ...(withCategory.categorySearch && { categorySearch: withCategory.categorySearch }),
      filters: withCategory.filters,
      unknown: readUnknown(pairs),
    },
  };
}

/** Decodes a query without a path, for services. */
export function decodeQuery(query: string | URLSearchParams, options: DecodeOptions = {}): SearchCriteria {
  const result = decodeUrl(DEFAULT_PATH, query, EMPTY_SLUG_REFERENCE, options);
  if (result.kind === 'notFound') throw new Error(`The default path was refused: ${result.reason}`);
  return result.criteria;
}

/**
 * Adds the values of the category if its filter is not set. Other values of that filter end the category
 * (AMB-085).
 */
function applyCategory(
  filters: FilterValues,
  category: SearchCriteria['categorySearch'],
): Pick<SearchCriteria, 'filters' | 'categorySearch'> {
  const expected = categoryFilter(category);
  if (!category || !expected) return { filters };
  const filtersWithCategory = filters[expected.param]
    ? filters
    : { ...filters, [expected.param]: expected.values };
  return {
    filters: filtersWithCategory,
    ...(matchesCategory(filtersWithCategory, category) && { categorySearch: category }),
  };
}

/** Unknown parameters (utm_…) in URL order, kept for the scripts that use them (AMB-048). */
function readUnknown(pairs: readonly (readonly [string, string])[]): SearchCriteria['unknown'] {
  return pairs
    .map(([name, value]) => [cleanText(name, MAX_CODE_LENGTH), cleanText(value, MAX_UNKNOWN_LENGTH)] as const)
    .filter(([name, value]) => name && value && !isKnownName(name))
    .slice(0, MAX_UNKNOWN);
}

/** Returns the values of a name in URL order. */
type ValuesOfName = (name: string) => readonly string[];

interface StateOptions {
  readonly brand?: BrandCode;
  /**
   * Whether the page is loaded from the server, which sorts by relevance by default (AMB-001). Default true.
   */
  readonly serverLoaded?: boolean;
}

/** Upper bound of offsets. */
const MAX_FIRST_RECORD = 10_000_000;
const MAX_PATH_LENGTH = 2000;

const isTrue = (text: string) => (['true', '1'].includes(text.trim().toLowerCase()) ? true : undefined);

const among =
  <Value extends string>(values: readonly Value[]) =>
  (text: string): Value | undefined =>
    values.find((value) => value.toLowerCase() === text.trim().toLowerCase());

const code = (text: string) => cleanText(text, MAX_CODE_LENGTH) || undefined;

/** The first of several sponsors, repeated or as a comma list. */
const firstCode = (text: string) => firstOf(text.split(','), code);

/**
 * A same-origin path. Browsers treat '/\host' and '//host' as another origin, so both are refused (AMB-054).
 */
export function sameOriginPath(text: string): string | undefined {
  const path = cleanText(text, MAX_PATH_LENGTH);
  return /^\/(?![/\\])/.test(path) && !path.includes('\\') ? path : undefined;
}

function pageSize(values: ValuesOfName, brand: BrandCode | undefined): number {
  const size = firstOf(values('numRecords'), wholeNumber);
  if (size === undefined || size < 1 || size > MAX_NUM_RECORDS) return PAGE_SIZE;
  return size === LEGACY_PAGE_SIZE && brand === 'oem' ? PAGE_SIZE : size;
}

/** All criteria except filters and unknown parameters. */
function readState(values: ValuesOfName, options: StateOptions): Omit<SearchCriteria, 'filters' | 'unknown'> {
  const numRecords = pageSize(values, options.brand);
  const offset = firstOf(values('firstRecord'), wholeNumber) ?? 0;
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
    openSection: firstOf(values('openSection'), among([...FILTER_PARAMS, 'all'])),
    view: firstOf(values('view'), among(['map'] as const)),
  };
  return {
    sortBy: resolveSort(sort, { serverLoaded: options.serverLoaded ?? true }),
    // Rounded down to a multiple of the page size (AMB-029).
    firstRecord: Math.floor(Math.min(offset, MAX_FIRST_RECORD) / numRecords) * numRecords,
    numRecords,
    ...Object.fromEntries(Object.entries(optional).filter(([, value]) => value !== undefined)),
  };
}

type Codes = readonly string[];

const modelOf = (trim: string) => trim.split('|')[0] ?? '';

/**
 * Drops trims that the reference doesn't list for the selected makes and models. Without both, without known
 * trims or without a reference, trims stay unchanged. A brand with a single group keeps
 * the first make, its first model and that model's first trim (AMB-082).
 */
export function limitGroups(
  filters: FilterValues,
  reference: SlugReference,
  brand: BrandCode | undefined,
): FilterValues {
  const isSingle = brand !== undefined && BRANDS[brand].hasSingleMakeGroup;
  const { makeCode: makes, modelCode: models, trimCode: trims, ...others } = filters;
  const makeCode = isSingle ? makes?.slice(0, 1) : makes;
  const modelCode = isSingle && models ? firstModel(models, makeCode?.[0], reference) : models;
  const knownTrims =
    makeCode && modelCode && !reference.isEmpty
      ? trims?.filter((trim) => isKnownTrim(trim, makeCode, modelCode, reference))
      : trims;
  const trimCode = isSingle ? firstTrim(knownTrims, modelCode) : knownTrims;
  return {
    ...others,
    ...(makeCode && { makeCode }),
    ...(modelCode?.length && { modelCode }),
    ...(trimCode?.length && { trimCode }),
  };
}

function isKnownTrim(trim: string, makes: Codes, models: Codes, reference: SlugReference): boolean {
  const model = modelOf(trim);
  if (!models.includes(model)) return false;
  const lists = makes.map((make) => reference.trimCodes(make, model)).filter((codes) => codes !== undefined);
  return lists.length === 0 || lists.some((codes) => codes.includes(trim));
}

/** The make's first model; otherwise the first model of unknown make. */
function firstModel(models: Codes, make: string | undefined, reference: SlugReference): Codes {
  if (make === undefined) return models.slice(0, 1);
  const ofMake = models.find((model) => reference.makesOfModel(model).includes(make));
  const first = ofMake ?? models.find((model) => reference.makesOfModel(model).length === 0);
  return first === undefined ? [] : [first];
}

const firstTrim = (trims: Codes = [], models: Codes | undefined): Codes =>
  trims.filter((trim) => models?.includes(modelOf(trim)) ?? true).slice(0, 1);
