import type { SuggestedFilter } from '@forecourt/shared-contracts/entities';
import type { FilterParam, SearchCriteria } from '@forecourt/shared-contracts/criteria';

/** The first suggestion that the search does not hold yet. */
export const promotedFilter = (
  suggestions: readonly SuggestedFilter[],
  { filters }: Pick<SearchCriteria, 'filters'>,
): SuggestedFilter | undefined =>
  suggestions.find(({ codes }) =>
    Object.entries(codes).some(([param, values]) =>
      values.some((value) => !filters[param as FilterParam]?.includes(value)),
    ),
  );
