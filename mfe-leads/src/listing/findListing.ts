import type { Listing, Owner } from '@forecourt/shared-contracts/entities';
import type { SearchState } from '@forecourt/shared-contracts/store';

/** A listing of the page with its seller; `owner` is missing when the answer did not name the seller. */
export interface ListingOnPage {
  readonly listing: Listing;
  readonly owner: Owner | undefined;
}

type Places = Pick<
  SearchState,
  'listings' | 'owners' | 'spotlights' | 'vehicleHighlight' | 'boost' | 'alpha'
>;

/** Finds a listing wherever the page shows it: grid, spotlights, highlight, boosts or showcase. */
export function findListing(search: Places, listingId: string): ListingOnPage | undefined {
  const { alpha } = search;
  const shown = [
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
  const listing = shown.find(({ id }) => id === listingId);
  if (!listing) return undefined;
  const sponsor = alpha?.ownerBean.id === listing.ownerId ? alpha.ownerBean : undefined;
  return { listing, owner: search.owners[listing.ownerId] ?? sponsor };
}

/** Number to call about a listing: its own, else the seller's. */
export const phoneOf = ({ listing, owner }: ListingOnPage): string | undefined =>
  listing.phone ?? owner?.phone?.value;

/** '312-555-0100' → 'tel:+13125550100'. */
export function telHref(phone: string): string {
  const digits = phone.replace(/\D/g, '');
  return `tel:+${digits.length === 10 ? `1${digits}` : digits}`;
}

/** Who sells it, as it is shown. */
export const sellerName = ({ listing, owner }: ListingOnPage): string =>
  owner?.name ?? listing.ownerName ?? 'the seller';
