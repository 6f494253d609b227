import type { Call } from '@forecourt/shared-contracts/slots';
import type { SearchState } from '@forecourt/shared-contracts/store';
import { findListing, type ListingOnPage } from './findListing.ts';

/** The listing as the page shows it, else as the upstream knows it; undefined when nobody sells it any more. */
export async function lookUpListing(
  search: SearchState,
  listingId: string,
  call: Call,
): Promise<ListingOnPage | undefined> {
  const found = findListing(search, listingId);
  if (found) return found;
  try {
    return (await call('vehicle', { id: listingId })) ?? undefined;
  } catch {
    // The dialog says that the vehicle is gone, and leads to its own page.
    return undefined;
  }
}
