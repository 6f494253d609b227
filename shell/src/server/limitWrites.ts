import type { RequestHandler } from 'express';
import { rateLimit } from 'express-rate-limit';
import { sendError } from './errors.ts';
import { infoOf } from './requestContext.ts';

/** Refuses the writes of one client beyond `perMinute`; reading is free. Each has a count of its own. */
export const limitWrites = (perMinute: number): RequestHandler =>
  rateLimit({
    windowMs: 60_000,
    limit: perMinute,
    standardHeaders: 'draft-8',
    legacyHeaders: false,
    // TRUST_PROXY says whom to believe; a header that a visitor adds is no misconfiguration.
    validate: { xForwardedForHeader: false },
    skip: ({ method }) => method === 'GET' || method === 'HEAD',
    handler: (request, response) =>
      sendError(response, 429, 'TOO_MANY_REQUESTS', 'too many requests', infoOf(request).requestId),
  });
