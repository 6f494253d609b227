import type { Logger } from '@forecourt/service-kit/log';
import {
  type ActivityStore,
  createActivityStore,
  type DigestDeps,
  createDigest,
  createPriceDrops,
  createFirebasePush,
  withFirebase,
  createWebPush,
  type PushSender,
  type MailTransport,
  createMailSender,
  createSmtpTransport,
  localOutbox,
  createIdTokenVerifier,
  type People,
  createPeople,
} from './community/index.ts';
import { createRateCounters } from '@forecourt/service-kit/rateCounters';
import type { Alarm } from '@forecourt/service-kit/alarm';
import { createLease, isLeaseHeld } from '@forecourt/service-kit/lease';
import type { Sql } from '@forecourt/service-kit/sql';
import { type Tracing, traceSql } from '@forecourt/service-kit/tracing';
import {
  createListingStore,
  createNewListings,
  type IndexProgress,
  createPhotoEncoder,
  createPictureProcesses,
  createPhotoFetcher,
  type PhotoFetcher,
  createPhotoStore,
  createFeedSchedule,
  readFeeds,
  type StockChange,
  readPreview,
  createFeedRuns,
  type StockLog,
  createSharePainter,
} from './inventory/index.ts';
import type { AppDeps, AppOptions } from './app.ts';
import type { Job } from './jobs.ts';
import { runImporter } from './runImporter.ts';
import type { Config } from './config.ts';
import { type ContentSources, type ListingIndex, openIndexer } from './search/index.ts';
import { openDealerPages, openPhotoFiles, type UserStorage } from './openStorage.ts';
import { createPlaceFinder, createZipDirectory } from './domain/places/index.ts';

const SITE_NAME = 'Forecourt';

/** ms between two runs of each job. */
const INTERVALS_MS = {
  mails: 1_000,
  alerts: 60_000,
  priceDrops: 60_000,
  sweep: 3_600_000,
  photos: 2_000,
  feeds: 30_000,
  index: 200,
  serving: 1_000,
};
/** ms after which another replica continues with the index; if two write, the order of their versions holds. */
const INDEX_LEASE_MS = 6_000;
/** ms until no replica searches in a replaced index. */
const INDEX_GRACE_MS = 30_000;
/** ms between two emails about one search. */
const ALERT_INTERVAL_MS = 86_400_000;
const AT_ONCE_INTERVAL_MS = 15 * 60_000;

/** Creates the app's dependencies and background jobs from the configuration, and closes them. */
export async function createServices(
  config: Config,
  parts: {
    readonly users: UserStorage;
    readonly inventory: Sql;
    readonly feed: IndexProgress;
    readonly index: ListingIndex;
    readonly content: ContentSources;
    readonly tracing: Tracing;
  },
  logger: Logger,
) {
  const { users, inventory, feed, index, content, tracing } = parts;
  const people = createPeople(traceSql(tracing, users.people));
  const activity = createActivityStore(traceSql(tracing, users.activity));
  const store = createListingStore(inventory, feed);
  const newListings = await createNewListings(inventory);
  const zips = createZipDirectory();
  const push = await createPush(config, users.people);
  const smtp =
    config.SMTP_URL === undefined
      ? undefined
      : createSmtpTransport({ url: config.SMTP_URL, from: config.MAIL_FROM, isLocal: config.LOCAL_MODE });
  const mailContext = { siteUrl: config.SITE_URL, siteName: SITE_NAME };
  const { photoFiles, photos, encoder } = await createPhotos(config, inventory, logger);
  const sharePainter = createSharePainter();
  const jobs = createJobs({
    photos,
    inventory,
    config,
    logger,
    people,
    activity,
    push,
    transport: smtp ?? localOutbox,
    digest: { newListings, index, store, places: createPlaceFinder(zips), mailContext },
  });
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
    photoFiles,
    dealerPages: await openDealerPages(config),
    sharePainter,
    ...stockReports(config, inventory, logger),
    logger,
    tracing,
    ...(config.DATABASE_URL !== undefined && { counters: createRateCounters(users.activity) }),
  };
  const options: AppOptions = {
    isLocal: config.LOCAL_MODE,
    mailContext,
    valuationUrl: config.PUBLIC_API_URL,
    leadRecipient: config.LEAD_RECIPIENT,
    reportsTo: config.REPORTS_TO,
    operatorPassword: config.OPERATOR_PASSWORD,
    writeLimit: config.WRITE_LIMIT,
  };
  return {
    deps,
    options,
    jobs,
    async close() {
      encoder.close();
      sharePainter.close();
      smtp?.close();
      await users.people.close();
      await users.activity.close();
      await inventory.close();
    },
  };
}

/** Push to browsers, through Firebase too if it is configured. */
async function createPush(config: Config, people: Sql): Promise<PushSender> {
  const { MAIL_FROM: from, LOCAL_MODE: anyHost, FIREBASE_SERVICE_ACCOUNT: firebase } = config;
  const contact = `mailto:${/<(.*)>/.exec(from)?.[1] ?? from}`;
  const webPush = await createWebPush(people, { contact, anyHost });
  return firebase ? withFirebase(webPush, createFirebasePush(firebase)) : webPush;
}

const CHANGE_OPTIONS: Readonly<Record<StockChange, (source: string) => readonly string[]>> = {
  undo: (source) => ['--undo', source],
  approve: (source) => ['--feed', source, '--approve-shrink'],
  import: (source) => ['--feed', source],
  preview: (source) => ['--feed', source, '--preview'],
  mapping: (source) => ['--feed', source, '--save-mapping'],
};

