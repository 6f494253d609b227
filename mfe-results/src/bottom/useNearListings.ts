import { useEffect, useRef, useState, type RefObject } from 'react';
import type { ListingsResponse } from '@forecourt/shared-contracts/entities';
import { useSlotEnvironment } from '@forecourt/shared-contracts/slots';
import { whenNear } from '../loading/useNear.ts';

/** 'awaited' from when a query is set until it is answered, be its block near or not. */
export type NearListings = 'awaited' | ListingsResponse;

const NOTHING: ListingsResponse = { listings: [], owners: [] };

/**
 * Loads listings when their block comes near the viewport (A9-LIMIT-13,
 * AMB-143). A changed `query` starts anew; null asks for nothing, and what was
 * answered last is not asked for again when its query comes back. What fails
 * counts as nothing found: the block is an extra (B8).
 */
export function useNearListings(
  block: RefObject<Element | null>,
  call: 'similar' | 'supplemental',
  query: string | null,
): NearListings {
  const environment = useSlotEnvironment();
  const [state, setState] = useState<{ query: string; found: ListingsResponse }>();
  const answered = useRef<string>(undefined);
  useEffect(() => {
    const element = block.current;
    if (!element || query === null || query === answered.current) return undefined;
    const controller = new AbortController();
    const { signal } = controller;
    const receive = (found: ListingsResponse) => {
      if (signal.aborted) return;
      setState({ query, found });
      answered.current = found === NOTHING ? undefined : query;
    };
    const forget = whenNear(element, () => {
      environment
        .call(call, Object.fromEntries(new URLSearchParams(query)), { signal })
        .then(receive, () => receive(NOTHING));
    });
    return () => {
      forget();
      controller.abort();
    };
  }, [block, call, environment, query]);
  return state && state.query === query ? state.found : 'awaited';
}
