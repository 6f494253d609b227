import { useEffect, useRef } from 'react';
import { setPage } from '@forecourt/search/criteria';
import { usePageState, useEmit } from '@forecourt/slots';
import { type GridItem, isVehicle } from '../grid/tiles.ts';
import { selectSearch } from '../search/SearchLink.tsx';
import {
  forgetCard,
  readCard,
  rememberCard,
  type RememberedCard,
  cardElement,
} from '../browser/resultCards.ts';

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
