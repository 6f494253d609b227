import type { RequestHandler, Response } from 'express';
import { rateLimit } from 'express-rate-limit';
import { OverloadedError } from '../bounds/permits.ts';
import type { RateLimits } from '../bounds/rateLimits.ts';
import { sendError } from './responses.ts';

const MINUTE_MS = 60_000;

/** Requests per client and minute, far above what a person sends. Each name counts separately. */
const PER_MINUTE = {
  /** What no cache answers; RENDERS_PER_MINUTE overrides it. */
  renders: 300,
  writes: 120,
  /** Telemetry: up to 6 per minute per tab, a hundred tabs behind one address. */
  beacons: 600,
  /** An extension of a browser may cause some on each page. */
  policyReports: 60,
  accounts: 60,
  overrides: 60,
} as const;
type LimitName = keyof typeof PER_MINUTE;

/** Options of express-rate-limit that count requests under a name. */
export const perMinute = (limits: RateLimits, name: LimitName, limit: number = PER_MINUTE[name]) =>
  ({
    windowMs: MINUTE_MS,
    limit,
    store: limits.store({ name, windowMs: MINUTE_MS, limit }),
    standardHeaders: 'draft-8',
    legacyHeaders: false,
    // TRUST_PROXY decides which proxies to trust; a forged header is not a configuration error.
    validate: { xForwardedForHeader: false },
  }) as const;

/** Limits a client's writes per minute; reads are unlimited. */
export const limitWrites = (limits: RateLimits, name: LimitName): RequestHandler =>
  rateLimit({
    ...perMinute(limits, name),
    skip: ({ method }) => method === 'GET' || method === 'HEAD',
    handler: (request, response) => sendError(response, 429, 'TOO_MANY_REQUESTS', 'too many requests'),
  });

/** Responses that cost next to nothing: pages from the cache, and redirects. */
const isCheap = (response: Response): boolean =>
  /page;desc="(?:hit|stale|join)"/.test(String(response.getHeader('Server-Timing'))) ||
  (response.statusCode >= 300 && response.statusCode < 400);

/**
 * Counts what a network makes the shell render: what no cache answers, be it forced by odd parameters, deep pages or a
 * crawler's name. Beyond the limit `isOverBudget` is true for its requests, which get cached pages only.
 */
export function countRenders(
  limits: RateLimits,
  {
    RENDERS_PER_MINUTE: limit,
    LOCAL_MODE,
  }: { readonly RENDERS_PER_MINUTE?: number | undefined; readonly LOCAL_MODE: boolean },
): RequestHandler {
  if (limit === undefined && LOCAL_MODE) return (_request, _response, next) => next();
  return rateLimit({
    ...perMinute(limits, 'renders', limit),
    skipSuccessfulRequests: true,
    requestWasSuccessful: (_request, response) => isCheap(response as Response),
    handler(_request, response, next) {
      response.locals['isOverBudget'] = true;
      next();
    },
  });
}

/** Only after `countRenders`. */
export const isOverBudget = ({ locals }: Response): boolean => locals['isOverBudget'] === true;

/** For responses that no cache has. */
export const refuseOverBudget: RequestHandler = (_request, response, next) =>
  next(isOverBudget(response) ? new OverloadedError() : undefined);
