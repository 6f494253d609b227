import compression from 'compression';
import express from 'express';
import helmet from 'helmet';
import type { Logger } from 'pino';
import { answerError, limitUrl, notFound } from './http/errors.ts';
import { createFaults } from './http/faults.ts';
import { healthRoutes } from './http/healthRoutes.ts';
import { listingRoutes } from './http/listingRoutes.ts';
import { createMetrics } from './http/metrics.ts';
import { pictureRoutes } from './http/pictureRoutes.ts';
import { requestLog } from './http/requestLog.ts';
import { siteRoutes } from './http/siteRoutes.ts';
import type { ListingIndex } from './index/listingIndex.ts';
import { leadRoutes } from './leads/leadRoutes.ts';
import type { LeadStore } from './leads/leadStore.ts';
import type { ZipDirectory } from './places/zips.ts';
import { referenceRoutes } from './reference/referenceRoutes.ts';
import { createListingSearch } from './search/listingSearch.ts';
import { createPlaceFinder } from './search/places.ts';
import type { ListingStore } from './store/listingStore.ts';

export interface AppDeps {
  readonly index: ListingIndex;
  readonly store: ListingStore;
  readonly leads: LeadStore;
  readonly zips: ZipDirectory;
  readonly logger: Logger;
  readonly isReady: () => boolean;
  /** Milliseconds since 1970. */
  readonly now?: () => number;
}

/** The upstream as an Express app. `isLocal` opens fault injection and the list of leads. */
export function createApp(deps: AppDeps, { isLocal = false }: { isLocal?: boolean } = {}): express.Express {
  const { index, store, leads, zips, logger, isReady, now = Date.now } = deps;
  const places = createPlaceFinder(zips);
  const search = createListingSearch({ index, store, now });
  const metrics = createMetrics(index);

  const app = express();
  app.disable('x-powered-by');
  app.use(requestLog(logger), metrics.timeRequests, helmet(), limitUrl);
  app.use(healthRoutes(isReady), metrics.routes);
  if (isLocal) {
    const faults = createFaults();
    app.use(faults.routes, faults.inject);
  }
  app.use(compression({ threshold: 2048 }));
  app.use(
    listingRoutes({ search, places }),
    referenceRoutes({ index, places, now }),
    siteRoutes({ zips }),
    pictureRoutes(),
    leadRoutes({ leads, store, isLocal }),
  );
  app.use(notFound, answerError);
  return app;
}
