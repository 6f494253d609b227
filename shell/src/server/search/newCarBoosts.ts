import { toNewCarBoostQuery } from './upstreamQueries.ts';
import type { ListingsResponse, SearchResponse } from '@forecourt/shared-contracts/entities';
import type { RequestContext } from '@forecourt/shared-contracts/query';
import { type FilterValues, type SearchCriteria, isZip } from '@forecourt/shared-contracts/criteria';
import type { SessionState } from '@forecourt/shared-contracts/store';
import type { CallContext, Gateway } from '../upstream/gateway.ts';

export const NO_BOOSTS: ListingsResponse = { listings: [], owners: [] };

/**
 * Loads new vehicles of the searched model for visitors who search recent used
 * ones, if the search has enough results to place them between
 * (B5-BOOST-01..05, B9-GRID-07, AMB-024). Optional: a failed call yields none.
 */
export async function loadNewCarBoosts(
  gateway: Gateway,
  search: { readonly response: Promise<SearchResponse>; readonly query: URLSearchParams },
  request: {
    readonly criteria: SearchCriteria;
    readonly session: SessionState;
    readonly upstream: RequestContext;
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
    countParams: search.query,
  };
  return gateway.call('newCarBoost', toNewCarBoostQuery(criteria, upstream), { ...context, onlyIf });
}

/**
 * Whether new-car boosts fit the search: only with a ZIP, for recent used vehicles
 * that are not sold privately (B5-BOOST-01..05, B9-GRID-07, AMB-023, AMB-024).
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

/** Minimum number of results for new-car boosts (B9-GRID-07). */
const NEW_CAR_BOOST_MIN_RESULTS = 75;

/** The end year must be less than this many years ago (B9-MPG-03, AMB-023). */
const NEW_CAR_BOOST_YEARS = 6;
