import type { PaymentCalculation } from '../../callTypes.ts';
import { useEffect, useRef, useState, type ReactNode } from 'react';
import { usePageState, type SessionState } from '@forecourt/shared-contracts/store';
import { useSlotEnvironment } from '@forecourt/shared-contracts/slots';
import { Button } from '@forecourt/shared-contracts/ui';
import { formatDollars } from '@forecourt/shared-contracts/rules';
import { randomKey } from '../../form/submission.ts';
import { sellerName, type ListingWithOwner } from '../../listing/findListing.ts';
import { ListingSummary } from '../../listing/ListingSummary.tsx';
import { fetchPayment } from './payment.ts';
import { buildDeal, saveDeal } from './saveDeal.ts';
import { walletPayment } from './terms.ts';
import styles from './WalletDialog.module.css';

/** ms to debounce edits before requesting the seller's calculation. */
const DEBOUNCE_MS = 400;

/** The seller's payment calculation for these terms; undefined until it has loaded or when there is none. */
function useSellerPayment(
  found: ListingWithOwner,
  wallet: NonNullable<SessionState['wallet']> | undefined,
): PaymentCalculation | undefined {
  const { call } = useSlotEnvironment();
  const brand = usePageState(({ session }) => session.brand);
  const [fetched, setFetched] = useState<{ terms: string; payment: PaymentCalculation } | undefined>();
  const terms = JSON.stringify(wallet);
  useEffect(() => {
    if (!terms) return undefined;
    let isCurrent = true;
    const timer = setTimeout(() => {
      void fetchPayment(call, found, JSON.parse(terms) as NonNullable<SessionState['wallet']>, brand).then(
        (payment) => {
          if (isCurrent && payment) setFetched({ terms, payment });
        },
      );
    }, DEBOUNCE_MS);
    return () => {
      isCurrent = false;
      clearTimeout(timer);
    };
  }, [call, found, brand, terms]);
  return fetched && fetched.terms === terms ? fetched.payment : undefined;
}

/** Monthly payment for one vehicle at the wallet's terms, and a button that saves it as a deal (B7-DEAL-01). */
export function ListingDeal({
  found,
  wallet,
  check,
}: {
  found: ListingWithOwner;
  wallet: NonNullable<SessionState['wallet']> | undefined;
  /** Validates the terms and shows their errors. */
  check: () => Promise<boolean>;
}): ReactNode {
  const { call } = useSlotEnvironment();
  const { listing } = found;
  const price = listing.pricingDetail.derivedPrice;
  const sellerPayment = useSellerPayment(found, wallet);
  const [message, setMessage] = useState('');
  const [isSaving, setIsSaving] = useState(false);
  const isInFlight = useRef(false);
  const [idempotencyKey] = useState(randomKey);

  if (price === undefined) return <ListingSummary listing={listing} seller={sellerName(found)} />;
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
      <ListingSummary listing={listing} seller={sellerName(found)} />
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
