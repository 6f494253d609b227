import { constants } from 'node:zlib';
import compression from 'compression';
import type { IncomingMessage } from 'node:http';
import type { Request, RequestHandler, Response } from 'express';
import { sessionCookie } from './cookies.ts';
import { contextOf } from './requestContext.ts';
import helmet from 'helmet';

/** What no page uses, not even by a release: its code can't ask visitors for it in the site's name. */
const PERMISSIONS = [
  'camera',
  'display-capture',
  'geolocation',
  'microphone',
  'midi',
  'payment',
  'serial',
  'usb',
]
  .map((feature) => `${feature}=()`)
  .join(', ');

/** Headers of every response. Pages replace the policy by the one of their styles. @param reportsTo path for violations */
export function securityHeaders(reportsTo: string): RequestHandler {
  const others = helmet({
    contentSecurityPolicy: false,
    // In production the TLS proxy sends this header.
    strictTransportSecurity: false,
    crossOriginEmbedderPolicy: false,
    referrerPolicy: { policy: 'strict-origin-when-cross-origin' },
  });
  return (request, response, next) => {
    response.setHeader('Content-Security-Policy', contextOf(request).policy());
    response.setHeader('Permissions-Policy', PERMISSIONS);
    response.setHeader('Reporting-Endpoints', `policy="${reportsTo}"`);
    others(request, response, next);
  };
}

/** Sends `{error: {code, message, requestId}}` with further details for some codes. */
export function sendError(
  response: Response,
  status: number,
  code: string,
  message: string,
  details: Readonly<Record<string, string>> = {},
): void {
  const { requestId } = contextOf(response.req);
  response
    .status(status)
    .set('Cache-Control', 'no-store')
    .json({ error: { code, message, requestId, ...details } });
}

/**
 * Whether a write comes from a page of this site. Browsers send `Origin` with every write, or at least say by
 * `Sec-Fetch-Site` where it comes from; a request with neither is refused.
 */
export function isSameOrigin({ headers }: Pick<IncomingMessage, 'headers'>): boolean {
  const { origin, host, 'sec-fetch-site': site } = headers;
  if (site !== undefined && site !== 'same-origin') return false;
  if (origin === undefined) return site === 'same-origin';
  return URL.canParse(origin) && new URL(origin).host === host;
}

/** The engine's paths for programs, which may reach a replica by its address. */
const ENGINE_PROGRAM_PATHS = /^\/(?:health|metrics|releases)(?:\/|$)/;

/** Takes host and path of a target in absolute form, which replaces the header `Host` (RFC 9112, 3.2.2). */
export const readAbsoluteTarget: RequestHandler = (request, _response, next) => {
  const [, host, target = ''] = /^https?:\/\/([^/?]+)(.*)$/is.exec(request.url) ?? [];
  if (host !== undefined) {
    request.headers.host = host;
    request.url = request.originalUrl = target.startsWith('/') ? target : `/${target}`;
  }
  next();
};

/**
 * Refuses requests for hosts that are not the site's: each port would be another key of the cache, and stand in links.
 * @param hosts names, also with the port that visitors use; none: any host
 * @param port the shell's own, which a name without a port may have too
 * @param programPaths the site's paths that programs may call at a replica's address
 */
export function requireHost(
  hosts: readonly string[],
  port: number,
  programPaths: readonly string[] = [],
): RequestHandler {
  const known = new Set(hosts.flatMap((host) => (/:\d+$/.test(host) ? [host] : [host, `${host}:${port}`])));
  return (request, response, next) => {
    // Node uses the first one, a proxy perhaps another (RFC 9112, 3.2).
    if ((request.headersDistinct.host?.length ?? 0) > 1)
      return sendError(response, 400, 'BAD_REQUEST', 'the request has two hosts');
    const { host = '' } = request.headers;
    if (
      known.size === 0 ||
      known.has(host) ||
      // Without the port of the scheme.
      known.has(URL.parse(`${request.protocol}://${host}`)?.host ?? '') ||
      ENGINE_PROGRAM_PATHS.test(request.path) ||
      programPaths.includes(request.path)
    )
      return next();
    return sendError(response, 421, 'MISDIRECTED', 'this host is not served here');
  };
}

/** Refuses writes from pages of other sites. */
export const requireSameOrigin: RequestHandler = (request, response, next) =>
  isSameOrigin(request)
    ? next()
    : sendError(response, 403, 'CROSS_ORIGIN', 'writes must come from a page of this site');

/** Renews the session cookie with each response to a visitor; not on shared responses. */
export const renewSession: RequestHandler = (request, response, next) => {
  const { visitor } = contextOf(request);
  response.append('Set-Cookie', sessionCookie(visitor.id, { secure: request.secure }));
  next();
};

const isCompressed = (request: Request, response: Response): boolean =>
  !response.hasHeader('ETag') && compression.filter(request, response);

/** The middleware below leaves HEAD alone: its length would be another one than that of GET (RFC 9110, 8.6). */
const omitLength: RequestHandler = (request, response, next) => {
  if (request.method === 'HEAD') {
    const writeHead = response.writeHead.bind(response) as (...head: unknown[]) => Response;
    response.writeHead = (...head: unknown[]) => {
      if (isCompressed(request, response)) response.removeHeader('Content-Length');
      return writeHead(...head);
    };
  }
  next();
};

/** For all other responses than pages, which are compressed once for all clients (`compose/pageBody.ts`) and have an entity tag. */
export const compressResponses = (): RequestHandler[] => [
  omitLength,
  compression({
    filter: isCompressed,
    brotli: {
      params: { [constants.BROTLI_PARAM_QUALITY]: 5, [constants.BROTLI_PARAM_LGWIN]: 18 },
    },
  }),
];

export const notFoundApi: RequestHandler = (request, response) =>
  sendError(response, 404, 'NOT_FOUND', 'not found');
