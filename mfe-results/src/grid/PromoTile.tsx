import type { ReactNode } from 'react';
import { addFilters, type FilterParam, type SearchCriteria } from '@forecourt/shared-contracts/criteria';
import { selectSearch } from '../selectSearch.ts';
import { usePageState } from '@forecourt/shared-contracts/store';
import { buttonClass } from '@forecourt/shared-contracts/ui';
import { formatNumber } from '@forecourt/shared-contracts/rules';
import type { SuggestedFilter } from '@forecourt/shared-contracts/entities';
import { SearchLink } from '../search/SearchLink.tsx';
import styles from './NoteTile.module.css';

/** Suggests one filter between the results (B2-PROMO-01). */
export function PromoCard(): ReactNode {
  const { criteria, suggestions } = usePageState(selectSearch);
  const filter = promotedFilter(suggestions.filters, criteria);
  if (!filter) return null;
  const { name, count, codes } = filter;
  return (
    <section className={styles['note']} aria-label="Suggestion">
      <p className={styles['kicker']}>Narrow it down</p>
      <h3 className={styles['title']}>{name}</h3>
      <p className={styles['text']}>
        {`${formatNumber(count)} of these ${count === 1 ? 'vehicles fits' : 'vehicles fit'}.`}
      </p>
      <SearchLink
        criteria={addFilters(criteria, codes)}
        cause="promo"
        className={buttonClass('secondary', styles['action'])}
      >
        {`Show only ${name}`}
      </SearchLink>
    </section>
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
