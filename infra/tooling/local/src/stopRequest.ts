const PARENT_CHECK_MS = 500;

/**
 * Calls back on a signal, when the terminal closes, and when the parent exits. npm stops its shell on a signal, and that
 * shell doesn't forward it, so the parent's process id is polled.
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
