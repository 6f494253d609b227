/** Renders many elements with ids, each of which has to be remembered. */
export const stoppedBy = 'fragment-check';
export const outcome = 'fallback';

export function attack() {
  return { html: Array.from({ length: 25_000 }, (_, at) => `<i id="showcase-${at}">x</i>`).join('') };
}
