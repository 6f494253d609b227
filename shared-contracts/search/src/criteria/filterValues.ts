import { readValues } from './values.ts';
import {
  type CategoryValue,
  type FilterParam,
  type FilterValues,
  type SearchCriteria,
  FILTER_PARAMS,
} from './criteria.ts';

/** The categories of the toolbar with their filters; All Results has none (AMB-085). */
export const CATEGORIES: readonly {
  readonly value: CategoryValue | undefined;
  readonly label: string;
  readonly icon: string;
  /** Undefined for All Results, which sets no filter. */
  readonly filterName: FilterParam | undefined;
  readonly filterValues?: readonly string[];
}[] = [
  { value: undefined, label: 'All Results', icon: 'grid', filterName: undefined },
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
 * Whether the filters match a category: all of its values and no others of that filter, which would widen the
 * search (AMB-085).
 */
export function matchesCategory(filters: FilterValues, category: CategoryValue): boolean {
  const filter = categoryFilter(category);
  if (!filter) return true;
  const present = filters[filter.param] ?? [];
  return present.length === filter.values.length && filter.values.every((value) => present.includes(value));
}

/** Replaces the values of one parameter, in normal form; an empty list removes it. */
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
  const removedParams = new Set(params);
  return Object.fromEntries(
    Object.entries(filters).filter(([param]) => !removedParams.has(param as FilterParam)),
  );
}

/** Normalizes filters like the URL codec: known parameters only, values in normal form. */
export function normalizeFilters(filters: Readonly<Partial<Record<FilterParam, unknown>>>): FilterValues {
  let normal: FilterValues = {};
  for (const param of FILTER_PARAMS) {
    const raw = filters[param];
    const values = (Array.isArray(raw) ? (raw as unknown[]) : raw === undefined ? [] : [raw]).map(String);
    normal = withValues(normal, param, values);
  }
  return normal;
}

/**
 * Converts a make that is no list, e.g. from a foreign script, to a list (AMB-081). The request reports it.
 */
export function withMakeList(filters: FilterValues): FilterValues {
  const make: unknown = filters.makeCode;
  return typeof make === 'string' ? { ...filters, makeCode: [make] } : filters;
}

/** Values of one parameter; empty when it is not set. */
export const valuesOf = (criteria: Pick<SearchCriteria, 'filters'>, param: FilterParam): readonly string[] =>
  withMakeList(criteria.filters)[param] ?? [];

/** The value of a parameter with exactly one value. */
export function singleValue(
  criteria: Pick<SearchCriteria, 'filters'>,
  param: FilterParam,
): string | undefined {
  const values = valuesOf(criteria, param);
  return values.length === 1 ? values[0] : undefined;
}

/** The single model year of a search; undefined for an open or wider range (AMB-158). */
export function singleYear(filters: FilterValues): string | undefined {
  const start = singleValue({ filters }, 'startYear');
  return start !== undefined && start === singleValue({ filters }, 'endYear') ? start : undefined;
}
