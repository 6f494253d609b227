import type { ReactNode } from 'react';
import { BRANDS } from '@forecourt/search/brands';
import { conditionSummary } from '@forecourt/search/catalog';
import { type SearchCriteria, valuesOf, singleValue, selectCategory } from '@forecourt/search/criteria';
import { formatCount } from '@forecourt/search/format';
import { selectFlag } from '@forecourt/search/state';
import { usePageState } from '@forecourt/slots';
import { pageUrl, previousRecord, selectSearch, SearchLink } from '../search/SearchLink.tsx';
import styles from './ResultsHeader.module.css';
import { BUY_ONLINE_MAKE } from '../constants.ts';
import { type SearchedModel, searchedMakeModel } from './searchedMakeModel.ts';

const PATH = '/cars-for-sale/build-your-price';

/** Link to build-your-price for a search of one new model; undefined for other searches. */
function buildYourPriceUrl(criteria: SearchCriteria): string | undefined {
  const makeCode = singleValue(criteria, 'makeCode');
  const modelCode = singleValue(criteria, 'modelCode');
  if (singleValue(criteria, 'listingType') !== 'NEW' || !makeCode || !modelCode) return undefined;
  return `${PATH}?${new URLSearchParams({ makeCode, modelCode })}`;
}

/**
 * The search in its Buy Online category; undefined when the make has none or it is selected already
 *.
 */
function buyOnlineSearch(criteria: SearchCriteria): SearchCriteria | undefined {
  if (singleValue(criteria, 'makeCode') !== BUY_ONLINE_MAKE) return undefined;
  return criteria.categorySearch === 'buy-online' ? undefined : selectCategory(criteria, 'buy-online');
}

/** 'Learn more about 2021 Ford F-150' for the link to the model section. */
function learnMoreText(searched: SearchedModel, hasModelReference: boolean): string | undefined {
  const vehicle = searchedMakeModel(searched);
  if (!hasModelReference || !vehicle) return undefined;
  const from = singleValue(searched.criteria, 'startYear');
  const year = from === singleValue(searched.criteria, 'endYear') ? from : undefined;
  return `Learn more about ${[year, vehicle].filter(Boolean).join(' ')}`;
}

const upperFirst = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** The number of results for screen readers, who hear it from its heading; conditions, and links for the searched vehicle. */
export function ResultsHeader(): ReactNode {
  const search = usePageState(selectSearch);
  const hasModelReference = usePageState(selectFlag('modelReference'));
  const { criteria, url, totalResultCount } = search;
  const { copyCase } = usePageState(({ session }) => BRANDS[session.brand]);
  const conditions = upperFirst(conditionSummary(valuesOf(criteria, 'listingType'), copyCase));
  const previous = previousRecord(search);
  const learnMore = learnMoreText(search, hasModelReference);
  const buildYourPrice = buildYourPriceUrl(criteria);
  const buyOnline = buyOnlineSearch(criteria);
  const isFilled = Boolean(conditions || learnMore || buildYourPrice || buyOnline || previous !== undefined);
  return (
    <header className={isFilled ? `${styles['header']} ${styles['filled']}` : styles['header']}>
      <h2 id="results-heading" className={styles['heading']} tabIndex={-1}>
        {formatCount(totalResultCount, 'Match', 'Matches')}
      </h2>
      {conditions && <p className={styles['conditions']}>{conditions}</p>}
      {learnMore && (
        <a href="#model-reference-container" className={`${styles['jump']} ${styles['learnMore']}`}>
          {learnMore}
        </a>
      )}
      {buildYourPrice && (
        <a href={buildYourPrice} className={styles['jump']}>
          Build your price
        </a>
      )}
      {buyOnline && (
        <SearchLink criteria={buyOnline} cause="buyOnline" className={styles['jump']} focusesResults>
          Buy Online
        </SearchLink>
      )}
      {previous !== undefined && (
        <a className={styles['jump']} rel="prev" href={pageUrl(url, criteria, previous)}>
          See previous results
        </a>
      )}
    </header>
  );
}
