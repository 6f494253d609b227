const RESULTS_HEADING = 'results-heading';

/** Moves the focus to the results heading, for when the focused control goes away. */
export function focusResults(): void {
  const heading = document.getElementById(RESULTS_HEADING);
  if (!heading) return;
  if (!heading.hasAttribute('tabindex')) heading.tabIndex = -1;
  heading.focus();
}

/** True if the results heading is above the viewport. */
export function isPastResults(): boolean {
  const heading = document.getElementById(RESULTS_HEADING);
  return heading !== null && heading.getBoundingClientRect().bottom < 0;
}
