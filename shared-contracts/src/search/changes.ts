import type { Chip } from './chips.ts';
import type { SlugReference } from './codec/slugs.ts';
import { EMPTY_SLUG_REFERENCE } from './codec/slugs.ts';
import type { CategoryValue, FilterParam, FilterValues, SearchCriteria, SortValue } from './criteria.ts';
import { FILTER_PARAMS } from './criteria.ts';
import {
  categoryFilter,
  holdsCategory,
  valuesOf,
  withMakeList,
  withValues,
  withoutParams,
} from './filterValues.ts';
import { resolveSort } from './sorts.ts';

/**
 * Every edit that a shopper can make, as a pure function from one search to
 * the next in normal form. Each starts again at the first page (B4-PANEL-07)
 * and forgets what belonged to the arrival: the expired-listing notice, the
 * sign-up screen with its return target, and the bookmark, whose stored filters
 * would replace the edit on a reload (AMB-053).
 */
function changed(criteria: SearchCriteria, edit: Partial<SearchCriteria>): SearchCriteria {
  const { expiredListing: _, defaultScreen: __, refUrl: ___, ...rest } = { ...criteria, ...edit };
  const { searchBookmarkId: ____, bookmarkId: _____, categorySearch, ...others } = rest;
  const next: SearchCriteria = { ...others, firstRecord: 0 };
  // A search leaves its category with the category's own values (B4-CAT-04).
  return categorySearch && holdsCategory(next.filters, categorySearch) ? { ...next, categorySearch } : next;
}

/**
 * Drops models whose make is gone and trims whose model is gone. A model
 * belongs to the makes which the reference names; an unknown one to the first
 * make before the change (AMB-080). What stood beside them without belonging
 * to them stays until nothing is left that it could belong to. Trims and series without any model go too.
 */
function prune(before: FilterValues, after: FilterValues, reference: SlugReference): FilterValues {
  const makes = after.makeCode ?? [];
  const firstMake = before.makeCode?.[0];
  let next = after;
  if (before.makeCode && next.modelCode) {
    const kept = next.modelCode.filter((model) => {
      const owners = reference.makesOfModel(model);
      if (owners.length === 0) return firstMake !== undefined && makes.includes(firstMake);
      // A model that belonged to no chosen make before is no business of this change.
      const wasOwned = owners.some((make) => before.makeCode?.includes(make));
      return makes.length > 0 && (!wasOwned || owners.some((make) => makes.includes(make)));
    });
    next = withValues(next, 'modelCode', kept);
  }
  if (before.modelCode && next.trimCode) {
    const gone = before.modelCode.filter((model) => !next.modelCode?.includes(model));
    next = withValues(
      next,
      'trimCode',
      next.trimCode.filter((trim) => next.modelCode && !gone.includes(trim.split('|')[0] ?? '')),
    );
  }
  if (before.modelCode && !next.modelCode) next = withoutParams(next, ['seriesCode']);
  if (before.trimCode && !next.trimCode) next = withoutParams(next, ['packages']);
  return next;
}

const withFilters = (
  criteria: SearchCriteria,
  filters: FilterValues,
  reference: SlugReference,
): SearchCriteria =>
  changeFilters(criteria, prune(withMakeList(criteria.filters), withMakeList(filters), reference));

/** The same search with other filters, already in normal form, from its first page. */
export const changeFilters = (criteria: SearchCriteria, filters: FilterValues): SearchCriteria =>
  changed(criteria, { filters });

/** Replaces all values of one parameter; none removes it. Values are clamped and dropped as in a URL. */
export function setValues(
  criteria: SearchCriteria,
  param: FilterParam,
  values: readonly string[],
  reference: SlugReference = EMPTY_SLUG_REFERENCE,
): SearchCriteria {
  return withFilters(criteria, withValues(criteria.filters, param, values), reference);
}

/** Adds a value that is not chosen, removes one that is. */
export function toggleValue(
  criteria: SearchCriteria,
  param: FilterParam,
  value: string,
  reference?: SlugReference,
): SearchCriteria {
  const values = valuesOf(criteria, param);
  const next = values.includes(value) ? values.filter((other) => other !== value) : [...values, value];
  return setValues(criteria, param, next, reference);
}

const RANGES = { yearRange: ['startYear', 'endYear'], priceRange: ['minPrice', 'maxPrice'] } as const;
export type RangeName = keyof typeof RANGES;

/** Sets both bounds of a range; a missing one is open. USD or years. */
export function setRange(
  criteria: SearchCriteria,
  range: RangeName,
  bounds: { readonly min?: number; readonly max?: number },
): SearchCriteria {
  const [lower, upper] = RANGES[range];
  const text = (bound: number | undefined) => (bound === undefined ? [] : [String(bound)]);
  const filters = withValues(withValues(criteria.filters, lower, text(bounds.min)), upper, text(bounds.max));
  return changeFilters(criteria, filters);
}

