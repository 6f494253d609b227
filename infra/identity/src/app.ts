import express, { type Express } from 'express';
import helmet from 'helmet';
import type { Logger } from 'pino';
import type { Accounts } from './accounts/accounts.ts';
import type { Config } from './config.ts';
import { frontDoor, handleError } from './http/errors.ts';
import { interactionRoutes } from './http/interactionRoutes.ts';
import type { Metrics } from './http/metrics.ts';
import { LOCAL_LIMITS, STRICT_LIMITS, type Limits } from './http/rateLimits.ts';
import type { Keys } from './oidc/keys.ts';
import { createIssuer, type IssuerOptions } from './oidc/provider.ts';
import { createPageAssets } from './pages/assets.ts';
import type { Adapter } from 'oidc-provider';

export interface AppDeps {
  readonly accounts: Accounts;
  readonly adapter: (model: string) => Adapter;
  readonly keys: Keys;
  readonly metrics: Metrics;
  readonly logger: Logger;
  /** Does the database answer? */
  readonly isReady: () => boolean;
}

export type AppOptions = IssuerOptions & Pick<Config, 'LOCAL_MODE'> & { readonly limits?: Limits };

/** The identity service as an Express app. Reads no environment and does not listen. */
export function createApp(deps: AppDeps, options: AppOptions): Express {
  const { accounts, keys, metrics, logger } = deps;
  const assets = createPageAssets();
  const site = { name: 'Forecourt', origin: options.OIDC_CLIENT_ORIGINS[0] ?? '/', assets };
  const provider = createIssuer({ ...deps, site }, options);

  const app = express();
  app.disable('x-powered-by');
  app.set('trust proxy', options.TRUST_PROXY);
  app.set('query parser', 'simple');
  app.use(metrics.timeRequests);
  app.use(
    helmet({
      contentSecurityPolicy: {
        useDefaults: false,
        directives: {
          'default-src': ["'none'"],
          'style-src': ["'self'"],
          'script-src': ["'self'"],
          'img-src': ["'self'", 'data:'],
          // A form's answer leads back to the shop.
          'form-action': ["'self'", ...options.OIDC_CLIENT_ORIGINS],
          'base-uri': ["'none'"],
          'frame-ancestors': ["'none'"],
        },
      },
      // The way back to the shop must not tell it which visit this was.
      referrerPolicy: { policy: 'same-origin' },
      strictTransportSecurity: options.OIDC_ISSUER.startsWith('https:'),
    }),
  );

  app.get('/health/live', (_, response) => void response.json({ status: 'live' }));
  app.get('/health/ready', (_, response) => {
    const isReady = deps.isReady();
    response.status(isReady ? 200 : 503).json({ status: isReady ? 'ready' : 'starting' });
  });
  app.get('/metrics', async (_, response) => {
    response.type(metrics.registry.contentType).send(await metrics.registry.metrics());
  });
  app.use(assets.routes);
  app.get('/', frontDoor(site));
  app.use('/interaction', (_, response, next) => {
    response.set('Cache-Control', 'no-store');
    next();
  });
  app.use(
    interactionRoutes({
      provider,
      accounts,
      site,
      metrics,
      csrfKey: keys.cookieKeys[0] ?? '',
      limits: options.limits ?? (options.LOCAL_MODE ? LOCAL_LIMITS : STRICT_LIMITS),
    }),
  );
  app.use(provider.callback());
  app.use(handleError(logger, site));
  return app;
}
