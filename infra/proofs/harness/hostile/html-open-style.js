/** Turns the rest of the page into a style sheet. */
export const stoppedBy = 'fragment-check';
export const outcome = 'fallback';
export const html = '<style>';
