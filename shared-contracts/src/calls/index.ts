import { z } from 'zod';
import { ACCOUNT_CALLS } from './account.ts';
import { CONTACT_CALLS, VISITOR_CALLS } from './visitor.ts';
import { CONTENT_CALLS, RESEARCH_CALLS } from './research.ts';
import { LISTINGS_CALLS } from './listings.ts';
import { PAYMENTS_CALLS } from './payments.ts';
import { REFERENCE_CALLS } from './reference.ts';
import type { CallDefinition } from './definition.ts';

export type { CallDefinition } from './definition.ts';

/** All upstream calls of the page: path, limits, fallback and response schema. */
export const CALLS = {
  ...LISTINGS_CALLS,
  ...REFERENCE_CALLS,
  ...ACCOUNT_CALLS,
  ...VISITOR_CALLS,
  ...CONTACT_CALLS,
  ...RESEARCH_CALLS,
  ...CONTENT_CALLS,
  ...PAYMENTS_CALLS,
} as const satisfies Record<string, CallDefinition>;

export type CallName = keyof typeof CALLS;
/** Response of each call; calls with an error fallback may also return `{error}`. */
export type CallResponses = { [N in CallName]: z.output<(typeof CALLS)[N]['response']> };
/** Body of each call that has one, as parsed by its schema. */
export type CallBodies = {
  [N in CallName as (typeof CALLS)[N] extends { body: z.ZodType } ? N : never]: (typeof CALLS)[N] extends {
    body: infer Body extends z.ZodType;
  }
    ? z.output<Body>
    : never;
};
/** Path and query parameters; lists are comma-separated. */
export type CallParams = Readonly<Record<string, string>>;

/** A results page makes at most 13 calls. */
const MAX_CALLS = 32;

/**
 * Several GET calls of one page in one request, `POST` to the path that the upstream advertises. Optional: an
 * upstream without it gets each call at its own path. The response has one part per call, in the order in which
 * they are done: one line of JSON (`part`), then as many bytes of body as the line says.
 */
export const BATCH = {
  /** Response header with the path of batches. */
  advertisedIn: 'Batch-Path',
  maxCalls: MAX_CALLS,
  request: z.object({
    calls: z
      .array(
        z.object({
          /** Path and query. */
          url: z.string(),
          /** In lower case: `x-fwd-svc`, `if-none-match`, `prefer`. No credentials. */
          headers: z.record(z.string(), z.string()).default({}),
          /** The call is made only if the count at this URL is at least so high; otherwise its status is 412. */
          onlyIf: z.object({ countUrl: z.string(), atLeast: z.number().int().positive() }).optional(),
        }),
      )
      .min(1)
      .max(MAX_CALLS),
  }),
  part: z.object({
    /** Position of the call in the request. */
    id: z.number().int().nonnegative(),
    /** 0 stands for a connection that was closed, 421 for a call that can only be a request of its own. */
    status: z.number().int().min(0).max(599),
    headers: z.record(z.string(), z.string()),
    bytes: z.number().int().nonnegative(),
  }),
} as const;
