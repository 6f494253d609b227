import type { Request } from 'express';
import { Counter, type Registry } from 'prom-client';
import type { Logger } from 'pino';
import type { RateLimits } from '../bounds/rateLimits.ts';
import { originOf } from '../http/requestContext.ts';
import { accountRoutes, type AccountOptions } from './accountRoutes.ts';
import type { Issuer } from './issuer.ts';
import { createPendingSignIns, createSealedSessions } from './sealedCookies.ts';
import { createActivityCheck, createRenewals, createVisitorAccounts } from './visitorAccounts.ts';

export type Accounts = ReturnType<typeof createAccounts>;

/** Accounts: `sessions` of visitors in encrypted cookies, and the routes of signing in and out. */
export function createAccounts(
  deps: {
    readonly issuer: Issuer;
    /** 32 characters or more. */
    readonly secret: string;
    readonly css: string;
    readonly metrics: Registry;
    readonly limits: RateLimits;
    readonly logger: Logger;
    readonly now: () => number;
  },
  options: AccountOptions,
) {
  const { issuer, secret, css, logger, now } = deps;
  const sealed = createSealedSessions(secret, (reason) => {
    if (reason !== 'expired') logger.warn({ event: 'session-refused', reason }, 'session cookie refused');
  });
  const sessions = createVisitorAccounts({
    sealed,
    renew: createRenewals(issuer, now),
    isActive: createActivityCheck(issuer, now),
    now,
    log: (event) => logger.warn(event, event.event),
  });
  const signIns = new Counter({
    name: 'forecourt_sign_ins_total',
    help: 'Sign-ins through the issuer, by how they ended',
    labelNames: ['outcome'],
    registers: [deps.metrics],
  });
  const routes = accountRoutes(
    {
      issuer,
      sealed,
      pending: createPendingSignIns(secret, {
        signInPath: options.SIGN_IN_PATH,
        originOf: (request) => originOf(request as Request),
      }),
      accounts: sessions,
      limits: deps.limits,
      countSignIn: (outcome) => signIns.inc({ outcome }),
      css,
      log: (event) => logger.warn(event, event.event),
    },
    options,
  );
  return { sessions, routes };
}
