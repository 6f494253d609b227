import type { ErrorRequestHandler, Request, RequestHandler, Response } from 'express';
import type { Logger } from 'pino';
import {
  badRequestPage,
  brokenPage,
  messagePage,
  notFoundPage,
  searchErrorPage,
  type MessagePage,
} from '../compose/errorPage.ts';
import { contextOf } from '../http/requestContext.ts';
import { sendError } from '../http/responses.ts';

/** Sends pages of the shell alone: messages and error screens. */
export interface Screens {
  /** Default caching is `no-store`. */
  readonly send: (
    request: Request,
    response: Response,
    page: MessagePage,
    options: { readonly status: number; readonly cacheControl?: string },
  ) => void;
  /** The error screen, with a button that loads the same URL again. */
  readonly sendError: (
    request: Request,
    response: Response,
    options: { readonly status: number; readonly cacheControl?: string },
  ) => void;
}

export function createScreens(css: string): Screens {
  const send: Screens['send'] = (request, response, page, { status, cacheControl = 'no-store' }) => {
    const { visitor, nonce } = contextOf(request);
    response.status(status).set('Cache-Control', cacheControl).type('html');
    response.send(messagePage(page, visitor.session, css, nonce));
  };
  return {
    send,
    sendError: (request, response, options) =>
      send(request, response, searchErrorPage(request.originalUrl), options),
  };
}

interface Problem {
  readonly status: number;
  readonly code: string;
  readonly message: string;
  readonly page: MessagePage;
}
const NOT_FOUND: Problem = {
  status: 404,
  code: 'NOT_FOUND',
  message: 'there is nothing here',
  page: notFoundPage,
};
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

const API_PATH = /^\/cars-for-sale\/(?:api|svc)(?:\/|$)/;
/** Browsers that open a page ask for HTML; scripts and tools accept anything and get JSON. */
const wantsHtml = (request: Request): boolean =>
  !API_PATH.test(request.path) && request.accepts(['json', 'html']) === 'html';

const statusOf = (error: unknown): number => {
  const status = (error as { status?: unknown } | null)?.status;
  return typeof status === 'number' && status >= 400 && status < 500 ? status : 500;
};

export interface LastHandlers {
  /** For page paths, after the handlers of GET and HEAD. */
  readonly readOnly: RequestHandler;
  readonly notFound: RequestHandler;
  /** Client errors (4xx) keep their status; responses reveal nothing internal. */
  readonly handleError: ErrorRequestHandler;
}

/** The last handlers: unmatched requests and errors, as a page for browsers and as JSON otherwise. */
export function createLastHandlers(logger: Logger, screens: Screens): LastHandlers {
  function send(request: Request, response: Response, { status, code, message, page }: Problem): void {
    if (wantsHtml(request)) return screens.send(request, response, page, { status });
    return sendError(response, status, code, message, contextOf(request).requestId);
  }
  return {
    readOnly: (request, response, next) => {
      if (API_PATH.test(request.path) || request.method === 'OPTIONS') return next();
      response.set('Allow', 'GET, HEAD');
      return send(request, response, READ_ONLY);
    },
    notFound: (request, response) => send(request, response, NOT_FOUND),
    handleError: (error: unknown, request, response, next) => {
      const status = statusOf(error);
      if (status === 500)
        logger.error({ err: error, requestId: contextOf(request).requestId }, 'request failed');
      if (response.headersSent) return next(error);
      return send(request, response, status === 500 ? BROKEN : malformed(status));
    },
  };
}
