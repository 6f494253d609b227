import type { Request } from 'express';
import { Counter, type Registry } from 'prom-client';
import type { Logger } from '@forecourt/service-kit/log';
import type { RateLimits } from '@forecourt/service-kit/rateLimits';
import { originOf } from '../../engine/http/requestContext.ts';
import { accountRoutes, type AccountOptions } from './accountRoutes.ts';
import type { Issuer } from './issuer.ts';
import { createPendingSignIns, createSealedSessions } from './sealedCookies.ts';
import { backChannelLogout, type EndedSessions } from './backChannelLogout.ts';
import { createActivityCheck, createRenewals, createVisitorAccounts } from './visitorAccounts.ts';

export type Accounts = ReturnType<typeof createAccounts>;

/** Accounts: `sessions` of visitors in encrypted cookies, and the routes of signing in and out. */
export function createAccounts(
  deps: {
    readonly issuer: Issuer;
    /** Sessions that the issuer has ended. */
    readonly ended: EndedSessions;
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
  const { issuer, ended, secret, css, logger, now } = deps;
  const sealed = createSealedSessions(secret, (reason) => {
    if (reason !== 'expired') logger.warn({ event: 'session-refused', reason }, 'session cookie refused');
  });
  const sessions = createVisitorAccounts({
    sealed,
    renew: createRenewals(issuer, now),
    activity: createActivityCheck({ issuer, ended }, now),
    now,
    log: (event) => logger.warn(event, event.event),
  });
  const signIns = new Counter({
    name: 'forecourt_sign_ins_total',
    help: 'Sign-ins through the issuer, by how they ended',
    labelNames: ['outcome'],
    registers: [deps.metrics],
  });
  const router = accountRoutes(
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
      now,
    },
    options,
  );
  const tokens = new Counter({
    name: 'forecourt_logout_tokens_total',
    help: 'Logout tokens of the issuer, by what became of them',
    labelNames: ['outcome'],
    registers: [deps.metrics],
  });
  const logoutRoute = backChannelLogout({
    issuer,
    ended,
    limits: deps.limits,
    count: (outcome) => tokens.inc({ outcome }),
    log: (event) => logger.warn(event, event.event),
  });
  return { sessions, accountRoutes: router, logoutRoute, close: ended.close };
}
