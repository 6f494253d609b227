import type { Request } from 'express';

/**
 * Does the caller hold this representation already (RFC 9110, If-None-Match)?
 * Not Express's `req.fresh`: that takes `Cache-Control: no-cache` for "send it
 * anyway", and fetch adds just that to every request which carries an ETag of
 * its caller's own, so that a follower would never see a 304.
 * @param etag strong, with its quotes
 */
export function isNotModified(req: Request, etag: string): boolean {
  const held = req.headers['if-none-match'];
  if (held === undefined) return false;
  return held.trim() === '*' || held.split(',').some((tag) => tag.trim().replace(/^W\//, '') === etag);
}
