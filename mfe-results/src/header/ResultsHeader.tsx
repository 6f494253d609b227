import type { ReactNode } from 'react';
import { conditionSummary, valuesOf } from '@forecourt/shared-contracts/search';
import { selectFlag, selectSearch, usePageState } from '@forecourt/shared-contracts/store';
import { formatNumber } from '@forecourt/shared-contracts/ui';
import { previousRecord } from '../paging/pages.ts';
import { pageUrl } from '../searchUrl.ts';
import { learnMoreText } from './searchedVehicle.ts';
import { SortForm } from './SortForm.tsx';
import styles from './ResultsHeader.module.css';

/** Count, conditions, the jumps to the model's own section and to the page before, and the sort. */
export function ResultsHeader(): ReactNode {
  const search = usePageState(selectSearch);
  const hasModelReference = usePageState(selectFlag('modelReference'));
  const conditions = conditionSummary(valuesOf(search.criteria, 'listingType'));
  const previous = previousRecord(search);
  const learnMore = learnMoreText(search, hasModelReference);
  return (
    <header className={styles['header']}>
      <div className={styles['titles']}>
        <h2 id="results-heading" className={styles['heading']} tabIndex={-1}>
          {`${formatNumber(search.totalResultCount)} Matches`}
        </h2>
        {conditions && <p className={styles['conditions']}>{conditions}</p>}
        {learnMore && (
          <a href="#model-reference-container" className={styles['jump']}>
            {learnMore}
          </a>
        )}
        {previous !== undefined && (
          <a className={styles['jump']} rel="prev" href={pageUrl(search.url, search.criteria, previous)}>
            See previous results
          </a>
        )}
      </div>
      <SortForm criteria={search.criteria} url={search.url} />
    </header>
  );
}
