/** ms; a hidden tab paints no frames. */
const MAX_DELAY_MS = 100;

/**
 * Calls `run` after the browser's next paint, so that a control shows its new state before the work that it starts. Returns a
 * function that cancels the call.
 *
 * @example
 * ```tsx
 * import { useState } from 'react';
 * import { afterPaint, defineSlot, useEmit } from '@forecourt/slots';
 *
 * function RenewButton() {
 *   const emit = useEmit();
 *   const [isRenewed, setRenewed] = useState(false);
 *   const renew = () => {
 *     setRenewed(true);
 *     afterPaint(() => emit('page.announced', { message: 'Renewed' }));
 *   };
 *   return <button onClick={renew}>{isRenewed ? 'Renewed' : 'Renew'}</button>;
 * }
 * export default defineSlot({ reads: [], view: RenewButton });
 * // renders: Renew
 * ```
 */
export function afterPaint(run: () => void): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const cancel = () => {
    cancelAnimationFrame(frame);
    clearTimeout(fallback);
    clearTimeout(timer);
  };
  const once = () => {
    cancel();
    run();
  };
  // Frame callbacks run before the paint, a timer that they start runs after it.
  const frame = requestAnimationFrame(() => (timer = setTimeout(once)));
  const fallback = setTimeout(once, MAX_DELAY_MS);
  return cancel;
}
