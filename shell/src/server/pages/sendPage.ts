import type { ServerResponse } from 'node:http';
import type { PageLog, PageFills } from '../compose/pageLog.ts';

/** Compression middleware adds `flush`. */
type Flushable = ServerResponse & { flush?: () => void };

/** Resolves when the socket accepts more data or is closed. */
const drained = (response: ServerResponse, signal: AbortSignal) =>
  new Promise<void>((resolve) => {
    const done = () => {
      response.off('drain', done);
      signal.removeEventListener('abort', done);
      resolve();
    };
    response.once('drain', done);
    signal.addEventListener('abort', done, { once: true });
  });

/** Streams a page with backpressure. On failure it destroys the connection, so that clients detect the incomplete page. */
export async function sendPage(
  response: Flushable,
  log: PageLog,
  fills: PageFills,
  signal: AbortSignal,
): Promise<void> {
  try {
    for await (const { html, isFlushed } of log.read(fills, signal)) {
      if (!response.write(html)) await drained(response, signal);
      if (isFlushed) response.flush?.();
    }
  } catch (error) {
    response.destroy();
    throw error;
  }
  if (!signal.aborted) response.end();
}
