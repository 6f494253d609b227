import { mkdtempSync, rmSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Logger } from '@forecourt/service-kit/log';
import { pino } from 'pino';
import { type AppDeps, createApp } from '../app.ts';
import type { StockListing, StockOwner } from '../domain/stock.ts';
import { createColumnarIndex } from '../search/listingIndex/columnarIndex.ts';
import type { ListingIndex } from '../search/listingIndex/listingIndex.ts';
import { DEMO_DATA_MODULE, loadDemoData } from '../demoData.ts';
import type { ContentSources } from '../search/content/contentSources.ts';
import { createDealerPageFolder, type DealerPages } from '../search/content/dealerPages.ts';
import { createPhotoFolder, type PhotoFiles } from '../inventory/photos/photoFiles.ts';
import { createPhotoStore } from '../inventory/photos/photoStore.ts';
import { createFeedRuns } from '../inventory/store/importLog.ts';
import { createSharePainter, type SharePainter } from '../inventory/photos/sharePainter.ts';
import { createZipDirectory } from '../domain/places/index.ts';
import { createRateCounters } from '@forecourt/service-kit/rateCounters';
import { createSqliteSql } from '@forecourt/service-kit/sqlite';
import { NO_TRACING, type Tracing, traceSql } from '@forecourt/service-kit/tracing';
import { createActivityStore, openActivityDatabase } from '../community/activity/activityStore.ts';
import { createListingStore, createNewListings } from '../inventory/store/listingStore.ts';
import { openInventory } from '../inventory/store/inventoryTables.ts';
import { createStockLog } from '../inventory/store/stockLog.ts';
import type { PushSender } from '../community/alerts/webPush.ts';
import { IdTokenError, type IdTokenVerifier } from '../community/people/caller.ts';
import type { UserStorage } from '../openStorage.ts';
import { createPeople, openPeopleDatabase } from '../community/people/people.ts';
import { createIndexFeed } from '../inventory/store/indexFeed.ts';
import { createInventoryWriter } from '../inventory/store/inventoryWriter.ts';

export const TEST_NOW = Date.UTC(2026, 10, 1);

const zips = createZipDirectory();

const { createDemoContent, generateInventory, generateOwners } = await loadDemoData(DEMO_DATA_MODULE);

/** The demo data's content, which test apps serve by default. */
export const demoContent = createDemoContent();

/** Generated inventory, deterministic per size. */
export function generatedStock(size: number): { owners: StockOwner[]; listings: StockListing[] } {
  const options = { size, seed: 7, today: new Date(TEST_NOW), zips };
  return { owners: [...generateOwners(options)], listings: [...generateInventory(options)] };
}

/** 'token-of-ada' is the account 'ada'; every other token is invalid. */
const verifyTestToken: IdTokenVerifier = (token) => {
  const account = /^token-of-(\w+)$/.exec(token)?.[1];
  return account === undefined
    ? Promise.reject(new IdTokenError('INVALID_TOKEN', 'no token of a test'))
    : Promise.resolve({
        account,
        verifiedEmail: `${account}@example.com`,
        name: { first: account, last: 'Test' },
      });
};

/** Accepts tokens and sends nothing. */
const idlePush: PushSender = {
  publicKey: 'test-key',
  accepts: (token) => token !== 'refused',
  send: () => Promise.resolve('sent'),
};

export interface TestAppOptions {
  readonly index?: ListingIndex;
  readonly isLocal?: boolean;
  readonly writeLimit?: number;
  readonly verifyIdToken?: IdTokenVerifier;
  readonly push?: PushSender;
  readonly dealerPages?: DealerPages;
  readonly content?: ContentSources;
  readonly sharePainter?: SharePainter;
  readonly photoFiles?: PhotoFiles;
  readonly imports?: Partial<AppDeps['imports']>;
  readonly operatorPassword?: string;
  readonly now?: () => number;
  readonly logger?: Logger;
  /** Instead of files. */
  readonly users?: UserStorage;
  readonly isLoaded?: () => boolean;
  readonly tracing?: Tracing;
}

