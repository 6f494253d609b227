import { readValues } from './values.ts';
import {
  type CategoryValue,
  type FilterParam,
  type FilterValues,
  type SearchCriteria,
  FILTER_PARAMS,
} from './criteria.ts';

/** What each category of the toolbar searches for; All Results is the absence of one (AMB-085). */
export const CATEGORIES: readonly {
  readonly value: CategoryValue | undefined;
  readonly label: string;
  readonly icon: string;
  readonly filterName?: FilterParam;
  readonly filterValues?: readonly string[];
}[] = [
  { value: undefined, label: 'All Results', icon: 'grid' },
  {
    value: 'best-deals',
    label: 'Best Deals',
    icon: 'tag',
    filterName: 'dealType',
    filterValues: ['goodprice', 'greatprice'],
  },
  {
    value: 'buy-online',
    label: 'Buy Online',
    icon: 'cart',
    filterName: 'homeServices',
    filterValues: ['BUY_ONLINE'],
  },
  {
    value: 'by-owner',
    label: 'For Sale By Owner',
    icon: 'person',
    filterName: 'sellerType',
    filterValues: ['p'],
  },
  {
    value: 'certified',
    label: 'Certified Used',
    icon: 'badge',
    filterName: 'listingType',
    filterValues: ['CERTIFIED'],
  },
];

/** The filter of a category; undefined for All Results. */
export function categoryFilter(
  value: CategoryValue | undefined,
): { param: FilterParam; values: readonly string[] } | undefined {
  const category = value && CATEGORIES.find((entry) => entry.value === value);
  if (!category || !category.filterName || !category.filterValues) return undefined;
  return { param: category.filterName, values: category.filterValues };
}

/**
 * Whether filters are those of a category: all of its values and no others of
 * that filter, which would find more than the category says (AMB-085).
 */
export function holdsCategory(filters: FilterValues, category: CategoryValue): boolean {
  const wanted = categoryFilter(category);
  if (!wanted) return true;
  const present = filters[wanted.param] ?? [];
  return present.length === wanted.values.length && wanted.values.every((value) => present.includes(value));
}

/** Filters with one parameter's values replaced, in normal form; no values remove it. */
export function withValues(
  filters: FilterValues,
  param: FilterParam,
  values: readonly string[],
): FilterValues {
  const { [param]: _, ...others } = filters;
  const read = readValues(param, values);
  return read.length === 0 ? others : { ...others, [param]: read };
}

/** Filters without the given parameters. */
export function withoutParams(filters: FilterValues, params: Iterable<FilterParam>): FilterValues {
  const gone = new Set(params);
  return Object.fromEntries(Object.entries(filters).filter(([param]) => !gone.has(param as FilterParam)));
}

/** Filters as the codec would read them: known parameters only, values in normal form. */
export function normalizeFilters(filters: Readonly<Partial<Record<FilterParam, unknown>>>): FilterValues {
  let normal: FilterValues = {};
  for (const param of FILTER_PARAMS) {
    const raw = filters[param];
    const values = (Array.isArray(raw) ? (raw as unknown[]) : raw === undefined ? [] : [raw]).map(String);
    normal = withValues(normal, param, values);
  }
  return normal;
}

/** Filters whose make is a list, whatever foreign code has put there (AMB-081). The request reports it. */
export function withMakeList(filters: FilterValues): FilterValues {
  const make: unknown = filters.makeCode;
  return typeof make === 'string' ? { ...filters, makeCode: [make] } : filters;
}

/** Values of one parameter; empty when it is not set. */
export const valuesOf = (criteria: Pick<SearchCriteria, 'filters'>, param: FilterParam): readonly string[] =>
  withMakeList(criteria.filters)[param] ?? [];

/** The value of a parameter that holds exactly one. */
export function singleValue(
  criteria: Pick<SearchCriteria, 'filters'>,
  param: FilterParam,
): string | undefined {
  const values = valuesOf(criteria, param);
  return values.length === 1 ? values[0] : undefined;
}

/** The one model year of a search; undefined for an open or wider range (AMB-158). */
export function singleYear(filters: FilterValues): string | undefined {
  const start = singleValue({ filters }, 'startYear');
  return start !== undefined && start === singleValue({ filters }, 'endYear') ? start : undefined;
}
