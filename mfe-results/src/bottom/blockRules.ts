import { MAX_SEARCH_RADIUS, type SearchCriteria } from '@forecourt/search/criteria';
import { type QueryOptions, toSearchQuery } from '@forecourt/search/query';
import type { SearchState } from '@forecourt/search/state';
import { BOTTOM_BLOCK_MAX_RESULTS } from '@forecourt/upstream/agreements';
import type { Listing, ListingsResponse, Owner } from '@forecourt/upstream/entities';
import { NEARBY_SHOWN, NEARBY_BELOW_RESULTS, SIMILAR_MAX_RESULTS } from '../constants.ts';
import { nextRecord } from '../search/SearchLink.tsx';

/** 'pending' from when a query is set until its response arrives. */
export type NearListings = 'pending' | ListingsResponse;

/** Content of a block. */
export interface BlockContent {
  readonly isLoading: boolean;
  readonly ids: readonly string[];
  readonly vehicles: readonly { readonly listing: Listing; readonly owner: Owner | undefined }[];
}

/** The vehicles of a response that are not on the page yet. */
export function blockContent(response: NearListings, shownIds: readonly string[]): BlockContent {
  if (response === 'pending') return { isLoading: true, ids: [], vehicles: [] };
  const shownIdSet = new Set(shownIds);
  const newListings = response.listings.filter(({ id }) => !shownIdSet.has(id));
  return {
    isLoading: false,
    ids: newListings.map(({ id }) => id),
    vehicles: newListings.map((listing) => ({
      listing,
      owner: response.owners.find(({ id }) => id === listing.ownerId),
    })),
  };
}

/** Keeps only sellers of a known market other than the shopper's own (DMA code). */
export function outsideMarket(response: NearListings, market: string): NearListings {
  if (response === 'pending') return response;
  const outsideOwnerIds = new Set(
    response.owners.filter(({ dma }) => dma && dma !== market).map(({ id }) => id),
  );
  return { ...response, listings: response.listings.filter(({ ownerId }) => outsideOwnerIds.has(ownerId)) };
}

/** Whether every vehicle is within the largest search radius. */
export const isAllNear = ({ vehicles }: BlockContent): boolean => vehicles.every(isNear);

/** The nearest vehicles of a block. Vehicles that deliver from far away are shown only when none is near. */
export function nearestFirst(content: BlockContent): BlockContent {
  const near = content.vehicles.filter(isNear);
  const vehicles = [...(near.length > 0 ? near : content.vehicles)]
    .sort((a, b) => milesTo(a) - milesTo(b))
    .slice(0, NEARBY_SHOWN);
  return { ...content, vehicles, ids: vehicles.map(({ listing }) => listing.id) };
}

type BlockVehicle = BlockContent['vehicles'][number];
const milesTo = ({ owner }: BlockVehicle): number => owner?.distanceFromSearch ?? Infinity;
const isNear = (vehicle: BlockVehicle): boolean => milesTo(vehicle) <= MAX_SEARCH_RADIUS;

type SearchStatus = Pick<SearchState, 'criteria' | 'status' | 'totalResultCount' | 'firstLoadedRecord'>;

/**
 * Similar vehicles are loaded for a search around a place with at most 25 results, including the `loaded`
 * similar ones.
 */
export const shouldLoadSimilar = (
  { criteria, status, totalResultCount }: SearchStatus,
  loaded: number,
): boolean =>
  criteria.filters.searchRadius !== undefined &&
  status === 'ready' &&
  totalResultCount + loaded <= SIMILAR_MAX_RESULTS;

/** Supplemental vehicles follow the last page of 25 results or fewer. */
export const shouldLoadSupplemental = (search: SearchStatus): boolean =>
  search.status === 'ready' &&
  search.totalResultCount <= BOTTOM_BLOCK_MAX_RESULTS &&
  nextRecord(search) === undefined;

/** The nearby market follows the last page of fewer than 25 results. */
export const shouldLoadNearby = (search: SearchStatus): boolean =>
  search.status === 'ready' &&
  search.totalResultCount < NEARBY_BELOW_RESULTS &&
  nextRecord(search) === undefined;

/** Few results are followed by the email-subscribe form. */
export const hasBottomBlock = ({ status, totalResultCount }: SearchStatus): boolean =>
  status === 'ready' && totalResultCount <= BOTTOM_BLOCK_MAX_RESULTS;

/** Query of the supplemental results; `nearby` asks for the next market. */
export function toSupplementalQuery(
  criteria: SearchCriteria,
  context: QueryOptions & { readonly firstRecord?: number; readonly nearby?: boolean },
): URLSearchParams {
  const params = toSearchQuery(criteria, context);
  params.set('sortBy', criteria.sortBy);
  params.set('hideFilters', 'true');
  params.set('supplemental', 'true');
  params.set('numRecords', String(SUPPLEMENTAL_NUM_RECORDS));
  params.set('firstRecord', String(context.firstRecord ?? 0));
  if (context.nearby) {
    params.delete('area');
    params.set('marketExtension', 'include');
    params.set('searchRadius', String(MAX_SEARCH_RADIUS));
  }
  return params;
}

/** Listings asked for by a supplemental request. */
const SUPPLEMENTAL_NUM_RECORDS = 100;
