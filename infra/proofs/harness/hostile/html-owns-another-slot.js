/** Moves the results below itself in the accessibility tree. */
export const stoppedBy = 'fragment-check';
export const outcome = 'fallback';
export const html = '<div aria-owns="slot-results"></div>';
