import { type RefObject, useEffect, useRef, useState } from 'react';
import { useSlotEnvironment } from '@forecourt/slots';
import type { ListingsResponse } from '@forecourt/upstream/entities';
import type { NearListings } from './blockRules.ts';
import { whenNear } from '../browser/lazyLoading.tsx';

const NO_LISTINGS: ListingsResponse = { listings: [], owners: [] };

/**
 * Loads listings when their block comes near the viewport. A changed `query` loads
 * again, null loads nothing, and the last response is reused when its query returns. A failure counts as no
 * listings: the block is optional.
 */
export function useNearListings(
  block: RefObject<Element | null>,
  call: 'similar' | 'supplemental',
  query: string | null,
): NearListings {
  const environment = useSlotEnvironment();
  const [state, setState] = useState<{ query: string; response: ListingsResponse }>();
  const lastQuery = useRef<string>(undefined);
  useEffect(() => {
    const element = block.current;
    if (!element || query === null || query === lastQuery.current) return undefined;
    const controller = new AbortController();
    const { signal } = controller;
    const receive = (response: ListingsResponse) => {
      if (signal.aborted) return;
      setState({ query, response });
      lastQuery.current = response === NO_LISTINGS ? undefined : query;
    };
    const stopWaiting = whenNear(element, () => {
      environment
        .call(call, Object.fromEntries(new URLSearchParams(query)), { signal })
        .then(receive, () => receive(NO_LISTINGS));
    });
    return () => {
      stopWaiting();
      controller.abort();
    };
  }, [block, call, environment, query]);
  return state && state.query === query ? state.response : 'pending';
}
