import type { Router, Request } from 'express';
import type { Registry } from 'prom-client';
import type { Logger } from 'pino';
import { originOf } from '../http/requestContext.ts';
import { accountRoutes, type AccountOptions } from './accountRoutes.ts';
import type { Issuer } from './issuer.ts';
import { createAccountMetrics } from './metrics.ts';
import { createPendingSignIns } from './pendingSignIns.ts';
import { createRenewals, createVisitorAccounts, type VisitorAccounts } from './visitorAccounts.ts';
import { createSealedSessions } from './sealedSession.ts';

export interface Accounts {
  /** For the rest of the shell: who is signed in. */
  readonly sessions: VisitorAccounts;
  readonly routes: Router;
}

/** Everything about accounts in the shell: one issuer, one secret, no state of its own but renewals under way. */
export function createAccounts(
  deps: {
    readonly issuer: Issuer;
    /** 32 characters or more. */
    readonly secret: string;
    readonly css: string;
    readonly metrics: Registry;
    readonly logger: Logger;
    readonly now: () => number;
  },
  options: AccountOptions,
): Accounts {
  const { issuer, secret, css, logger, now } = deps;
  const sealed = createSealedSessions(secret, (reason) => {
    if (reason !== 'expired') logger.warn({ event: 'session-refused', reason }, 'session cookie refused');
  });
  const sessions = createVisitorAccounts({
    sealed,
    renew: createRenewals(issuer, now),
    now,
    log: (event) => logger.warn(event, event.event),
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
      metrics: createAccountMetrics(deps.metrics),
      css,
      log: (event) => logger.warn(event, event.event),
    },
    options,
  );
  return { sessions, routes };
}
