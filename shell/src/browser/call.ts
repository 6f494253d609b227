import type { Call } from '@forecourt/shared-contracts/slots';

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

/** Runs a call of the table through the gateway. A call with a body, even an empty one, is a write and sent as a POST. */
export const callGateway: Call = (name, params, { body, signal, idempotencyKey } = {}) => {
  const query = new URLSearchParams(params).toString();
  return fetchJson(`/cars-for-sale/api/call/${name}${query && `?${query}`}`, {
    signal,
    ...(body !== undefined && {
      method: 'POST',
      body: JSON.stringify(body),
      headers: {
        'Content-Type': 'application/json',
        ...(idempotencyKey !== undefined && { 'Idempotency-Key': idempotencyKey }),
      },
    }),
  });
};
