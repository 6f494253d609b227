/** Leaves a formula open, in which elements mean something else. */
export const stoppedBy = 'fragment-check';
export const outcome = 'fallback';
export const html = '<math><mi>x';
