import { useState, type ReactNode, useEffect, useRef, type RefObject } from 'react';
import { selectFlag, selectSession, usePageState, selectCriteria } from '@forecourt/shared-contracts/store';
import { useEmit, useSlotEnvironment } from '@forecourt/shared-contracts/slots';
import { CornerAlert } from '../stillInterested/CornerAlert.tsx';
import { BottomBlocks } from '../bottom/BottomBlocks.tsx';
import { RecentVehicles } from '../vehicle/SimilarVehicles.tsx';
import { CompareDrawer } from '../compare/CompareDrawer.tsx';
import { FixedAd } from '../ads/FixedAd.tsx';
import { type GridItem, isVehicle } from '../grid/tiles.ts';
import { setPage, singleValue, type SearchCriteria } from '@forecourt/shared-contracts/criteria';
import { selectSearch } from '../search/SearchLink.tsx';
import {
  forgetCard,
  readCard,
  rememberCard,
  type RememberedCard,
  cardElement,
} from '../browser/resultCards.ts';
import { EXPERT_REVIEWS_SHOWN } from '../constants.ts';
import blockStyles from '../bottom/VehicleBlock.later.module.css';
import styles from '../bottom/ExpertReviews.later.module.css';
import { whenNear } from '../browser/lazyLoading.tsx';
import type { CallResponses } from '@forecourt/shared-contracts/calls';

/** ms; poll interval until the grid shows the content of the store. */
const POLL_MS = 50;

interface ReturnTarget extends RememberedCard {
  /** Whether to focus the card's link. */
  readonly isFocused: boolean;
}

/** The card to return to after a reload; undefined when the browser restores the position itself. */
function returnTarget(): ReturnTarget | undefined {
  const [entry] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[];
  if (entry?.type === 'back_forward') {
    const card = readCard('openedCard');
    // The shell restores the position when the link exists.
    return card && !cardElement(card.listingId) ? { ...card, isFocused: true } : undefined;
  }
  const card = entry?.type === 'reload' ? readCard('cardInSight') : undefined;
  return card && { ...card, isFocused: false };
}

function whenShown(run: () => void): void {
  if (document.querySelector('#listings[aria-busy="true"]')) setTimeout(() => whenShown(run), POLL_MS);
  else run();
}

/** Scrolls a card, if it still exists, to where it was on screen. */
function show({ listingId, top, isFocused }: ReturnTarget): void {
  const element = cardElement(listingId);
  if (!element) return;
  window.scrollBy({ top: element.getBoundingClientRect().top - top, behavior: 'instant' });
  if (isFocused) element.querySelector<HTMLElement>('h3 a')?.focus({ preventScroll: true });
}

const isInSight = (card: Element): boolean => card.getBoundingClientRect().bottom > 0;

/** Remembers the first card in view for a reload, once more than one page is loaded. */
function useCardInSight(items: readonly GridItem[]): void {
  const { pageSizes, firstLoadedRecord, criteria } = usePageState(selectSearch);
  useEffect(() => {
    const remember = () => {
      forgetCard('cardInSight');
      if (pageSizes.length < 2) return;
      const card = [...document.querySelectorAll('#listings [data-listing]')].find(isInSight);
      const id = card?.getAttribute('data-listing');
      const item = items.find((each) => isVehicle(each) && each.listing.id === id);
      if (id && item) rememberCard('cardInSight', id, firstLoadedRecord + item.page * criteria.numRecords);
    };
    window.addEventListener('pagehide', remember);
    return () => window.removeEventListener('pagehide', remember);
  }, [items, pageSizes, firstLoadedRecord, criteria]);
}

/**
 * Returns to the card the shopper opened or, after a reload, to the first card in view. A reloaded page holds
 * only the page of results loaded last; if the card was on an earlier one, that page is requested once.
 */
export function useReturnToCard(items: readonly GridItem[]): void {
  const emit = useEmit();
  const { status, criteria } = usePageState(selectSearch);
  const target = useRef<ReturnTarget | undefined>(undefined);
  const isRequested = useRef(false);
  useCardInSight(items);
  useEffect(() => {
    target.current = returnTarget();
    forgetCard('openedCard');
    forgetCard('cardInSight');
  }, []);
  useEffect(() => {
    const card = target.current;
    if (!card || status !== 'ready') return undefined;
    // Requested only once: the results may have fewer pages by now.
    if (isRequested.current || card.firstRecord === criteria.firstRecord || cardElement(card.listingId)) {
      target.current = undefined;
      return whenShown(() => show(card));
    }
    isRequested.current = true;
    return emit('search.changeRequested', {
      criteria: setPage(criteria, card.firstRecord),
      cause: 'return',
      history: 'replace',
    });
  }, [status, criteria, emit]);
}

export interface LaterPartsProps {
  readonly items: readonly GridItem[];
}

/**
 * The blocks below the results, and the overlays at the bottom edge of the screen: ad, compare drawer and
 * alert.
 */
