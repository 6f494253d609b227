import { useEffect, useRef } from 'react';
import { setPage } from '@forecourt/shared-contracts/criteria';
import { useEmit } from '@forecourt/shared-contracts/slots';
import { selectSearch } from '../selectSearch.ts';
import { usePageState } from '@forecourt/shared-contracts/store';
import { isVehicle, type GridItem } from '../grid/tiles.ts';
import { forgetCard, readCard, rememberCard, type LeftCard } from '../browser/leftCard.ts';
import { cardElement } from '../browser/resultsElements.ts';

/** ms between two looks whether the grid shows what the store holds: it follows in slices. */
const LOOK_EVERY_MS = 50;

interface Wanted extends LeftCard {
  /** Whoever comes back goes on at the link that was followed. */
  readonly isFocused: boolean;
}

/** Where the visitor was before this document was loaded again; undefined where the browser returns by itself. */
function leftCard(): Wanted | undefined {
  const [entry] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[];
  if (entry?.type === 'back_forward') {
    const card = readCard('openedCard');
    // The shell returns to a link that is there.
    return card && !cardElement(card.listingId) ? { ...card, isFocused: true } : undefined;
  }
  const card = entry?.type === 'reload' ? readCard('cardInSight') : undefined;
  return card && { ...card, isFocused: false };
}

function whenShown(run: () => void): void {
  if (document.querySelector('#listings[aria-busy="true"]')) setTimeout(() => whenShown(run), LOOK_EVERY_MS);
  else run();
}

/** Puts a card, if it is still among the results, where it was on the screen. */
function show({ listingId, top, isFocused }: Wanted): void {
  const element = cardElement(listingId);
  if (!element) return;
  window.scrollBy({ top: element.getBoundingClientRect().top - top, behavior: 'instant' });
  if (isFocused) element.querySelector<HTMLElement>('h3 a')?.focus({ preventScroll: true });
}

const isInSight = (card: Element): boolean => card.getBoundingClientRect().bottom > 0;

/** Keeps the first card in sight for a reload, once further pages stand behind the first. */
function useCardInSight(items: readonly GridItem[]): void {
  const { pageSizes, firstLoadedRecord, criteria } = usePageState(selectSearch);
  useEffect(() => {
    const keep = () => {
      forgetCard('cardInSight');
      if (pageSizes.length < 2) return;
      const card = [...document.querySelectorAll('#listings [data-listing]')].find(isInSight);
      const id = card?.getAttribute('data-listing');
      const item = items.find((each) => isVehicle(each) && each.listing.id === id);
      if (id && item) rememberCard('cardInSight', id, firstLoadedRecord + item.page * criteria.numRecords);
    };
    window.addEventListener('pagehide', keep);
    return () => window.removeEventListener('pagehide', keep);
  }, [items, pageSizes, firstLoadedRecord, criteria]);
}

/**
 * Whoever comes back from a vehicle's page finds its card, and whoever reloads
 * a long list the card that was on top: a page which is loaded again holds only
 * the results that were read last. Where the card stood in earlier ones, those
 * are asked for, once, and the card is put where it was.
 */
export function useReturnToCard(items: readonly GridItem[]): void {
  const emit = useEmit();
  const { status, criteria } = usePageState(selectSearch);
  const wanted = useRef<Wanted | undefined>(undefined);
  const isAsked = useRef(false);
  useCardInSight(items);
  useEffect(() => {
    wanted.current = leftCard();
    forgetCard('openedCard');
    forgetCard('cardInSight');
  }, []);
  useEffect(() => {
    const card = wanted.current;
    if (!card || status !== 'ready') return undefined;
    // Asked for once: fewer results than then may have no such page any more.
    if (isAsked.current || card.firstRecord === criteria.firstRecord || cardElement(card.listingId)) {
      wanted.current = undefined;
      return whenShown(() => show(card));
    }
    isAsked.current = true;
    return emit('search.changeRequested', {
      criteria: setPage(criteria, card.firstRecord),
      cause: 'return',
      history: 'replace',
    });
  }, [status, criteria, emit]);
}
