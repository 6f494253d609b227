import { createHash } from 'node:crypto';
import type { Request, RequestHandler, Response } from 'express';
import { ipKeyGenerator, rateLimit } from 'express-rate-limit';

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
