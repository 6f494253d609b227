/** Ends a paragraph that it did not start, which makes an empty one. */
export const stoppedBy = 'fragment-check';
export const outcome = 'fallback';
export const html = '<div>x</p></div>';
