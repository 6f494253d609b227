/** Ends the body of the page. */
export const stoppedBy = 'fragment-check';
export const outcome = 'fallback';
export const html = '</body></html><p>x</p>';
