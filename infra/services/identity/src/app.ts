import express, { type Express, Router } from 'express';
import { requestLog } from '@forecourt/service-kit/requestLog';
import { NO_TRACING, type Tracing } from '@forecourt/service-kit/tracing';
import helmet from 'helmet';
import type { Logger } from '@forecourt/service-kit/log';
import type { Accounts } from './accounts/accounts.ts';
import type { Config } from './config.ts';
import {
  LOCAL_LIMITS,
  type Limits,
  type Metrics,
  STRICT_LIMITS,
  createDevices,
  handleError,
  redirectToShop,
  underIssuer,
} from './http/middleware.ts';
import { interactionRoutes } from './http/interactionRoutes.ts';
import { linkRoutes } from './http/linkRoutes.ts';
import type { EndSessions, Keys } from './oidc/storage.ts';
import { createVisits } from './http/visits.ts';
import { tellClients } from './oidc/logoutTokens.ts';
import { emailPreviews } from '@forecourt/service-kit/email';
import { emailSamples } from './accounts/emailSamples.ts';
import type { MailOutbox } from './mail/outbox.ts';
import { type IssuerOptions, createIssuer } from './oidc/provider.ts';
import { createPageAssets } from './pages/layout.ts';
import { outboxPage } from './pages/credentialPages.ts';
import type { CreateRateCounters } from '@forecourt/service-kit/rateCounters';
import type { Adapter } from 'oidc-provider';

export interface AppDeps {
  readonly accounts: Accounts;
  readonly endSessions: EndSessions;
  readonly outbox: Pick<MailOutbox, 'newest'>;
  readonly adapter: (model: string) => Adapter;
  readonly keys: Keys;
  readonly metrics: Metrics;
  readonly logger: Logger;
  /** Default: nothing is traced. */
  readonly tracing?: Tracing;
  /** Counters of rate limits that replicas share; without them, a process counts for itself. */
  readonly counters?: CreateRateCounters | undefined;
  /** Does the database respond? */
  readonly isReady: () => Promise<boolean>;
}

export type AppOptions = IssuerOptions &
  Pick<Config, 'LOCAL_MODE' | 'SMTP_URL'> & {
    readonly limits?: Limits;
    readonly logoutRetryMs?: readonly number[];
  };

/** Shows the latest mails in local mode without a mail server. */
const OUTBOX_PATH = '/outbox';
const OUTBOX_LENGTH = 50;

/** The identity service as an Express app. Reads no environment and does not listen. */
export function createApp(deps: AppDeps, options: AppOptions): Express {
  const { keys, metrics, logger, tracing = NO_TRACING } = deps;
  const { shell, room } = options.OIDC_CLIENTS;
  const assets = createPageAssets();
  const site = { shop: shell.origins[0] ?? '', assets };
  const provider = createIssuer({ ...deps, site }, options);
  const sender = { provider, logger, count: metrics.countLogout, retryMs: options.logoutRetryMs };

  const app = express();
  app.disable('x-powered-by');
  app.set('trust proxy', options.TRUST_PROXY);
  app.set('query parser', 'simple');
  app.use(
    tracing.requests,
    requestLog(logger, tracing),
    metrics.timeRequests,
    underIssuer(options.OIDC_ISSUER),
  );
  app.use(
    helmet({
      contentSecurityPolicy: {
        useDefaults: false,
        directives: {
          'default-src': ["'none'"],
          'style-src': ["'self'"],
          'script-src': ["'self'"],
          'img-src': ["'self'", 'data:'],
          // Forms redirect back to the shop.
          'form-action': ["'self'", ...shell.origins, ...room.origins],
          'base-uri': ["'none'"],
          'frame-ancestors': ["'none'"],
        },
      },
      // The redirect to the shop must not reveal the interaction's URL.
      referrerPolicy: { policy: 'same-origin' },
      strictTransportSecurity: options.OIDC_ISSUER.startsWith('https:'),
    }),
  );

  // Case-sensitive: the proxy in front blocks exactly these paths.
  const operators = Router({ caseSensitive: true });
  operators.get('/health/live', (_, response) => void response.json({ status: 'live' }));
  operators.get('/health/ready', async (_, response) => {
    const isReady = await deps.isReady();
    response.status(isReady ? 200 : 503).json({ status: isReady ? 'ready' : 'starting' });
  });
  operators.get('/metrics', async (_, response) => {
    response.type(metrics.registry.contentType).send(await metrics.registry.metrics());
  });
  app.use(operators);
  app.use(assets.routes);
  app.get('/', redirectToShop(site));
  app.use(['/interaction', '/reset', OUTBOX_PATH], (_, response, next) => {
    response.set('Cache-Control', 'no-store');
    next();
  });
  const csrfKey = keys.cookieKeys[0] ?? '';
  const visits = createVisits({ provider, site, csrfKey });
  const hasOutboxPage = options.LOCAL_MODE && options.SMTP_URL === undefined;
  const pages = {
    ...deps,
    endSessions: tellClients(deps.endSessions, sender),
    provider,
    visits,
    devices: createDevices(csrfKey, { isSecure: options.OIDC_ISSUER.startsWith('https:') }),
    limits: options.limits ?? (options.LOCAL_MODE ? LOCAL_LIMITS : STRICT_LIMITS),
    outboxPath: hasOutboxPage ? OUTBOX_PATH : undefined,
  };
  app.use(linkRoutes(pages));
  app.use(interactionRoutes(pages));
  if (hasOutboxPage)
    app.get(OUTBOX_PATH, async (_, response) => {
      visits.send(response, 200, outboxPage(await deps.outbox.newest(OUTBOX_LENGTH)));
    });
  if (options.LOCAL_MODE)
    app.use(emailPreviews(() => emailSamples({ issuer: options.OIDC_ISSUER, shop: site.shop })));
  app.use(provider.callback());
  app.use(handleError(site));
  return app;
}
