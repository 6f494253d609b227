import { useEffect, useState, type ReactNode } from 'react';
import { readPaymentChoice } from '@forecourt/search/payments';
import { usePageState } from '@forecourt/slots';
import { CompareProvider, CompareStore } from '../compare/compareStore.ts';
import { Gallery } from './Gallery.tsx';
import { queryOf, vehiclePath, type VehicleForSale } from './loadVehicle.ts';
import { MarketSection } from './MarketSection.tsx';
import { PaymentForm } from './PaymentForm.tsx';
import { SEARCH_PARAM } from './returnToSearch.ts';
import { SimilarVehicles } from './SimilarVehicles.tsx';
import { About } from './About.tsx';
import { Panel } from './Panel.tsx';
import styles from './VehicleView.module.css';
import { ProgramAction } from './ProgramAction.tsx';
import { Features } from './Features.tsx';
import { Facts } from './Facts.tsx';
import { Trail } from './Trail.tsx';
import { Summary } from './Summary.tsx';
import { Seller } from './Seller.tsx';
import { OtherOffers } from './OtherOffers.tsx';
import { RecentVehicles } from './RecentVehicles.tsx';

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
            <Panel id="payment" headingId="payment-title" heading="Payment">
              <PaymentForm
                // The wallet is known only after hydration.
                key={wallet ? 'wallet' : 'example'}
                price={price}
                initial={payment}
                action={vehiclePath(listing.id)}
                extraParams={extraParams}
              />
            </Panel>
          )}
        </div>
      </article>
      <SimilarVehicles vehicles={similar} extraParams={extraParams} />
      <RecentVehicles current={listing.vin} />
    </CompareProvider>
  );
}
