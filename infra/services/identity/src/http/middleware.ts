import type { ErrorRequestHandler, Request, RequestHandler, Response } from 'express';
import { Counter, Histogram, Registry } from 'prom-client';
import { createHash } from 'node:crypto';
import { ipKeyGenerator, rateLimit } from 'express-rate-limit';
import type { Logger } from 'pino';
import { type Site, messagePage, renderPage } from '../pages/layout.ts';
import { brandOf } from '../accounts/accounts.ts';

type CredentialOutcome = 'accepted' | 'refused' | 'invalid' | 'limited';

type CredentialFormName = 'sign-in' | 'sign-up' | 'confirm' | 'forgot' | 'reset' | 'change-password';

export interface Metrics {
  readonly registry: Registry;
  readonly timeRequests: RequestHandler;
  /** Counts a form by its outcome. */
  readonly count: (form: CredentialFormName, outcome: CredentialOutcome) => void;
}

/** Each app has its own registry. */
export function createMetrics(): Metrics {
  const registry = new Registry();
  const durations = new Histogram({
    name: 'identity_http_request_duration_seconds',
    help: 'Duration of HTTP requests, by route and status.',
    labelNames: ['method', 'route', 'status'] as const,
    buckets: [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5],
    registers: [registry],
  });
  const forms = new Counter({
    name: 'identity_credential_forms_total',
    help: 'Account forms, by outcome.',
    labelNames: ['form', 'outcome'] as const,
    registers: [registry],
  });
  return {
    registry,
    timeRequests(request, response, next) {
      const stop = durations.startTimer({ method: request.method });
      response.once('close', () => {
        const { path } = (request.route ?? {}) as { path?: string };
        stop({ route: path ?? 'protocol', status: String(response.statusCode) });
      });
      next();
    },
    count: (form, outcome) => forms.inc({ form, outcome }),
  };
}

export interface Limits {
  /** Attempts per client and window, for any address. */
  readonly perClient: number;
  /** Attempts per address and window, from any client. */
  readonly perAddress: number;
  readonly windowMs: number;
}

export const STRICT_LIMITS: Limits = { perClient: 30, perAddress: 10, windowMs: 15 * 60_000 };
/** For development and tests, which sign in often. */
export const LOCAL_LIMITS: Limits = { perClient: 1000, perAddress: 100, windowMs: 15 * 60_000 };

/**
 * Limits attempts per client and per address. Addresses without an account are
 * limited too, so that a limit reveals nothing. Counts refused forms, and with
 * `countsAccepted` all forms.
 */
export function createRateLimits(
  limits: Limits,
  refuse: (request: Request, response: Response) => void,
  { countsAccepted = false }: { readonly countsAccepted?: boolean } = {},
): RequestHandler[] {
  const common = {
    windowMs: limits.windowMs,
    standardHeaders: 'draft-8',
    legacyHeaders: false,
    // TRUST_PROXY decides which header counts; one that a visitor adds is not a misconfiguration.
    validate: { xForwardedForHeader: false },
    handler: refuse,
  } as const;
  const addressOf = (request: Request) => {
    const email: unknown = (request.body as { email?: unknown } | undefined)?.email;
    return typeof email === 'string' ? email.trim().normalize('NFKC').toLowerCase() : '';
  };
  return [
    rateLimit({
      ...common,
      identifier: 'client',
      limit: limits.perClient,
      keyGenerator: (request) => ipKeyGenerator(request.ip ?? ''),
    }),
    rateLimit({
      ...common,
      identifier: 'address',
      limit: limits.perAddress,
      // Hashed, so that the address itself is not kept in memory.
      keyGenerator: (request) => createHash('sha256').update(addressOf(request)).digest('base64'),
      skip: (request) => addressOf(request) === '',
      skipSuccessfulRequests: !countsAccepted,
      requestWasSuccessful: (_, response) => response.statusCode < 400,
    }),
  ];
}

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
