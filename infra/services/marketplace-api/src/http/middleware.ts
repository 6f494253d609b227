import { createHash, timingSafeEqual } from 'node:crypto';
import type { ErrorRequestHandler, Request, RequestHandler, Response } from 'express';
import type { CreateRateCounters } from '@forecourt/service-kit/rateCounters';
import { ipKeyGenerator, rateLimit } from 'express-rate-limit';

const WINDOW_MS = 60_000;

/** Tells callers apart: the account of a valid id token, whichever its session, or else the browser. */
interface Identify {
  readonly visitor: (request: Request) => Promise<{ readonly account?: string; readonly consumer?: string }>;
}

/** Rate limit key: the account or browser on whose behalf the shell calls, else the IP address. */
async function keyOf(request: Request, callers: Identify): Promise<string> {
  const { account, consumer } = await callers.visitor(request);
  if (account !== undefined) return `account:${account}`;
  return consumer === undefined ? `address:${ipKeyGenerator(request.ip ?? '')}` : `consumer:${consumer}`;
}

/** Limits writes per caller and minute; beyond that 429 RATE_LIMITED with Retry-After. Replicas share `counters`. */
export const limitWrites = (
  perMinute: number,
  callers: Identify,
  counters?: CreateRateCounters,
): RequestHandler =>
  rateLimit({
    ...(counters && { store: counters('writes') }),
    windowMs: WINDOW_MS,
    limit: perMinute,
    standardHeaders: 'draft-8',
    legacyHeaders: false,
    keyGenerator: (request) => keyOf(request, callers),
    skip: ({ method }) => method === 'GET' || method === 'HEAD' || method === 'OPTIONS',
    handler: (_, __, next) => {
      next(new ApiError(429, 'RATE_LIMITED', 'Too many writes; try again in a minute'));
    },
  });

/** `compression` leaves HEAD alone, whose length would be another one than that of GET (RFC 9110, 8.6). */
export const omitLength: RequestHandler = (request, response, next) => {
  if (request.method === 'HEAD') {
    const writeHead = response.writeHead.bind(response) as (...head: unknown[]) => Response;
    response.writeHead = (...head: unknown[]) => {
      response.removeHeader('Content-Length');
      return writeHead(...head);
    };
  }
  next();
};

/** An error response with the body {error: {code, message, requestId}}. */
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

/** Characters; a hundred ids and every filter fit easily. */
const MAX_URL_LENGTH = 8192;

const PARSER_CODES: Readonly<Record<string, string>> = {
  'entity.too.large': 'BODY_TOO_LARGE',
  'entity.parse.failed': 'INVALID_BODY',
  'encoding.unsupported': 'INVALID_BODY',
  'charset.unsupported': 'INVALID_BODY',
};

/** Codes of SQLite and PostgreSQL (a full disk; other writers; no connection), of the search engine and of the bucket. */
const STORAGE_ERRORS: readonly (readonly [codes: RegExp, error: ApiError])[] = [
  [
    /^(SQLITE_FULL|SQLITE_IOERR.*|SQLITE_READONLY.*|SQLITE_CANTOPEN.*|ENOSPC|53100)$/,
    new ApiError(503, 'STORAGE_FULL', 'Storage is full; nothing was stored'),
  ],
  [
    /^(SQLITE_(BUSY|LOCKED).*|40001|40P01|57014)$/,
    new ApiError(503, 'STORAGE_BUSY', 'Storage is busy; nothing was stored'),
  ],
  [
    /^DATABASE_UNAVAILABLE$/,
    new ApiError(503, 'STORAGE_UNAVAILABLE', 'Storage is unavailable; please try again'),
  ],
  [
    /^SEARCH_UNAVAILABLE$/,
    new ApiError(503, 'SEARCH_UNAVAILABLE', 'The search is unavailable; please try again'),
  ],
  [
    /^PHOTOS_UNAVAILABLE$/,
    new ApiError(503, 'PHOTOS_UNAVAILABLE', 'Photos are unavailable; please try again'),
  ],
  [
    /^DEALER_PAGES_UNAVAILABLE$/,
    new ApiError(503, 'DEALER_PAGES_UNAVAILABLE', 'Dealers’ pages are unavailable; please try again'),
  ],
];
/** Seconds. */
const RETRY_AFTER = '30';

/** Maps an error to a response; internal errors are not explained to the caller. */
function toApiError(error: unknown): ApiError {
  if (error instanceof ApiError) return error;
  if (error instanceof URIError)
    return new ApiError(400, 'INVALID_PATH', 'The path is not correctly encoded');
  const { type, status, code } = error as { type?: string; status?: number; code?: string };
  const storage = code && STORAGE_ERRORS.find(([codes]) => codes.test(code));
  if (storage) return storage[1];
  if (type && status && status < 500)
    return new ApiError(status, PARSER_CODES[type] ?? 'INVALID_BODY', 'The request body cannot be read');
  return new ApiError(500, 'INTERNAL_ERROR', 'Something went wrong on our end. Please try again.');
}

/** Throws 414 URL_TOO_LONG. */
export function limitUrlLength(url: string): void {
  if (url.length > MAX_URL_LENGTH)
    throw new ApiError(414, 'URL_TOO_LONG', `The URL has more than ${MAX_URL_LENGTH} characters`);
}

export const limitUrl: RequestHandler = (request, _, next) => {
  limitUrlLength(request.originalUrl);
  next();
};

export const notFound: RequestHandler = (_, __, next) => {
  next(new ApiError(404, 'NOT_FOUND', 'Unknown path'));
};

/** The response to an error: {error: {code, message, requestId}}. */
export function errorResponse(error: unknown, requestId: string) {
  const { status, code, message } = toApiError(error);
  return {
    status,
    headers: { 'Cache-Control': 'no-store', ...(status === 503 && { 'Retry-After': RETRY_AFTER }) },
    body: { error: { code, message, requestId } },
  };
}

/** Sends every error as its response and logs server errors. */
export const sendError: ErrorRequestHandler = (error: unknown, request, response, next) => {
  const { status, headers, body } = errorResponse(error, request.id as string);
  if (status >= 500) request.log.error({ err: error as Error }, 'request failed');
  if (response.headersSent) {
    next(error);
    return;
  }
  response.status(status).set(headers).json(body);
};

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();

/** HTTP Basic (RFC 7617) with any user name, for pages of operators. */
export function requirePassword(password: string, realm: string): RequestHandler {
  const expected = digest(password);
  return (request, response, next) => {
    const [, encoded = ''] = /^Basic (\S+)$/i.exec(request.headers.authorization ?? '') ?? [];
    const [, given = ''] = /^[^:]*:([\s\S]*)$/.exec(Buffer.from(encoded, 'base64').toString()) ?? [];
    if (timingSafeEqual(digest(given), expected)) return next();
    response.set('WWW-Authenticate', `Basic realm="${realm}", charset="UTF-8"`);
    return next(new ApiError(401, 'SIGN_IN_REQUIRED', 'These pages are for operators'));
  };
}

/** Other sites can make a browser send a form with its password. */
export const requireOwnPage: RequestHandler<Record<string, string>> = (request, _, next) =>
  next(
    request.headers['sec-fetch-site'] === 'same-origin'
      ? undefined
      : new ApiError(403, 'FOREIGN_PAGE', 'Only the page itself may send this'),
  );
