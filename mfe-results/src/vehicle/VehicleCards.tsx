import type { ReactNode, Ref } from 'react';
import { formatNumber } from '@forecourt/search/format';
import { formatPrice } from '@forecourt/search/payments';
import { detailUrl } from '@forecourt/search/url';
import type { Listing, Owner } from '@forecourt/upstream/entities';
import { sellerPlace, primaryPicture, variantsOf } from '../listing/facts.ts';
import styles from './VehicleCards.module.css';

export interface VehicleWithSeller {
  readonly listing: Listing;
  readonly owner: Owner | undefined;
}

interface VehicleCardsProps {
  readonly sectionRef?: Ref<HTMLElement>;
  readonly headingId: string;
  readonly heading: string;
  /** A button next to the heading. */
  readonly action?: ReactNode;
  /** Undefined while they load. */
  readonly vehicles: readonly VehicleWithSeller[] | undefined;
  /** Keys of the placeholders that are shown until then. */
  readonly placeholders?: readonly string[];
  /** URL parameters that the links keep. */
  readonly extraParams?: Readonly<Record<string, string>>;
}

/** Vehicles with picture, price and place below a heading. */
export function VehicleCards(props: VehicleCardsProps): ReactNode {
  const { sectionRef, headingId, heading, action, vehicles, placeholders = [], extraParams = {} } = props;
  const title = <h2 id={headingId}>{heading}</h2>;
  return (
    <section ref={sectionRef} className={styles['section']} aria-labelledby={headingId}>
      {action ? (
        <div className={styles['heading']}>
          {title}
          {action}
        </div>
      ) : (
        title
      )}
      <ul className={styles['cards']} aria-busy={vehicles ? undefined : true}>
        {vehicles?.map(({ listing, owner }) => (
          <VehicleCard key={listing.id} listing={listing} owner={owner} extraParams={extraParams} />
        )) ??
          placeholders.map((key) => (
            <li key={key} className={`${styles['card']} ${styles['pending']}`} aria-hidden="true" />
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
  const facts = [listing.mileage && `${formatNumber(listing.mileage.value)} mi`, sellerPlace(owner)];
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
        <p className={styles['noPicture']}>No picture yet</p>
      )}
      <h3>
        <a href={detailUrl(listing, 'similar') + (query && `&${query}`)}>{listing.title}</a>
      </h3>
      <p className={styles['price']}>{formatPrice(listing.pricingDetail.derivedPrice)}</p>
      <p className={styles['facts']}>{facts.filter(Boolean).join(' · ')}</p>
    </li>
  );
}
