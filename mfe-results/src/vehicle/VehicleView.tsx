import { useEffect, useState, type ReactNode } from 'react';
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
import { buttonClass, VisuallyHidden } from '@forecourt/shared-contracts/ui';
import { LISTING_TYPE_LABELS } from '@forecourt/shared-contracts/entities/codes';
import { placeText, sellerText, serviceText } from '../listing/facts.ts';
import { isGoodPriceDeal } from '../listing/price.ts';
import { CompareProvider, CompareStore } from '../compare/compareStore.ts';
import { ContactActions, ProgramAction, QuickActions } from './ContactActions.tsx';
import { Gallery } from './Gallery.tsx';
import { crumbsOf, queryOf, vehiclePath, type Sold, type VehicleForSale } from './loadVehicle.ts';
import { MarketSection } from './MarketSection.tsx';
import { PaymentForm } from './PaymentForm.tsx';
import { SEARCH_PARAM } from './returnToSearch.ts';
import { RecentVehicles, SimilarVehicles } from './SimilarVehicles.tsx';
import { About, Facts, Features } from './VehicleDetails.tsx';
import styles from './Vehicle.module.css';

/** The page of one vehicle. */
export function VehicleView(vehicle: VehicleForSale): ReactNode {
  const [compare] = useState(() => new CompareStore());
  useEffect(() => compare.restore(), [compare]);
  const { listing, owner, similar, market, features, program, searchUrl, modelUrl } = vehicle;
  const page = usePageState((state) => state.page);
  const price = listing.pricingDetail.derivedPrice;
  const wallet = usePageState(({ session }) => session.wallet);
  const payment = price === undefined ? undefined : readPaymentChoice(queryOf(page), price, wallet);
  const extraParams: Record<string, string> = searchUrl ? { [SEARCH_PARAM]: searchUrl } : {};
  return (
    <CompareProvider value={compare}>
      <Trail vehicle={vehicle} />
      <article className={styles['vehicle']}>
        <Gallery listing={listing} />
        <Summary listing={listing} owner={owner} payment={payment} />
        <div className={styles['details']}>
          <About listing={listing} owner={owner} features={features}>
            {program && <ProgramAction program={program} />}
          </About>
          <Facts listing={listing} />
          <Features features={features} />
          <MarketSection listing={listing} market={market} />
        </div>
        <div className={styles['side']}>
          <Seller listing={listing} owner={owner} modelUrl={modelUrl} />
          <OtherOffers offers={vehicle.otherOffers} />
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
      <RecentVehicles current={listing.vin} />
    </CompareProvider>
  );
}

/** The way back to the search, and the page's place on the site. */
function Trail({ vehicle }: { vehicle: VehicleForSale }): ReactNode {
  const { searchUrl } = vehicle;
  return (
    <div className={styles['trail']}>
      {searchUrl && (
        <a className={styles['back']} href={searchUrl}>
          ‹ Back to results
        </a>
      )}
      <nav aria-label="Breadcrumb">
        <ol className={styles['crumbs']}>
          {crumbsOf(vehicle).map(({ name, path, isCurrent }) => (
            <li key={path}>
              {isCurrent ? <span aria-current="page">{name}</span> : <a href={path}>{name}</a>}
            </li>
          ))}
        </ol>
      </nav>
    </div>
  );
}

/** Shown for an id that no vehicle ever had. */
export function UnknownVehicle({ searchUrl }: { searchUrl: string | undefined }): ReactNode {
  return (
    <article className={`${styles['panel']} ${styles['notFound']}`}>
      <h1>We couldn’t find this vehicle.</h1>
      <p>Check the address, or look through all vehicles for sale.</p>
      <p>
        <a className={buttonClass('primary')} href={searchUrl ?? DEFAULT_PATH}>
          {searchUrl ? 'Back to results' : 'See all vehicles'}
        </a>
      </p>
    </article>
  );
}

/** Shown for a vehicle that was sold or removed a while ago. */
export function SoldVehicle({ similar, modelUrl }: Sold): ReactNode {
  return (
    <>
      <article className={`${styles['panel']} ${styles['notFound']}`}>
        <h1>This vehicle is no longer for sale.</h1>
        <p>It was sold or removed by its seller. Similar ones may be just as good.</p>
        <p>
          <a className={buttonClass('primary')} href={modelUrl}>
            See all of this model
          </a>
        </p>
      </article>
      <SimilarVehicles vehicles={similar} extraParams={{}} />
    </>
  );
}

/** Searches a map for an address; a link, so that nothing of it loads with the page. */
const MAP_URL = 'https://www.openstreetmap.org/search?query=';

const modelName = ({ make, model }: Listing) => `${make.name} ${model.name}`;

/** Title, price and contacts: the most important information. */
function Summary(props: { listing: Listing; owner: Owner; payment: PaymentChoice | undefined }): ReactNode {
  const { listing, owner, payment } = props;
  return (
    <div className={`${styles['panel']} ${styles['head']}`}>
      <p className={styles['quiet']}>
        {[LISTING_TYPE_LABELS[listing.listingType], placeText(owner), sellerText(listing, owner).distance]
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

function Seller(props: { listing: Listing; owner: Owner; modelUrl: string }): ReactNode {
  const { listing, owner, modelUrl } = props;
  const { rating } = owner;
  const { address1, zip } = owner.location?.address ?? {};
  const city = [placeText(owner), zip].filter(Boolean).join(' ');
  const address = [address1, city].filter(Boolean).join(', ');
  const { distance } = sellerText(listing, owner);
  const services = serviceText(owner);
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
      {(address || distance) && (
        <p>
          {distance}
          {address && distance && ' · '}
          {address && (
            <a href={`${MAP_URL}${encodeURIComponent(address)}`} target="_blank" rel="noopener noreferrer">
              View on a map<VisuallyHidden> (opens in a new tab)</VisuallyHidden>
            </a>
          )}
        </p>
      )}
      {services && <p>{services}</p>}
      <p>
        <a href={modelUrl}>{`See every ${modelName(listing)} for sale`}</a>
      </p>
    </section>
  );
}

/** Other sellers of the same vehicle: feeds of several dealers may name one VIN. */
function OtherOffers({ offers }: { offers: VehicleForSale['otherOffers'] }): ReactNode {
  if (offers.length === 0) return null;
  return (
    <section className={styles['panel']} aria-labelledby="offers-title">
      <h2 id="offers-title">Also offered by</h2>
      <ul className={styles['offers']}>
        {offers.map(({ listing, owner }) => (
          <li key={listing.id}>
            <a href={vehiclePath(listing.id)}>{owner.ownerName}</a>{' '}
            <span className={styles['quiet']}>
              {[formatPrice(listing.pricingDetail.derivedPrice), placeText(owner)]
                .filter(Boolean)
                .join(' · ')}
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}
