import type { Listing, Owner } from '@forecourt/shared-contracts/entities';
import { MAX_SEARCH_RADIUS } from '@forecourt/shared-contracts/criteria';
import { NEARBY_SHOWN, NEARBY_BELOW_RESULTS, SIMILAR_MAX_RESULTS } from '../constants.ts';
import { BOTTOM_BLOCK_MAX_RESULTS } from '@forecourt/shared-contracts/rules';
import type { SearchState } from '@forecourt/shared-contracts/store';
import type { NearListings } from './useNearListings.ts';
import { nextRecord } from '../search/searchUrl.ts';
/** What a block shows. */
export interface FoundVehicles {
  readonly isLoading: boolean;
  readonly ids: readonly string[];
  readonly vehicles: readonly { readonly listing: Listing; readonly owner: Owner | undefined }[];
}

/** The vehicles of an answer that are not on the page already (AMB-150). */
export function foundVehicles(answer: NearListings, shownIds: readonly string[]): FoundVehicles {
  if (answer === 'awaited') return { isLoading: true, ids: [], vehicles: [] };
  const shown = new Set(shownIds);
  const fresh = answer.listings.filter(({ id }) => !shown.has(id));
  return {
    isLoading: false,
    ids: fresh.map(({ id }) => id),
    vehicles: fresh.map((listing) => ({
      listing,
      owner: answer.owners.find(({ id }) => id === listing.ownerId),
    })),
  };
}

/** An answer without the sellers of the shopper's own market, a DMA code, and of none (AMB-151). */
export function outsideMarket(answer: NearListings, market: string): NearListings {
  if (answer === 'awaited') return answer;
  const outside = new Set(answer.owners.filter(({ dma }) => dma && dma !== market).map(({ id }) => id));
  return { ...answer, listings: answer.listings.filter(({ ownerId }) => outside.has(ownerId)) };
}

/** Do all the vehicles stand where a search around the shopper would reach? */
export const isAllNear = ({ vehicles }: FoundVehicles): boolean => vehicles.every(isNear);

/**
 * The nearest vehicles of a block. What delivers to the shopper may stand at
 * the other end of the country: that is shown where nothing near was found.
 */
export function nearestFirst(found: FoundVehicles): FoundVehicles {
  const near = found.vehicles.filter(isNear);
  const vehicles = [...(near.length > 0 ? near : found.vehicles)]
    .sort((a, b) => milesTo(a) - milesTo(b))
    .slice(0, NEARBY_SHOWN);
  return { ...found, vehicles, ids: vehicles.map(({ listing }) => listing.id) };
}

type FoundVehicle = FoundVehicles['vehicles'][number];
const milesTo = ({ owner }: FoundVehicle): number => owner?.distanceFromSearch ?? Infinity;
const isNear = (vehicle: FoundVehicle): boolean => milesTo(vehicle) <= MAX_SEARCH_RADIUS;

type Settled = Pick<SearchState, 'criteria' | 'status' | 'totalResultCount' | 'firstLoadedRecord'>;

/**
 * Similar vehicles are looked for around a place, when the search has settled
 * and found 25 at most, with the `loaded` similar ones (B4-PAGING-09..11, B9-SCROLL-02, AMB-021).
 */
export const wantsSimilar = ({ criteria, status, totalResultCount }: Settled, loaded: number): boolean =>
  criteria.filters.searchRadius !== undefined &&
  status === 'ready' &&
  totalResultCount + loaded <= SIMILAR_MAX_RESULTS;

/** Supplemental vehicles follow the last page of 25 results or fewer (B9-BOTTOM-01, AMB-022, AMB-150). */
export const wantsSupplemental = (search: Settled): boolean =>
  search.status === 'ready' &&
  search.totalResultCount <= BOTTOM_BLOCK_MAX_RESULTS &&
  nextRecord(search) === undefined;

/** The nearby market follows the last page of fewer than 25 results (B9-BOTTOM-02, AMB-022). */
export const wantsNearby = (search: Settled): boolean =>
  search.status === 'ready' &&
  search.totalResultCount < NEARBY_BELOW_RESULTS &&
  nextRecord(search) === undefined;

/** Few results have the email-subscribe form below them (B2-BOTTOM-05, AMB-022). */
export const hasBottomBlock = ({ status, totalResultCount }: Settled): boolean =>
  status === 'ready' && totalResultCount <= BOTTOM_BLOCK_MAX_RESULTS;
