import type { KeyboardEvent, ReactNode } from 'react';
import type { Listing } from '@forecourt/shared-contracts/entities';
import { detailUrl } from '@forecourt/shared-contracts/url';
import { mileageText, primaryImage, priceText } from './listingText.ts';
import styles from './VehicleTile.module.css';

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
        <img
          className={styles['picture']}
          src={image.src}
          alt=""
          width={240}
          height={180}
          loading="lazy"
          decoding="async"
        />
      ) : (
        <span className={styles['picture']} />
      )}
      <span className={styles['text']}>
        <span className={styles['title']}>{listing.title}</span>
        <strong className={styles['price']}>{priceText(listing)}</strong>
        <span className={styles['facts']}>{mileageText(listing)}</span>
      </span>
    </a>
  );
}
