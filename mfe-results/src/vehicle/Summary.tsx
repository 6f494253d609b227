import type { ReactNode } from 'react';
import { formatDollars } from '@forecourt/search/format';
import { paymentSummary, type PaymentChoice, formatPrice } from '@forecourt/search/payments';
import { VisuallyHidden } from '@forecourt/slots/ui';
import { LISTING_TYPE_LABELS } from '@forecourt/upstream/codes';
import type { Listing, Owner } from '@forecourt/upstream/entities';
import { sellerPlace, sellerText } from '../listing/facts.ts';
import { isGoodPriceDeal } from '../listing/price.ts';
import { ContactActions } from './ContactActions.tsx';
import { Badge } from './Badge.tsx';
import { panelClass } from './Panel.tsx';
import { QuickActions } from './QuickActions.tsx';
import styles from './Summary.module.css';

/** Title, price and contacts: the most important information. */
export function Summary(props: {
  listing: Listing;
  owner: Owner;
  payment: PaymentChoice | undefined;
}): ReactNode {
  const { listing, owner, payment } = props;
  return (
    <div className={`${panelClass} ${styles['head']}`}>
      <p className={styles['quiet']}>
        {[LISTING_TYPE_LABELS[listing.listingType], sellerPlace(owner), sellerText(listing, owner).distance]
          .filter(Boolean)
          .join(' · ')}
      </p>
      <h1>{listing.title}</h1>
      <Price listing={listing} payment={payment} />
      <ContactActions listing={listing} owner={owner} />
      <QuickActions listing={listing} owner={owner} />
    </div>
  );
}

function Price({ listing, payment }: { listing: Listing; payment: PaymentChoice | undefined }): ReactNode {
  const { derivedPrice, previousPrice, dealIndicator, msrp } = listing.pricingDetail;
  if (derivedPrice === undefined) return <p className={styles['price']}>{formatPrice(derivedPrice)}</p>;
  const reduction = listing.isReducedPrice && previousPrice !== undefined ? previousPrice - derivedPrice : 0;
  return (
    <>
      <p className={styles['price']}>
        {formatPrice(derivedPrice)}
        {previousPrice !== undefined && reduction > 0 && (
          <>
            {' '}
            <s>
              <VisuallyHidden>Previous price </VisuallyHidden>
              {formatDollars(previousPrice)}
            </s>
          </>
        )}
      </p>
      {isGoodPriceDeal(dealIndicator) && (
        <p>
          <Badge>{`${dealIndicator} Price`}</Badge>
        </p>
      )}
      {reduction > 0 && <p className={styles['quiet']}>{`${formatDollars(reduction)} less than before`}</p>}
      {listing.listingType === 'NEW' && msrp !== undefined && msrp > derivedPrice && (
        <p className={styles['quiet']}>{`MSRP ${formatDollars(msrp)}`}</p>
      )}
      {payment && (
        <p className={styles['quiet']}>
          <a href="#payment">{`Est. ${paymentSummary(derivedPrice, payment).monthly} a month`}</a>
        </p>
      )}
    </>
  );
}
