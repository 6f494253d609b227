import type { ErrorRequestHandler, Request, RequestHandler, Response } from 'express';
import type { Logger } from 'pino';
import {
  badRequestPage,
  brokenPage,
  messagePage,
  notFoundPage,
  type MessagePage,
} from '../page/errorPage.ts';
import { infoOf } from './requestContext.ts';

/** Answers `{error: {code, message, requestId}}` (AMB-174), and what else the code's receiver needs. */
export function sendError(
  response: Response,
  status: number,
  code: string,
  message: string,
  requestId: string,
  details: Readonly<Record<string, string>> = {},
): void {
  response
    .status(status)
    .set('Cache-Control', 'no-store')
    .json({ error: { code, message, requestId, ...details } });
}

interface Problem {
  readonly status: number;
  readonly code: string;
  readonly message: string;
  readonly page: MessagePage;
}
const NOTHING_HERE: Problem = {
  status: 404,
  code: 'NOT_FOUND',
  message: 'there is nothing here',
  page: notFoundPage,
};

export const notFound: RequestHandler = (request, response) =>
  sendError(response, 404, NOTHING_HERE.code, NOTHING_HERE.message, infoOf(request).requestId);

/** Whoever asks here reads answers by their codes. */
const CALLED = /^\/cars-for-sale\/(?:api|svc)(?:\/|$)/;
/** Somebody looks at the answer: a browser that opens a page. Scripts and tools take anything, so they get JSON. */
const isLookedAt = (request: Request): boolean =>
  !CALLED.test(request.path) && request.accepts(['json', 'html']) === 'html';

const READ_ONLY: Problem = {
  status: 405,
  code: 'WRONG_METHOD',
  message: 'pages can only be read',
  page: badRequestPage,
};
const BROKEN: Problem = {
  status: 500,
  code: 'INTERNAL',
  message: 'something went wrong',
  page: brokenPage,
};
const malformed = (status: number): Problem => ({
  status,
  code: 'BAD_REQUEST',
  message: 'the request is malformed',
  page: badRequestPage,
});

const statusOf = (error: unknown): number => {
  const status = (error as { status?: unknown } | null)?.status;
  return typeof status === 'number' && status >= 400 && status < 500 ? status : 500;
};

export interface LastHandlers {
  /** For the paths of pages, behind those who answer GET and HEAD. */
  readonly readOnly: RequestHandler;
  readonly notFound: RequestHandler;
  /** Middleware errors of the visitor's making (4xx) keep their status; nothing tells of the inside. */
  readonly handleError: ErrorRequestHandler;
}

/** Last in line: what nobody else answers, as a page to whoever looks at it. */
export function createLastHandlers(logger: Logger, css: string): LastHandlers {
  function send(request: Request, response: Response, { status, code, message, page }: Problem): void {
    const { requestId, nonce, visitor } = infoOf(request);
    if (!isLookedAt(request)) return sendError(response, status, code, message, requestId);
    response.status(status).set('Cache-Control', 'no-store').type('html');
    response.send(messagePage(page, visitor.session, css, nonce));
  }
  return {
    readOnly: (request, response, next) => {
      if (CALLED.test(request.path) || request.method === 'OPTIONS') return next();
      response.set('Allow', 'GET, HEAD');
      return send(request, response, READ_ONLY);
    },
    notFound: (request, response) => send(request, response, NOTHING_HERE),
    handleError: (error: unknown, request, response, next) => {
      const status = statusOf(error);
      if (status === 500)
        logger.error({ err: error, requestId: infoOf(request).requestId }, 'request failed');
      if (response.headersSent) return next(error);
      return send(request, response, status === 500 ? BROKEN : malformed(status));
    },
  };
}
