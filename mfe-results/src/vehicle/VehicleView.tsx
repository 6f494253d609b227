import type { ReactNode } from 'react';
import { DEFAULT_PATH } from '@forecourt/shared-contracts/criteria';
import type { Listing, Owner } from '@forecourt/shared-contracts/entities';
import {
  paymentSummary,
  readPaymentChoice,
  type PaymentChoice,
  formatDollars,
  formatCount,
  formatPrice,
} from '@forecourt/shared-contracts/rules';
import { usePageState } from '@forecourt/shared-contracts/store';
import { VisuallyHidden } from '@forecourt/shared-contracts/ui';
import { LISTING_TYPE_LABELS } from '@forecourt/shared-contracts/entities/codes';
import { placeText } from '../listing/facts.ts';
import { isGoodPriceDeal } from '../listing/price.ts';
import { ContactActions, QuickActions } from './ContactActions.tsx';
import { Gallery } from './Gallery.tsx';
import { queryOf, vehiclePath, type VehicleForSale } from './loadVehicle.ts';
import { MarketSection } from './MarketSection.tsx';
import { PaymentForm } from './PaymentForm.tsx';
import { SEARCH_PARAM } from './returnToSearch.ts';
import { SimilarVehicles } from './SimilarVehicles.tsx';
import { factSheet } from './vehicleFacts.ts';
import styles from './Vehicle.module.css';

/** The page of one vehicle. */
export function VehicleView(vehicle: VehicleForSale): ReactNode {
  const { listing, owner, similar, market, features, searchUrl, modelUrl } = vehicle;
  const page = usePageState((state) => state.page);
  const price = listing.pricingDetail.derivedPrice;
  const wallet = usePageState(({ session }) => session.wallet);
  const payment = price === undefined ? undefined : readPaymentChoice(queryOf(page), price, wallet);
  const extraParams: Record<string, string> = searchUrl ? { [SEARCH_PARAM]: searchUrl } : {};
  return (
    <>
      <nav className={styles['back']} aria-label="Back">
        <a href={searchUrl ?? modelUrl}>
          {searchUrl ? '‹ Back to results' : `‹ All ${modelName(listing)} for sale`}
        </a>
      </nav>
      <article className={styles['vehicle']}>
        <Gallery listing={listing} />
        <Summary listing={listing} owner={owner} payment={payment} />
        <div className={styles['details']}>
          <Facts listing={listing} />
          <Features features={features} />
          <MarketSection listing={listing} market={market} />
        </div>
        <div className={styles['side']}>
          <Seller listing={listing} owner={owner} modelUrl={modelUrl} />
          {price !== undefined && payment && (
            <section className={styles['panel']} id="payment" aria-labelledby="payment-title">
              <h2 id="payment-title">Payment</h2>
              <PaymentForm
                // The wallet is known only after hydration.
                key={wallet ? 'wallet' : 'example'}
                price={price}
                initial={payment}
                action={vehiclePath(listing.id)}
                extraParams={extraParams}
              />
            </section>
          )}
        </div>
      </article>
      <SimilarVehicles vehicles={similar} extraParams={extraParams} />
    </>
  );
}

/** Shown for an id that no vehicle ever had. */
export function UnknownVehicle({ searchUrl }: { searchUrl: string | undefined }): ReactNode {
  return (
    <article className={styles['panel']}>
      <h1>We couldn’t find this vehicle.</h1>
      <p>Check the address, or look through all vehicles for sale.</p>
      <p>
        <a href={searchUrl ?? DEFAULT_PATH}>{searchUrl ? 'Back to results' : 'See all vehicles'}</a>
      </p>
    </article>
  );
}

const modelName = ({ make, model }: Listing) => `${make.name} ${model.name}`;

/** Title, price and contacts: the most important information. */
function Summary(props: { listing: Listing; owner: Owner; payment: PaymentChoice | undefined }): ReactNode {
  const { listing, owner, payment } = props;
  return (
    <div className={`${styles['panel']} ${styles['head']}`}>
      <p className={styles['quiet']}>
        {[LISTING_TYPE_LABELS[listing.listingType], placeText(owner)].filter(Boolean).join(' · ')}
      </p>
      <h1>{listing.title}</h1>
      <Price listing={listing} payment={payment} />
      <ContactActions listing={listing} owner={owner} />
      <QuickActions listing={listing} />
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
          <span className={styles['badge']}>{`${dealIndicator} Price`}</span>
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

function Facts({ listing }: { listing: Listing }): ReactNode {
  return (
    <section className={styles['panel']} aria-labelledby="facts-title">
      <h2 id="facts-title">Specifications</h2>
      <dl className={styles['facts']}>
        {factSheet(listing).map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}

function Features({ features }: { features: readonly string[] }): ReactNode {
  if (features.length === 0) return null;
  return (
    <section className={styles['panel']} aria-labelledby="features-title">
      <h2 id="features-title">Features</h2>
      <ul className={styles['features']}>
        {features.map((feature) => (
          <li key={feature}>{feature}</li>
        ))}
      </ul>
    </section>
  );
}

function Seller(props: { listing: Listing; owner: Owner; modelUrl: string }): ReactNode {
  const { listing, owner, modelUrl } = props;
  const { rating, shippingLabel } = owner;
  const { address1, zip } = owner.location?.address ?? {};
  const city = [placeText(owner), zip].filter(Boolean).join(' ');
  return (
    <section className={styles['panel']} aria-labelledby="seller-title">
      <h2 id="seller-title">Seller</h2>
      <p className={styles['strong']}>{owner.ownerName}</p>
      {rating && (
        <p>
          {`${rating.value.toFixed(1)} of 5 stars `}
          <span className={styles['quiet']}>{`(${formatCount(rating.count, 'review')})`}</span>
        </p>
      )}
      <p className={styles['quiet']}>
        {address1}
        {address1 && city && <br />}
        {city}
      </p>
      {shippingLabel && <p>{shippingLabel}</p>}
      <p>
        <a href={modelUrl}>{`See every ${modelName(listing)} for sale`}</a>
      </p>
    </section>
  );
}