export function LaterParts({ items }: LaterPartsProps): ReactNode {
  const hasCompare = usePageState(selectFlag('compare'));
  const hasAds = usePageState(selectFlag('ads'));
  const { isBot } = usePageState(selectSession);
  const [adHeight, setAdHeight] = useState(0);
  const [drawerHeight, setDrawerHeight] = useState(0);
  const [alertHeight, setAlertHeight] = useState(0);
  useReturnToCard(items);
  const coveredHeight = adHeight + drawerHeight + alertHeight;
  useBottomEdge('results', coveredHeight);
  useScrollRoom(coveredHeight);
  return (
    <>
      <BottomBlocks items={items} />
      <ExpertReviews />
      <RecentVehicles />
      {hasCompare && <CompareDrawer bottomOffset={adHeight} onCover={setDrawerHeight} />}
      {hasAds && !isBot && <FixedAd onCover={setAdHeight} />}
      <CornerAlert adHeight={adHeight} bottomOffset={drawerHeight} onCover={setAlertHeight} />
    </>
  );
}

/** Reports that `by` covers the bottom `height` px of the viewport while mounted. */
export function useBottomEdge(by: string, height: number): void {
  const emit = useEmit();
  useEffect(() => {
    if (height === 0) return undefined;
    emit('page.bottomCovered', { by, height });
    return () => emit('page.bottomCovered', { by, height: 0 });
  }, [emit, by, height]);
}

/**
 * Adds `height` px of scroll space, so that the bottom edge never hides the end of the page. The space comes
 * after all content, so nothing shifts.
 */
export function useScrollRoom(height: number): void {
  useEffect(() => {
    const { body } = document;
    if (height === 0) return undefined;
    body.style.paddingBlockEnd = `${height}px`;
    return () => {
      body.style.paddingBlockEnd = '';
    };
  }, [height]);
}

type ExpertReview = CallResponses['expertReviews'][number];

/** The valuation site's editorial reviews of the searched vehicle (B2-BOTTOM-06, B2-BOTTOM-07). */
export function ExpertReviews(): ReactNode {
  const isOn = usePageState(selectFlag('expertReviews'));
  const criteria = usePageState(selectCriteria);
  const { today } = usePageState(selectSession);
  const block = useRef<HTMLElement>(null);
  const params = isOn ? (reviewParams(criteria, today) ?? null) : null;
  const reviews = useExpertReviews(block, params);
  if (!params) return null;
  const isVisible = reviews === undefined || reviews.length > 0;
  return (
    <section
      ref={block}
      className={blockStyles['block']}
      aria-label={isVisible ? 'Expert reviews' : undefined}
      data-block="reviews"
    >
      {isVisible && (
        <>
          <h2 className={blockStyles['heading']}>Expert reviews</h2>
          <ul className={styles['reviews']} aria-busy={reviews === undefined}>
            {reviews?.map(({ title, link, excerpt, _embedded }) => (
              <li key={link} className={styles['review']}>
                <h3 className={styles['title']}>
                  <a href={link} target="_blank" rel="noopener noreferrer external">
                    {title}
                  </a>
                </h3>
                <p>{excerpt}</p>
                {_embedded?.author[0] && (
                  <p className={styles['author']}>{`By ${_embedded.author[0].name}`}</p>
                )}
              </li>
            )) ?? <Placeholders />}
          </ul>
        </>
      )}
    </section>
  );
}

/** Placeholders as tall as most reviews, so that nothing below moves when they load. */
const Placeholders = (): ReactNode =>
  Array.from({ length: EXPERT_REVIEWS_SHOWN }, (_, at) => (
    <li key={at} className={`${styles['review']} ${styles['awaited']}`} aria-hidden="true" data-placeholder>
      <p className={styles['title']} />
      <p className={styles['excerpt']} />
      <p className={styles['author']} />
    </li>
  ));

/** Path parameters of the reviews; undefined without one make and model. `today` is an ISO date. */
function reviewParams(criteria: SearchCriteria, today: string): Readonly<Record<string, string>> | undefined {
  const make = singleValue(criteria, 'makeCode');
  const model = singleValue(criteria, 'modelCode');
  if (!make || !model) return undefined;
  const from = singleValue(criteria, 'startYear');
  const year = from !== undefined && from === singleValue(criteria, 'endYear') ? from : today.slice(0, 4);
  // A trim code is 'model|trim' (AMB-051).
  const trim = singleValue(criteria, 'trimCode')?.split('|')[1] ?? 'all';
  return { year, make, model, trim, _embed: 'true' };
}

const isWebPage = ({ link }: ExpertReview) => /^https?:\/\//i.test(link);

/**
 * The first two articles about the searched vehicle, loaded when the block comes near (B9-MISC-02); undefined
 * until then. `params` null loads nothing; a failure leaves no block (B7-EXPERT-03).
 */
function useExpertReviews(
  block: RefObject<Element | null>,
  params: Readonly<Record<string, string>> | null,
): readonly ExpertReview[] | undefined {
  const { call } = useSlotEnvironment();
  const key = JSON.stringify(params);
  const [loaded, setLoaded] = useState<{ key: string; reviews: readonly ExpertReview[] }>();
  useEffect(() => {
    const element = block.current;
    const parameters = JSON.parse(key) as Readonly<Record<string, string>> | null;
    if (!element || !parameters) return undefined;
    const controller = new AbortController();
    const { signal } = controller;
    const stopWaiting = whenNear(element, () => {
      const finish = (reviews: readonly ExpertReview[]) =>
        !signal.aborted && setLoaded({ key, reviews: reviews.filter(isWebPage) });
      call('expertReviews', parameters, { signal }).then(finish, () => finish([]));
    });
    return () => {
      stopWaiting();
      controller.abort();
    };
  }, [block, call, key]);
  return loaded?.key === key ? loaded.reviews.slice(0, EXPERT_REVIEWS_SHOWN) : undefined;
}
