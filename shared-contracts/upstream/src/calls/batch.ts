import { z } from 'zod';

// Several GET calls of one page in one request, `POST` to the path that the upstream advertises. Optional: an upstream
// without it gets each call at its own path. The response has one part per call, in the order in which they are done: one
// line of JSON (`batchPartSchema`), then as many bytes of body as the line says.

/** Response header with the path of batches. */
export const BATCH_PATH_HEADER = 'Batch-Path';
/** A results page makes at most 13 calls. */
export const MAX_BATCH_CALLS = 32;

/** Body of a batch. */
export const batchRequestSchema = z.object({
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
    .max(MAX_BATCH_CALLS),
});

/** First line of one part of the response. */
export const batchPartSchema = z.object({
  /** Position of the call in the request. */
  id: z.number().int().nonnegative(),
  /** 0 stands for a connection that was closed, 421 for a call that can only be a request of its own. */
  status: z.number().int().min(0).max(599),
  headers: z.record(z.string(), z.string()),
  bytes: z.number().int().nonnegative(),
});
