import { createHash } from 'node:crypto';
import type { Request, RequestHandler } from 'express';
import { ipKeyGenerator, rateLimit } from 'express-rate-limit';
import { ApiError } from './apiError.ts';

const WINDOW_MS = 60_000;

/** Who is counted: the account or browser in whose name the shell calls, else the address. */
function keyOf(request: Request): string {
  const token = request.get('authorization') ?? request.get('x-id-token');
  if (token) return `token:${createHash('sha256').update(token).digest('base64url')}`;
  const consumer = request.get('x-consumer-id');
  if (consumer) return `consumer:${consumer.slice(0, 128)}`;
  return `address:${ipKeyGenerator(request.ip ?? '')}`;
}

/** At most so many writes a minute of one caller; 429 RATE_LIMITED beyond, with Retry-After. */
export const limitWrites = (perMinute: number): RequestHandler =>
  rateLimit({
    windowMs: WINDOW_MS,
    limit: perMinute,
    standardHeaders: 'draft-8',
    legacyHeaders: false,
    keyGenerator: keyOf,
    skip: ({ method }) => method === 'GET' || method === 'HEAD' || method === 'OPTIONS',
    handler: (_, __, next) => {
      next(new ApiError(429, 'RATE_LIMITED', 'Too many writes; try again in a minute'));
    },
  });
