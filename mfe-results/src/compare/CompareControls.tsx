import type { MouseEvent, ReactNode } from 'react';
import type { Listing, Owner } from '@forecourt/shared-contracts/entities';
import { useEmit } from '@forecourt/shared-contracts/slots';
import { Icon, iconClass, VisuallyHidden } from '@forecourt/shared-contracts/ui';
import { COMPARE_CAPACITY } from '../constants.ts';
import { comparedVehicle } from './comparedVehicle.ts';
import { useCompareState, useCompareStore } from './compareStore.ts';
import { focusResults, cardElement } from '../browser/resultCards.ts';

/** On which screens vehicles can be compared; small ones have a flag of their own (AMB-116). */
export type CompareScreens = 'off' | 'large' | 'all';
export const compareScreens = (flags: Readonly<Record<string, boolean>>): CompareScreens =>
  flags['compare'] ? (flags['compareSmallScreen'] ? 'all' : 'large') : 'off';

/** Removes a vehicle from the comparison and moves the focus to the next remove button. */
export function RemoveControl(props: {
  title: string;
  className: string | undefined;
  onRemove: () => void;
  /** Called when no other remove button is left. */
  onLast?: () => void;
}): ReactNode {
  const { title, className, onRemove, onLast } = props;
  const remove = ({ currentTarget }: MouseEvent<HTMLElement>) => {
    if (!focusNextRemoval(currentTarget)) onLast?.();
    onRemove();
  };
  return (
    <button type="button" className={className} aria-label={`Remove ${title}`} onClick={remove} data-removal>
      <Icon name="close" size={16} />
    </button>
  );
}

/**
 * Moves the focus from a remove button to the next one, or from the last to the previous one.
 *
 * @param button has the attribute `data-removal`; the container has `data-removals`
 * @returns false when there is no other button
 */
function focusNextRemoval(button: HTMLElement): boolean {
  const all = [...(button.closest('[data-removals]')?.querySelectorAll<HTMLElement>('[data-removal]') ?? [])];
  const at = all.indexOf(button);
  const next = all[at + 1] ?? all[at - 1];
  next?.focus();
  return next !== undefined;
}

/**
 * Moves the focus out of the drawer, which closes with its last vehicle: to the Compare button of that
 * vehicle's card, or to the results' heading when the card is not on the page.
 */
export function focusOutside(lastId?: string): void {
  const control = lastId && cardElement(lastId)?.querySelector<HTMLElement>('button[data-added]');
  if (control) control.focus({ preventScroll: true });
  if (!control || document.activeElement !== control) focusResults();
}

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
