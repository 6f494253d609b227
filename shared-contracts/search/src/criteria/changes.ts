import {
  type CategoryValue,
  type FilterValues,
  type SearchCriteria,
  FILTER_PARAMS,
  isFilterParam,
  PLACE_PARAMS,
} from './criteria.ts';
import {
  categoryFilter,
  matchesCategory,
  normalizeFilters,
  valuesOf,
  withMakeList,
  withValues,
  withoutParams,
} from './filterValues.ts';

/**
 * All edits that a shopper can make are pure functions from one search to the next, in normal form. Each
 * returns to the first page and drops the landing parameters: the expired-listing notice, the
 * sign-up screen with its return target, the open section of the panel, and the bookmark, whose stored filters would
 * replace the edit on a reload (AMB-053).
 */
function withEdit(criteria: SearchCriteria, edit: Partial<SearchCriteria>): SearchCriteria {
  const { expiredListing: _, defaultScreen: __, refUrl: ___, ...rest } = { ...criteria, ...edit };
  const { searchBookmarkId: ____, bookmarkId: _____, openSection: ______, categorySearch, ...others } = rest;
  const next: SearchCriteria = { ...others, firstRecord: 0 };
  // A search leaves its category when the category's own values change.
  return categorySearch && matchesCategory(next.filters, categorySearch) ? { ...next, categorySearch } : next;
}

/** The first page of the same search with other filters, which are already in normal form. */
export const changeFilters = (criteria: SearchCriteria, filters: FilterValues): SearchCriteria =>
  withEdit(criteria, { filters });

/** The same search without its sponsor (AMB-066, AMB-132). */
export function leaveSponsorship(criteria: SearchCriteria): SearchCriteria {
  const { isSponsorship: _, showcaseOwnerId: __, psid: ___, siomid: ____, ...rest } = criteria;
  return withEdit(rest, {});
}

/**
 * Clear Filters: keeps only radius and sort, and leaves category and sponsor. Ends the best-deals experience;
 * ends the commercial one only with `clearExperience`.
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

/**
 * Selects a category; undefined is All Results, which clears every filter except the location (AMB-030,
 * AMB-085).
 */
export function selectCategory(
  criteria: SearchCriteria,
  category: CategoryValue | undefined,
): SearchCriteria {
  const { categorySearch, ...rest } = criteria;
  const filter = categoryFilter(category);
  if (!filter) {
    const others = FILTER_PARAMS.filter((param) => !PLACE_PARAMS.includes(param));
    return withEdit(rest, { filters: withoutParams(criteria.filters, others) });
  }
  const previousFilter = categoryFilter(categorySearch);
  const filters = previousFilter
    ? withValues(
        criteria.filters,
        previousFilter.param,
        valuesOf(criteria, previousFilter.param).filter((value) => !previousFilter.values.includes(value)),
      )
    : criteria.filters;
  return withEdit(rest, {
    filters: withValues(filters, filter.param, filter.values),
    categorySearch: category,
  });
}

/** Another page of the same search; `firstRecord` is rounded down to the start of its page. */
export const setPage = (criteria: SearchCriteria, firstRecord: number): SearchCriteria => ({
  ...criteria,
  firstRecord: Math.max(0, Math.floor(firstRecord / criteria.numRecords) * criteria.numRecords),
});

/**
 * The filters that words mean, around the place of the search that they replace unless they name another one. A radius
 * alone, or 'nationwide', is measured from that place (AMB-198).
 */
export function filtersInPlace(before: FilterValues, meant: FilterValues): FilterValues {
  const namesPlace = meant.zip ?? meant.city ?? meant.state;
  const place = PLACE_PARAMS.filter((param) => !namesPlace && before[param] && !meant[param]).filter(
    (param) => param !== 'area' || !meant.searchRadius,
  );
  return normalizeFilters({
    ...Object.fromEntries(place.map((param) => [param, before[param]!])),
    ...meant,
  });
}

/** Adds the values of a suggestion to the search; ignores names that are no filters. */
export function addFilters(
  criteria: SearchCriteria,
  codes: Readonly<Record<string, readonly string[]>>,
): SearchCriteria {
  let filters = withMakeList(criteria.filters);
  for (const [name, values] of Object.entries(codes))
    if (isFilterParam(name)) filters = withValues(filters, name, [...(filters[name] ?? []), ...values]);
  return withEdit(criteria, { filters });
}
