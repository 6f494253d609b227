import type { ReactNode } from 'react';
import { formatPrice } from '@forecourt/search/payments';
import { sellerPlace } from '../listing/facts.ts';
import { vehiclePath, type VehicleForSale } from './loadVehicle.ts';
import { Panel } from './Panel.tsx';
import styles from './OtherOffers.module.css';

/** Other sellers of the same vehicle: feeds of several dealers may name one VIN. */
export function OtherOffers({ offers }: { offers: VehicleForSale['otherOffers'] }): ReactNode {
  if (offers.length === 0) return null;
  return (
    <Panel headingId="offers-title" heading="Also offered by">
      <ul className={styles['offers']}>
        {offers.map(({ listing, owner }) => (
          <li key={listing.id}>
            <a href={vehiclePath(listing.id)}>{owner.ownerName}</a>{' '}
            <span className={styles['quiet']}>
              {[formatPrice(listing.pricingDetail.derivedPrice), sellerPlace(owner)]
                .filter(Boolean)
                .join(' · ')}
            </span>
          </li>
        ))}
      </ul>
    </Panel>
  );
}
