import type { ReactNode } from 'react';
import { formatCount, formatDollars, formatNumber } from '@forecourt/search/format';
import { paymentSummary, type PaymentChoice, formatPrice, paymentText } from '@forecourt/search/payments';
import { VisuallyHidden } from '@forecourt/slots/ui';
import { LISTING_TYPE_LABELS } from '@forecourt/upstream/codes';
import type { Listing, Owner } from '@forecourt/upstream/entities';
import { keyFacts, sellerPlace, sellerText } from '../listing/facts.ts';
import { dealText, estimateText } from '../listing/price.ts';
import { ContactActions } from './ContactActions.tsx';
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
  const price = listing.pricingDetail.derivedPrice;
  return (
    <div className={`${panelClass} ${styles['head']}`}>
      <p className={styles['quiet']}>
        {[LISTING_TYPE_LABELS[listing.listingType], sellerPlace(owner)].filter(Boolean).join(' · ')}
      </p>
      <h1>{listing.title}</h1>
      <Price listing={listing} payment={payment} />
      <ul className={styles['facts']} aria-label="Key facts">
        {keyFacts(listing, owner).map((fact) => (
          <li key={fact}>{fact}</li>
        ))}
      </ul>
      <SellerLine listing={listing} owner={owner} />
      <ContactActions
        listing={listing}
        owner={owner}
        price={formatPrice(price)}
        monthly={
          price !== undefined && payment ? estimateText(paymentSummary(price, payment).monthly) : undefined
        }
      />
      <QuickActions listing={listing} owner={owner} />
    </div>
  );
}

/** Name and rating; the rest is in the seller's panel. */
function SellerLine({ listing, owner }: { listing: Listing; owner: Owner }): ReactNode {
  const { name, rating } = sellerText(listing, owner);
  return (
    <p>
      <a href="#seller">{name}</a>
      {rating && (
        <span
          className={styles['quiet']}
          role="img"
          aria-label={`Rated ${rating.value} out of 5 by ${formatCount(owner.rating?.count ?? 0, 'shopper')}`}
        >
          {` ★ ${rating.value} (${rating.count})`}
        </span>
      )}
    </p>
  );
}

/** '$3,900 below market (359 similar)'. */
function Deal({ listing }: { listing: Listing }): ReactNode {
  const deal = dealText(listing);
  const { market } = listing.pricingDetail;
  if (!deal) return null;
  return (
    <p className={styles['deal']}>
      {deal}
      {market && <span className={styles['quiet']}>{` (${formatNumber(market.similar)} similar)`}</span>}
    </p>
  );
}

/** 'Est. $512 a month' */
const monthlyText = (monthly: number): string =>
  monthly === 0 ? paymentText(monthly) : `Est. ${formatDollars(monthly)} a month`;

function Price({ listing, payment }: { listing: Listing; payment: PaymentChoice | undefined }): ReactNode {
  const { derivedPrice, previousPrice, msrp } = listing.pricingDetail;
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
        {payment && (
          <a className={styles['payment']} href="#payment">
            {monthlyText(paymentSummary(derivedPrice, payment).monthly)}
          </a>
        )}
      </p>
      <Deal listing={listing} />
      {reduction > 0 && <p className={styles['quiet']}>{`${formatDollars(reduction)} less than before`}</p>}
      {listing.listingType === 'NEW' && msrp !== undefined && msrp > derivedPrice && (
        <p className={styles['quiet']}>{`MSRP ${formatDollars(msrp)}`}</p>
      )}
    </>
  );
}
