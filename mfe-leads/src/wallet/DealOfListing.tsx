import { useEffect, useRef, useState, type ReactNode } from 'react';
import { useSlotEnvironment } from '@forecourt/shared-contracts/slots';
import { usePageState, type SessionState } from '@forecourt/shared-contracts/store';
import { Button } from '@forecourt/shared-contracts/ui';
import { formatDollars } from '@forecourt/shared-contracts/rules';
import { newKey } from '../form/newKey.ts';
import { sellerName, type ListingOnPage } from '../listing/findListing.ts';
import { ListingSummary } from '../listing/ListingSummary.tsx';
import { fetchPayment } from './fetchPayment.ts';
import { dealOf, saveDeal } from './saveDeal.ts';
import { walletPayment } from './terms.ts';
import styles from './WalletDialog.module.css';
import type { PaymentCalculation } from '../callTypes.ts';

/** ms without a change after which the seller's own calculation is asked for. */
const TYPING_PAUSE_MS = 400;

/** What one vehicle costs a month with the terms at hand, and the way to keep that (B7-DEAL-01). */
export function DealOfListing({
  found,
  wallet,
  check,
}: {
  found: ListingOnPage;
  wallet: NonNullable<SessionState['wallet']> | undefined;
  /** Are these terms that the wallet may have? Says beside its fields what is wrong. */
  check: () => Promise<boolean>;
}): ReactNode {
  const { call } = useSlotEnvironment();
  const brand = usePageState(({ session }) => session.brand);
  const { listing } = found;
  const price = listing.pricingDetail.derivedPrice;
  const terms = JSON.stringify(wallet);
  const [fetched, setFetched] = useState<{ terms: string; payment: PaymentCalculation } | undefined>();
  const [message, setMessage] = useState('');
  const [isSaving, setIsSaving] = useState(false);
  const isUnderWay = useRef(false);
  const [savingKey] = useState(newKey);

  useEffect(() => {
    if (!terms) return undefined;
    let isWanted = true;
    const timer = setTimeout(() => {
      void fetchPayment(call, found, JSON.parse(terms) as NonNullable<SessionState['wallet']>, brand).then(
        (payment) => {
          if (isWanted && payment) setFetched({ terms, payment });
        },
      );
    }, TYPING_PAUSE_MS);
    return () => {
      isWanted = false;
      clearTimeout(timer);
    };
  }, [call, found, brand, terms]);

  if (price === undefined) return <ListingSummary listing={listing} seller={sellerName(found)} />;
  const own = fetched && fetched.terms === terms ? fetched.payment : undefined;
  const monthly = own?.monthlyPayment ?? (wallet && walletPayment(price, wallet));
  const keep = async () => {
    // Not the state: the second press of a double click sees it as it was before the first.
    if (!wallet || monthly === undefined || isUnderWay.current) return;
    isUnderWay.current = true;
    if (!(await check())) {
      isUnderWay.current = false;
      return setMessage('');
    }
    setIsSaving(true);
    const outcome = await saveDeal(call, dealOf(listing.id, price, wallet, monthly), savingKey);
    isUnderWay.current = false;
    setIsSaving(false);
    setMessage(outcome.saved ? 'This deal is saved.' : `This deal was not saved: ${outcome.error}.`);
  };
  return (
    <div className={styles['deal']}>
      <ListingSummary listing={listing} seller={sellerName(found)} />
      <p className={styles['payment']}>
        {monthly === undefined ? (
          'Fill in the terms to see the payment.'
        ) : (
          <>
            <span className={styles['monthly']}>{formatDollars(monthly)}/mo</span>
            <span>{own ? 'by the seller’s own calculation' : 'estimated'}</span>
          </>
        )}
      </p>
      <div className={styles['actions']}>
        <Button aria-disabled={isSaving || !wallet} onClick={() => void keep()}>
          {isSaving ? 'Saving…' : 'Save this deal'}
        </Button>
        <p role="status">{message}</p>
      </div>
    </div>
  );
}
