import { json, type Request, type RequestHandler } from 'express';
import { z } from 'zod';
import { ApiError } from './apiError.ts';

/** Bytes; the longest form is a tenth of it. */
const MAX_FORM = '16kb';
/** Bytes; a page's batch of events. */
const MAX_BEACON = '64kb';

/** Forms come as JSON. */
export const formBody: RequestHandler = json({ limit: MAX_FORM });

/** Beacons come as JSON under whatever type their browser sent (sendBeacon of a text says text/plain). */
export const beaconBody: RequestHandler = json({ limit: MAX_BEACON, type: () => true });

/** The body by its schema; 400 INVALID_BODY names the fields. */
export function readBody<Schema extends z.ZodType>(schema: Schema, request: Request): z.output<Schema> {
  const read = schema.safeParse(request.body ?? {});
  if (read.success) return read.data;
  const problems = read.error.issues.map(({ path, message }) => `${path.join('.') || 'body'}: ${message}`);
  throw new ApiError(400, 'INVALID_BODY', problems.join('; '));
}

const idempotencyKeySchema = z.string().regex(/^[\x21-\x7e]{8,80}$/, 'must have 8 to 80 visible characters');

/** The `Idempotency-Key` header: a second write with it is the first one. Undefined without one. */
export function idempotencyKeyOf(request: Request): string | undefined {
  const given = request.get('idempotency-key');
  if (given === undefined) return undefined;
  const read = idempotencyKeySchema.safeParse(given);
  if (!read.success)
    throw new ApiError(400, 'INVALID_IDEMPOTENCY_KEY', `Idempotency-Key ${z.prettifyError(read.error)}`);
  return read.data;
}
