import type { CreateRateCounters } from '@forecourt/service-kit/rateCounters';
import { randomUUID } from 'node:crypto';
import compression from 'compression';
import express from 'express';
import helmet from 'helmet';
import type { Logger } from 'pino';
import { accountRoutes } from './community/people/accountRoutes.ts';
import { activityRoutes } from './community/activity/activityRoutes.ts';
import type { ActivityStore } from './community/activity/activityStore.ts';
import {
  adRoutes,
  certifiedReads,
  contentRoutes,
  type ContentSources,
} from './search/content/contentRoutes.ts';
import { alertRoutes } from './community/alerts/alertRoutes.ts';
import { type PushSender, deviceRoutes } from './community/alerts/webPush.ts';
import type { ListingStore, NewListings } from './inventory/store/listingStore.ts';
import { type MailContext, contactRoutes } from './community/messages/contactRoutes.ts';
import { photoRoutes, type PhotoFiles } from './inventory/photos/photoFiles.ts';
import { pictureRoutes } from './search/content/pictureRoutes.ts';
import { shareRoutes } from './search/content/shareRoutes.ts';
import { type ImportPageDeps, importPages } from './inventory/import/importPages.ts';
import type { PhotoStore } from './inventory/photos/photoStore.ts';
import type { SharePainter } from './inventory/photos/sharePainter.ts';
import { requestLog } from '@forecourt/service-kit/requestLog';
import { NO_TRACING, type Tracing, traceMethods } from '@forecourt/service-kit/tracing';
import { limitUrl, limitWrites, notFound, omitLength, sendError } from './http/middleware.ts';
import { advertiseBatches, batchRoutes, refuseReadsUntil } from './http/batch.ts';
import { createFaults } from './http/faults.ts';
import { createMetrics, healthRoutes } from './http/operations.ts';
import { listingRoutes } from './search/listings/listingRoutes.ts';
import { ReadTable } from './http/reads.ts';
import { openApiRoutes } from './http/openApi.ts';
import { referenceRoutes, siteRoutes } from './search/reference/referenceRoutes.ts';
import type { ListingIndex } from './search/listingIndex/listingIndex.ts';
import { leadRoutes } from './community/messages/leadRoutes.ts';
import { outboxRoutes } from './community/mail/mailSender.ts';
import { paymentRoutes } from './community/payments/paymentRoutes.ts';
import { type IdTokenVerifier, createCallers } from './community/people/caller.ts';
import type { People } from './community/people/people.ts';
import { type ZipDirectory, createPlaceFinder } from './domain/places/index.ts';
import { articleRoutes, createEditorial, researchReads } from './search/content/researchRoutes.ts';
import { daysOf } from './search/listings/presenter.ts';
import { ListingSearch } from './search/listings/listingSearch.ts';

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
  /** Folder of the dealers' own HTML files. */
  readonly dealerDiffFolder?: string;
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
  const { people, activity, newListings, push, zips, content, now = Date.now, tracing = NO_TRACING } = deps;
  const index = traceMethods(tracing, 'index', deps.index, INDEX_READS);
  const store = traceMethods(tracing, 'listings', deps.store, STORE_READS);
  const { catalog, pictures, research } = content;
  const { isLocal = false, mailContext, leadRecipient, operatorPassword: password } = options;
  const { siteUrl, siteName } = mailContext;
  const callers = createCallers(deps.verifyIdToken);
  const places = createPlaceFinder(zips);
  const editorial = createEditorial({ catalog, research, valuationUrl: options.valuationUrl, now });
  const search = new ListingSearch({ index, store, catalog, pictures, editorial, now });
  const metrics = createMetrics({
    countListings: () => index.size,
    countMails: () => people.mails.counts(),
    countPhotos: deps.countPhotos,
    latestFeeds: deps.imports.runs.latest,
  });

  // Reads of the stock depend on its listings, on the day (ages) and on this version of the code.
  const started = randomUUID();
  const stockVersion = () => `${started}.${index.version}.${daysOf(now())}`;
  const reads = new ReadTable(
    [
      ...listingRoutes({ search, index, places }),
      ...referenceRoutes({ index, catalog, places, now }),
      ...siteRoutes({ zips }),
      ...researchReads({ research, valuationUrl: options.valuationUrl }),
      ...certifiedReads(content.certifiedPrograms),
    ],
    stockVersion,
    tracing.step,
  );

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
    shareRoutes({
      index,
      store,
      pictures,
      photoFiles: deps.photoFiles,
      painter: deps.sharePainter,
      siteName,
    }),
    pictureRoutes(pictures),
    leadRoutes({ people, activity, callers, store, siteUrl, siteName, leadRecipient, isLocal }),
    contactRoutes({ people, callers, store, mailContext, reportsTo: options.reportsTo, isLocal }),
    accountRoutes({ people, callers, store }),
    alertRoutes({ people, callers, index, catalog, search, places, newListings, mailContext }),
    deviceRoutes({ people, callers, push }),
    activityRoutes({ people, activity, callers, store, index }),
    articleRoutes({ research, siteUrl }),
    contentRoutes({ store, pictures, dealerDiffFolder: options.dealerDiffFolder }),
    paymentRoutes({ store, people, now }),
    adRoutes({ index, ads: content.ads }),
    openApiRoutes(),
  );
  if (isLocal) app.use(outboxRoutes(people.mails));
  if (isLocal || password !== undefined) app.use(importPages({ ...deps.imports, password }));
  app.use(notFound, sendError);
  return app;
}
