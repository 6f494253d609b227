/** Leaves formatting elements open, which a browser opens again in every block that follows: a million elements. */
export const stoppedBy = 'fragment-check';
export const outcome = 'fallback';
export const html = `<p>${'<b>'.repeat(150)}</p>${'<div>x</div>'.repeat(10_000)}`;
