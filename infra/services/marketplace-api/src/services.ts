import type { Logger } from 'pino';
import { createActivityStore, openActivityDatabase } from './activity/activityStore.ts';
import { createDigest } from './alerts/digest.ts';
import { createFirebasePush, withFirebase } from './alerts/firebasePush.ts';
import { createNewListings, createListingStore, type TakenOver } from './store/listingStore.ts';
import { createPriceDrops } from './alerts/priceDrops.ts';
import { createWebPush } from './alerts/webPush.ts';
import type { AppDeps, AppOptions } from './app.ts';
import { activityPath, databasePath, dealerDiffFolder, peoplePath, type Config } from './config.ts';
import type { ContentSources } from './content/sources.ts';
import type { ListingIndex } from './index/listingIndex.ts';
import { createMailSender, createSmtpTransport, localOutbox } from './mail/mailSender.ts';
import { createIdTokenVerifier } from './people/idToken.ts';
import { createPeople, openPeopleDatabase } from './people/people.ts';
import { createZipDirectory, createPlaceFinder } from './places/places.ts';
import type { Db } from './store/database.ts';
import { setTimeout as wait } from 'node:timers/promises';

const SITE_NAME = 'Forecourt';

/** ms between two looks of the jobs. */
const EVERY = { mails: 1_000, alerts: 60_000, priceDrops: 60_000, sweep: 3_600_000 };
const MS_PER_MINUTE = 60_000;

/** What the app works with, what runs beside it, and how to end both. */
export function createServices(
  config: Config,
  parts: {
    readonly inventory: Db;
    readonly feed: TakenOver;
    readonly index: ListingIndex;
    readonly content: ContentSources;
  },
  logger: Logger,
) {
  const { inventory, feed, index, content } = parts;
  const peopleDb = openPeopleDatabase(peoplePath(config), databasePath(config));
  const activityDb = openActivityDatabase(activityPath(config));
  const people = createPeople(peopleDb);
  const activity = createActivityStore(activityDb);
  const store = createListingStore(inventory, feed);
  const newListings = createNewListings(inventory);
  const zips = createZipDirectory();
  const webPush = createWebPush(peopleDb, { contact: config.PUSH_CONTACT, anyHost: config.LOCAL_MODE });
  const push = config.FIREBASE_SERVICE_ACCOUNT
    ? withFirebase(webPush, createFirebasePush(config.FIREBASE_SERVICE_ACCOUNT))
    : webPush;
  const smtp =
    config.SMTP_URL === undefined ? undefined : createSmtpTransport(config.SMTP_URL, config.MAIL_FROM);
  const transport = smtp ?? localOutbox;
  const mailContext = {
    siteUrl: config.SITE_URL,
    siteName: SITE_NAME,
    unsubscribeUrl: `${config.PUBLIC_API_URL}/cars-for-sale/svc/unsubscribe/`,
  };

  const sender = createMailSender({ mails: people.mails, transport, logger });
  const intervalMs = config.ALERT_INTERVAL_MINUTES * MS_PER_MINUTE;
  const places = createPlaceFinder(zips);
  const digest = createDigest({ people, newListings, index, store, places, mailContext, logger, intervalMs });
  const priceDrops = createPriceDrops({ people, store, push, logger });
  const jobs: Job[] = [
    { name: 'mails', everyMs: EVERY.mails, run: () => sender.sendDue() },
    { name: 'alerts', everyMs: Math.min(EVERY.alerts, intervalMs), run: () => digest.run() },
    { name: 'price drops', everyMs: EVERY.priceDrops, run: () => priceDrops.run() },
    {
      name: 'sweep',
      everyMs: EVERY.sweep,
      run() {
        activity.sweep();
        return people.mails.sweep();
      },
    },
  ];

  const deps: Omit<AppDeps, 'isReady'> = {
    index,
    store,
    people,
    activity,
    newListings,
    push,
    verifyIdToken: createIdTokenVerifier({ issuer: config.OIDC_ISSUER, audience: config.OIDC_CLIENT_ID }),
    zips,
    content,
    logger,
  };
  const options: AppOptions = {
    isLocal: config.LOCAL_MODE,
    mailContext,
    valuationUrl: config.VALUATION_BASE,
    leadRecipient: config.LEAD_RECIPIENT,
    reportsTo: config.REPORTS_TO,
    dealerDiffFolder: dealerDiffFolder(config),
    writeLimit: config.WRITE_LIMIT,
  };
  return {
    deps,
    options,
    jobs,
    close() {
      smtp?.close();
      peopleDb.close();
      activityDb.close();
    },
  };
}

export interface Job {
  readonly name: string;
  /** ms from the end of one run to the start of the next. */
  readonly everyMs: number;
  /** Gives how much was done, for the log. */
  readonly run: () => Promise<number> | number;
}

/**
 * Runs jobs side by side, each again and again until the signal is aborted.
 * One that fails is logged and comes again. Resolves when the last run ended.
 */
export async function runJobs(jobs: readonly Job[], logger: Logger, signal: AbortSignal): Promise<void> {
  const loop = async ({ name, everyMs, run }: Job) => {
    while (!signal.aborted) {
      try {
        const done = await run();
        if (done > 0) logger.info({ job: name, done }, 'job done');
      } catch (error) {
        logger.error({ err: error, job: name }, 'job failed');
      }
      await wait(everyMs, undefined, { signal }).catch(() => undefined);
    }
  };
  await Promise.all(jobs.map(loop));
}
