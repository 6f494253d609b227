import type { ErrorRequestHandler, RequestHandler } from 'express';
import { hasCode, RegistryError } from '@forecourt/cli/release';

/** Converts a thrown value to an error with a stable code. */
export function toRegistryError(error: unknown): RegistryError {
  if (error instanceof RegistryError) return error;
  if (hasCode(error, 'ENOSPC', 'EDQUOT')) {
    return new RegistryError('STORAGE_FULL', 'the disk is full; nothing was changed', { cause: error });
  }
  // Express and its body parsers set a status below 500 for client errors.
  const status =
    typeof error === 'object' && error !== null && 'status' in error ? Number(error.status) : 500;
  if (status === 413)
    return new RegistryError('TOO_LARGE', 'the request body is too large', { cause: error });
  if (status >= 400 && status < 500) {
    return new RegistryError('BAD_REQUEST', 'the request cannot be read', { cause: error });
  }
  return new RegistryError('INTERNAL', 'the registry failed; its log has the reason', { cause: error });
}

export const notFound: RequestHandler = (req) => {
  throw new RegistryError('NOT_FOUND', `nothing at ${req.method} ${req.path}`);
};

/** Sends `{error: {code, message, requestId}}` plus the error's details, uncached. Express requires the four parameters. */
export const sendError: ErrorRequestHandler = (thrown: unknown, req, res, next) => {
  const error = toRegistryError(thrown);
  if (error.status >= 500) req.log.error({ err: thrown }, error.message);
  if (res.headersSent) {
    next(thrown);
    return;
  }
  // Headers of the failed response must not describe the error.
  for (const header of ['Content-Encoding', 'Content-Length', 'ETag', 'Vary']) res.removeHeader(header);
  res.setHeader('Cache-Control', 'no-store');
  res
    .status(error.status)
    .json({ error: { code: error.code, message: error.message, requestId: req.id, ...error.details } });
};
