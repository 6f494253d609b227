import { createHash } from 'node:crypto';
import type { Request, RequestHandler, Response } from 'express';
import { ipKeyGenerator, rateLimit } from 'express-rate-limit';

export interface Limits {
  /** Tries of one client in the window, for any address. */
  readonly perClient: number;
  /** Tries for one address in the window, from anywhere. */
  readonly perAddress: number;
  readonly windowMs: number;
}

export const STRICT_LIMITS: Limits = { perClient: 30, perAddress: 10, windowMs: 15 * 60_000 };
/** One's own machine: tests sign in by the dozen. */
export const LOCAL_LIMITS: Limits = { perClient: 1000, perAddress: 100, windowMs: 15 * 60_000 };

/**
 * Slows guessing down, by client and by address. The count of an address runs
 * whether it has an account or not, so that being refused tells nothing; it
 * counts what was refused, and with `countsAccepted` every form.
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
    // TRUST_PROXY says whom to believe; a header that a visitor adds is no misconfiguration.
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
      // Not the address itself: memory dumps and counters need not know it.
      keyGenerator: (request) => createHash('sha256').update(addressOf(request)).digest('base64'),
      skip: (request) => addressOf(request) === '',
      skipSuccessfulRequests: !countsAccepted,
      requestWasSuccessful: (_, response) => response.statusCode < 400,
    }),
  ];
}
