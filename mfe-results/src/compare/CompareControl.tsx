import type { ReactNode } from 'react';
import { useEmit } from '@forecourt/slots';
import { iconClass, VisuallyHidden } from '@forecourt/slots/ui';
import type { Listing, Owner } from '@forecourt/upstream/entities';
import { COMPARE_CAPACITY } from '../constants.ts';
import { comparedVehicle } from './comparedVehicle.ts';
import { useCompareState, useCompareStore } from './compareStore.ts';

/** On which screens vehicles can be compared; small ones have a flag of their own. */
export type CompareScreens = 'off' | 'large' | 'all';
export const compareScreens = (flags: Readonly<Record<string, boolean>>): CompareScreens =>
  flags['compare'] ? (flags['compareSmallScreen'] ? 'all' : 'large') : 'off';

/**
 * A card's Compare button: hidden while five other vehicles are selected; removes a vehicle that was added
 *.
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
    <button
      type="button"
      className={`${className} ${iconClass(isAdded ? 'check' : 'compare', 18)}`}
      data-added={isAdded || undefined}
      onClick={toggle}
    >
      {isAdded ? 'Added to Compare' : 'Compare'}
      <VisuallyHidden>{` ${listing.title}`}</VisuallyHidden>
    </button>
  );
}
