import type { BrandCode } from '@forecourt/shared-contracts/brands';
import type { Call } from '@forecourt/shared-contracts/slots';
import type { ListingOnPage } from '../listing/findListing.ts';
import { amendPaymentUrl } from './paymentUrls.ts';
import type { PaymentCalculation } from '../callTypes.ts';
import type { SessionState } from '@forecourt/shared-contracts/store';

/**
 * The seller's own calculation for one listing at these terms (B7-OTHER-01):
 * the listing's paymentCalculationUrl, amended, through the gateway. Undefined
 * without such a URL, without an answer, and for an answer at other terms: some
 * sellers lend for some terms and rates only.
 *
 * The dialog of one vehicle asks for it; cards do not. At the usual terms they
 * show the upstream's own `pricingDetail.payments` (A3-LISTING-10), and at the
 * terms of a wallet the documented formula (AMB-112): thirty payments at once
 * while somebody edits the terms, without thirty calls to sellers.
 */
export async function fetchPayment(
  call: Call,
  { listing, owner }: ListingOnPage,
  wallet: NonNullable<SessionState['wallet']>,
  brand: BrandCode,
): Promise<PaymentCalculation | undefined> {
  const url = listing.paymentServices?.paymentCalculationUrl;
  if (!url) return undefined;
  const amended = amendPaymentUrl(url, { listing, owner, brand });
  const params = Object.fromEntries(new URLSearchParams(amended.slice(amended.indexOf('?') + 1)));
  try {
    const answer = await call('paymentCalculation', {
      ...params,
      downPayment: String(wallet.downPayment + wallet.tradeInValue),
      term: String(wallet.termMonths),
      apr: String(wallet.aprPercent),
    });
    const isAsked = answer?.term === wallet.termMonths && answer.apr === wallet.aprPercent;
    return isAsked ? answer : undefined;
  } catch {
    // The formula of the page stands in; the gateway has logged it.
    return undefined;
  }
}
