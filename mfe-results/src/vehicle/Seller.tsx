import type { ReactNode } from 'react';
import { formatCount } from '@forecourt/search/format';
import { VisuallyHidden } from '@forecourt/slots/ui';
import type { Listing, Owner } from '@forecourt/upstream/entities';
import { sellerPlace, sellerText, serviceText } from '../listing/facts.ts';
import { Panel } from './Panel.tsx';
import { websiteOf } from './ContactActions.tsx';
import styles from './Seller.module.css';

/** Searches a map for an address; a link, so that nothing of it loads with the page. */
const MAP_URL = 'https://www.openstreetmap.org/search?query=';

const modelName = ({ make, model }: Listing) => `${make.name} ${model.name}`;

export function Seller(props: { listing: Listing; owner: Owner; modelUrl: string }): ReactNode {
  const { listing, owner, modelUrl } = props;
  const { rating } = owner;
  const { address1, zip } = owner.location?.address ?? {};
  const city = [sellerPlace(owner), zip].filter(Boolean).join(' ');
  const address = [address1, city].filter(Boolean).join(', ');
  const { distance } = sellerText(listing, owner);
  const services = serviceText(owner);
  const website = owner.dealerPreferredCTA === 'website' ? undefined : websiteOf(listing, owner);
  return (
    <Panel id="seller" headingId="seller-title" heading="Seller">
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
      {website && (
        <p>
          <a href={website} target="_blank" rel="noopener noreferrer">
            Visit Website<VisuallyHidden> (opens in a new tab)</VisuallyHidden>
          </a>
        </p>
      )}
      <p>
        <a href={modelUrl}>{`${modelName(listing)} from all sellers`}</a>
      </p>
    </Panel>
  );
}
