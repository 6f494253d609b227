import { type ReactNode, useEffect, useRef, useState } from 'react';
import { type SessionState, usePageState } from '@forecourt/shared-contracts/store';
import { type Call, useSlotEnvironment } from '@forecourt/shared-contracts/slots';
import { Button } from '@forecourt/shared-contracts/ui';
import { formatDollars } from '@forecourt/shared-contracts/rules';
import { randomKey } from '../../form/submission.ts';
import { type ListingWithOwner, sellerName } from '../../listing/findListing.ts';
import { ListingSummary } from '../../listing/ListingSummary.tsx';
import { walletPayment } from './terms.ts';
import styles from './WalletDialog.module.css';
import { DEAL_KINDS } from '@forecourt/shared-contracts/entities/codes';
import { STORAGE_KEYS, isRecord, readStored, writeStored } from '../../storage/webStorage.ts';
import type { BrandCode } from '@forecourt/shared-contracts/brands';
import type { Listing, Owner } from '@forecourt/shared-contracts/entities';
import type { CallBodies, CallResponses } from '@forecourt/shared-contracts/calls';

type Deal = CallBodies['saveDeal'];
type PaymentCalculation = NonNullable<CallResponses['paymentCalculation']>;

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
async function fetchPayment(
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

/** ms to debounce edits before requesting the seller's calculation. */
const DEBOUNCE_MS = 400;

/** The seller's payment calculation for these terms; undefined until it has loaded or when there is none. */
function useSellerPayment(
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

/** Monthly payment for one vehicle at the wallet's terms, and a button that saves it as a deal (B7-DEAL-01). */
export function ListingDeal({
  vehicle,
  wallet,
  check,
}: {
  vehicle: ListingWithOwner;
  wallet: NonNullable<SessionState['wallet']> | undefined;
  /** Validates the terms and shows their errors. */
  check: () => Promise<boolean>;
}): ReactNode {
  const { call } = useSlotEnvironment();
  const { listing } = vehicle;
  const price = listing.pricingDetail.derivedPrice;
  const sellerPayment = useSellerPayment(vehicle, wallet);
  const [message, setMessage] = useState('');
  const [isSaving, setIsSaving] = useState(false);
  const isInFlight = useRef(false);
  const [idempotencyKey] = useState(randomKey);

  if (price === undefined) return <ListingSummary listing={listing} seller={sellerName(vehicle)} />;
  const monthly = sellerPayment?.monthlyPayment ?? (wallet && walletPayment(price, wallet));
  const save = async () => {
    // A ref, because the second press of a double click still sees the old state.
    if (!wallet || monthly === undefined || isInFlight.current) return;
    isInFlight.current = true;
    if (!(await check())) {
      isInFlight.current = false;
      return setMessage('');
    }
    setIsSaving(true);
    const outcome = await saveDeal(call, buildDeal(listing.id, price, wallet, monthly), idempotencyKey);
    isInFlight.current = false;
    setIsSaving(false);
    setMessage(outcome.saved ? 'This deal is saved.' : `This deal was not saved: ${outcome.error}.`);
  };
  return (
    <div className={styles['deal']}>
      <ListingSummary listing={listing} seller={sellerName(vehicle)} />
      <p className={styles['payment']}>
        {monthly === undefined ? (
          'Enter your terms to see the payment.'
        ) : (
          <>
            <span className={styles['monthly']}>{formatDollars(monthly)}/mo</span>
            <span>{sellerPayment ? 'calculated by the seller' : 'estimated'}</span>
          </>
        )}
      </p>
      <div className={styles['actions']}>
        <Button aria-disabled={isSaving || !wallet} onClick={() => void save()}>
          {isSaving ? 'Saving…' : 'Save this deal'}
        </Button>
        <p role="status">{message}</p>
      </div>
    </div>
  );
}

/** Unknown kinds of deals count as finance (B5-URL-04, AMB-027). */
export const dealKind = (code: string | undefined): (typeof DEAL_KINDS)[number] =>
  DEAL_KINDS.find((kind) => kind === code) ?? 'finance';

/** A vehicle at the wallet's terms, with the payment as displayed, USD (B3-DEAL-01). */
export const buildDeal = (
  listingId: string,
  price: number,
  wallet: NonNullable<SessionState['wallet']>,
  monthlyPayment: number,
): Deal => ({
  carId: listingId,
  deal: {
    dealType: dealKind('finance'),
    price,
    downPayment: wallet.downPayment + wallet.tradeInValue,
    term: wallet.termMonths,
    apr: wallet.aprPercent,
    monthlyPayment,
  },
});

/** `error` is the upstream's text, e.g. 'Circuit Breaker for /deals is open' (B8-ERR-14). */
type DealOutcome = { readonly saved: true } | { readonly saved: false; readonly error: string };

const REQUEST_FAILED = 'Request failed';

/**
 * Saves the deal of a listing, or updates the saved one (B7-DEAL-01). The key
 * prevents a duplicate when the first response was lost. Never rejects.
 */
async function saveDeal(call: Call, body: Deal, idempotencyKey: string): Promise<DealOutcome> {
  const savedIds =
    readStored(STORAGE_KEYS.savedDeals, (value) => (isRecord(value) ? value : undefined)) ?? {};
  const id = savedIds[body.carId];
  try {
    const response =
      typeof id === 'string'
        ? await call('updateDeal', { id }, { body })
        : await call('saveDeal', {}, { body, idempotencyKey });
    if ('error' in response) return { saved: false, error: String(response.error) };
    writeStored(STORAGE_KEYS.savedDeals, { ...savedIds, [body.carId]: response.id });
    return { saved: true };
  } catch {
    // The gateway logged the error.
    return { saved: false, error: REQUEST_FAILED };
  }
}
