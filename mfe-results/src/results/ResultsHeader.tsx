import { type ReactNode, startTransition, useEffect, useId, useOptimistic, useRef, useState } from 'react';
import { BRANDS } from '@forecourt/shared-contracts/brands';
import { conditionSummary } from '@forecourt/shared-contracts/catalog';
import {
  type SearchCriteria,
  EMPTY_SLUG_REFERENCE,
  changeFilters,
  isSortValue,
  valuesOf,
  singleValue,
  selectCategory,
} from '@forecourt/shared-contracts/criteria';
import { selectFlag, usePageState, type SearchState } from '@forecourt/shared-contracts/store';
import { Icon, buttonClass, iconClass } from '@forecourt/shared-contracts/ui';
import { encodeUrl } from '@forecourt/shared-contracts/url';
import { formatCount } from '@forecourt/shared-contracts/rules';
import { formOf, pageUrl, previousRecord, selectSearch, SearchLink } from '../search/SearchLink.tsx';
import styles from './ResultsHeader.module.css';
import { useEmit, useSlotEnvironment } from '@forecourt/shared-contracts/slots';
import sortStyles from './SortForm.module.css';
import { BUY_ONLINE_MAKE } from '../constants.ts';

type SortValue = SearchCriteria['sortBy'];

const PATH = '/cars-for-sale/build-your-price';

/** Link to build-your-price for a search of one new model; undefined for other searches (AMB-056). */
function buildYourPriceUrl(criteria: SearchCriteria): string | undefined {
  const makeCode = singleValue(criteria, 'makeCode');
  const modelCode = singleValue(criteria, 'modelCode');
  if (singleValue(criteria, 'listingType') !== 'NEW' || !makeCode || !modelCode) return undefined;
  return `${PATH}?${new URLSearchParams({ makeCode, modelCode })}`;
}

/**
 * The search in its Buy Online category; undefined when the make has none or it is selected already
 * (B2-PROMO-04, AMB-086).
 */
function buyOnlineSearch(criteria: SearchCriteria): SearchCriteria | undefined {
  if (singleValue(criteria, 'makeCode') !== BUY_ONLINE_MAKE) return undefined;
  return criteria.categorySearch === 'buy-online' ? undefined : selectCategory(criteria, 'buy-online');
}

/** The same search with the map of its sellers, as a document of its own. */
const mapUrl = (criteria: SearchCriteria): string =>
  encodeUrl({ ...criteria, view: 'map', firstRecord: 0 }, EMPTY_SLUG_REFERENCE);

type SearchedModel = Pick<SearchState, 'criteria' | 'breadcrumbs' | 'listings'>;

/** Name of the searched make and model; undefined without both. */
export function searchedMakeModel({ criteria, breadcrumbs, listings }: SearchedModel): string | undefined {
  const makeCode = singleValue(criteria, 'makeCode');
  const modelCode = singleValue(criteria, 'modelCode');
  if (!makeCode || !modelCode) return undefined;
  // Breadcrumbs follow the last response; a listing fills in what they lack.
  const crumb = (key: string) => breadcrumbs.find((entry) => entry.key === key)?.label;
  const listing = listings.find((one) => one.makeCode === makeCode && one.modelCode === modelCode);
  const make = crumb('make') ?? listing?.make.name;
  const model = crumb('model') ?? listing?.model.name;
  return make && model ? `${make} ${model}` : undefined;
}

/** 'Learn more about 2021 Ford F-150' for the link to the model section (AMB-153). */
function learnMoreText(searched: SearchedModel, hasModelReference: boolean): string | undefined {
  const vehicle = searchedMakeModel(searched);
  if (!hasModelReference || !vehicle) return undefined;
  const from = singleValue(searched.criteria, 'startYear');
  const year = from === singleValue(searched.criteria, 'endYear') ? from : undefined;
  return `Learn more about ${[year, vehicle].filter(Boolean).join(' ')}`;
}

const upperFirst = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** Count, conditions, links for the searched vehicle, previous page, and sort. */
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
  return (
    <header className={`${styles['header']} ${criteria.view ? '' : styles['wide']}`}>
      <div className={styles['titles']}>
        <div className={styles['count']}>
          <h2 id="results-heading" className={styles['heading']} tabIndex={-1}>
            {formatCount(totalResultCount, 'Match', 'Matches')}
          </h2>
          {conditions && <p className={styles['conditions']}>{conditions}</p>}
        </div>
        <div className={styles['links']}>
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
          {previous !== undefined && (
            <a className={styles['jump']} rel="prev" href={pageUrl(url, criteria, previous)}>
              See previous results
            </a>
          )}
        </div>
      </div>
      <div className={`${styles['controls']} ${criteria.view ? '' : styles['withMap']}`}>
        {buyOnline && (
          <SearchLink
            criteria={buyOnline}
            cause="buyOnline"
            className={buttonClass('secondary', styles['online'])}
            focusesResults
          >
            Buy Online
          </SearchLink>
        )}
        <SortForm criteria={criteria} url={url} />
        {criteria.view ? null : (
          <a
            className={buttonClass('secondary', `${iconClass('pin')} ${styles['mapLink']}`)}
            rel="nofollow"
            href={mapUrl(criteria)}
          >
            Map
          </a>
        )}
      </div>
      <SortNote criteria={criteria} />
    </header>
  );
}

