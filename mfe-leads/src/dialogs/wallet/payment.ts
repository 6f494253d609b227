import type { PaymentCalculation } from '../../callTypes.ts';
import type { BrandCode } from '@forecourt/shared-contracts/brands';
import type { Listing, Owner } from '@forecourt/shared-contracts/entities';
import type { Call } from '@forecourt/shared-contracts/slots';
import type { ListingWithOwner } from '../../listing/findListing.ts';
import type { SessionState } from '@forecourt/shared-contracts/store';

/**
 * Adds the parameters that the payment and incentive services need to a
 * listing's URL (A7-PAY-01..05, AMB-110, AMB-111); its existing query stays.
 * Private sellers have no dealer id, offer no leases and get the default rate.
 */
export function amendPaymentUrl(
  url: string,
  { listing, owner, brand }: { listing: Listing; owner: Owner | undefined; brand: BrandCode },
): string {
  const [path = '', query = ''] = url.split('?', 2);
  const params = new URLSearchParams(query);
  const isPrivate = owner?.privateSeller ?? false;
  const canLease = listing.paymentServices?.dealerSettings?.leaseEnabled ?? false;
  params.set('enableLease', String(canLease && !isPrivate));
  params.set('disableIncentives', String(listing.listingType !== 'NEW'));
  params.set('hasSpecialOffers', String(listing.hasSpecialOffer));
  params.set('defaultRate', String(isPrivate));
  if (!isPrivate) {
    params.set('dealerId', listing.ownerId);
    params.set('partnerId', brand);
  }
  return `${path}?${params.toString()}`;
}

/**
 * Requests the seller's calculation for one listing at these terms
 * (B7-OTHER-01). Undefined without a `paymentCalculationUrl`, when the call
 * fails, and when the seller calculates with other terms.
 *
 * Only the dialog of one vehicle makes this call. Cards use the upstream's
 * `pricingDetail.payments` (A3-LISTING-10) or, with a wallet, the documented
 * formula (AMB-112), which avoids a call per card on every edit.
 */
export async function fetchPayment(
  call: Call,
  { listing, owner }: ListingWithOwner,
  wallet: NonNullable<SessionState['wallet']>,
  brand: BrandCode,
): Promise<PaymentCalculation | undefined> {
  const url = listing.paymentServices?.paymentCalculationUrl;
  if (!url) return undefined;
  const calculationUrl = amendPaymentUrl(url, { listing, owner, brand });
  const params = Object.fromEntries(
    new URLSearchParams(calculationUrl.slice(calculationUrl.indexOf('?') + 1)),
  );
  try {
    const payment = await call('paymentCalculation', {
      ...params,
      downPayment: String(wallet.downPayment + wallet.tradeInValue),
      term: String(wallet.termMonths),
      apr: String(wallet.aprPercent),
    });
    const hasSameTerms = payment?.term === wallet.termMonths && payment.apr === wallet.aprPercent;
    return hasSameTerms ? payment : undefined;
  } catch {
    // The caller falls back to the formula; the gateway logged the error.
    return undefined;
  }
}
