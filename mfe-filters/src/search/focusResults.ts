const RESULTS_HEADING = 'results-heading';

/** Where the focus goes when what had it is gone. */
export function focusResults(): void {
  const heading = document.getElementById(RESULTS_HEADING);
  if (!heading) return;
  if (!heading.hasAttribute('tabindex')) heading.tabIndex = -1;
  heading.focus();
}
