/** Calls back when somebody wants this process to end: by signal, by closing the terminal, or by dying as its parent. */
export function onStopRequest(stop: () => void): void {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, stop);
  process.on('disconnect', stop);
}
