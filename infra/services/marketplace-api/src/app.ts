import type { CreateRateCounters } from '@forecourt/service-kit/rateCounters';
import { randomUUID } from 'node:crypto';
import compression from 'compression';
import express from 'express';
import helmet from 'helmet';
import type { Logger } from '@forecourt/service-kit/log';
import {
  type ActivityStore,
  communityRoutes,
  createCallers,
  type IdTokenVerifier,
  type MailContext,
  emailSamples,
  outboxRoutes,
  type People,
  type PushSender,
} from './community/index.ts';
import type { ZipDirectory } from './domain/places/index.ts';
import {
  type ImportPageDeps,
  importPages,
  type ListingStore,
  type NewListings,
  type PhotoFiles,
  photoRoutes,
  type PhotoStore,
  type SharePainter,
} from './inventory/index.ts';
import {
  type ContentSources,
  createSearch,
  daysOf,
  type DealerPages,
  type ListingIndex,
} from './search/index.ts';
import { emailPreviews } from '@forecourt/service-kit/email';
import { requestLog } from '@forecourt/service-kit/requestLog';
import { NO_TRACING, type Tracing, traceMethods } from '@forecourt/service-kit/tracing';
import { limitUrl, limitWrites, notFound, omitLength, sendError } from './http/middleware.ts';
import { advertiseBatches, batchRoutes, refuseReadsUntil } from './http/batch.ts';
import { createFaults } from './http/faults.ts';
import { createMetrics, healthRoutes } from './http/operations.ts';
import { ReadTable } from './http/reads.ts';
import { openApiRoutes } from './http/openApi.ts';

export interface AppDeps {
  readonly index: ListingIndex;
  readonly store: ListingStore;
  readonly people: People;
  readonly activity: ActivityStore;
  readonly newListings: NewListings;
  readonly push: PushSender;
  readonly verifyIdToken: IdTokenVerifier;
  readonly zips: ZipDirectory;
  readonly content: ContentSources;
  readonly photoFiles: PhotoFiles;
  readonly dealerPages: DealerPages;
  readonly sharePainter: SharePainter;
  /** Photos of feeds by state, for metrics. */
  readonly countPhotos: PhotoStore['counts'];
  readonly imports: Omit<ImportPageDeps, 'password'>;
  readonly logger: Logger;
  /** Default: nothing is traced. */
  readonly tracing?: Tracing;
  /** Counters of the write limit that replicas share; without them, a process counts for itself. */
  readonly counters?: CreateRateCounters | undefined;
  readonly isReady: () => boolean;
  /** Whether the index has been loaded; reads fail before. Default: it has. */
  readonly isLoaded?: () => boolean;
  /** Milliseconds since 1970. */
  readonly now?: () => number;
}

export interface AppOptions {
  /** Enables fault injection, the outbox and the lists of leads and reports. */
  readonly isLocal?: boolean;
  readonly mailContext: MailContext;
  /** Origin of the valuation site's articles. */
  readonly valuationUrl: string;
  readonly leadRecipient?: string;
  readonly reportsTo: string;
  /** Of the pages about imports. Without it, they are there in local mode only. */
  readonly operatorPassword?: string | undefined;
  /** Writes per minute and caller. */
  readonly writeLimit: number;
}

/** Steps of a request that have spans of their own. */
const INDEX_READS = [
  'search',
  'count',
  'groupPrices',
  'mileageStats',
  'countByOwner',
  'sellers',
  'vehicles',
] as const;
const STORE_READS = [
  'listings',
  'everListed',
  'idsOfVins',
  'idsOfStockNumber',
  'owners',
  'alphaOwners',
  'sitemapFiles',
  'sitemapVehicles',
] as const;

/** The marketplace API as an Express app; middleware and routes in the order in which requests meet them. */
export function createApp(deps: AppDeps, options: AppOptions): express.Express {
  const { people, activity, newListings, push, content, now = Date.now, tracing = NO_TRACING } = deps;
  const index = traceMethods(tracing, 'index', deps.index, INDEX_READS);
  const store = traceMethods(tracing, 'listings', deps.store, STORE_READS);
  const { isLocal = false, mailContext, leadRecipient, reportsTo, operatorPassword: password } = options;
  const callers = createCallers(deps.verifyIdToken);
  const { search, places, ...searchPart } = createSearch({
    index,
    store,
    content,
    zips: deps.zips,
    photoFiles: deps.photoFiles,
    dealerPages: deps.dealerPages,
    sharePainter: deps.sharePainter,
    valuationUrl: options.valuationUrl,
    ...mailContext,
    now,
  });
  const metrics = createMetrics({
    countListings: () => index.size,
    countMails: () => people.mails.counts(),
    countPhotos: deps.countPhotos,
    latestFeeds: deps.imports.runs.latest,
  });

  // Reads of the stock depend on its listings, on the day (ages) and on this version of the code.
  const started = randomUUID();
  const stockVersion = () => `${started}.${index.version}.${daysOf(now())}`;
  const reads = new ReadTable(searchPart.reads, stockVersion, tracing.step);

  const app = express();
  app.disable('x-powered-by');
  app.use(tracing.requests);
  app.use(requestLog(deps.logger, tracing), metrics.timeRequests, helmet(), advertiseBatches, limitUrl);
  app.use(healthRoutes(deps.isReady), metrics.routes);
  if (deps.isLoaded) app.use(refuseReadsUntil(deps.isLoaded));
  const faults = isLocal ? createFaults() : undefined;
  if (faults) app.use(faults.routes, faults.inject);
  app.use(batchRoutes({ reads, faults: faults?.injectPart, timeCall: metrics.timeCall, step: tracing.step }));
  app.use(
    omitLength,
    compression({ threshold: 2048 }),
    limitWrites(options.writeLimit, callers, deps.counters),
  );
  app.use(
    reads.routes(),
    photoRoutes(deps.photoFiles),
    ...searchPart.routes,
    ...communityRoutes({
      people,
      activity,
      callers,
      push,
      index,
      store,
      newListings,
      catalog: content.catalog,
      search,
      places,
      mailContext,
      leadRecipient,
      reportsTo,
      isLocal,
      now,
    }),
    openApiRoutes(isLocal),
  );
  if (isLocal)
    app.use(
      outboxRoutes(people.mails),
      emailPreviews(() => emailSamples(mailContext)),
    );
  if (isLocal || password !== undefined) app.use(importPages({ ...deps.imports, password }));
  app.use(notFound, sendError);
  return app;
}
