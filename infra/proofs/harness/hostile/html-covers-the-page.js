/** Lies over the whole page. */
export const stoppedBy = 'fragment-check';
export const outcome = 'fallback';
export const html = '<p style="position:fixed;inset:0;z-index:9999">Hostile</p>';
