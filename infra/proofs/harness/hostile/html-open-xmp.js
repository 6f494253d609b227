/** Turns the rest of the page into text by an element that browsers still know. */
export const stoppedBy = 'fragment-check';
export const outcome = 'fallback';
export const html = '<xmp>x';
