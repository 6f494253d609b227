import type { BrandCode } from '@forecourt/shared-contracts/brands';
import type { Listing, Owner } from '@forecourt/shared-contracts/entities';

/**
 * A listing's payment or incentive URL with what its services ask for
 * (A7-PAY-01..05, AMB-110, AMB-111); the query that it has already is kept. A
 * private seller has no dealer, leases nothing, and gets the default rate.
 */
export function amendPaymentUrl(
  url: string,
  { listing, owner, brand }: { listing: Listing; owner: Owner | undefined; brand: BrandCode },
): string {
  const [path = '', query = ''] = url.split('?', 2);
  const params = new URLSearchParams(query);
  const isPrivate = owner?.privateSeller ?? false;
  const leases = listing.paymentServices?.dealerSettings?.leaseEnabled ?? false;
  params.set('enableLease', String(leases && !isPrivate));
  params.set('disableIncentives', String(listing.listingType !== 'NEW'));
  params.set('hasSpecialOffers', String(listing.hasSpecialOffer));
  params.set('defaultRate', String(isPrivate));
  if (!isPrivate) {
    params.set('dealerId', listing.ownerId);
    params.set('partnerId', brand);
  }
  return `${path}?${params.toString()}`;
}
