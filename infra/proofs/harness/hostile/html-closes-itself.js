/** Leaves an element open that seems to be closed. */
export const stoppedBy = 'fragment-check';
export const outcome = 'fallback';
export const html = '<div/>';
