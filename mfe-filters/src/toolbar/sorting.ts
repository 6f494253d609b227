import { type SearchCriteria, changeFilters } from '@forecourt/search/criteria';

export const setSort = (criteria: SearchCriteria, sortBy: SortValue): SearchCriteria => ({
  ...changeFilters(criteria, criteria.filters),
  sortBy,
});

/** The sort dropdown in its order. */
export const SORT_OPTIONS: readonly { readonly value: SortValue; readonly label: string }[] = [
  { value: 'relevance', label: 'Relevance' },
  { value: 'derivedpriceASC', label: 'Price - Lowest' },
  { value: 'derivedpriceDESC', label: 'Price - Highest' },
  { value: 'distanceASC', label: 'Distance - Closest' },
  { value: 'datelistedASC', label: 'Date - Oldest' },
  { value: 'datelistedDESC', label: 'Date - Newest' },
  { value: 'mileageASC', label: 'Mileage - Lowest' },
  { value: 'mileageDESC', label: 'Mileage - Highest' },
  { value: 'yearASC', label: 'Year - Oldest' },
  { value: 'yearDESC', label: 'Year - Newest' },
  { value: 'monthlyPaymentASC', label: 'Payment - Lowest' },
  { value: 'monthlyPaymentDESC', label: 'Payment - Highest' },
];

export type SortValue = SearchCriteria['sortBy'];
