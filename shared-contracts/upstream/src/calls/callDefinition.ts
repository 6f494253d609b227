import type { z } from 'zod';

/**
 * Result of a call that fails or whose breaker is open (AMB-168): `required` rejects; `empty` is an empty
 * response; `error` is an error object whose text names the call and whose `code` comes from the upstream
 * when it refused a write (4xx).
 */
export type CallFallback =
  | { readonly kind: 'required' }
  | { readonly kind: 'empty'; readonly value: unknown }
  | { readonly kind: 'error'; readonly tail: string };

/**
 * Credentials of a call. `account`: requires the id token of a signed-in visitor, sent as `Authorization:
 * Bearer {token}`. `visitor`: the id token if there is one, and the visitor's consumer id as `X-Consumer-Id`.
 * The shell adds both; browsers never send them.
 */
type Caller = 'account' | 'visitor';

export interface CallDefinition {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** Value of X-fwd-svc. */
  readonly service: string;
  /** `{name}` placeholders are filled from the parameters; the others become the query. */
  readonly path: string;
  /** Fixed parameters, which callers can't override. */
  readonly always?: Readonly<Record<string, string>>;
  readonly timeoutMs: number;
  /** ms that an open breaker waits before one trial call. */
  readonly resetMs: number;
  readonly fallback: CallFallback;
  /** Whether browsers may make the call through the shell. */
  readonly browser: boolean;
  /** Default: no credentials. */
  readonly caller?: Caller;
  readonly response: z.ZodType;
  readonly body?: z.ZodType;
}
