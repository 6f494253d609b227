import { type FilterValues, type SearchCriteria, isZip } from '@forecourt/search/criteria';
import { type QueryOptions, toApiQuery, toSearchQuery, NUM_SPOTLIGHTS } from '@forecourt/search/query';
import type { SearchState, SessionState } from '@forecourt/search/state';
import type { Listing, ListingsResponse, Owner, SearchResponse } from '@forecourt/upstream/entities';
import type { Gateway, CallContext } from '../../engine/gateway/gateway.ts';
import { pageOf, upstreamParams, type SearchLoader, type SearchRequest } from './searchRequest.ts';
import { type Place } from './placeLookup.ts';
import { NO_ACCOUNT, type AccountState } from '../saved/savedState.ts';

/** Number of requested new-car boosts. */
const NEW_CAR_BOOST_NUM_RECORDS = 2;

/** Query of the premium spotlights; `page` counts from 1. */
export function toPremiumSpotlightQuery(
  criteria: SearchCriteria,
  context: QueryOptions & { readonly page: number; readonly isCarousel?: boolean },
): URLSearchParams {
  const count = context.isCarousel
    ? NUM_SPOTLIGHTS.premiumCarousel
    : context.page > 1
      ? NUM_SPOTLIGHTS.premiumLoadMore
      : NUM_SPOTLIGHTS.premiumFirstPage;
  return spotlightQuery(criteria, { ...context, tier: 'premium', count });
}

/** Query of the featured or standard spotlights. */
export function toSpotlightQuery(
  criteria: SearchCriteria,
  context: QueryOptions & { readonly tier: 'featured' | 'standard'; readonly page: number },
): URLSearchParams {
  return spotlightQuery(criteria, { ...context, count: NUM_SPOTLIGHTS[context.tier] });
}

function spotlightQuery(
  criteria: SearchCriteria,
  context: QueryOptions & { readonly tier: string; readonly count: number; readonly page: number },
): URLSearchParams {
  const params = toApiQuery(criteria, { ...context, hasExtraRecord: false });
  params.set('numSpotlights', String(context.count));
  params.set('listingTier', context.tier);
  params.set('spotlightPage', String(context.page));
  return params;
}

/** Query of the vehicle highlight. */
export function toHighlightQuery(criteria: SearchCriteria, context: QueryOptions): URLSearchParams {
  const params = toApiQuery(criteria, { ...context, hasExtraRecord: false });
  params.set('includeExtendedVehicleHighlights', 'true');
  return params;
}

/** Query of the new-car boosts. */
export function toNewCarBoostQuery(criteria: SearchCriteria, context: QueryOptions): URLSearchParams {
  const { modelCode, trimCode, seriesCode, ...others } = criteria.filters;
  const params = toSearchQuery({ ...criteria, filters: others }, context);
  params.set('firstRecord', '0');
  params.set('numRecords', String(NEW_CAR_BOOST_NUM_RECORDS));
  if (modelCode) params.set('modelCodeToBoost', modelCode.join(','));
  if (trimCode) params.set('trimCodeToBoost', trimCode.join(','));
  if (seriesCode) params.set('seriesCodeToBoost', seriesCode.join(','));
  return params;
}

/** Time after the required response in which optional parts are awaited before the page's head is sent; ms. */
export const HEAD_GRACE_MS = 100;
/** Time after the required response after which optional parts are left out; ms. */
export const LATE_MS = 500;

const TICK_MS = 50;

/** Minimum number of results for new-car boosts. */
const NEW_CAR_BOOST_MIN_RESULTS = 75;
/** The end year must be less than this many years ago. */
const NEW_CAR_BOOST_YEARS = 6;
const NO_BOOSTS: ListingsResponse = { listings: [], owners: [] };

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
  loader: SearchLoader,
  request: SearchRequest,
  { page, isFurther }: { readonly page: number; readonly isFurther: boolean },
): Promise<LoadedSpotlights> {
  const { gateway } = loader;
  const { criteria, session, context } = request;
  const upstream = upstreamParams(loader, request);
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

async function loadHighlight(loader: SearchLoader, request: SearchRequest): Promise<LoadedHighlight> {
  const { listings, owners } = await loader.gateway.call(
    'vehicleHighlight',
    toHighlightQuery(request.criteria, upstreamParams(loader, request)),
    request.context,
  );
  return { listing: listings[0] ?? null, owners };
}

/**
 * Loads new vehicles of the searched model for visitors who search recent used
 * ones, if the search has enough results to place them between. Optional: a failed call yields none.
 */
async function loadNewCarBoosts(
  gateway: Pick<Gateway, 'call'>,
  search: { readonly response: Promise<SearchResponse>; readonly query: URLSearchParams },
  request: {
    readonly criteria: SearchCriteria;
    readonly session: SessionState;
    readonly upstream: QueryOptions;
    readonly context: CallContext;
  },
): Promise<ListingsResponse> {
  const { criteria, session, upstream, context } = request;
  const isWanted = isNewCarBoostWanted(criteria.filters, {
    zip: criteria.filters.zip?.[0] ?? session.visitorZip ?? undefined,
    currentYear: Number(session.today.slice(0, 4)),
  });
  if (!isWanted || criteria.firstRecord > 0) return NO_BOOSTS;
  const onlyIf = {
    // The caller of the search handles its failure.
    found: search.response.then(
      ({ totalResultCount }) => totalResultCount,
      () => undefined,
    ),
    atLeast: NEW_CAR_BOOST_MIN_RESULTS,
    count: 'count' as const,
    countParams: search.query,
  };
  return gateway.call('newCarBoost', toNewCarBoostQuery(criteria, upstream), { ...context, onlyIf });
}

/**
 * Whether new-car boosts fit the search: only with a ZIP, for recent used vehicles
 * that are not sold privately.
 * `zip` is the center of the search, from the search or the visitor.
 */
export function isNewCarBoostWanted(
  filters: FilterValues,
  context: {
    readonly zip: string | undefined;
    readonly currentYear: number;
  },
): boolean {
  const { currentYear } = context;
  const startYear = filters.startYear?.[0];
  const endYear = filters.endYear?.[0];
  const isPrivate = filters.sellerType?.length === 1 && filters.sellerType[0] === 'p';
  return (
    isZip(context.zip) &&
    !filters.listingType?.includes('NEW') &&
    (endYear === undefined || Number(endYear) > currentYear - NEW_CAR_BOOST_YEARS) &&
    (startYear === undefined || ![currentYear, currentYear + 1].includes(Number(startYear))) &&
    !isPrivate
  );
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
  loader: SearchLoader,
  request: SearchRequest,
  search: Parameters<typeof loadNewCarBoosts>[1],
) {
  const { gateway, placeOf } = loader;
  const { criteria, session, context } = request;
  const zip = criteria.filters.zip?.[0];
  const upstream = upstreamParams(loader, request);
  return collectParts<OptionalParts>(
    {
      newCars: loadNewCarBoosts(gateway, search, { criteria, session, upstream, context }),
      spots: loadSpotlights(loader, request, { page: pageOf(criteria), isFurther: false }),
      highlight: loadHighlight(loader, request),
      account: request.account ?? Promise.resolve(NO_ACCOUNT),
      place: zip ? placeOf(zip, context, gateway) : Promise.resolve(undefined),
    },
    NO_PARTS,
  );
}
