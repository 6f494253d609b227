import type { Listing, ListingsResponse, Owner } from '@forecourt/shared-contracts/entities';
import type { SearchState } from '@forecourt/shared-contracts/store';
import type { Gateway } from '../upstream/gateway.ts';
import { loadNewCarBoosts, NO_BOOSTS } from './newCarBoosts.ts';
import type { Place } from './placeLookup.ts';
import { NO_ACCOUNT, type AccountState } from './savedState.ts';
import { pageOf, requestContext, type SearchLoader, type SearchRequest } from './searchRequest.ts';
import { toHighlightQuery, toPremiumSpotlightQuery, toSpotlightQuery } from './upstreamQueries.ts';

/** Time after the required response in which optional parts are awaited before the page's head is sent; ms. */
export const HEAD_GRACE_MS = 100;
/** Time after the required response after which optional parts are left out; ms. */
export const LATE_MS = 500;

const TICK_MS = 50;

/**
 * `value`, or `fallback` if it takes longer than `ms`. Each tick counts once, however late it is: while this thread is
 * busy with other pages, a response may have arrived long ago.
 */
export async function within<T>(ms: number, value: Promise<T>, fallback: T): Promise<T> {
  let left = ms;
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<T>((resolve) => {
    const tick = () => {
      left -= TICK_MS;
      if (left < 0) resolve(fallback);
      else timer = setTimeout(tick, Math.min(left, TICK_MS));
    };
    timer = setTimeout(tick, Math.min(left, TICK_MS));
  });
  try {
    return await Promise.race([value, timeout]);
  } finally {
    clearTimeout(timer);
  }
}

/**
 * Parts of a page that may be late. Calls are not aborted: each ends by its own
 * timeout, so that its breaker opens and later pages do not wait for it.
 */
export function collectParts<T extends object>(
  pending: { readonly [K in keyof T]: Promise<T[K]> },
  missing: T,
) {
  const parts = { ...missing };
  const names = Object.keys(pending) as (keyof T)[];
  const ready = new Set<keyof T>();
  const all = Promise.all(
    names.map(async (name) => {
      parts[name] = await pending[name];
      ready.add(name);
    }),
  ).then(() => true);
  // Rejects when the client disconnects, perhaps before anyone waits.
  all.catch(() => {});
  return {
    /** Whether all parts are there within `ms`. */
    within: (ms: number): Promise<boolean> => within(ms, all, false),
    isReady: (name: keyof T): boolean => ready.has(name),
    /** The parts that are ready; the others are missing. */
    current: (): T => ({ ...parts }),
  };
}

interface LoadedSpotlights {
  readonly spotlights: SearchState['spotlights'][number];
  readonly owners: readonly Owner[];
}

export const NO_SPOTLIGHTS: LoadedSpotlights = {
  spotlights: { premium: [], featured: [], standard: [], fourthTier: [] },
  owners: [],
};

/** Optional: failed calls yield no listings. `page` counts from 1; further pages have no carousel (AMB-007, AMB-135). */
export async function loadSpotlights(
  gateway: Gateway,
  request: SearchRequest,
  { page, isFurther }: { readonly page: number; readonly isFurther: boolean },
): Promise<LoadedSpotlights> {
  const { criteria, session, context } = request;
  const upstream = requestContext(request);
  const isCarousel = !isFurther && session.flags['spotlightCarousel'] === true;
  const [premium, featured, standard] = await Promise.all([
    gateway.call(
      'premiumSpotlights',
      toPremiumSpotlightQuery(criteria, { ...upstream, page, isCarousel }),
      context,
    ),
    gateway.call('spotlights', toSpotlightQuery(criteria, { ...upstream, tier: 'featured', page }), context),
    gateway.call('spotlights', toSpotlightQuery(criteria, { ...upstream, tier: 'standard', page }), context),
  ]);
  return {
    spotlights: {
      premium: premium.listings,
      featured: featured.listings,
      standard: standard.listings,
      fourthTier: [],
    },
    owners: [...premium.owners, ...featured.owners, ...standard.owners],
  };
}

interface LoadedHighlight {
  readonly listing: Listing | null;
  readonly owners: readonly Owner[];
}

async function loadHighlight(gateway: Gateway, request: SearchRequest): Promise<LoadedHighlight> {
  const { listings, owners } = await gateway.call(
    'vehicleHighlight',
    toHighlightQuery(request.criteria, requestContext(request)),
    request.context,
  );
  return { listing: listings[0] ?? null, owners };
}

export interface OptionalParts {
  readonly newCars: ListingsResponse;
  readonly spots: LoadedSpotlights;
  readonly highlight: LoadedHighlight;
  readonly account: AccountState;
  /** Of the search's ZIP code: listings do not contain its city. */
  readonly place: Place | undefined;
}

const NO_PARTS: OptionalParts = {
  newCars: NO_BOOSTS,
  spots: NO_SPOTLIGHTS,
  highlight: { listing: null, owners: [] },
  account: NO_ACCOUNT,
  place: undefined,
};

/** Starts the optional calls of a results page; those that fail are missing. */
export function startOptionalCalls(
  { gateway, placeOf }: SearchLoader,
  request: SearchRequest,
  search: Parameters<typeof loadNewCarBoosts>[1],
) {
  const { criteria, session, context } = request;
  const zip = criteria.filters.zip?.[0];
  const upstream = requestContext(request);
  return collectParts<OptionalParts>(
    {
      newCars: loadNewCarBoosts(gateway, search, { criteria, session, upstream, context }),
      spots: loadSpotlights(gateway, request, { page: pageOf(criteria), isFurther: false }),
      highlight: loadHighlight(gateway, request),
      account: request.account ?? Promise.resolve(NO_ACCOUNT),
      place: zip ? placeOf(zip, context) : Promise.resolve(undefined),
    },
    NO_PARTS,
  );
}
