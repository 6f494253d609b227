import type { ReactNode } from 'react';
import { useEmit } from '@forecourt/shared-contracts/slots';
import { VisuallyHidden } from '@forecourt/shared-contracts/ui';
import type { ListingCardProps } from './ListingCard.tsx';
import { priceText } from './price.ts';
import styles from './ListingCard.module.css';

/** Price, the price before, and the payment where payments show (B4-PANEL-15). */
export function CardPrice({ listing, hasPayments, hasPaymentsPopover, wallet }: ListingCardProps): ReactNode {
  const emit = useEmit();
  const { current, previous, payment } = priceText(listing, { payments: hasPayments, wallet });
  return (
    <p className={styles['price']}>
      <strong className={styles['current']}>{current}</strong>
      {previous && (
        <s className={styles['previous']}>
          <VisuallyHidden>was </VisuallyHidden>
          {previous}
        </s>
      )}
      {payment &&
        (hasPaymentsPopover ? (
          <button
            type="button"
            className={`${styles['payment']} ${styles['terms']}`}
            aria-label={`${payment}, change the terms`}
            onClick={() => emit('dialog.requested', { name: 'wallet', listingId: listing.id })}
          >
            {payment}
          </button>
        ) : (
          <span className={styles['payment']}>{payment}</span>
        ))}
    </p>
  );
}
