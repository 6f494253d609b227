import type { MouseEvent, ReactNode } from 'react';
import { formatNumber, formatPlace } from '@forecourt/search/format';
import { useEmit, usePageState } from '@forecourt/slots';
import { buttonClass, isPlainClick } from '@forecourt/slots/ui';
import { ALPHA_OWNER_VEHICLES } from '@forecourt/upstream/agreements';
import { isSponsorPage, searchHref, sponsorCriteria } from './context.ts';
import type { FormProps } from './InventoryForm.tsx';
import { distanceText, joinFacts, VehicleTile } from './VehicleTile.tsx';
import styles from './OwnerForm.module.css';

/** The dealer with two vehicles and a link to all of them. */
export function OwnerForm({ owner, listings, hideButton, onClickListing }: FormProps): ReactNode {
  const criteria = usePageState(({ search }) => search.criteria);
  const emit = useEmit();
  const ownCriteria = sponsorCriteria(criteria, owner.id);
  const narrow = (event: MouseEvent) => {
    if (!isPlainClick(event)) return;
    event.preventDefault();
    onClickListing();
    emit('search.changeRequested', { criteria: ownCriteria, cause: 'showcase:viewAll' });
  };
  const { rating } = owner;
  const hasViewAll = !isSponsorPage(criteria, owner.id);
  return (
    <div className={`${styles['form']} ${hasViewAll ? styles['hasViewAll'] : ''}`}>
      <div className={styles['dealer']}>
        <p className={styles['label']}>Sponsored</p>
        <h2 className={styles['name']}>{owner.name}</h2>
        <p className={styles['facts']}>
          {joinFacts(formatPlace(owner.location?.address), distanceText(owner))}
        </p>
        {rating && (
          <p className={styles['facts']}>
            {`Rated ${rating.value.toFixed(1)} of 5 (${formatNumber(rating.count)} reviews)`}
          </p>
        )}
      </div>
      <ul className={styles['vehicles']}>
        {listings.slice(0, ALPHA_OWNER_VEHICLES).map((listing) => (
          <li key={listing.id}>
            <VehicleTile listing={listing} onClick={() => onClickListing(listing.id)} row />
          </li>
        ))}
      </ul>
      {hasViewAll && (
        <a
          className={buttonClass('secondary', styles['all'])}
          href={searchHref(ownCriteria)}
          onClick={narrow}
        >
          View All Cars
        </a>
      )}
      {hideButton}
    </div>
  );
}
