/** Passes the gate, and hangs from a moment on. */
export const stoppedBy = 'limits';
export const outcome = 'fallback';

export function attack() {
  globalThis.hostileFrom ??= Date.now() + 20;
  while (Date.now() > globalThis.hostileFrom);
  return '';
}
