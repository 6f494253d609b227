import { ALPHA_CAROUSEL_MAX, ALPHA_OWNER_VEHICLES } from '@forecourt/upstream/agreements';
import type { StockOwner } from '../../domain/stock.ts';
import type { ListingIndex, ListingQuery } from '../listingIndex/listingIndex.ts';
import { distanceMiles } from '../../domain/places/index.ts';
import type { SearchRequest } from './request.ts';

/** Miles around the center that count as the market of a search without a radius. */
const MARKET_MILES = 100;

export interface ShowcaseDeps {
  readonly index: ListingIndex;
  readonly alphaOwners: () => Promise<readonly StockOwner[]>;
  readonly owner: (id: string) => Promise<StockOwner | undefined>;
}

/** The search with fewer and fewer criteria, for sponsors without an exact match. */
function* relaxed(query: ListingQuery): Iterable<ListingQuery> {
  const { vehicle = { makes: [], models: [], trims: [] }, facets } = query;
  yield query;
  if (vehicle.models.length > 0) yield { vehicle: { ...vehicle, trims: [] } };
  if (vehicle.makes.length > 0) yield { vehicle: { ...vehicle, models: [], trims: [] } };
  if (facets?.vehicleStyleCode) yield { facets: { vehicleStyleCode: facets.vehicleStyleCode } };
  if (facets?.listingType) yield { facets: { listingType: facets.listingType } };
  yield {};
}

/** Sponsors of the search's market; all of them for a nationwide search. */
async function candidates(
  request: SearchRequest,
  { alphaOwners, owner }: ShowcaseDeps,
): Promise<readonly StockOwner[]> {
  const ownerId = request.criteria.showcaseOwnerId;
  const requestedOwner = ownerId === undefined ? undefined : await owner(ownerId);
  if (requestedOwner) return [requestedOwner];
  const { place, query } = request;
  const sponsors = await alphaOwners();
  if (!place) {
    const { state } = query;
    return state === undefined ? sponsors : sponsors.filter((dealer) => dealer.state === state);
  }
  const reach = Math.max(query.radius ?? 0, MARKET_MILES);
  return sponsors.filter((dealer) => dealer.dma === place.dma || distanceMiles(place, dealer) <= reach);
}

export interface Showcase {
  readonly ownerId: string;
  readonly listingIds: readonly string[];
}

/** Drops the location: the sponsor's market decides, not the radius. */
const anywhere = (criteria: ListingQuery): ListingQuery => ({
  ...criteria,
  center: undefined,
  radius: undefined,
  state: undefined,
  city: undefined,
  area: undefined,
  excludedIds: undefined,
});

/**
 * The sponsored showcase: the market's sponsor with most matching
 * listings, and up to 12 of them. Criteria are relaxed until a sponsor has a
 * match (the page names the missed ones), and further until the
 * owner's card is full. A showcaseOwnerId names the sponsor.
 */
export async function chooseShowcase(
  request: SearchRequest,
  deps: ShowcaseDeps,
): Promise<Showcase | undefined> {
  const dealers = await candidates(request, deps);
  if (dealers.length === 0) return undefined;
  let ownerId: string | undefined;
  const listingIds = new Set<string>();
  for (const criteria of relaxed(request.query)) {
    const query = anywhere(criteria);
    ownerId ??= await ownerOfMost(query, dealers, deps);
    if (ownerId === undefined) continue;
    // The best matches fill the carousel; later ones only the owner's card.
    const size = listingIds.size === 0 ? ALPHA_CAROUSEL_MAX : ALPHA_OWNER_VEHICLES;
    const { hits } = await deps.index.search(
      { ...query, ownerIds: [ownerId] },
      { sort: 'relevance', first: 0, size },
    );
    for (const { id } of hits) if (listingIds.size < size) listingIds.add(id);
    if (listingIds.size >= ALPHA_OWNER_VEHICLES) break;
  }
  return ownerId === undefined ? undefined : { ownerId, listingIds: [...listingIds] };
}

/** The first dealer with the most listings; undefined if none has any. */
async function ownerOfMost(query: ListingQuery, dealers: readonly StockOwner[], { index }: ShowcaseDeps) {
  const counts = await index.countByOwner(
    query,
    dealers.map(({ id }) => id),
  );
  return dealers.reduce<string | undefined>((leader, { id }) => {
    const count = counts.get(id) ?? 0;
    return count > 0 && (leader === undefined || count > counts.get(leader)!) ? id : leader;
  }, undefined);
}
