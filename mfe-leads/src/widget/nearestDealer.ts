import type { Owner } from '@forecourt/shared-contracts/entities';
import type { SearchState } from '@forecourt/shared-contracts/store';
import type { ListingOnPage } from '../listing/findListing.ts';

const distanceOf = ({ distanceFromSearch = Infinity }: Owner): number => distanceFromSearch;

/** A vehicle of the nearest dealer that takes emails; undefined when the page shows none (AMB-120). */
export function nearestDealer({
  listings,
  owners,
}: Pick<SearchState, 'listings' | 'owners'>): ListingOnPage | undefined {
  let nearest: { listing: ListingOnPage['listing']; owner: Owner } | undefined;
  for (const listing of listings) {
    const owner = owners[listing.ownerId];
    if (!owner || owner.privateSeller || owner.hideEmailForm) continue;
    if (!nearest || distanceOf(owner) < distanceOf(nearest.owner)) nearest = { listing, owner };
  }
  return nearest;
}
