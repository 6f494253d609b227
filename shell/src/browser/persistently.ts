/** Backoff between attempts, ms: doubles up to 30 s, about five minutes in total. */
export const RETRY_DELAYS_MS: readonly number[] = [
  1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000, 30_000, 30_000, 30_000, 30_000, 30_000, 30_000, 30_000,
];

/** A failure that is not retried, e.g. a file that is not in the page's snapshot. */
export class PermanentError extends Error {
  override name = 'PermanentError';
}

/** Resolves after `delay` ms or on an `online` event, whichever comes first; without a delay only on the event. */
function pause(delay: number | undefined, network: EventTarget): Promise<void> {
  return new Promise((resolve) => {
    const go = () => {
      clearTimeout(timer);
      network.removeEventListener('online', go);
      resolve();
    };
    const timer = delay === undefined ? undefined : setTimeout(go, delay);
    network.addEventListener('online', go);
  });
}

/**
 * Retries `attempt` until it succeeds and never rejects. Until then the server's
 * HTML stays usable. After the last delay it waits for an `online` event; after
 * a `PermanentError` it stays pending.
 */
export async function persistently<T>(
  attempt: () => Promise<T>,
  onFailure: (error: unknown, failures: number) => void,
  network: EventTarget = window,
): Promise<T> {
  for (let failures = 1; ; failures += 1) {
    try {
      return await attempt();
    } catch (error) {
      onFailure(error, failures);
      if (error instanceof PermanentError) return new Promise<T>(() => {});
      await pause(RETRY_DELAYS_MS[failures - 1], network);
    }
  }
}
