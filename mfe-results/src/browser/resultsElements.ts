/** Where the focus goes on when the control that had it goes. */
export const focusResults = (): void =>
  document.getElementById('results-heading')?.focus({ preventScroll: true });

export const cardElement = (listingId: string): HTMLElement | null =>
  document.querySelector<HTMLElement>(`#listings [data-listing="${CSS.escape(listingId)}"]`);
