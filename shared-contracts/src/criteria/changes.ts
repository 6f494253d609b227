import {
  type CategoryValue,
  type FilterParam,
  type FilterValues,
  type SearchCriteria,
  FILTER_PARAMS,
} from './criteria.ts';
import {
  categoryFilter,
  holdsCategory,
  valuesOf,
  withMakeList,
  withValues,
  withoutParams,
} from './filterValues.ts';

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

/** The same search with other filters, already in normal form, from its first page. */
export const changeFilters = (criteria: SearchCriteria, filters: FilterValues): SearchCriteria =>
  changed(criteria, { filters });

/** What a search without its sponsor keeps: everything else (AMB-066, AMB-132). */
export function leaveSponsorship(criteria: SearchCriteria): SearchCriteria {
  const { isSponsorship: _, showcaseOwnerId: __, psid: ___, siomid: ____, ...rest } = criteria;
  return changed(rest, {});
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
