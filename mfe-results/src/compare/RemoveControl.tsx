import type { MouseEvent, ReactNode } from 'react';
import { Icon } from '@forecourt/shared-contracts/ui';
import { focusResults, cardElement } from '../browser/resultsElements.ts';

/** Takes a vehicle out of the comparison; the focus goes on at the next one that can be taken out. */
export function RemoveControl(props: {
  title: string;
  className: string | undefined;
  onRemove: () => void;
  /** There is no other one beside it. */
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
 * Moves the focus from a control that goes with what it removes to the next
 * one beside it, or from the last to the one before.
 *
 * @param used has the attribute `data-removal`; what holds them all has `data-removals`
 * @returns false where there is no other one
 */
export function focusNextRemoval(used: HTMLElement): boolean {
  const all = [...(used.closest('[data-removals]')?.querySelectorAll<HTMLElement>('[data-removal]') ?? [])];
  const at = all.indexOf(used);
  const next = all[at + 1] ?? all[at - 1];
  next?.focus();
  return next !== undefined;
}

/**
 * Moves the focus out of the drawer, which goes with its last vehicle: to the
 * Compare button of that vehicle's card, or to the results' heading where no
 * such card is in sight.
 */
export function focusOutside(lastId?: string): void {
  const control = lastId && cardElement(lastId)?.querySelector<HTMLElement>('button[data-added]');
  if (control) control.focus({ preventScroll: true });
  if (!control || document.activeElement !== control) focusResults();
}
