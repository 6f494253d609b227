import { type RefObject, useState } from 'react';
import type { QueryOptions } from '@forecourt/search/query';
import { usePageState } from '@forecourt/slots';
import { type NearListings, shouldLoadSimilar } from './blockRules.ts';
import { selectSearch } from '../search/SearchLink.tsx';
import { toSimilarQuery } from '../search/similarQuery.ts';
import { useNearListings } from './useNearListings.ts';

/** The last response. */
interface LoadedSimilar {
  readonly query: string;
  /** The query without the excluded listing ids. */
  readonly baseQuery: string;
  readonly count: number;
}

interface SimilarListings {
  /** Null when there is no request. */
  readonly query: string | null;
  readonly response: NearListings;
}

/**
 * Similar vehicles. Loaded ones stay while the search is the same; more are requested (e.g. after a further
 * page of results) only while there are few.
 */
export function useSimilarListings(
  block: RefObject<Element | null>,
  context: QueryOptions,
  shownIds: readonly string[],
): SimilarListings {
  const search = usePageState(selectSearch);
  const { criteria, listings } = search;
  const baseQuery = toSimilarQuery(criteria, { ...context, shownIds: [], listings }).toString();
  const [last, setLast] = useState<LoadedSimilar>();
  const current = last?.baseQuery === baseQuery ? last : undefined;
  const query = shouldLoadSimilar(search, current?.count ?? 0)
    ? toSimilarQuery(criteria, { ...context, shownIds, listings }).toString()
    : (current?.query ?? null);
  const response = useNearListings(block, 'similar', query);
  if (query !== null && query !== current?.query && response !== 'pending')
    setLast({ query, baseQuery, count: response.listings.length });
  return { query, response };
}
