import type { Server, ServerResponse } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';

export interface GracefulStop {
  /** From the first call of `stop` on: a balancer is told to look elsewhere. */
  readonly isStopping: () => boolean;
  /** Resolves when the last answer is out and every connection is closed. */
  readonly stop: () => Promise<void>;
}

/** ms between two looks for connections that have become idle meanwhile. */
const LOOK_EVERY_MS = 50;

/**
 * Ends a server without dropping a request. For `drainMs` it goes on as before,
 * but says that it is not ready, until every balancer has noticed; then it takes
 * no new connections, and ends those that there are with their last answer.
 */
export function createGracefulStop(server: Server, { drainMs }: { readonly drainMs: number }): GracefulStop {
  const underWay = new Set<ServerResponse>();
  let stopping: Promise<void> | undefined;

  const endWithAnswer = (response: ServerResponse) => {
    if (!response.headersSent) response.setHeader('Connection', 'close');
  };
  // Before the app, which may answer at once.
  server.prependListener('request', (_, response) => {
    underWay.add(response);
    response.on('close', () => underWay.delete(response));
    if (stopping) endWithAnswer(response);
  });

  async function run(): Promise<void> {
    await wait(drainMs);
    for (const response of underWay) endWithAnswer(response);
    const closed = new Promise<void>((resolve) => server.close(() => resolve()));
    // An answer whose head was out already leaves its connection idle.
    const timer = setInterval(() => server.closeIdleConnections(), LOOK_EVERY_MS);
    server.closeIdleConnections();
    await closed;
    clearInterval(timer);
  }

  return {
    isStopping: () => stopping !== undefined,
    stop: () => (stopping ??= run()),
  };
}
