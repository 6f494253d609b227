import type { ReactNode } from 'react';
import type { Listing, Owner } from '@forecourt/shared-contracts/entities';
import { detailUrl } from '@forecourt/shared-contracts/url';
import { formatNumber, formatPrice } from '@forecourt/shared-contracts/rules';
import { placeText } from '../listing/facts.ts';
import { primaryPicture, variantsOf } from '../listing/pictures.ts';
import styles from './SimilarVehicles.module.css';

/** Links to similar vehicles; `extraParams` are URL parameters that the links keep. */
export function SimilarVehicles(props: {
  vehicles: readonly { readonly listing: Listing; readonly owner: Owner | undefined }[];
  extraParams: Readonly<Record<string, string>>;
}): ReactNode {
  const { vehicles, extraParams } = props;
  if (vehicles.length === 0) return null;
  return (
    <section className={styles['similar']} aria-labelledby="similar-title">
      <h2 id="similar-title">Similar vehicles</h2>
      <ul className={styles['cards']}>
        {vehicles.map(({ listing, owner }) => (
          <VehicleCard key={listing.id} listing={listing} owner={owner} extraParams={extraParams} />
        ))}
      </ul>
    </section>
  );
}

function VehicleCard(props: {
  listing: Listing;
  owner: Owner | undefined;
  extraParams: Readonly<Record<string, string>>;
}): ReactNode {
  const { listing, owner, extraParams } = props;
  const picture = primaryPicture(listing);
  const query = new URLSearchParams(extraParams).toString();
  const facts = [listing.mileage && `${formatNumber(listing.mileage.value)} mi`, placeText(owner)];
  return (
    <li className={styles['card']}>
      {picture ? (
        <img
          src={picture.src}
          {...variantsOf(picture, '(min-width: 768px) 280px, 70vw')}
          alt=""
          width={320}
          height={240}
          loading="lazy"
          decoding="async"
        />
      ) : (
        <span className={styles['noPicture']} aria-hidden="true" />
      )}
      <h3>
        <a href={detailUrl(listing, 'similar') + (query && `&${query}`)}>{listing.title}</a>
      </h3>
      <p className={styles['price']}>{formatPrice(listing.pricingDetail.derivedPrice)}</p>
      <p className={styles['facts']}>{facts.filter(Boolean).join(' · ')}</p>
    </li>
  );
}
