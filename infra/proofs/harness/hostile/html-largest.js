/** Renders about as many elements and levels as a slot may have: they are sent, and harm only the slot. */
export const stoppedBy = 'fragment-check';
export const outcome = 'contained';

export function attack() {
  const row = `${'<b>'.repeat(50)}html-largest attacked${'</b>'.repeat(50)}`;
  return { html: `<p title="">${row}</p>`.repeat(300) };
}
