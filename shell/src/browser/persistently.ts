/** Waits between attempts, ms: doubling up to half a minute, about five minutes in all. */
export const RETRY_DELAYS_MS: readonly number[] = [
  1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000, 30_000, 30_000, 30_000, 30_000, 30_000, 30_000, 30_000,
];

/** A failure that another attempt cannot mend, e.g. a file that is not in the page's snapshot. */
export class PermanentError extends Error {
  override name = 'PermanentError';
}

/** Resolves after `delay` ms or as soon as the browser is online again; without a delay only then. */
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
 * Repeats `attempt` until it succeeds and never rejects: what waits for it keeps
 * the server's HTML, whose links go on working. After the last delay it waits
 * for the network to come back; a `PermanentError` ends it for good.
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
