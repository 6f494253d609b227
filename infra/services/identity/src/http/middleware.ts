import type { ErrorRequestHandler, Request, RequestHandler, Response } from 'express';
import { Counter, Histogram, Registry } from 'prom-client';
import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { mailboxOf } from '@forecourt/service-kit/mailbox';
import type { CreateRateCounters } from '@forecourt/service-kit/rateCounters';
import { ipKeyGenerator, rateLimit } from 'express-rate-limit';
import { type Site, messagePage, renderPage } from '../pages/layout.ts';
import { brandOf } from '../accounts/accounts.ts';

/** URLs of the protocol follow the issuer's address, whatever host a request names: caches in between may ignore hosts. */
export function underIssuer(issuer: string): RequestHandler {
  const { host } = new URL(issuer);
  return (request, _, next) => {
    request.headers.host = host;
    delete request.headers['x-forwarded-host'];
    next();
  };
}

type CredentialOutcome = 'accepted' | 'refused' | 'invalid' | 'limited';

type CredentialFormName =
  | 'sign-in'
  | 'sign-up'
  | 'confirm'
  | 'forgot'
  | 'reset'
  | 'change-password'
  | 'delete-account';

export interface Metrics {
  readonly registry: Registry;
  readonly timeRequests: RequestHandler;
  /** Counts a form by its outcome. */
  readonly count: (form: CredentialFormName, outcome: CredentialOutcome) => void;
  /** Counts a logout token by whether the client took it. */
  readonly countLogout: (outcome: 'delivered' | 'failed') => void;
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
  const logouts = new Counter({
    name: 'identity_logout_tokens_total',
    help: 'Logout tokens for clients, by outcome.',
    labelNames: ['outcome'] as const,
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
    countLogout: (outcome) => logouts.inc({ outcome }),
  };
}

export interface Limits {
  /** Attempts per network and window, for any address. */
  readonly perClient: number;
  /** Attempts per address and window from one network, and from one known device. */
  readonly perAddress: number;
  /** Attempts per address and window from all networks, for devices that are not known. */
  readonly perAddressEverywhere: number;
  readonly windowMs: number;
  /** Mails that one mailbox gets per day because someone entered its address. */
  readonly mailsPerDay: number;
}

const WINDOW_MS = 15 * 60_000;
const DAY_MS = 86_400_000;

export const STRICT_LIMITS: Limits = {
  perClient: 30,
  perAddress: 10,
  perAddressEverywhere: 50,
  windowMs: WINDOW_MS,
  mailsPerDay: 6,
};
/** For development and tests, which sign in often. */
export const LOCAL_LIMITS: Limits = {
  perClient: 1000,
  perAddress: 100,
  perAddressEverywhere: 1000,
  windowMs: WINDOW_MS,
  mailsPerDay: 100,
};

const hashOf = (text: string): string => createHash('sha256').update(text).digest('base64url');

const addressOf = ({ body }: Request): string => {
  const email: unknown = (body as { email?: unknown } | undefined)?.email;
  return typeof email === 'string' ? email.trim().normalize('NFKC').toLowerCase() : '';
};

/** Browsers that have signed in to an account before: attempts elsewhere do not lock them out. */
export interface Devices {
  /** Whether the browser has signed in with the address of the form. */
  readonly isKnown: (request: Request) => boolean;
  readonly remember: (response: Response, email: string) => void;
}

const DEVICE_SECONDS = 180 * 86_400;

/** Devices by a signed cookie, one per browser, for the last address that signed in there. */
export function createDevices(key: string, { isSecure }: { readonly isSecure: boolean }): Devices {
  const name = isSecure ? '__Host-device' : 'identityDevice';
  const sealOf = (id: string, address: string) =>
    createHmac('sha256', key).update(`device:${id}:${address}`).digest('base64url');
  const pattern = new RegExp(`(?:^|;\\s*)${name}=([\\w-]{22})\\.([\\w-]{43})(?:;|$)`);
  return {
    isKnown(request) {
      const [, id = '', seal = ''] = pattern.exec(request.headers.cookie ?? '') ?? [];
      const expected = Buffer.from(sealOf(id, addressOf(request)));
      return seal !== '' && timingSafeEqual(Buffer.from(seal), expected);
    },
    remember(response, email) {
      const id = randomBytes(16).toString('base64url');
      const value = `${id}.${sealOf(id, email.trim().normalize('NFKC').toLowerCase())}`;
      const maxAge = DEVICE_SECONDS * 1000;
      response.cookie(name, value, {
        maxAge,
        httpOnly: true,
        sameSite: 'strict',
        secure: isSecure,
        path: '/',
      });
    },
  };
}

/**
 * Limits attempts per network, per address and network, and per address. A device that has signed in with the address
 * before counts for itself, so that no one else can lock out an account's owner. Addresses without an account are limited
 * too, so that a limit reveals nothing. Counts refused forms, and mails with `sendsMail`. Addresses are hashed, so that
 * they are not kept in memory. Replicas share `counters`; without them, a process counts for itself.
 */
export function createRateLimits(
  limits: Limits,
  refuse: (request: Request, response: Response) => void,
  {
    devices,
    counters,
    sendsMail = false,
  }: {
    readonly devices: Devices;
    readonly counters?: CreateRateCounters | undefined;
    readonly sendsMail?: boolean;
  },
): RequestHandler[] {
  const common = {
    windowMs: limits.windowMs,
    standardHeaders: 'draft-8',
    legacyHeaders: false,
    // TRUST_PROXY decides which header counts; one that a visitor adds is not a misconfiguration.
    validate: { xForwardedForHeader: false },
    handler: refuse,
  } as const;
  const counted = (identifier: string) => ({
    identifier,
    ...(counters && { store: counters(identifier) }),
  });
  const networkOf = (request: Request) => ipKeyGenerator(request.ip ?? '');
  const failures = {
    ...common,
    skipSuccessfulRequests: !sendsMail,
    requestWasSuccessful: (_: Request, response: Response) => response.statusCode < 400,
  };
  const hasNoAddress = (request: Request) => addressOf(request) === '';
  const isElsewhere = (request: Request) => hasNoAddress(request) || devices.isKnown(request);
  return [
    rateLimit({
      ...common,
      ...counted('client'),
      limit: limits.perClient,
      keyGenerator: networkOf,
      skip: devices.isKnown,
    }),
    rateLimit({
      ...failures,
      ...counted('address'),
      limit: limits.perAddress,
      keyGenerator: (request) =>
        hashOf(`${devices.isKnown(request) ? 'device' : networkOf(request)} ${addressOf(request)}`),
      skip: hasNoAddress,
    }),
    rateLimit({
      ...failures,
      ...counted('everywhere'),
      limit: limits.perAddressEverywhere,
      keyGenerator: (request) => hashOf(addressOf(request)),
      skip: isElsewhere,
    }),
    ...(sendsMail
      ? [
          rateLimit({
            ...common,
            ...counted('mailbox'),
            windowMs: DAY_MS,
            limit: limits.mailsPerDay,
            keyGenerator: (request) => hashOf(mailboxOf(addressOf(request))),
            skip: hasNoAddress,
          }),
        ]
      : []),
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
  (site: Site): ErrorRequestHandler =>
  (error: unknown, request, response, next) => {
    const errorStatus = (error as { status?: unknown } | null)?.status;
    const status =
      typeof errorStatus === 'number' && errorStatus >= 400 && errorStatus < 500 ? errorStatus : 500;
    if (status === 500) request.log.error({ err: error }, 'request failed');
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
