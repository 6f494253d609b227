import { RenderFailure } from './slotRenderer.ts';

const ENDED = 'the slot has ended';

/**
 * Runs `work` until it ends, `deadlineMs` are over or the visitor leaves; then
 * the signal given to it is aborted and the answer rejects, whatever it does.
 * Nothing is begun for a visitor who has left. At the deadline the signal's
 * reason is a TimeoutError, as that of `AbortSignal.timeout`: who is waited for
 * may be to blame, which a visitor's leaving never tells.
 */
export async function withDeadline<T>(
  deadlineMs: number,
  visitor: AbortSignal,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const gone = () => new RenderFailure('CANCELLED', 'the visitor left');
  if (visitor.aborted) throw gone();
  const cut = new AbortController();
  let stop: (error: RenderFailure) => void = () => {};
  const cutOff = new Promise<never>((_, reject) => {
    stop = reject;
  });
  const leave = () => stop(gone());
  const timer = setTimeout(() => {
    stop(new RenderFailure('DEADLINE', `not done in ${deadlineMs} ms`));
    cut.abort(new DOMException(`not done in ${deadlineMs} ms`, 'TimeoutError'));
  }, deadlineMs);
  visitor.addEventListener('abort', leave, { once: true });
  try {
    return await Promise.race([cutOff, work(cut.signal)]);
  } finally {
    clearTimeout(timer);
    visitor.removeEventListener('abort', leave);
    // With a reason, as making the default one costs more than the rest of this function.
    cut.abort(ENDED);
  }
}
