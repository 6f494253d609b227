import type { Server, ServerResponse } from 'node:http';
import { setImmediate as nextPoll, setTimeout as wait } from 'node:timers/promises';
import type { Logger } from './log.ts';

/** ms between checks for idle connections. */
const CHECK_EVERY_MS = 50;

interface StopOptions {
  /** ms for which the server serves on, so that load balancers and callers with open connections leave it. */
  readonly drainMs: number;
  /** ms after the drain at which responses in flight are given up; without it they are waited for. */
  readonly graceMs?: number;
}

/**
 * Stops a server without dropping a request. For `drainMs` it serves as before but reports not ready; each response ends
 * its connection, so that no caller sends the next request, which may be a write, on a connection that is being closed.
 * Then it refuses new connections and closes the open ones after their last response.
 */
export function createGracefulStop(server: Server, { drainMs, graceMs }: StopOptions) {
  const inFlight = new Set<ServerResponse>();
  let stopping: Promise<void> | undefined;

  const closeAfterResponse = (response: ServerResponse) => {
    if (!response.headersSent) response.setHeader('Connection', 'close');
  };
  // Before the app, which may respond synchronously.
  server.prependListener('request', (_, response) => {
    inFlight.add(response);
    response.on('close', () => inFlight.delete(response));
    if (stopping) closeAfterResponse(response);
  });

  async function run(): Promise<void> {
    await wait(drainMs);
    // What arrived while this process was busy is read first; a balancer doesn't repeat a write on a closed connection.
    await nextPoll();
    for (const response of inFlight) closeAfterResponse(response);
    const closed = new Promise<void>((resolve) => server.close(() => resolve()));
    // A response whose headers were already sent leaves its connection idle.
    const timer = setInterval(() => setImmediate(() => server.closeIdleConnections()), CHECK_EVERY_MS);
    const late = graceMs === undefined ? undefined : setTimeout(() => server.closeAllConnections(), graceMs);
    server.closeIdleConnections();
    await closed;
    clearInterval(timer);
    clearTimeout(late);
  }

  return {
    /** True from the first call of `stop`; readiness checks fail then. */
    isStopping: () => stopping !== undefined,
    /** Resolves when the last response is sent and every connection is closed. */
    stop: () => (stopping ??= run()),
  };
}

/** ms in which callers leave the connections that they keep open. */
const DRAIN_MS = 1_000;
/** ms that requests in flight have to finish. */
const GRACE_MS = 5_000;

/** ms that a service has to stop: less than the 15 s after which compose.yaml kills it. */
export const STOP_MS = 12_000;

/** Stops a server without a load balancer in front: it drains only if it has connections. */
export async function closeGently(server: Server): Promise<void> {
  const connections = await new Promise<number>((resolve) =>
    server.getConnections((_, count) => resolve(count)),
  );
  await createGracefulStop(server, { drainMs: connections > 0 ? DRAIN_MS : 0, graceMs: GRACE_MS }).stop();
}

/**
 * Runs `stop` once on SIGTERM or SIGINT, then exits. A request that never ends, or a failure of `stop`, must not keep the
 * process: it exits with status 1 then, at the latest after `deadlineMs`.
 */
export function stopOnSignals(
  stop: () => Promise<void>,
  { deadlineMs, logger }: { readonly deadlineMs: number; readonly logger: Pick<Logger, 'info' | 'error'> },
): void {
  let isStopping = false;
  const giveUp = (reason: string) => {
    logger.error({ reason }, 'stopped before everything had ended');
    process.exit(1);
  };
  const run = (signal: NodeJS.Signals) => {
    if (isStopping) return;
    isStopping = true;
    logger.info({ signal }, 'stopping');
    setTimeout(() => giveUp(`it took longer than ${deadlineMs} ms`), deadlineMs).unref();
    stop().then(
      () => process.exit(0),
      (error: unknown) => giveUp(error instanceof Error ? error.message : String(error)),
    );
  };
  process.on('SIGTERM', run);
  process.on('SIGINT', run);
}
