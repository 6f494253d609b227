/** Turns the rest of the page into a script. */
export const stoppedBy = 'fragment-check';
export const outcome = 'fallback';
export const html = '<script>';
