import type { RequestHandler } from 'express';
import { sessionCookie } from '../session/cookies.ts';
import { infoOf } from './requestContext.ts';

/**
 * Renews the session with each answer to a visitor (A9-LIMIT-12, AMB-166):
 * whoever filters by clicks for an hour keeps flags and canary. Not for what
 * is the same for everybody, which caches keep.
 */
export const renewSession: RequestHandler = (request, response, next) => {
  const { visitor } = infoOf(request);
  response.append('Set-Cookie', sessionCookie(visitor.id, { secure: request.secure }));
  next();
};
