import { useState, type RefObject } from 'react';
import { toSimilarQuery, type RequestContext } from '@forecourt/shared-contracts/query';
import { selectSearch, usePageState } from '@forecourt/shared-contracts/store';
import { wantsSimilar } from './eligibility.ts';
import { useNearListings, type NearListings } from './useNearListings.ts';

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
