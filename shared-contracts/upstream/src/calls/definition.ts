import { z } from 'zod';

/**
 * ms: timeout of a call, and time that its breaker stays open before one trial call.
 */
export const CALL_TIMES = {
  /** The main listing call. */
  required: { timeout: 20_000, reset: 30_000 },
  optional: { timeout: 3_000, reset: 30_000 },
  supplemental: { timeout: 5_000, reset: 30_000 },
  similar: { timeout: 3_000, reset: 300_000 },
  bookmarks: { timeout: 3_000, reset: 30_000 },
  packages: { timeout: 5_000, reset: 30_000 },
  modelInfo: { timeout: 5_000, reset: 300_000 },
  crawl: { timeout: 3_000, reset: 300_000 },
  viewCount: { timeout: 3_000, reset: 300_000 },
  reference: { timeout: 5_000, reset: 30_000 },
  device: { timeout: 1_000, reset: 30_000 },
  /** Account data: saved listings, alerts (AMB-183, AMB-194). */
  account: { timeout: 3_000, reset: 30_000 },
  deals: { timeout: 5_000, reset: 30_000 },
  ratings: { timeout: 5_000, reset: 300_000 },
  expertReviews: { timeout: 3_000, reset: 30_000 },
  kbbResearch: { timeout: 5_000, reset: 300_000 },
  emailOwner: { timeout: 5_000, reset: 30_000 },
  vdpBase: { timeout: 3_000, reset: 300_000 },
} as const;

/** Timeout and breaker reset from the table above. */
export const timesOf = (name: keyof typeof CALL_TIMES) => ({
  timeoutMs: CALL_TIMES[name].timeout,
  resetMs: CALL_TIMES[name].reset,
});

export const emptyFallback = <Value>(value: Value) => ({ kind: 'empty', value }) as const;

/** Fallback null: the caller shows nothing. */
export const nullFallback = emptyFallback(null);

/** Fallback error object, so that a failed write never looks successful. */
export const errorFallback = (tail: string) => ({ kind: 'error', tail }) as const;

/** Response of a write without a body: 204, which arrives as null. */
export const doneSchema = z.preprocess((body) => (body === '' || body === undefined ? null : body), z.null());

/** A read that browsers may make, with the times of optional calls. */
export const optionalRead = { method: 'GET', browser: true, ...timesOf('optional') } as const;

/** A write that browsers may make, without a response body. */
export const optionalWrite = {
  method: 'POST',
  browser: true,
  ...timesOf('optional'),
  response: doneSchema,
} as const;
