import type { ReactNode } from 'react';
import type { Listing, Owner } from '@forecourt/shared-contracts/entities';
import { useEmit } from '@forecourt/shared-contracts/slots';
import { Icon, VisuallyHidden } from '@forecourt/shared-contracts/ui';
import { comparedVehicle } from './comparedVehicle.ts';
import { useCompareState, useCompareStore } from './compareStore.ts';
import { COMPARE_CAPACITY } from '../constants.ts';

/**
 * A card's Compare button: hidden while five other vehicles are selected; removes a vehicle that was added
 * (AMB-004).
 */
export function CompareControl(props: {
  listing: Listing;
  owner: Owner | undefined;
  className?: string | undefined;
}): ReactNode {
  const { listing, owner, className } = props;
  const store = useCompareStore();
  const state = useCompareState(listing.id);
  const emit = useEmit();
  if (state === 'full') return null;
  const isAdded = state === 'added';
  const toggle = () => {
    if (isAdded) store.remove(listing.id);
    else {
      store.add(comparedVehicle(listing, owner));
      emit('page.tracked', { kind: 'click', name: 'compare', listingId: listing.id });
    }
    const count = store.all().length;
    const hint = count === COMPARE_CAPACITY ? '. Remove a vehicle to choose another one' : '';
    emit('page.announced', {
      message: `${isAdded ? 'Removed from' : 'Added to'} compare, ${count} of ${COMPARE_CAPACITY} vehicles${hint}`,
    });
  };
  return (
    <button type="button" className={className} data-added={isAdded || undefined} onClick={toggle}>
      <Icon name={isAdded ? 'check' : 'compare'} size={18} />
      <span>
        {isAdded ? 'Added to Compare' : 'Compare'}
        <VisuallyHidden>{` ${listing.title}`}</VisuallyHidden>
      </span>
    </button>
  );
}
