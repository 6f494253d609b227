/** Leaves a drawing by an element that ends it. */
export const stoppedBy = 'fragment-check';
export const outcome = 'fallback';
export const html = '<svg><p>x</svg>';
