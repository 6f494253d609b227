import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Request } from 'express';

/** The token of one visit's forms: nobody without the key can make it. */
export const csrfToken = (key: string, uid: string): string =>
  createHmac('sha256', key).update(`form:${uid}`).digest('base64url');

/** Does the token belong to the visit? Compared in constant time. */
export function isCsrfToken(key: string, uid: string, given: unknown): boolean {
  const expected = Buffer.from(csrfToken(key, uid));
  const actual = Buffer.from(typeof given === 'string' ? given : '');
  return actual.length === expected.length && timingSafeEqual(actual, expected);
}

/** Browsers name the origin of every form that they send; a page of another site is never followed. */
export function isOwnOrigin(request: Request, issuer: string): boolean {
  const { origin } = request.headers;
  const site = request.headers['sec-fetch-site'];
  if (site !== undefined && site !== 'same-origin' && site !== 'none') return false;
  return (
    origin === undefined || origin === issuer || origin === `${request.protocol}://${request.headers.host}`
  );
}
