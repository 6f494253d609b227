import { json, type NextFunction, type Request, type RequestHandler, type Response } from 'express';
import { z } from 'zod';
import { ApiError } from './middleware.ts';

/** The longest form takes a tenth of it. */
const MAX_FORM = '16kb';
/** A page's batch of events. */
const MAX_BEACON = '64kb';

/** Forms are sent as JSON. */
export const formBody: RequestHandler = json({ limit: MAX_FORM });

/** Beacons are JSON under any content type: sendBeacon sends a string as text/plain. */
export const beaconBody: RequestHandler = json({ limit: MAX_BEACON, type: () => true });

/** Parses the body; throws 400 INVALID_BODY with the names of invalid fields. */
export function readBody<Schema extends z.ZodType>(schema: Schema, request: Request): z.output<Schema> {
  const result = schema.safeParse(request.body ?? {});
  if (result.success) return result.data;
  const problems = result.error.issues.map(({ path, message }) => `${path.join('.') || 'body'}: ${message}`);
  throw new ApiError(400, 'INVALID_BODY', problems.join('; '));
}

const idempotencyKeySchema = z.string().regex(/^[\x21-\x7e]{8,80}$/, 'must have 8 to 80 visible characters');

/** The validated `Idempotency-Key` header, if any. */
export function idempotencyKeyOf(request: Request): string | undefined {
  const header = request.get('idempotency-key');
  if (header === undefined) return undefined;
  const result = idempotencyKeySchema.safeParse(header);
  if (!result.success)
    throw new ApiError(400, 'INVALID_IDEMPOTENCY_KEY', `Idempotency-Key ${z.prettifyError(result.error)}`);
  return result.data;
}

/** The query as URLSearchParams, which keep repeated names. */
export const queryOf = (request: Request): URLSearchParams =>
  new URL(request.originalUrl, 'http://localhost').searchParams;

/** Fits routes of any path, because it never reads the request. */
type Middleware = (request: unknown, response: Response, next: NextFunction) => void;

/** For catalog facts and content, which are the same for everyone. */
export const ONE_HOUR = 'public, max-age=3600';
export const ONE_DAY = 'public, max-age=86400';
/** For counts of listings. */
export const ONE_MINUTE = 'public, max-age=60';

/** Sets Cache-Control for the routes below; Express adds the ETag. */
export const cacheable =
  (control: string): Middleware =>
  (_, response, next) => {
    response.set('Cache-Control', control);
    next();
  };

/** For personal data. */
export const noStore: Middleware = cacheable('no-store');
