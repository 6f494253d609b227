import { useEffect, useRef } from 'react';
import { setPage } from '@forecourt/shared-contracts/search';
import { useEmit } from '@forecourt/shared-contracts/slots';
import { selectSearch, usePageState } from '@forecourt/shared-contracts/store';
import { cardElement, forgetOpened, readOpened, type OpenedCard } from '../memory/openedCard.ts';

function isReturn(): boolean {
  const [entry] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[];
  return entry?.type === 'back_forward';
}

/** Puts a card where it was on the screen, with the focus on its link. */
function show(element: HTMLElement, { top }: OpenedCard): void {
  window.scrollBy({ top: element.getBoundingClientRect().top - top, behavior: 'instant' });
  element.querySelector<HTMLElement>('h3 a')?.focus({ preventScroll: true });
}

/**
 * Whoever comes back from a vehicle's page finds its card where it was. A page
 * that the browser kept needs nothing; one that is loaded again holds only the
 * page of results that was read last: where the card stood in another one, that
 * one is asked for.
 */
export function useReturnToCard(): void {
  const emit = useEmit();
  const search = usePageState(selectSearch);
  const wanted = useRef<OpenedCard | undefined>(undefined);
  const hasAsked = useRef(false);
  useEffect(() => {
    if (isReturn()) wanted.current = readOpened();
    else forgetOpened();
  }, []);
  const { status, criteria } = search;
  useEffect(() => {
    const card = wanted.current;
    if (!card || status !== 'ready') return;
    const element = cardElement(card.listingId);
    if (element) {
      wanted.current = undefined;
      show(element, card);
    } else if (hasAsked.current || card.firstRecord === criteria.firstRecord) {
      // It is gone from the results.
      wanted.current = undefined;
    } else {
      hasAsked.current = true;
      emit('search.changeRequested', {
        criteria: setPage(criteria, card.firstRecord),
        cause: 'return',
        history: 'replace',
      });
    }
  });
}
