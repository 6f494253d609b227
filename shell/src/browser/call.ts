import type { Call } from '@forecourt/shared-contracts/slots';
import { SLOT_HEADER } from '../both/bootData.ts';

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
 * Runs calls of the table through the gateway, which allows those that the layout lets the slot make. A call with a body,
 * even an empty one, is a write and sent as a POST.
 */
export const createCall =
  (slot: string): Call =>
  (name, params, { body, signal, idempotencyKey } = {}) => {
    const query = new URLSearchParams(params).toString();
    const isWrite = body !== undefined;
    return fetchJson(`/cars-for-sale/api/call/${name}${query && `?${query}`}`, {
      signal,
      headers: {
        [SLOT_HEADER]: slot,
        ...(isWrite && { 'Content-Type': 'application/json' }),
        ...(isWrite && idempotencyKey !== undefined && { 'Idempotency-Key': idempotencyKey }),
      },
      ...(isWrite && { method: 'POST', body: JSON.stringify(body) }),
    });
  };
