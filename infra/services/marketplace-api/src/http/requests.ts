import { json, type Request, type RequestHandler, type NextFunction, type Response } from 'express';
import { z } from 'zod';
import { ApiError } from './errors.ts';

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

/** The query as the URL standard reads it: repeated names stay repeated. */
export const queryOf = (request: Request): URLSearchParams =>
  new URL(request.originalUrl, 'http://localhost').searchParams;

/** Fits routes of any path: it never reads the request. */
type Middleware = (request: unknown, response: Response, next: NextFunction) => void;

/** Catalogue facts and content: made with the release, the same for everybody. */
export const ONE_HOUR = 'public, max-age=3600';
export const ONE_DAY = 'public, max-age=86400';
/** Counts of what is for sale. */
export const ONE_MINUTE = 'public, max-age=60';

/** Answers below it may be kept for so long; express adds the ETag. */
export const cacheable =
  (control: string): Middleware =>
  (_, response, next) => {
    response.set('Cache-Control', control);
    next();
  };

/** A person's own data is kept by nobody. */
export const noStore: Middleware = cacheable('no-store');
