import type { ErrorRequestHandler, Request, RequestHandler, Response } from 'express';
import type { Logger } from 'pino';
import { brandOf, messagePage, renderPage } from '../pages/layout.ts';
import type { Site } from './visits.ts';

const wantsPage = (request: Request) => request.accepts(['json', 'html']) === 'html';

function answer(
  request: Request,
  response: Response,
  status: number,
  code: string,
  text: string,
  site: Site,
) {
  response.status(status).set('Cache-Control', 'no-store');
  if (!wantsPage(request)) return response.json({ error: { code, message: text } });
  const page = messagePage('That did not work', text, {
    href: `${site.shop}/`,
    label: 'Go to the vehicles',
  });
  return response.type('html').send(renderPage(page, { ...site, brand: brandOf(undefined) }));
}

export const handleError =
  (logger: Logger, site: Site): ErrorRequestHandler =>
  (error: unknown, request, response, next) => {
    const given = (error as { status?: unknown } | null)?.status;
    const status = typeof given === 'number' && given >= 400 && given < 500 ? given : 500;
    if (status === 500) logger.error({ err: error }, 'request failed');
    if (response.headersSent) return next(error);
    return status === 500
      ? answer(
          request,
          response,
          500,
          'INTERNAL',
          'Something went wrong on our side. Try again in a moment.',
          site,
        )
      : answer(request, response, status, 'BAD_REQUEST', 'The request is malformed.', site);
  };

/** The issuer has pages for a visit only; whoever comes by is led to the shop. */
export const frontDoor =
  (site: Site): RequestHandler =>
  (_, response) =>
    response.redirect(302, `${site.shop}/`);
