import type { ErrorRequestHandler, RequestHandler, Response } from 'express';
import type { Logger } from 'pino';
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

export const notFound: RequestHandler = (request, response) =>
  sendError(response, 404, 'NOT_FOUND', 'there is nothing here', infoOf(request).requestId);

const statusOf = (error: unknown): number => {
  const status = (error as { status?: unknown } | null)?.status;
  return typeof status === 'number' && status >= 400 && status < 500 ? status : 500;
};

/** Last in line. Middleware errors of the visitor's making (4xx) keep their status; nothing tells of the inside. */
export const handleError =
  (logger: Logger): ErrorRequestHandler =>
  (error: unknown, request, response, next) => {
    const { requestId } = infoOf(request);
    const status = statusOf(error);
    if (status === 500) logger.error({ err: error, requestId }, 'request failed');
    if (response.headersSent) return next(error);
    sendError(
      response,
      status,
      status === 500 ? 'INTERNAL' : 'BAD_REQUEST',
      status === 500 ? 'something went wrong' : 'the request is malformed',
      requestId,
    );
  };
