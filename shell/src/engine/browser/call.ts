import type { Call } from '@forecourt/slots';
import { SLOT_HEADER, sitePaths } from '../universal/paths.ts';

/** A failed call; `NETWORK` with status 0 if there was no response. */
export class CallError extends Error {
  override name = 'CallError';
  readonly code: string;
  readonly status: number;
  constructor(code: string, status: number) {
    super(`${code} (${status})`);
    this.code = code;
    this.status = status;
  }
}

/** The code of an error response: `{error: 'CODE'}` or `{error: {code: 'CODE'}}`. */
function errorCode(body: unknown, status: number): string {
  const { error } = (body ?? {}) as { error?: string | { code?: string } };
  const code = typeof error === 'object' ? error?.code : error;
  return typeof code === 'string' ? code : `HTTP_${status}`;
}

/**
 * Fetches JSON from the page's own origin, whose response types are trusted.
 * Throws `CallError`; rethrows an abort.
 */
export async function fetchJson<T>(
  url: string,
  init: {
    method?: string;
    body?: string;
    headers?: Record<string, string>;
    signal?: AbortSignal | undefined;
  } = {},
): Promise<T> {
  let response: Response;
  try {
    response = await fetch(url, {
      ...init,
      signal: init.signal ?? null,
      headers: { Accept: 'application/json', 'X-Requested-With': 'forecourt', ...init.headers },
    });
  } catch (error) {
    if (init.signal?.aborted) throw error;
    throw new CallError('NETWORK', 0);
  }
  const body: unknown = response.status === 204 ? null : await response.json().catch(() => undefined);
  init.signal?.throwIfAborted();
  if (!response.ok || body === undefined)
    throw new CallError(errorCode(body, response.status), response.status);
  return body as T;
}

/**
 * Runs calls of the site through the gateway, which allows those that the layout lets the slot make. A call with a body,
 * even an empty one, is a write and sent as a POST. `root`: that of the site.
 */
export const createCall =
  (slot: string, root: string): Call =>
  (name, params, { body, signal, idempotencyKey } = {}) => {
    const query = new URLSearchParams(params).toString();
    const isWrite = body !== undefined;
    return fetchJson(`${sitePaths(root).call}${name}${query && `?${query}`}`, {
      signal,
      headers: {
        [SLOT_HEADER]: slot,
        ...(isWrite && { 'Content-Type': 'application/json' }),
        ...(isWrite && idempotencyKey !== undefined && { 'Idempotency-Key': idempotencyKey }),
      },
      ...(isWrite && { method: 'POST', body: JSON.stringify(body) }),
    });
  };

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
