import type { ReactNode } from 'react';
import { conditionSummary, valuesOf } from '@forecourt/shared-contracts/search';
import { selectFlag, selectSearch, usePageState } from '@forecourt/shared-contracts/store';
import { formatNumber } from '@forecourt/shared-contracts/ui';
import { learnMoreText } from './searchedVehicle.ts';
import { SortForm } from './SortForm.tsx';
import styles from './ResultsHeader.module.css';

/** Count, conditions, the jump to the model's own section, and the sort. */
export function ResultsHeader(): ReactNode {
  const search = usePageState(selectSearch);
  const hasModelReference = usePageState(selectFlag('modelReference'));
  const conditions = conditionSummary(valuesOf(search.criteria, 'listingType'));
  const learnMore = learnMoreText(search, hasModelReference);
  return (
    <header className={styles['header']}>
      <div className={styles['titles']}>
        <h2 id="results-heading" className={styles['heading']} tabIndex={-1}>
          {formatNumber(search.totalResultCount)} Matches
        </h2>
        {conditions && <p className={styles['conditions']}>{conditions}</p>}
        {learnMore && (
          <a href="#model-reference-container" className={styles['jump']}>
            {learnMore}
          </a>
        )}
      </div>
      <SortForm criteria={search.criteria} url={search.url} />
    </header>
  );
}
