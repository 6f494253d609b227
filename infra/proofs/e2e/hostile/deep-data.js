/** Sends data so deep that whatever walks it overflows its stack. */
export const stoppedBy = 'protocol';
export const outcome = 'fallback';

export function attack() {
  let data = {};
  for (let level = 0; level < 2_000; level += 1) data = { data };
  return { text: 'deep', data };
}
