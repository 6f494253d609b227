import type { SearchState } from '@forecourt/search/state';
import type { Call } from '@forecourt/slots';
import type { Listing, Owner } from '@forecourt/upstream/entities';

/** A listing and its seller; `owner` is undefined when the search response did not include it. */
export interface ListingWithOwner {
  readonly listing: Listing;
  readonly owner: Owner | undefined;
}

type ListingSources = Pick<
  SearchState,
  'listings' | 'owners' | 'spotlights' | 'vehicleHighlight' | 'boost' | 'alpha'
>;

/** Finds a listing anywhere on the page: grid, spotlights, highlight, boosts or showcase. */
export function findListing(search: ListingSources, listingId: string): ListingWithOwner | undefined {
  const { alpha } = search;
  const all = [
    ...search.listings,
    ...search.spotlights.flatMap((page) => [
      ...page.premium,
      ...page.featured,
      ...page.standard,
      ...page.fourthTier,
    ]),
    ...(search.vehicleHighlight ? [search.vehicleHighlight] : []),
    ...search.boost,
    ...(alpha?.alphaShowcase.listings ?? []),
  ];
  const listing = all.find(({ id }) => id === listingId);
  if (!listing) return undefined;
  const sponsor = alpha?.ownerBean.id === listing.ownerId ? alpha.ownerBean : undefined;
  return { listing, owner: search.owners[listing.ownerId] ?? sponsor };
}

/** Finds a listing on the page, then upstream; undefined when it is gone or cannot be loaded. */
export async function lookUpListing(
  search: SearchState,
  listingId: string,
  call: Call,
): Promise<ListingWithOwner | undefined> {
  const vehicle = findListing(search, listingId);
  if (vehicle) return vehicle;
  try {
    return (await call('vehicle', { id: listingId })) ?? undefined;
  } catch {
    // The dialog then shows `GoneListing`, which links to the vehicle's page.
    return undefined;
  }
}

/** A vehicle of the nearest dealer that accepts email; undefined when there is none on the page. */
export function nearestDealer({
  listings,
  owners,
}: Pick<SearchState, 'listings' | 'owners'>): ListingWithOwner | undefined {
  const distanceOf = (owner: Owner | undefined) => owner?.distanceFromSearch ?? Infinity;
  let nearest: ListingWithOwner | undefined;
  for (const listing of listings) {
    const owner = owners[listing.ownerId];
    if (!owner || owner.privateSeller || owner.hideEmailForm) continue;
    if (!nearest || distanceOf(owner) < distanceOf(nearest.owner)) nearest = { listing, owner };
  }
  return nearest;
}

/** Phone number of the listing, or of its seller. */
export const phoneOf = ({ listing, owner }: ListingWithOwner): string | undefined =>
  listing.phone ?? owner?.phone?.value;

/** '312-555-0100' → 'tel:+13125550100'. */
export function telHref(phone: string): string {
  const digits = phone.replace(/\D/g, '');
  return `tel:+${digits.length === 10 ? `1${digits}` : digits}`;
}

export const sellerName = ({ listing, owner }: ListingWithOwner): string =>
  owner?.name ?? listing.ownerName ?? 'the seller';
