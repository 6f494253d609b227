/** Leaves a tag open, which swallows the next one. */
export const stoppedBy = 'fragment-check';
export const outcome = 'fallback';
export const html = '<p>x</p><div class="x"';
