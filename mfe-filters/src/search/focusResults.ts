const RESULTS_HEADING = 'results-heading';

/** Where the focus goes when what had it is gone. */
export function focusResults(): void {
  const heading = document.getElementById(RESULTS_HEADING);
  if (!heading) return;
  if (!heading.hasAttribute('tabindex')) heading.tabIndex = -1;
  heading.focus();
}

/** Are the results begun above the screen? */
export function isPastResults(): boolean {
  const heading = document.getElementById(RESULTS_HEADING);
  return heading !== null && heading.getBoundingClientRect().bottom < 0;
}
