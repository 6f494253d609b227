/** Replaces the body of the page. */
export const stoppedBy = 'fragment-check';
export const outcome = 'fallback';
export const html = '<frameset><frame src="/x"/></frameset>';
