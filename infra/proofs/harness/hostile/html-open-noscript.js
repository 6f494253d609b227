/** Hides the rest of the page from visitors with scripts. */
export const stoppedBy = 'fragment-check';
export const outcome = 'fallback';
export const html = '<noscript><p>x</p>';
