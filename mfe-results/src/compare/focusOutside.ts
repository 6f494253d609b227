import { focusResults, cardElement } from '../browser/resultCards.ts';

/**
 * Moves the focus out of the drawer, which closes with its last vehicle: to the Compare button of that
 * vehicle's card or to its closed menu, or to the results' heading when the card is not on the page.
 */
export function focusOutside(lastId?: string): void {
  const card = lastId ? cardElement(lastId) : null;
  const control =
    card?.querySelector<HTMLElement>('details[open] button[data-added]') ??
    card?.querySelector<HTMLElement>('summary');
  if (control) control.focus({ preventScroll: true });
  if (!control || document.activeElement !== control) focusResults();
}
