import type { ErrorRequestHandler, Request, RequestHandler, Response } from 'express';
import type { Logger } from '@forecourt/service-kit/log';
import { OverloadedError } from '../load/permits.ts';
import type { MessagePage } from './messagePage.ts';
import type { Site } from '../site.ts';
import { contextOf } from './requestContext.ts';
import { isOverBudget } from './clientLimits.ts';
import { sendError } from './responses.ts';
import type { ShellAssets } from '../compose/shellAssets.ts';
import type { PageLoad } from '../load/pageLoad.ts';

interface Problem {
  readonly status: number;
  readonly code: string;
  readonly message: string;
  readonly page: MessagePage;
}
const problem = (status: number, code: string, message: string, page: MessagePage): Problem => ({
  status,
  code,
  message,
  page,
});
/** Seconds; spread, so that refused clients do not return at the same time. */
const retryAfter = (): number => 2 + Math.floor(4 * Math.random());

const statusOf = (error: unknown): number => {
  const status = (error as { status?: unknown } | null)?.status;
  return typeof status === 'number' && status >= 400 && status < 500 ? status : 500;
};

/** The last handlers: unmatched requests and errors, as a page for browsers and as JSON otherwise. */
export function createLastHandlers({
  site: { root, messages },
  logger,
  assets: { css },
  load,
}: {
  readonly site: Pick<Site, 'root' | 'messages'>;
  readonly logger: Logger;
  readonly assets: Pick<ShellAssets, 'css'>;
  readonly load: PageLoad;
}) {
  const notFoundProblem = problem(404, 'NOT_FOUND', 'not found', messages.notFound);
  const readOnlyProblem = problem(405, 'WRONG_METHOD', 'pages can only be read', messages.badRequest);
  const internalProblem = problem(500, 'INTERNAL', 'something went wrong', messages.broken);
  const malformed = (status: number) =>
    problem(status, 'BAD_REQUEST', 'the request is malformed', messages.badRequest);
  const isApi = (request: Request): boolean =>
    ['api', 'svc'].some(
      (part) => request.path === `${root}/${part}` || request.path.startsWith(`${root}/${part}/`),
    );
  /** Page navigations accept HTML; scripts and tools that accept anything get JSON. */
  const wantsHtml = (request: Request): boolean =>
    !isApi(request) && request.accepts(['json', 'html']) === 'html';

  function send(request: Request, response: Response, { status, code, message, page }: Problem): void {
    if (wantsHtml(request)) return messages.send(response, page, { css, status });
    return sendError(response, status, code, message);
  }
  function refuse(request: Request, response: Response): void {
    const status = isOverBudget(response) ? 429 : 503;
    if (status === 503) {
      load.count('page');
      response.set('Retry-After', String(retryAfter()));
    }
    // Bots that accept anything get the page too.
    const page = status === 429 ? messages.tooManyRequests : messages.overloaded;
    return messages.send(response, page(request.originalUrl), { css, status });
  }
  /** For page paths, after the handlers of GET and HEAD. */
  const readOnly: RequestHandler = (request, response, next) => {
    if (isApi(request) || request.method === 'OPTIONS') return next();
    response.set('Allow', 'GET, HEAD');
    return send(request, response, readOnlyProblem);
  };
  const notFound: RequestHandler = (request, response) => send(request, response, notFoundProblem);
  /** Client errors (4xx) keep their status; responses reveal nothing internal. */
  const handleError: ErrorRequestHandler = (error: unknown, request, response, next) => {
    if (error instanceof OverloadedError) return refuse(request, response);
    const status = statusOf(error);
    if (status === 500)
      logger.error({ err: error, requestId: contextOf(request).requestId }, 'request failed');
    if (response.headersSent) return next(error);
    return send(request, response, status === 500 ? internalProblem : malformed(status));
  };
  return { readOnly, notFound, handleError };
}
