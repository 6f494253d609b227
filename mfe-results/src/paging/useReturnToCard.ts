import { useEffect, useRef } from 'react';
import { setPage } from '@forecourt/shared-contracts/search';
import { useEmit } from '@forecourt/shared-contracts/slots';
import { selectSearch, usePageState } from '@forecourt/shared-contracts/store';
import { cardElement, forgetOpened, readOpened, type OpenedCard } from '../memory/openedCard.ts';

function isReturn(): boolean {
  const [entry] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[];
  return entry?.type === 'back_forward';
}

/** ms between two looks whether the grid shows what the store holds: it follows in slices. */
const LOOK_EVERY_MS = 50;

function whenShown(run: () => void): void {
  if (document.querySelector('#listings[aria-busy="true"]')) setTimeout(() => whenShown(run), LOOK_EVERY_MS);
  else run();
}

/** Puts a card, if it is still among the results, where it was on the screen, with the focus on its link. */
function show({ listingId, top }: OpenedCard): void {
  const element = cardElement(listingId);
  if (!element) return;
  window.scrollBy({ top: element.getBoundingClientRect().top - top, behavior: 'instant' });
  element.querySelector<HTMLElement>('h3 a')?.focus({ preventScroll: true });
}

/**
 * Whoever comes back from a vehicle's page finds its card. The shell returns to
 * a link that is there; but a page which is loaded again holds only the results
 * that were read last. Where the card stood in earlier ones, those are asked
 * for, once, and the card is put where it was.
 */
export function useReturnToCard(): void {
  const emit = useEmit();
  const { status, criteria } = usePageState(selectSearch);
  const wanted = useRef<OpenedCard | undefined>(undefined);
  useEffect(() => {
    const card = isReturn() ? readOpened() : undefined;
    if (card && !cardElement(card.listingId)) wanted.current = card;
    forgetOpened();
  }, []);
  useEffect(() => {
    const card = wanted.current;
    if (!card || status !== 'ready') return undefined;
    if (card.firstRecord === criteria.firstRecord) {
      wanted.current = undefined;
      return whenShown(() => show(card));
    }
    return emit('search.changeRequested', {
      criteria: setPage(criteria, card.firstRecord),
      cause: 'return',
      history: 'replace',
    });
  }, [status, criteria, emit]);
}
