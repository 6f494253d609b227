import type { ReactNode } from 'react';
import { addFilters, type FilterParam, type SearchCriteria } from '@forecourt/search/criteria';
import { formatNumber } from '@forecourt/search/format';
import { usePageState } from '@forecourt/slots';
import { buttonClass } from '@forecourt/slots/ui';
import type { SuggestedFilter } from '@forecourt/upstream/entities';
import { noteActionClass, NoteText, NoteTile } from './NoteTile.tsx';
import { selectSearch, SearchLink } from '../search/SearchLink.tsx';

/** Suggests one filter between the results. */
export function PromoCard(): ReactNode {
  const { criteria, suggestions } = usePageState(selectSearch);
  const filter = promotedFilter(suggestions.filters, criteria);
  if (!filter) return null;
  const { name, count, codes } = filter;
  return (
    <NoteTile label="Suggestion">
      <NoteText
        kicker="Narrow it down"
        title={name}
        paragraphs={[`${formatNumber(count)} of these ${count === 1 ? 'vehicles fits' : 'vehicles fit'}.`]}
      />
      <SearchLink
        criteria={addFilters(criteria, codes)}
        cause="promo"
        className={buttonClass('secondary', noteActionClass)}
      >
        {`Show only ${name}`}
      </SearchLink>
    </NoteTile>
  );
}

/** The first suggested filter that is not set yet. */
export const promotedFilter = (
  suggestions: readonly SuggestedFilter[],
  { filters }: Pick<SearchCriteria, 'filters'>,
): SuggestedFilter | undefined =>
  suggestions.find(({ codes }) =>
    Object.entries(codes).some(([param, values]) =>
      values.some((value) => !filters[param as FilterParam]?.includes(value)),
    ),
  );
