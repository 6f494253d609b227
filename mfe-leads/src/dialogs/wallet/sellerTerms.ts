import { useEffect, useState } from 'react';
import type { BrandCode } from '@forecourt/search/brands';
import type { SessionState } from '@forecourt/search/state';
import { type Call, useSlotEnvironment, usePageState } from '@forecourt/slots';
import type { CallResponses } from '@forecourt/upstream/calls';
import type { Listing, Owner } from '@forecourt/upstream/entities';
import type { ListingWithOwner } from '../../listing/findListing.ts';
import { downPaymentOf } from './terms.ts';

type PaymentCalculation = NonNullable<CallResponses['paymentCalculation']>;
type Incentive = CallResponses['incentives']['incentives'][number];

/**
 * Adds the parameters that the payment and incentive services need to a
 * listing's URL; its existing query stays.
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

const paramsOf = (url: string): Record<string, string> =>
  Object.fromEntries(new URLSearchParams(url.slice(url.indexOf('?') + 1)));

/**
 * Requests the seller's calculation for one listing at these terms
 *. Undefined without a `paymentCalculationUrl`, when the call
 * fails, and when the seller calculates with other terms.
 *
 * Only the dialog of one vehicle makes this call. Cards use the upstream's
 * `pricingDetail.payments` or, with a wallet, the documented
 * formula, which avoids a call per card on every edit.
 */
async function fetchPayment(
  call: Call,
  { listing, owner }: ListingWithOwner,
  wallet: NonNullable<SessionState['wallet']>,
  brand: BrandCode,
): Promise<PaymentCalculation | undefined> {
  const url = listing.paymentServices?.paymentCalculationUrl;
  if (!url) return undefined;
  try {
    const payment = await call('paymentCalculation', {
      ...paramsOf(amendPaymentUrl(url, { listing, owner, brand })),
      downPayment: String(downPaymentOf(listing.pricingDetail.derivedPrice ?? 0, wallet)),
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

/** ms to debounce edits before requesting the seller's calculation. */
const DEBOUNCE_MS = 400;

/** The seller's payment calculation for these terms; undefined until it has loaded or when there is none. */
export function useSellerPayment(
  vehicle: ListingWithOwner,
  wallet: NonNullable<SessionState['wallet']> | undefined,
): PaymentCalculation | undefined {
  const { call } = useSlotEnvironment();
  const brand = usePageState(({ session }) => session.brand);
  const [response, setFetched] = useState<{ terms: string; payment: PaymentCalculation } | undefined>();
  const terms = JSON.stringify(wallet);
  useEffect(() => {
    if (!terms) return undefined;
    let isCurrent = true;
    const timer = setTimeout(() => {
      void fetchPayment(call, vehicle, JSON.parse(terms) as NonNullable<SessionState['wallet']>, brand).then(
        (payment) => {
          if (isCurrent && payment) setFetched({ terms, payment });
        },
      );
    }, DEBOUNCE_MS);
    return () => {
      isCurrent = false;
      clearTimeout(timer);
    };
  }, [call, vehicle, brand, terms]);
  return response && response.terms === terms ? response.payment : undefined;
}

const NO_INCENTIVES: readonly Incentive[] = [];

/** The incentives on a vehicle; empty until they have loaded, when there are none, and when the call fails. */
export function useIncentives({ listing, owner }: ListingWithOwner): readonly Incentive[] {
  const { call } = useSlotEnvironment();
  const brand = usePageState(({ session }) => session.brand);
  const [response, setResponse] = useState<{ url: string; incentives: readonly Incentive[] }>();
  const url = listing.paymentServices?.incentivesUrl;
  const amendedUrl = url && amendPaymentUrl(url, { listing, owner, brand });
  useEffect(() => {
    if (!amendedUrl) return undefined;
    let isCurrent = true;
    call('incentives', paramsOf(amendedUrl)).then(
      ({ incentives }) => {
        if (isCurrent) setResponse({ url: amendedUrl, incentives });
      },
      // The gateway logged the error.
      () => undefined,
    );
    return () => {
      isCurrent = false;
    };
  }, [call, amendedUrl]);
  return response && response.url === amendedUrl ? response.incentives : NO_INCENTIVES;
}