/** What a search without its sponsor keeps: everything else (AMB-066, AMB-132). */
export function leaveSponsorship(criteria: SearchCriteria): SearchCriteria {
  const { isSponsorship: _, showcaseOwnerId: __, psid: ___, siomid: ____, ...rest } = criteria;
  return changed(rest, {});
}

/** Takes out what one chip stands for. */
export function removeChip(
  criteria: SearchCriteria,
  chip: Pick<Chip, 'kind' | 'params' | 'values'>,
  reference: SlugReference = EMPTY_SLUG_REFERENCE,
): SearchCriteria {
  if (chip.kind === 'sponsorship') return leaveSponsorship(criteria);
  if (chip.kind === 'experience') {
    const { experience: _, ...rest } = criteria;
    return changeFilters(rest, rest.filters);
  }
  const [param] = chip.params;
  if (chip.kind !== 'value' || !param)
    return withFilters(criteria, withoutParams(criteria.filters, chip.params), reference);
  const left = valuesOf(criteria, param).filter((value) => !chip.values.includes(value));
  return setValues(criteria, param, left, reference);
}

/**
 * Clear Filters: only the radius stays, with the sort; the category becomes
 * All Results and the sponsor's inventory is left. The best-deals experience
 * goes, the commercial one only when asked for (B4-CLEAR-01..03, AMB-031, AMB-084).
 */
export function clearFilters(
  criteria: SearchCriteria,
  options: { readonly clearExperience?: boolean } = {},
): SearchCriteria {
  const { categorySearch: _, experience, ...rest } = criteria;
  const keepsExperience = experience === 'commercial' && !options.clearExperience;
  const { searchRadius } = criteria.filters;
  return leaveSponsorship({
    ...rest,
    ...(keepsExperience && { experience }),
    filters: searchRadius ? { searchRadius } : {},
  });
}

/** A category is chosen; undefined is All Results, which clears every filter but the location (AMB-030, AMB-085). */
export function selectCategory(
  criteria: SearchCriteria,
  category: CategoryValue | undefined,
): SearchCriteria {
  const { categorySearch, ...rest } = criteria;
  const chosen = categoryFilter(category);
  if (!chosen) {
    const location: readonly FilterParam[] = ['zip', 'searchRadius', 'state', 'city'];
    const others = FILTER_PARAMS.filter((param) => !location.includes(param));
    return changed(rest, { filters: withoutParams(criteria.filters, others) });
  }
  const left = categoryFilter(categorySearch);
  const filters = left
    ? withValues(
        criteria.filters,
        left.param,
        valuesOf(criteria, left.param).filter((value) => !left.values.includes(value)),
      )
    : criteria.filters;
  return changed(rest, {
    filters: withValues(filters, chosen.param, chosen.values),
    categorySearch: category,
  });
}

export const setSort = (criteria: SearchCriteria, sortBy: SortValue): SearchCriteria =>
  ({ ...changeFilters(criteria, criteria.filters), sortBy });

/** The location editor: a ZIP or a city and state replaces the place before; without a radius it stays (B4-LOC-02, B4-LOC-03). */
export function setLocation(
  criteria: SearchCriteria,
  location: {
    readonly zip?: string;
    readonly city?: string;
    readonly state?: string;
    /** Miles; 0 = nationwide. */
    readonly searchRadius?: number;
  },
): SearchCriteria {
  let filters = withoutParams(criteria.filters, ['zip', 'city', 'state']);
  for (const param of ['zip', 'city', 'state'] as const) {
    const value = location[param];
    if (value !== undefined) filters = withValues(filters, param, [value]);
  }
  if (location.searchRadius !== undefined)
    filters = withValues(filters, 'searchRadius', [String(location.searchRadius)]);
  return changeFilters(criteria, filters);
}

/** A page of the same search: the zero-based offset of its first record. */
export const setPage = (criteria: SearchCriteria, firstRecord: number): SearchCriteria => ({
  ...criteria,
  firstRecord: Math.max(0, Math.floor(firstRecord / criteria.numRecords) * criteria.numRecords),
});

const isParam = (name: string): name is FilterParam => (FILTER_PARAMS as readonly string[]).includes(name);

/** Adds the values of a suggestion to the search (B4-SUGGEST-01); names which are no filters are ignored. */
export function addFilters(
  criteria: SearchCriteria,
  codes: Readonly<Record<string, readonly string[]>>,
): SearchCriteria {
  let filters = withMakeList(criteria.filters);
  for (const [name, values] of Object.entries(codes))
    if (isParam(name)) filters = withValues(filters, name, [...(filters[name] ?? []), ...values]);
  return changed(criteria, { filters });
}

/**
 * A keyword or an old bookmark replaces all filters; its search is made in the
 * browser, so without a sort of its own it has the default one (B4-KEY-03, AMB-001).
 */
export function replaceFilters(
  criteria: SearchCriteria,
  codes: Readonly<Record<string, readonly string[]>>,
  sortBy?: string,
): SearchCriteria {
  const { categorySearch: _, ...rest } = criteria;
  return addFilters({ ...rest, filters: {}, sortBy: resolveSort(sortBy, { serverLoaded: false }) }, codes);
}
