import type { ReactNode } from 'react';
import { ListingSummary } from '../../listing/ListingSummary.tsx';
import { buttonClass, Icon } from '@forecourt/slots/ui';
import styles from './CallSeller.module.css';
import { phoneOf, sellerName, telHref, type ListingWithOwner } from '../../listing/findListing.ts';

/** Phone number to call about a listing. */
export function CallSeller({ vehicle }: { vehicle: ListingWithOwner }): ReactNode {
  const phone = phoneOf(vehicle);
  const seller = sellerName(vehicle);
  return (
    <div className={styles['call']}>
      <ListingSummary listing={vehicle.listing} seller={seller} />
      {phone ? (
        <a className={buttonClass('primary')} href={telHref(phone)}>
          <Icon name="phone" /> {phone}
        </a>
      ) : (
        <p>This seller hasn’t provided a phone number.</p>
      )}
    </div>
  );
}
