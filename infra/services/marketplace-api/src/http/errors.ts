import type { ErrorRequestHandler, RequestHandler } from 'express';

/** An answer other than the one asked for; the body is AMB-174's. */
export class ApiError extends Error {
  readonly status: number;
  /** Stable, for machines. */
  readonly code: string;

  constructor(status: number, code: string, message: string) {
    super(message);
    this.status = status;
    this.code = code;
  }
}

/** Longest request target in characters: a hundred ids and every filter fit many times. */
const MAX_URL_LENGTH = 8192;

const PARSER_CODES: Readonly<Record<string, string>> = {
  'entity.too.large': 'BODY_TOO_LARGE',
  'entity.parse.failed': 'INVALID_BODY',
  'encoding.unsupported': 'INVALID_BODY',
  'charset.unsupported': 'INVALID_BODY',
};

/** SQLite's codes for a disk that takes no more, and for a file that another writer holds. */
const STORAGE_ERRORS: readonly (readonly [codes: RegExp, error: ApiError])[] = [
  [
    /^(SQLITE_FULL|SQLITE_IOERR.*|SQLITE_READONLY.*|SQLITE_CANTOPEN.*|ENOSPC)$/,
    new ApiError(503, 'STORAGE_FULL', 'Nothing can be stored at the moment; nothing was'),
  ],
  [/^SQLITE_(BUSY|LOCKED).*$/, new ApiError(503, 'STORAGE_BUSY', 'The storage is busy; nothing was stored')],
];
/** s; when to try again what could not be stored. */
const RETRY_AFTER = '30';

/** What went wrong in the words of the answer. Only faults of the caller are explained to them. */
function toApiError(error: unknown): ApiError {
  if (error instanceof ApiError) return error;
  if (error instanceof URIError) return new ApiError(400, 'INVALID_PATH', 'The path is not well encoded');
  const { type, status, code } = error as { type?: string; status?: number; code?: string };
  const storage = code && STORAGE_ERRORS.find(([codes]) => codes.test(code));
  if (storage) return storage[1];
  if (type && status && status < 500)
    return new ApiError(status, PARSER_CODES[type] ?? 'INVALID_BODY', 'The body cannot be read');
  return new ApiError(500, 'INTERNAL_ERROR', 'The request could not be answered');
}

export const limitUrl: RequestHandler = (request, _, next) => {
  if (request.originalUrl.length <= MAX_URL_LENGTH) next();
  else next(new ApiError(414, 'URL_TOO_LONG', `The URL has more than ${MAX_URL_LENGTH} characters`));
};

export const notFound: RequestHandler = (_, __, next) => {
  next(new ApiError(404, 'NOT_FOUND', 'There is no such call'));
};

/** Answers every error as {error: {code, message, requestId}} (AMB-174) and logs those of the server. */
export const answerError: ErrorRequestHandler = (error: unknown, request, response, next) => {
  const { status, code, message } = toApiError(error);
  if (status >= 500) request.log.error({ err: error as Error }, 'request failed');
  if (response.headersSent) {
    next(error);
    return;
  }
  if (status === 503) response.set('Retry-After', RETRY_AFTER);
  response
    .status(status)
    .set('Cache-Control', 'no-store')
    .json({ error: { code, message, requestId: request.id as string } });
};
