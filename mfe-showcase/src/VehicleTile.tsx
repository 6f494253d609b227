import type { KeyboardEvent, ReactNode } from 'react';
import { formatNumber } from '@forecourt/search/format';
import { formatPrice } from '@forecourt/search/payments';
import { detailUrl } from '@forecourt/search/url';
import type { Listing, Owner } from '@forecourt/upstream/entities';
import styles from './VehicleTile.module.css';

/** '31,250 mi'; undefined when the mileage is unknown. */
export const mileageText = ({ mileage }: Listing): string | undefined =>
  mileage && `${formatNumber(mileage.value)} mi`;

/** '12 mi away'; undefined without a place to measure from. */
export const distanceText = ({ distanceFromSearch: miles }: Owner): string | undefined =>
  miles === undefined ? undefined : `${formatNumber(Math.round(miles))} mi away`;

/** The known facts in one line. */
export const joinFacts = (...facts: readonly (string | undefined)[]): string =>
  facts.filter((fact) => fact !== undefined).join(' · ');

/** The listing's main picture; undefined without pictures. */
export const primaryImage = ({ images }: Listing) => images.sources[images.primary] ?? images.sources[0];

/** One vehicle of the sponsor as a link. `row` puts the picture next to the text instead of above it. */
export function VehicleTile(props: {
  listing: Listing;
  onClick: () => void;
  onKeyDown?: (event: KeyboardEvent<HTMLAnchorElement>) => void;
  row?: boolean;
}): ReactNode {
  const { listing, onClick, onKeyDown, row } = props;
  const image = primaryImage(listing);
  return (
    <a
      className={`${styles['tile']} ${row ? styles['row'] : ''}`}
      href={detailUrl(listing, 'alpha')}
      onClick={onClick}
      onKeyDown={onKeyDown}
    >
      {image ? (
        <img className={styles['picture']} src={image.src} alt="" width={240} height={180} loading="lazy" />
      ) : (
        <span className={styles['picture']} />
      )}
      <span className={styles['text']}>
        <span className={styles['title']}>{listing.title}</span>
        <strong className={styles['price']}>{formatPrice(listing.pricingDetail.derivedPrice)}</strong>
        <span className={styles['facts']}>{mileageText(listing)}</span>
      </span>
    </a>
  );
}
