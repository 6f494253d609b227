/** Moves the focus to the heading of the results, for controls that disappear when used. */
export const focusResults = (): void =>
  document.getElementById('results-heading')?.focus({ preventScroll: true });

export const cardElement = (listingId: string): HTMLElement | null =>
  document.querySelector<HTMLElement>(`#listings [data-listing="${CSS.escape(listingId)}"]`);
