import type { LoadContext } from '@forecourt/slots';
import type { Listing, ListingsResponse, Owner } from '@forecourt/upstream/entities';
import { toSimilarQuery } from '../search/similarQuery.ts';
import { orElse } from './orElse.ts';
import { modelCriteria } from './returnToSearch.ts';
import type { VehicleWithSeller } from './VehicleCards.tsx';

/** Fills two rows of the widest layout. */
const MAX_SIMILAR = 8;
const SIMILAR_RADIUS_MILES = '100';

/** The first similar vehicles of a response with their sellers, without the page's own vehicle. */
export function withSellers(
  response: ListingsResponse | undefined,
  ownId?: string,
): readonly VehicleWithSeller[] {
  if (!response) return [];
  const ownersById = new Map(response.owners.map((each) => [each.id, each]));
  return response.listings
    .filter(({ id }) => id !== ownId)
    .slice(0, MAX_SIMILAR)
    .map((each) => ({ listing: each, owner: ownersById.get(each.ownerId) }));
}

/** Of about its price and year near its seller; none when they are late. */
export async function loadSimilar(
  listing: Listing,
  owner: Owner,
  { state, call }: LoadContext,
): Promise<readonly VehicleWithSeller[]> {
  const { brand } = state.session;
  const zip = owner.location?.address.zip;
  const criteria = modelCriteria(listing.makeCode, listing.modelCode);
  const price = listing.pricingDetail.derivedPrice;
  const nearby = {
    ...criteria,
    filters: {
      ...criteria.filters,
      // Around this price and year: the upstream widens both.
      ...(price !== undefined && {
        minPrice: [String(price)],
        maxPrice: [String(price)],
        startYear: [String(listing.year)],
        endYear: [String(listing.year)],
      }),
      vehicleStyleCode: [...listing.vehicleStyleCodes],
      ...(zip ? { zip: [zip], searchRadius: [SIMILAR_RADIUS_MILES] } : {}),
    },
  };
  const query = toSimilarQuery(nearby, { brand, shownIds: [listing.id], listings: [listing] });
  const response = await orElse(call('similar', Object.fromEntries(query)), undefined);
  return withSellers(response, listing.id);
}
