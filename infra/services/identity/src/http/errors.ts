import type { ErrorRequestHandler, Request, RequestHandler, Response } from 'express';
import type { Logger } from 'pino';
import { messagePage, renderPage, type Site } from '../pages/layout.ts';
import { brandOf } from '../accounts/accountMails.ts';

const wantsPage = (request: Request) => request.accepts(['json', 'html']) === 'html';

function sendError(
  request: Request,
  response: Response,
  status: number,
  code: string,
  message: string,
  site: Site,
) {
  response.status(status).set('Cache-Control', 'no-store');
  if (!wantsPage(request)) return response.json({ error: { code, message } });
  const page = messagePage('Something went wrong', message, {
    href: `${site.shop}/`,
    label: 'See cars for sale',
  });
  return response.type('html').send(renderPage(page, { ...site, brand: brandOf(undefined) }));
}

export const handleError =
  (logger: Logger, site: Site): ErrorRequestHandler =>
  (error: unknown, request, response, next) => {
    const errorStatus = (error as { status?: unknown } | null)?.status;
    const status =
      typeof errorStatus === 'number' && errorStatus >= 400 && errorStatus < 500 ? errorStatus : 500;
    if (status === 500) logger.error({ err: error }, 'request failed');
    if (response.headersSent) return next(error);
    return status === 500
      ? sendError(
          request,
          response,
          500,
          'INTERNAL',
          'Something went wrong on our end. Please try again.',
          site,
        )
      : sendError(request, response, status, 'BAD_REQUEST', 'The request is malformed.', site);
  };

/** This service has no home page of its own. */
export const redirectToShop =
  (site: Site): RequestHandler =>
  (_, response) =>
    response.redirect(302, `${site.shop}/`);
