import { type ReactNode, useId, useRef, useState } from 'react';
import { formatDate } from '@forecourt/search/format';
import { paymentText } from '@forecourt/search/payments';
import type { SessionState } from '@forecourt/search/state';
import { useSlotEnvironment } from '@forecourt/slots';
import { Button } from '@forecourt/slots/ui';
import { randomKey } from '../../form/submission.ts';
import { type ListingWithOwner, sellerName } from '../../listing/findListing.ts';
import { ListingSummary } from '../../listing/ListingSummary.tsx';
import { useIncentives, useSellerPayment } from './sellerTerms.ts';
import { walletPayment } from './terms.ts';
import styles from './ListingDeal.module.css';
import { buildDeal, saveDeal } from './saveDeal.ts';

/** Monthly payment for one vehicle at the wallet's terms, and a button that saves it as a deal. */
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
            <span className={styles['monthly']}>{paymentText(monthly)}</span>
            <span>{sellerPayment ? 'calculated by the seller' : 'estimated'}</span>
          </>
        )}
      </p>
      <Incentives vehicle={vehicle} />
      <div className={styles['actions']}>
        <Button aria-disabled={isSaving || !wallet} onClick={() => void save()}>
          {isSaving ? 'Saving…' : 'Save this deal'}
        </Button>
        <p role="status">{message}</p>
      </div>
    </div>
  );
}

/** What the maker takes off the price or the rate. */
function Incentives({ vehicle }: { vehicle: ListingWithOwner }): ReactNode {
  const id = useId();
  const incentives = useIncentives(vehicle);
  if (incentives.length === 0) return null;
  return (
    <section aria-labelledby={id}>
      <h3 id={id}>Incentives</h3>
      <ul className={styles['incentives']}>
        {incentives.map(({ id: key, name, expires, disclaimer }) => (
          <li key={key}>
            {name}
            <p className={styles['note']}>{`Ends ${formatDate(expires)}. ${disclaimer}`}</p>
          </li>
        ))}
      </ul>
    </section>
  );
}
