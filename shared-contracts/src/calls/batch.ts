import { z } from 'zod';

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
    /** 0 stands for a connection that was closed. */
    status: z.number().int().min(0).max(599),
    headers: z.record(z.string(), z.string()),
    bytes: z.number().int().nonnegative(),
  }),
} as const;
