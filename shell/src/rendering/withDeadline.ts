import { RenderFailure } from './slotRenderer.ts';

/**
 * Runs `work` until it ends, `deadlineMs` are over or the visitor leaves; then
 * the signal given to it is aborted and the answer rejects, whatever it does.
 */
export async function withDeadline<T>(
  deadlineMs: number,
  visitor: AbortSignal,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const cut = new AbortController();
  let stop: (error: RenderFailure) => void = () => {};
  const cutOff = new Promise<never>((_, reject) => {
    stop = reject;
  });
  const leave = () => stop(new RenderFailure('CANCELLED', 'the visitor left'));
  const timer = setTimeout(
    () => stop(new RenderFailure('DEADLINE', `not done in ${deadlineMs} ms`)),
    deadlineMs,
  );
  if (visitor.aborted) leave();
  visitor.addEventListener('abort', leave, { once: true });
  try {
    return await Promise.race([cutOff, work(cut.signal)]);
  } finally {
    clearTimeout(timer);
    visitor.removeEventListener('abort', leave);
    cut.abort();
  }
}