/** The order before a keyword search changed it by itself; undefined otherwise (AMB-001). */
function useReplacedSort({ sortBy }: SearchCriteria): SortValue | undefined {
  const { listen } = useSlotEnvironment();
  const shown = useRef(sortBy);
  const [replaced, setReplaced] = useState<SortValue>();
  useEffect(() => {
    shown.current = sortBy;
  }, [sortBy]);
  useEffect(
    () =>
      listen('search.changeRequested', ({ criteria, cause }) =>
        setReplaced(cause === 'keyword' && criteria.sortBy !== shown.current ? shown.current : undefined),
      ),
    [listen],
  );
  return replaced === sortBy ? undefined : replaced;
}

/** Says why a keyword search is sorted by price, with one click back. */
function SortNote({ criteria }: { criteria: SearchCriteria }): ReactNode {
  const replaced = useReplacedSort(criteria);
  const labelOf = (sort: SortValue) => SORT_OPTIONS.find(({ value }) => value === sort)?.label ?? sort;
  if (replaced === undefined) return null;
  return (
    <p className={sortStyles['note']} role="status">
      {`Sorted by \u201c${labelOf(criteria.sortBy)}\u201d, because keyword searches start with the highest price. `}
      <SearchLink criteria={setSort(criteria, replaced)} cause="sort" focusesResults>
        {`Sort by \u201c${labelOf(replaced)}\u201d`}
      </SearchLink>
    </p>
  );
}

/** A hidden tab paints no frames; ms. */
const MAX_PAINT_DELAY_MS = 100;

/** Resolves after the browser's next paint. */
const nextPaint = (): Promise<void> =>
  new Promise((resolve) => {
    const fallback = setTimeout(resolve, MAX_PAINT_DELAY_MS);
    // Frame callbacks run before the paint, a timer that they start runs after it.
    requestAnimationFrame(() =>
      setTimeout(() => {
        clearTimeout(fallback);
        resolve();
      }),
    );
  });

/** The sort select (B2-SORT-01): searches immediately; without JavaScript, submits a GET form. */
function SortForm({ criteria, url }: { criteria: SearchCriteria; url: string }): ReactNode {
  const emit = useEmit();
  const id = useId();
  const hasPayments = usePageState(selectFlag('wallet'));
  const { action, fields } = formOf(url, ['sortBy', 'firstRecord']);
  const [chosenSort, showSort] = useOptimistic(criteria.sortBy);
  // The select is painted first: a search repaints every slot.
  const change = (value: string) =>
    startTransition(async () => {
      if (!isSortValue(value)) return;
      showSort(value);
      await nextPaint();
      emit('search.changeRequested', { criteria: setSort(criteria, value), cause: 'sort' });
    });
  return (
    <form className={sortStyles['form']} method="get" action={action}>
      {fields.map(([name, value], index) => (
        <input key={`${index}${name}`} type="hidden" name={name} value={value} />
      ))}
      <label htmlFor={id} className={sortStyles['label']}>
        Sort By:
      </label>
      <span className={sortStyles['field']}>
        <select
          id={id}
          name="sortBy"
          className={sortStyles['select']}
          value={chosenSort}
          autoComplete="off"
          onChange={(event) => change(event.currentTarget.value)}
        >
          {SORT_OPTIONS.filter(
            ({ value }) => hasPayments || value === criteria.sortBy || !value.startsWith('monthlyPayment'),
          ).map(({ value, label }) => (
            <option key={value} value={value}>
              {label}
            </option>
          ))}
        </select>
        <Icon name="chevronDown" size={16} />
      </span>
      <button type="submit" className={buttonClass('secondary', sortStyles['submit'])}>
        Sort
      </button>
    </form>
  );
}

export const setSort = (criteria: SearchCriteria, sortBy: SortValue): SearchCriteria => ({
  ...changeFilters(criteria, criteria.filters),
  sortBy,
});

/** The sort dropdown in its order (A3-SORT-01..10; mileage labels AMB-161). */
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
