import { z } from 'zod';

/**
 * What a caller gets when a call fails or its breaker is open (AMB-168):
 * nothing may go on without it, an empty answer, or an error object whose
 * text names the call and whose `code` is the upstream's own where it refused
 * a person's write (4xx).
 */
export type CallFallback =
  | { readonly kind: 'required' }
  | { readonly kind: 'empty'; readonly value: unknown }
  | { readonly kind: 'error'; readonly tail: string };

/**
 * In whose name a call is made. `account`: only with the id token of a
 * signed-in visitor, as `Authorization: Bearer {token}`. `visitor`: the id
 * token where there is one, and the visitor's consumer id as `X-Consumer-Id`.
 * The shell adds both; neither ever comes from a browser.
 */
type Caller = 'account' | 'visitor';

export interface CallDefinition {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** Value of X-fwd-svc (A7-CALL-02, AMB-105). */
  readonly service: string;
  /** `{name}` parts are taken from the parameters, the rest of them becomes the query. */
  readonly path: string;
  /** Parameters that every such call has, whatever its caller says. */
  readonly always?: Readonly<Record<string, string>>;
  readonly timeoutMs: number;
  /** Time an open breaker waits before one trial call. */
  readonly resetMs: number;
  readonly fallback: CallFallback;
  /** May a browser run it through the shell? */
  readonly browser: boolean;
  /** Nobody's unless told. */
  readonly caller?: Caller;
  readonly response: z.ZodType;
  readonly body?: z.ZodType;
}

/**
 * ms: how long a call may take, and how long its breaker stays open before one
 * trial (A9-TIMEOUT-01.., B9 circuit breakers, AMB-006, AMB-168, AMB-176ff).
 */
export const CALL_TIMES = {
  /** The main listing call (B7-LIST-13). */
  required: { timeout: 20_000, reset: 30_000 },
  optional: { timeout: 3_000, reset: 30_000 },
  /** Listings of given VINs (A9-TIMEOUT-01). */
  activeListings: { timeout: 3_000, reset: 30_000 },
  supplemental: { timeout: 5_000, reset: 30_000 },
  similar: { timeout: 3_000, reset: 300_000 },
  bookmarks: { timeout: 3_000, reset: 30_000 },
  packages: { timeout: 5_000, reset: 30_000 },
  modelInfo: { timeout: 5_000, reset: 300_000 },
  crawl: { timeout: 3_000, reset: 300_000 },
  viewCount: { timeout: 3_000, reset: 300_000 },
  reference: { timeout: 5_000, reset: 30_000 },
  device: { timeout: 1_000, reset: 30_000 },
  /** What an account keeps: saved listings, alerts (AMB-183, AMB-194). */
  account: { timeout: 3_000, reset: 30_000 },
  deals: { timeout: 5_000, reset: 30_000 },
  ratings: { timeout: 5_000, reset: 300_000 },
  expertReviews: { timeout: 3_000, reset: 30_000 },
  kbbResearch: { timeout: 5_000, reset: 300_000 },
  emailOwner: { timeout: 5_000, reset: 30_000 },
  vdpBase: { timeout: 3_000, reset: 300_000 },
} as const;

/** Timeout and breaker reset of a row of the constants table. */
export const times = (name: keyof typeof CALL_TIMES) => ({
  timeoutMs: CALL_TIMES[name].timeout,
  resetMs: CALL_TIMES[name].reset,
});

export const empty = <Value>(value: Value) => ({ kind: 'empty', value }) as const;

/** Null: there is nothing to show, or nobody who reads it. */
export const nothing = empty(null);

/** A failed write must not look like a done one: its fallback is an error object. */
export const failed = (tail: string) => ({ kind: 'error', tail }) as const;

/** The answer to a write that has nothing to say: 204, which arrives as null. */
export const doneSchema = z.preprocess((body) => (body === '' || body === undefined ? null : body), z.null());

/** A read that a browser may do, with the times of optional calls. */
export const read = { method: 'GET', browser: true, ...times('optional') } as const;

/** A write of a browser's, without an answer. */
export const write = { method: 'POST', browser: true, ...times('optional'), response: doneSchema } as const;
