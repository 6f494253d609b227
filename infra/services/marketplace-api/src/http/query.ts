import type { Request } from 'express';

/** The query as the URL standard reads it: repeated names stay repeated. */
export const queryOf = (request: Request): URLSearchParams =>
  new URL(request.originalUrl, 'http://localhost').searchParams;
