/** Opens a comment another way. */
export const stoppedBy = 'fragment-check';
export const outcome = 'fallback';
export const html = '<p>x</p><!x <p>y</p>';
