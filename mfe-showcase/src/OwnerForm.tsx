import { type MouseEvent, type ReactNode, useId } from 'react';
import { formatPlace } from '@forecourt/search/format';
import { useEmit, usePageState } from '@forecourt/slots';
import { isPlainClick } from '@forecourt/slots/ui';
import { ALPHA_OWNER_VEHICLES } from '@forecourt/upstream/agreements';
import { isSponsorPage, searchHref, sponsorCriteria } from './context.ts';
import type { FormProps } from './InventoryForm.tsx';
import { SponsorLine } from './SponsorLine.tsx';
import { distanceText, joinFacts, VehicleTile } from './VehicleTile.tsx';
import styles from './OwnerForm.module.css';

/** The dealer in a line, with two vehicles and a link to all of them; small screens open them below. */
export function OwnerForm(props: FormProps): ReactNode {
  const { owner, listings, missing, hideButton, isOpen, onToggle, onClickListing } = props;
  const criteria = usePageState(({ search }) => search.criteria);
  const emit = useEmit();
  const contentId = useId();
  const hasLink = !isSponsorPage(criteria, owner.id);
  const ownCriteria = sponsorCriteria(criteria, owner.id);
  const narrow = (event: MouseEvent) => {
    if (!isPlainClick(event)) return;
    event.preventDefault();
    onClickListing();
    emit('search.changeRequested', { criteria: ownCriteria, cause: 'showcase:viewAll' });
  };
  const { rating } = owner;
  const vehiclesClass = [
    styles['vehicles'],
    hasLink && styles['beforeLink'],
    missing && styles['beforeMissing'],
  ];
  return (
    <SponsorLine
      picture={undefined}
      name={<h2 className={styles['name']}>{owner.name}</h2>}
      where={joinFacts(
        rating && `★ ${rating.value.toFixed(1)}`,
        distanceText(owner) ?? formatPlace(owner.location?.address),
      )}
      contentId={contentId}
      content={
        <>
          <ul className={vehiclesClass.filter(Boolean).join(' ')}>
            {listings.slice(0, ALPHA_OWNER_VEHICLES).map((listing) => (
              <li key={listing.id}>
                <VehicleTile listing={listing} onClick={() => onClickListing(listing.id)} row />
              </li>
            ))}
          </ul>
          {missing}
          {hasLink && (
            <a className={styles['all']} href={searchHref(ownCriteria)} onClick={narrow}>
              View All Cars
            </a>
          )}
        </>
      }
      isOpen={isOpen}
      toggle={{ words: isOpen ? 'Close' : 'View', controls: contentId, isSmallOnly: true, onToggle }}
      hideButton={hideButton}
    />
  );
}
