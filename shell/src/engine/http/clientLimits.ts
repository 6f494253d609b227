import type { Request, RequestHandler, Response } from 'express';
import { ipKeyGenerator, rateLimit } from 'express-rate-limit';
import { Counter, type Registry } from 'prom-client';
import type { EngineConfig } from '../config.ts';
import { OverloadedError } from '../load/permits.ts';
import type { RateLimits } from '@forecourt/service-kit/rateLimits';
import { contextOf } from './requestContext.ts';
import { sendError } from './responses.ts';

const MINUTE_MS = 60_000;

/** Requests per client and minute, far above what a person sends. Each name counts separately. */
const PER_MINUTE = {
  /** What no cache answers; RENDER_LIMITS overrides it. */
  renders: 300,
  writes: 120,
  /** Telemetry: up to 6 per minute per tab, a hundred tabs behind one address. */
  beacons: 600,
  /** An extension of a browser may cause some on each page. */
  policyReports: 60,
  accounts: 60,
  /** Logout tokens, which come from one address: the issuer's. */
  logouts: 6000,
  overrides: 60,
} as const;
type LimitName = keyof typeof PER_MINUTE;

/** Rendering time per minute of a network, and of an account: as many renderings as may be counted, at 0.1 s. */
const RENDER_SECONDS = 30;
/** What a page takes of the budget until its time is known; the default leaves room for all that may be counted. */
const EXPECTED_MS = 100;
/**
 * What a page takes of it at most: several times the processor time of the most expensive one. What is longer is waiting, and
 * while the upstream or the machine is slow, shoppers must not be refused for it.
 */
const MAX_CHARGE_MS = 300;

/** Options of express-rate-limit for a limit with a name. */
export const limited = (
  limits: RateLimits,
  { name, limit, windowMs }: { readonly name: string; readonly limit: number; readonly windowMs: number },
) =>
  ({
    identifier: name,
    windowMs,
    limit,
    store: limits.store({ name, windowMs, limit }),
    standardHeaders: 'draft-8',
    legacyHeaders: false,
    // TRUST_PROXY decides which proxies to trust; a forged header is not a configuration error.
    validate: { xForwardedForHeader: false, forwardedHeader: false },
  }) as const;

/** Options of express-rate-limit that count requests under a name. */
export const perMinute = (limits: RateLimits, name: LimitName, limit: number = PER_MINUTE[name]) =>
  limited(limits, { name, limit, windowMs: MINUTE_MS });

export const isRead = ({ method }: Request): boolean => method === 'GET' || method === 'HEAD';
export const refuseWrite: RequestHandler = (_request, response) =>
  sendError(response, 429, 'TOO_MANY_REQUESTS', 'too many requests');

/** Whether one more is within the limit of all clients together in this minute. */
export function createMinuteBudget(clock: () => Date, limit: number): () => boolean {
  let minute = 0;
  let spent = 0;
  return () => {
    const now = Math.floor(clock().getTime() / MINUTE_MS);
    if (now !== minute) [minute, spent] = [now, 0];
    spent += 1;
    return spent <= limit;
  };
}

/** Limits a client's writes per minute; reads are unlimited. */
export const limitWrites = (limits: RateLimits, name: LimitName): RequestHandler =>
  rateLimit({ ...perMinute(limits, name), skip: isRead, handler: refuseWrite });

const LOCALS = 'renderBudgets';
interface RenderBudgets {
  isSpent: boolean;
  /** Nothing was rendered for the request. */
  isFree: boolean;
  readonly charges: ((ms: number) => void)[];
}
const budgetsOf = ({ locals }: Response): RenderBudgets =>
  (locals[LOCALS] ??= { isSpent: false, isFree: false, charges: [] }) as RenderBudgets;

/** Responses that cost next to nothing: pages from the cache, and redirects. */
const isCheap = (response: Response): boolean =>
  budgetsOf(response).isFree || (response.statusCode >= 300 && response.statusCode < 400);

type Refuse = (budget: string) => RequestHandler;

/**
 * A budget of rendering time. Each request takes what a page is expected to cost and gets it back at its end; what its page
 * really cost is charged when it is known. So a client gets at most its limit and what its pages in flight cost beyond that.
 */
function limitRenderTime(
  limits: RateLimits,
  budget: { readonly name: string; readonly limit: number },
  { keyOf, refuse }: { readonly keyOf: (request: Request) => string | undefined; readonly refuse: Refuse },
): RequestHandler {
  const { store, ...options } = limited(limits, { ...budget, windowMs: MINUTE_MS });
  const limiter = rateLimit({
    ...options,
    store: { ...store, increment: (client) => store.increment(client, EXPECTED_MS) },
    keyGenerator: (request) => keyOf(request) ?? '',
    handler: refuse(budget.name),
  });
  return (request, response, next) => {
    const client = keyOf(request);
    if (client === undefined) return next();
    budgetsOf(response).charges.push((ms) => store.adjust(client, Math.ceil(ms)));
    response.once('close', () => store.adjust(client, -EXPECTED_MS));
    return limiter(request, response, next);
  };
}

/**
 * Limits how much one network can make the shell render, however it bypasses the cache: how many pages and searches that no cache answers, and the time of its pages, which is limited for an account too, whatever its
 * networks. Beyond a limit `isOverBudget` is true for its requests, which get cached pages only.
 */
export function limitRenders(
  { limits, metrics }: { readonly limits: RateLimits; readonly metrics: Registry },
  {
    RENDER_LIMITS: { pagesPerMinute: renders, secondsPerMinute: seconds },
    LOCAL_MODE,
  }: Pick<EngineConfig, 'RENDER_LIMITS' | 'LOCAL_MODE'>,
): RequestHandler[] {
  const spent = new Counter({
    name: 'forecourt_budget_spent_total',
    help: 'Requests that get cached pages only, by the budget that is spent',
    labelNames: ['budget'],
    registers: [metrics],
  });
  const refuse: Refuse = (budget) => (_request, response, next) => {
    spent.inc({ budget });
    budgetsOf(response).isSpent = true;
    next();
  };
  const handlers: RequestHandler[] = [];
  if (renders !== undefined || !LOCAL_MODE)
    handlers.push(
      rateLimit({
        ...perMinute(limits, 'renders', renders),
        skipSuccessfulRequests: true,
        requestWasSuccessful: (_request, response) => isCheap(response as Response),
        handler: refuse('renders'),
      }),
    );
  if (seconds === undefined && LOCAL_MODE) return handlers;
  const limit = (seconds ?? RENDER_SECONDS) * 1000;
  return [
    ...handlers,
    limitRenderTime(
      limits,
      { name: 'render-ms', limit },
      { keyOf: ({ ip }) => ipKeyGenerator(ip ?? ''), refuse },
    ),
    limitRenderTime(
      limits,
      { name: 'account-render-ms', limit },
      { keyOf: (request) => contextOf(request).visitor.accountKey, refuse },
    ),
  ];
}

/** Charges a page that was rendered for a request to its network and account; ms from its start to its end. */
export const chargeRender = (response: Response, ms: number): void => {
  for (const charge of budgetsOf(response).charges) charge(Math.min(ms, MAX_CHARGE_MS));
};

/** Nothing was rendered for the request: it does not count against its network. */
export const markFree = (response: Response): void => {
  budgetsOf(response).isFree = true;
};

/** Only after `limitRenders`. */
export const isOverBudget = (response: Response): boolean => budgetsOf(response).isSpent;

/** For responses that no cache has. */
export const refuseOverBudget: RequestHandler = (_request, response, next) =>
  next(isOverBudget(response) ? new OverloadedError() : undefined);
