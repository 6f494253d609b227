import compression from 'compression';
import express from 'express';
import helmet from 'helmet';
import type { Logger } from 'pino';
import { accountRoutes } from './account/accountRoutes.ts';
import { activityRoutes } from './activity/activityRoutes.ts';
import type { ActivityStore } from './activity/activityStore.ts';
import { adRoutes } from './ads/adRoutes.ts';
import { alertRoutes } from './alerts/alertRoutes.ts';
import { deviceRoutes } from './alerts/deviceRoutes.ts';
import type { NewListings } from './alerts/newListings.ts';
import type { PushSender } from './alerts/pushSender.ts';
import type { MailContext } from './contact/contactMails.ts';
import { contactRoutes } from './contact/contactRoutes.ts';
import { contentRoutes } from './content/contentRoutes.ts';
import { answerError, limitUrl, notFound } from './http/errors.ts';
import { createFaults } from './http/faults.ts';
import { healthRoutes } from './http/healthRoutes.ts';
import { listingRoutes } from './http/listingRoutes.ts';
import { createMetrics } from './http/metrics.ts';
import { pictureRoutes } from './http/pictureRoutes.ts';
import { openApiRoutes } from './http/openApiRoutes.ts';
import { limitWrites } from './http/rateLimit.ts';
import { requestLog } from './http/requestLog.ts';
import { siteRoutes } from './http/siteRoutes.ts';
import type { ListingIndex } from './index/listingIndex.ts';
import { leadRoutes } from './leads/leadRoutes.ts';
import { outboxRoutes } from './mail/outboxRoutes.ts';
import { paymentRoutes } from './payments/paymentRoutes.ts';
import { createCallers } from './people/caller.ts';
import type { IdTokenVerifier } from './people/idToken.ts';
import type { People } from './people/people.ts';
import type { ZipDirectory } from './places/zips.ts';
import { referenceRoutes } from './reference/referenceRoutes.ts';
import { researchRoutes } from './research/researchRoutes.ts';
import { createEditorial } from './content/editorial.ts';
import { createListingSearch } from './search/listingSearch.ts';
import { createPlaceFinder } from './search/places.ts';
import type { ListingStore } from './store/listingStore.ts';

export interface AppDeps {
  readonly index: ListingIndex;
  readonly store: ListingStore;
  readonly people: People;
  readonly activity: ActivityStore;
  readonly newListings: NewListings;
  readonly push: PushSender;
  readonly verifyIdToken: IdTokenVerifier;
  readonly zips: ZipDirectory;
  readonly logger: Logger;
  readonly isReady: () => boolean;
  /** Milliseconds since 1970. */
  readonly now?: () => number;
}

export interface AppOptions {
  /** Opens fault injection, the outbox and the lists of leads and reports. */
  readonly isLocal?: boolean;
  readonly mailContext: MailContext;
  /** Origin of the valuation site's articles. */
  readonly valuationUrl: string;
  readonly leadRecipient?: string;
  readonly reportsTo: string;
  /** Folder of dealers' own HTML. */
  readonly dealerDiffFolder?: string;
  /** Writes a minute of one caller. */
  readonly writeLimit: number;
}

/** The upstream as an Express app. */
export function createApp(deps: AppDeps, options: AppOptions): express.Express {
  const { index, store, people, activity, newListings, push, zips, logger, isReady, now = Date.now } = deps;
  const { isLocal = false, mailContext } = options;
  const { siteUrl, siteName } = mailContext;
  const callers = createCallers(deps.verifyIdToken);
  const places = createPlaceFinder(zips);
  const search = createListingSearch({
    index,
    store,
    now,
    editorial: createEditorial({ valuationUrl: options.valuationUrl, now }),
  });
  const metrics = createMetrics(index, people.mails);

  const app = express();
  app.disable('x-powered-by');
  app.use(requestLog(logger), metrics.timeRequests, helmet(), limitUrl);
  app.use(healthRoutes(isReady), metrics.routes);
  if (isLocal) {
    const faults = createFaults();
    app.use(faults.routes, faults.inject);
  }
  app.use(compression({ threshold: 2048 }), limitWrites(options.writeLimit));
  app.use(
    listingRoutes({ search, places }),
    referenceRoutes({ index, places, now }),
    siteRoutes({ zips }),
    pictureRoutes(),
    leadRoutes({
      people,
      activity,
      callers,
      store,
      siteUrl,
      siteName,
      leadRecipient: options.leadRecipient,
      isLocal,
    }),
    contactRoutes({ people, callers, store, mailContext, reportsTo: options.reportsTo, isLocal, now }),
    accountRoutes({ people, callers, store }),
    alertRoutes({ people, callers, index, search, places, newListings, mailContext }),
    deviceRoutes({ people, callers, push }),
    activityRoutes({ people, activity, callers, store, index }),
    researchRoutes({ valuationUrl: options.valuationUrl, siteUrl }),
    contentRoutes({ store, dealerDiffFolder: options.dealerDiffFolder }),
    paymentRoutes({ store, people, now }),
    adRoutes({ index }),
    openApiRoutes(),
  );
  if (isLocal) app.use(outboxRoutes(people.mails));
  app.use(notFound, answerError);
  return app;
}