/** Photos for metrics; imports for these and for operators. */
function stockReports(
  { FEEDS_FILE: path }: Config,
  inventory: Sql,
  logger: Logger,
): Pick<AppDeps, 'countPhotos' | 'imports'> {
  const photoStore = createPhotoStore(inventory);
  return {
    countPhotos: () => photoStore.counts(),
    imports: {
      runs: createFeedRuns(inventory),
      preview: (source) => readPreview(inventory, source),
      feeds: () => (path === undefined ? [] : readFeeds(path).map(({ name }) => name)),
      change(change, source) {
        runImporter(CHANGE_OPTIONS[change](source)).then(
          (exitStatus) => logger.info({ feed: source, change, exitStatus }, 'stock changed by an operator'),
          (error: unknown) => logger.error({ err: error, feed: source, change }, 'stock not changed'),
        );
      },
    },
  };
}

async function createPhotos(config: Config, inventory: Sql, logger: Logger) {
  const photoFiles = await openPhotoFiles(config, inventory);
  const encoder = createPictureProcesses(config.PHOTO_ENCODERS, () => createPhotoEncoder());
  const photos = createPhotoFetcher({
    store: createPhotoStore(inventory),
    files: photoFiles,
    encoder,
    logger,
    internalOrigins: config.INTERNAL_PHOTO_ORIGINS,
  });
  return { photoFiles, photos, encoder };
}

interface JobParts {
  readonly config: Config;
  readonly logger: Logger;
  readonly people: People;
  readonly activity: ActivityStore;
  readonly photos: PhotoFetcher;
  readonly inventory: Sql;
  readonly push: PushSender;
  readonly transport: MailTransport;
  readonly digest: Pick<DigestDeps, 'newListings' | 'index' | 'store' | 'places' | 'mailContext'>;
}

/** Background jobs: sending emails, alerts, price drops and cleanup. */
function createJobs({
  config,
  logger,
  people,
  activity,
  photos,
  inventory,
  push,
  transport,
  digest: parts,
}: JobParts): Job[] {
  const sender = createMailSender({ mails: people.mails, transport, logger });
  const digest = createDigest({
    ...parts,
    people,
    logger,
    intervalMs: ALERT_INTERVAL_MS,
    atOnceMs: AT_ONCE_INTERVAL_MS,
  });
  const priceDrops = createPriceDrops({ people, store: parts.store, push, logger });
  const sweep = async () => {
    await activity.sweep();
    return people.sweep();
  };
  return [
    { name: 'mails', everyMs: INTERVALS_MS.mails, run: () => sender.sendDue() },
    {
      name: 'alerts',
      everyMs: INTERVALS_MS.alerts,
      run: (signal) => digest.run(signal),
      isShared: true,
    },
    {
      name: 'price drops',
      everyMs: INTERVALS_MS.priceDrops,
      run: (signal) => priceDrops.run(signal),
      isShared: true,
    },
    { name: 'photos', everyMs: INTERVALS_MS.photos, run: (signal) => photos.run(signal), isShared: true },
    ...(config.FEEDS_FILE
      ? [
          {
            name: 'feeds',
            everyMs: INTERVALS_MS.feeds,
            run: createFeedSchedule({
              path: config.FEEDS_FILE,
              runs: createFeedRuns(inventory),
              logger,
              importFeed: (name, signal) => runImporter(['--feed', name], signal),
            }),
            isShared: true,
          },
        ]
      : []),
    { name: 'unused photos', everyMs: INTERVALS_MS.sweep, run: () => photos.sweep(), isShared: true },
    { name: 'sweep', everyMs: INTERVALS_MS.sweep, run: sweep, isShared: true },
  ];
}

/** Its turns say that the index of all replicas has changed. */
export const INDEX_TURN = 'index';

/** What keeps the index of all replicas, and the lease of those that know its definition. */
export interface SharedIndexer {
  readonly job: Job;
  /** Of a replica that is ready: says so to those that start. */
  readonly serving: Job;
  /** Whether a ready replica searches in the index. */
  readonly isServed: () => Promise<boolean>;
  readonly close: () => Promise<void>;
}

/** Keeps the index that all replicas search like their stock. */
export async function createSharedIndexer(
  config: Config & { readonly SEARCH_URL: string },
  {
    log,
    sql,
    inventory,
    alarm,
  }: {
    readonly log: StockLog;
    /** Of leases. */
    readonly sql: Sql;
    readonly inventory: Sql;
    /** Rings when the stock has changed. */
    readonly alarm: Alarm;
  },
): Promise<SharedIndexer> {
  const leaseOf = (definition: string) =>
    createLease(sql, `index ${definition}`, { leaseMs: INDEX_LEASE_MS });
  const indexer = await openIndexer({
    url: config.SEARCH_URL,
    prefix: config.SEARCH_INDEX,
    shards: config.SEARCH_SHARDS,
    timeoutMs: config.SEARCH_TIMEOUT_MS,
    graceMs: INDEX_GRACE_MS,
    async alone(definition, work) {
      const lease = leaseOf(definition);
      if (!(await lease.hold())) return false;
      try {
        await work();
      } finally {
        await lease.release();
      }
      return true;
    },
  });
  const served = `index ${indexer.definition} is served`;
  return {
    serving: {
      name: 'serving',
      everyMs: INTERVALS_MS.serving,
      // Its lease says it.
      run: () => 0,
      lease: createLease(sql, served),
    },
    isServed: () => isLeaseHeld(sql, served),
    job: {
      name: 'index',
      everyMs: INTERVALS_MS.index,
      async run(signal) {
        const written = await indexer.bringUpTo(log, signal);
        if (written > 0) await inventory.inTurn(INDEX_TURN, () => Promise.resolve());
        return written;
      },
      lease: leaseOf(indexer.definition),
      alarm,
    },
    close: indexer.close,
  };
}
