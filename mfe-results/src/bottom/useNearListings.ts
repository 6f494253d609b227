import { useEffect, useRef, useState, type RefObject } from 'react';
import type { ListingsResponse } from '@forecourt/shared-contracts/entities';
import { useSlotEnvironment } from '@forecourt/shared-contracts/slots';
import { toSimilarQuery, type RequestContext } from '@forecourt/shared-contracts/query';
import { selectSearch } from '../selectSearch.ts';
import { usePageState } from '@forecourt/shared-contracts/store';
import { whenNear } from '../browser/whenToLoad.ts';
import { type NearListings, wantsSimilar } from './blockRules.ts';

const NOTHING: ListingsResponse = { listings: [], owners: [] };

/**
 * Loads listings when their block comes near the viewport (A9-LIMIT-13, AMB-143). A changed `query` loads
 * again, null loads nothing, and the last response is reused when its query returns. A failure counts as no
 * listings: the block is optional (B8).
 */
export function useNearListings(
  block: RefObject<Element | null>,
  call: 'similar' | 'supplemental',
  query: string | null,
): NearListings {
  const environment = useSlotEnvironment();
  const [state, setState] = useState<{ query: string; found: ListingsResponse }>();
  const lastQuery = useRef<string>(undefined);
  useEffect(() => {
    const element = block.current;
    if (!element || query === null || query === lastQuery.current) return undefined;
    const controller = new AbortController();
    const { signal } = controller;
    const receive = (found: ListingsResponse) => {
      if (signal.aborted) return;
      setState({ query, found });
      lastQuery.current = found === NOTHING ? undefined : query;
    };
    const stopWaiting = whenNear(element, () => {
      environment
        .call(call, Object.fromEntries(new URLSearchParams(query)), { signal })
        .then(receive, () => receive(NOTHING));
    });
    return () => {
      stopWaiting();
      controller.abort();
    };
  }, [block, call, environment, query]);
  return state && state.query === query ? state.found : 'pending';
}

/** The last response. */
interface Loaded {
  readonly query: string;
  /** The query without the excluded vehicles. */
  readonly about: string;
  readonly count: number;
}

interface SimilarListings {
  /** Null when nothing is or was requested. */
  readonly query: string | null;
  readonly response: NearListings;
}

/**
 * Similar vehicles. Loaded ones stay while the search stays the same; more are requested, e.g. after a further
 * page of results, only while there are few (B9-SCROLL-02, AMB-021).
 */
export function useSimilarListings(
  block: RefObject<Element | null>,
  context: RequestContext,
  shownIds: readonly string[],
): SimilarListings {
  const search = usePageState(selectSearch);
  const { criteria } = search;
  const about = toSimilarQuery(criteria, { ...context, shownIds: [] }).toString();
  const [last, setLast] = useState<Loaded>();
  const current = last?.about === about ? last : undefined;
  const query = wantsSimilar(search, current?.count ?? 0)
    ? toSimilarQuery(criteria, { ...context, shownIds }).toString()
    : (current?.query ?? null);
  const response = useNearListings(block, 'similar', query);
  if (query !== null && query !== current?.query && response !== 'pending')
    setLast({ query, about, count: response.listings.length });
  return { query, response };
}
