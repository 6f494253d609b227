import type { ReactNode } from 'react';
import { formatDollars } from '@forecourt/search/format';
import { detailUrl } from '@forecourt/search/url';
import type { Listing } from '@forecourt/upstream/entities';
import styles from './ListingSummary.module.css';

/** The vehicle that a dialog is about. */
export function ListingSummary({ listing, seller }: { listing: Listing; seller?: string }): ReactNode {
  const { images, pricingDetail, title } = listing;
  const image = images.sources[images.primary] ?? images.sources[0];
  const price = pricingDetail.derivedPrice;
  return (
    <div className={styles['summary']}>
      {image && <img className={styles['picture']} src={image.src} alt="" width={96} height={72} />}
      <div className={styles['text']}>
        <p className={styles['title']}>{title}</p>
        <p>{price === undefined ? 'Call for price' : formatDollars(price)}</p>
        {seller && <p className={styles['seller']}>{seller}</p>}
      </div>
    </div>
  );
}

/** Shown when a listing can no longer be found; its own page may still offer ways to reach the seller. */
export function GoneListing({ listingId }: { listingId: string }): ReactNode {
  return (
    <p>
      This vehicle is no longer in these results.{' '}
      <a href={detailUrl({ id: listingId }, 'listing')}>Go to the vehicle’s page</a>
    </p>
  );
}
