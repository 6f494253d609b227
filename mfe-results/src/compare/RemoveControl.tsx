import type { MouseEvent, ReactNode } from 'react';
import { Icon } from '@forecourt/slots/ui';

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