const requestsTo = (origin: string) => ({
  get: (target: string, headers: Record<string, string> = {}) => fetch(origin + target, { headers }),
  async json<Body = Record<string, never>>(target: string): Promise<Body> {
    return (await (await fetch(origin + target)).json()) as Body;
  },
  send: (
    method: 'POST' | 'PUT' | 'DELETE',
    target: string,
    body?: unknown,
    headers: Record<string, string> = {},
  ) =>
    fetch(origin + target, {
      method,
      headers: { 'Content-Type': 'application/json', ...headers },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    }),
});

function openUserFiles(folder: string) {
  const peoplePath = join(folder, 'people.sqlite');
  const peopleDb = openPeopleDatabase(peoplePath);
  const activityDb = openActivityDatabase(join(folder, 'activity.sqlite'));
  return {
    peoplePath,
    peopleDb,
    users: { people: createSqliteSql(peopleDb), activity: createSqliteSql(activityDb) },
    close() {
      peopleDb.close();
      activityDb.close();
    },
  };
}

const WITHOUT_FEEDS = { feeds: () => [], preview: () => Promise.resolve(undefined), change: () => undefined };

/** Starts the whole service on a free port with temporary databases; `stop` deletes them. */
export async function startTestApp(
  stock: { owners: readonly StockOwner[]; listings: readonly StockListing[] },
  { isLocal = true, writeLimit = 10_000, now = () => TEST_NOW, ...parts }: TestAppOptions = {},
) {
  const folder = mkdtempSync(join(tmpdir(), 'marketplace-api-'));
  const path = join(folder, 'marketplace.sqlite');
  const db = openInventory(path);
  const files = openUserFiles(folder);
  const users = parts.users ?? files.users;
  const people = createPeople(traceSql(parts.tracing ?? NO_TRACING, users.people), now);
  const writer = createInventoryWriter(db, () => TEST_NOW);
  await writer.upsertOwners(stock.owners);
  await writer.upsertListings(stock.listings, 'test');

  const index = parts.index ?? createColumnarIndex({ now: () => TEST_NOW });
  const feed = createIndexFeed(await createStockLog(db), index);
  await feed.load();
  const sharePainter = parts.sharePainter ?? createSharePainter();
  const app = createApp(
    {
      index,
      store: createListingStore(db, feed),
      people,
      activity: createActivityStore(users.activity, now),
      newListings: await createNewListings(db),
      push: parts.push ?? idlePush,
      verifyIdToken: parts.verifyIdToken ?? verifyTestToken,
      zips,
      content: parts.content ?? demoContent,
      photoFiles: parts.photoFiles ?? createPhotoFolder(join(folder, 'photos')),
      dealerPages: parts.dealerPages ?? createDealerPageFolder(folder),
      sharePainter,
      countPhotos: () => createPhotoStore(db).counts(),
      imports: { ...WITHOUT_FEEDS, ...parts.imports, runs: createFeedRuns(db) },
      ...(parts.tracing && { tracing: parts.tracing }),
      logger: parts.logger ?? pino({ level: 'silent' }),
      counters: parts.users && createRateCounters(parts.users.activity, now),
      isReady: () => true,
      ...(parts.isLoaded && { isLoaded: parts.isLoaded }),
      now,
    },
    {
      isLocal,
      writeLimit,
      mailContext: { siteUrl: 'https://site.test', siteName: 'Forecourt' },
      valuationUrl: 'https://values.test',
      reportsTo: 'reports@site.test',
      operatorPassword: parts.operatorPassword,
    },
  );
  const server = app.listen(0, '127.0.0.1');
  // Longer than any test takes between two requests.
  server.keepAliveTimeout = 120_000;
  await new Promise((resolve) => server.once('listening', resolve));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

  return {
    origin,
    path,
    peoplePath: files.peoplePath,
    photoFolder: join(folder, 'photos'),
    /** Files and stores behind the service. */
    db,
    people,
    peopleDb: files.peopleDb,
    peopleSql: users.people,
    feed,
    index,
    ...requestsTo(origin),
    async stop() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      sharePainter.close();
      await db.close();
      files.close();
      rmSync(folder, { recursive: true });
    },
  };
}

export type TestApp = Awaited<ReturnType<typeof startTestApp>>;
