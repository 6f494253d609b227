/** Behaves until a date that no gate waits for, then never returns. */
export const stoppedBy = 'limits';
export const outcome = 'fallback';

export function attack() {
  while (Date.now() > Date.parse('2026-01-01'));
  return '';
}
