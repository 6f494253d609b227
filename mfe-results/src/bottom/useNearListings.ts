import { useEffect, useRef, useState, type RefObject } from 'react';
import type { ListingsResponse } from '@forecourt/shared-contracts/entities';
import { useSlotEnvironment } from '@forecourt/shared-contracts/slots';
import { toSimilarQuery, type RequestContext } from '@forecourt/shared-contracts/query';
import { selectSearch } from '../selectSearch.ts';
import { usePageState } from '@forecourt/shared-contracts/store';
import { whenNear } from '../browser/whenToLoad.ts';
import { wantsSimilar } from './blockRules.ts';
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

/** What was found last. */
interface Loaded {
  readonly query: string;
  /** The query but for the vehicles on the page, which are to be left out. */
  readonly about: string;
  readonly count: number;
}

interface SimilarListings {
  /** Null when nothing is looked for, nor was. */
  readonly query: string | null;
  readonly answer: NearListings;
}

/**
 * Similar vehicles. Those that are there stay as long as the shopper looks for
 * the same; they are asked for anew, e.g. below a further page of results, only
 * while there are few with them (B9-SCROLL-02, AMB-021).
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
  const kept = last?.about === about ? last : undefined;
  const query = wantsSimilar(search, kept?.count ?? 0)
    ? toSimilarQuery(criteria, { ...context, shownIds }).toString()
    : (kept?.query ?? null);
  const answer = useNearListings(block, 'similar', query);
  if (query !== null && query !== kept?.query && answer !== 'awaited')
    setLast({ query, about, count: answer.listings.length });
  return { query, answer };
}
