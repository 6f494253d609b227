import { useEffect, useState, type RefObject } from 'react';
import type { ListingsResponse } from '@forecourt/shared-contracts/entities';
import { useSlotEnvironment } from '@forecourt/shared-contracts/slots';
import { whenNear } from '../loading/useNear.ts';

export type NearListings = 'waiting' | 'loading' | ListingsResponse;

const NOTHING: ListingsResponse = { listings: [], owners: [] };

/**
 * Loads listings when their block comes near the viewport (A9-LIMIT-13,
 * AMB-143). A changed `query` starts anew; null asks for nothing. What fails
 * counts as nothing found: the block is an extra (B8).
 */
export function useNearListings(
  block: RefObject<Element | null>,
  call: 'similar' | 'supplemental',
  query: string | null,
): NearListings {
  const environment = useSlotEnvironment();
  const [state, setState] = useState<{ query: string; found: NearListings }>();
  useEffect(() => {
    const element = block.current;
    if (!element || query === null) return undefined;
    const controller = new AbortController();
    const { signal } = controller;
    const receive = (found: NearListings) => {
      if (!signal.aborted) setState({ query, found });
    };
    const forget = whenNear(element, () => {
      receive('loading');
      environment
        .call(call, Object.fromEntries(new URLSearchParams(query)), { signal })
        .then(receive, () => receive(NOTHING));
    });
    return () => {
      forget();
      controller.abort();
    };
  }, [block, call, environment, query]);
  return state && state.query === query ? state.found : 'waiting';
}
