import { focusResults, cardElement } from '../browser/resultCards.ts';

/**
 * Moves the focus out of the drawer, which closes with its last vehicle: to the Compare button of that
 * vehicle's card, or to the results' heading when the card is not on the page.
 */
export function focusOutside(lastId?: string): void {
  const control = lastId && cardElement(lastId)?.querySelector<HTMLElement>('button[data-added]');
  if (control) control.focus({ preventScroll: true });
  if (!control || document.activeElement !== control) focusResults();
}
