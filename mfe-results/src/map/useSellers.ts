import { useEffect, useState } from 'react';
import { toSearchQuery } from '@forecourt/shared-contracts/query';
import { useEmit, useSlotEnvironment } from '@forecourt/shared-contracts/slots';
import { type RootState, usePageState } from '@forecourt/shared-contracts/store';
import type { SellerMapData } from './mapView.ts';

/** The search as parameters of the map's call; its order and page don't matter. */
export function mapQuery({ search, session }: RootState): string {
  const { criteria } = search;
  const params = toSearchQuery(criteria, {
    brand: session.brand,
    ...(session.visitorZip && { visitorZip: session.visitorZip }),
  });
  if (criteria.isSponsorship && criteria.showcaseOwnerId) {
    params.set('isSponsorship', 'true');
    params.set('showcaseOwnerId', criteria.showcaseOwnerId);
  }
  return params.toString();
}

/** Parameters of a call. */
export const paramsOf = (query: string): Record<string, string> =>
  Object.fromEntries(new URLSearchParams(query));

/** ms that a moved map rests before its sellers are requested. */
const REST_MS = 200;

/**
 * The sellers of the part of the map that is seen. A moved map shows those that it has until it rests; one that
 * can't be loaded keeps them. `view` is undefined for the search's own view, whose sellers are `data`.
 */
export function useSellers(data: SellerMapData, view: string | undefined): SellerMapData {
  const { call } = useSlotEnvironment();
  const emit = useEmit();
  const query = usePageState(mapQuery);
  const [loaded, setLoaded] = useState(data);
  useEffect(() => {
    if (view === undefined) return undefined;
    const controller = new AbortController();
    const { signal } = controller;
    const load = async () => {
      try {
        const sellers = await call('sellerMap', { ...paramsOf(query), mapView: view }, { signal });
        if (sellers && !signal.aborted) setLoaded(sellers);
      } catch (error) {
        if (!signal.aborted) emit('problem.reported', { code: 'MAP_NOT_LOADED', message: String(error) });
      }
    };
    const timer = setTimeout(() => void load(), REST_MS);
    return () => {
      clearTimeout(timer);
      controller.abort();
    };
  }, [call, emit, query, view]);
  return view === undefined ? data : loaded;
}
