const PARENT_CHECK_MS = 500;

/**
 * Calls back when somebody wants this process to end: by signal, by closing
 * the terminal, or by dying as its parent. When npm is told to stop, it tells
 * its shell, and that one dies without a word to us: hence the look at who our
 * parent is.
 */
export function onStopRequest(stop: () => void): void {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, stop);
  process.on('disconnect', stop);
  if (process.env['npm_lifecycle_event'] === undefined) return;
  const parent = process.ppid;
  setInterval(() => {
    if (process.ppid !== parent) stop();
  }, PARENT_CHECK_MS).unref();
}
