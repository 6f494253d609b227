import type { ReactNode } from 'react';
import { BRANDS } from '@forecourt/shared-contracts/brands';
import { conditionSummary } from '@forecourt/shared-contracts/catalog';
import { valuesOf } from '@forecourt/shared-contracts/criteria';
import { selectFlag, usePageState } from '@forecourt/shared-contracts/store';
import { buttonClass, formatNumber } from '@forecourt/shared-contracts/ui';
import { previousRecord } from '../search/searchUrl.ts';
import { SearchLink } from '../search/SearchLink.tsx';
import { pageUrl } from '../search/searchUrl.ts';
import { buildYourPriceUrl, buyOnlineSearch, learnMoreText } from './headerLinks.ts';
import { SortForm } from './SortForm.tsx';
import styles from './ResultsHeader.module.css';
import { selectSearch } from '../selectSearch.ts';

/** Count, conditions, what else there is about the vehicle, the page before, and the sort. */
export function ResultsHeader(): ReactNode {
  const search = usePageState(selectSearch);
  const hasModelReference = usePageState(selectFlag('modelReference'));
  const { copyCase } = usePageState(({ session }) => BRANDS[session.brand]);
  const { criteria, url, totalResultCount } = search;
  const conditions = conditionSummary(valuesOf(criteria, 'listingType'), copyCase);
  const previous = previousRecord(search);
  const learnMore = learnMoreText(search, hasModelReference);
  const buildYourPrice = buildYourPriceUrl(criteria);
  const buyOnline = buyOnlineSearch(criteria);
  return (
    <header className={styles['header']}>
      <div className={styles['titles']}>
        <div className={styles['count']}>
          <h2 id="results-heading" className={styles['heading']} tabIndex={-1}>
            {`${formatNumber(totalResultCount)} Matches`}
          </h2>
          {conditions && <p className={styles['conditions']}>{conditions}</p>}
        </div>
        <div className={styles['links']}>
          {learnMore && (
            <a href="#model-reference-container" className={styles['jump']}>
              {learnMore}
            </a>
          )}
          {buildYourPrice && (
            <a href={buildYourPrice} className={styles['jump']}>
              Build your price
            </a>
          )}
          {previous !== undefined && (
            <a className={styles['jump']} rel="prev" href={pageUrl(url, criteria, previous)}>
              See previous results
            </a>
          )}
        </div>
      </div>
      <div className={styles['controls']}>
        {buyOnline && (
          <SearchLink
            criteria={buyOnline}
            cause="buyOnline"
            className={buttonClass('secondary', styles['online'])}
            vanishes
          >
            Buy Online
          </SearchLink>
        )}
        <SortForm criteria={criteria} url={url} />
      </div>
    </header>
  );
}
