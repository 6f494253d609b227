import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { pino } from 'pino';
import { createPlaceFinder, createZipDirectory } from '../../domain/places/index.ts';
import { createInventoryWriter } from '../../inventory/store/inventoryWriter.ts';
import { createListingStore, createNewListings } from '../../inventory/store/listingStore.ts';
import { aListing, anOwner } from '../../testing/arbitraries.ts';
import { type TestApp, startTestApp } from '../../testing/testApp.ts';
import { createDigest, createPriceDrops } from './jobs.ts';
import type { Notification, PushSender } from './webPush.ts';

const logger = pino({ level: 'silent' });
const DAY = 86_400_000;
/** Of an hour. */
const QUARTER = 900_000;
const mailContext = {
  siteUrl: 'https://site.test',
  siteName: 'Forecourt',
};

describe('digest of new matches', () => {
  let app: TestApp;
  let time: number;
  let digest: ReturnType<typeof createDigest>;
  beforeEach(async () => {
    time = Date.UTC(2026, 10, 1);
    app = await startTestApp(
      { owners: [anOwner()], listings: [aListing({ id: 'old' })] },
      { now: () => time },
    );
    digest = createDigest({
      people: app.people,
      newListings: await createNewListings(app.db),
      index: app.index,
      store: createListingStore(app.db),
      places: createPlaceFinder(createZipDirectory()),
      mailContext,
      logger,
      intervalMs: DAY,
      atOnceMs: QUARTER,
      now: () => time,
    });
  });
  afterEach(() => app.stop());

  async function add(...listings: ReturnType<typeof aListing>[]): Promise<void> {
    await createInventoryWriter(app.db).upsertListings(listings, 'test');
    // The service follows through a connection of its own; the test shares one.
    app.index.apply(listings.map((listing) => ({ id: listing.id, listing })));
  }
  const subscribe = (search: string, email = 'ada@example.com', frequency?: 'daily' | 'atOnce') =>
    app.send(
      'POST',
      '/account-api/email-alerts',
      { emailAddress: email, brand: 'atc', search, frequency },
      // Of the account's own address, so there is nothing to confirm.
      { Authorization: 'Bearer token-of-ada' },
    );
  const digests = async () => (await app.people.mails.list()).filter(({ kind }) => kind === 'alert-digest');
  /** One run records the newest listings while no alert is due; the run of the next day reports them. */
  async function nextDay(): Promise<void> {
    await digest.run();
    time += DAY + 1;
    await digest.run();
  }

  it('emails each new match of an alert once, with an unsubscribe link', async () => {
    await subscribe('makeCode=FORD&maxPrice=40000');
    await add(
      aListing({ id: 'cheap', salePrice: 20_000 }),
      aListing({ id: 'dear', salePrice: 90_000 }),
      aListing({ id: 'honda', make: { code: 'HONDA', name: 'Honda' } }),
    );
    await nextDay();
    const [mail] = await digests();
    expect(await digests()).toHaveLength(1);
    expect(mail?.subject).toMatch(/^1 new match: /);
    expect(mail?.text).toContain('/cars-for-sale/vehicle/cheap');
    expect(mail?.text).not.toMatch(/vehicle\/(old|dear|honda)/);
    expect(mail?.text).toMatch(/https:\/\/site\.test\/cars-for-sale\/svc\/unsubscribe\/[\w-]{32}/);
    await nextDay();
    expect(await digests()).toHaveLength(1);
  });

  it('emails nothing when listings only changed or the subscription ended', async () => {
    await subscribe('makeCode=FORD');
    await add(aListing({ id: 'old', salePrice: 1 }));
    await nextDay();
    expect(await digests()).toHaveLength(0);
    const [alert] = await app.people.alerts.due(Infinity, 1);
    await app.people.alerts.endByToken(alert!.unsubscribeToken);
    await add(aListing({ id: 'new' }));
    await nextDay();
    expect(await digests()).toHaveLength(0);
  });

  it('waits for the interval between two emails, then sends all new matches', async () => {
    await subscribe('makeCode=FORD');
    await add(aListing({ id: 'n1' }));
    await nextDay();
    await add(aListing({ id: 'n2' }));
    await digest.run();
    time += DAY / 2;
    await digest.run();
    expect(await digests()).toHaveLength(1);
    await add(aListing({ id: 'n3' }));
    await nextDay();
    expect((await digests())[0]?.subject).toMatch(/^2 new matches: /);
  });

  it('emails within a quarter of an hour what is wanted at once, until it is wanted daily again', async () => {
    await subscribe('makeCode=FORD');
    await subscribe('makeCode=FORD', undefined, 'atOnce');
    const quarterLater = async () => {
      await digest.run();
      time += QUARTER + 1;
      await digest.run();
    };
    await add(aListing({ id: 'n1' }));
    await quarterLater();
    expect(await digests()).toHaveLength(1);
    await subscribe('makeCode=FORD', undefined, 'daily');
    await add(aListing({ id: 'n2' }));
    await quarterLater();
    expect(await digests()).toHaveLength(1);
    await nextDay();
    expect(await digests()).toHaveLength(2);
  });

  it('continues sending alerts when the inventory was rebuilt with fewer listings', async () => {
    await subscribe('makeCode=FORD');
    app.peopleDb.prepare('UPDATE alerts SET seen_row = 1000000').run();
    await nextDay();
    await add(aListing({ id: 'fresh' }));
    await nextDay();
    expect(await digests()).toHaveLength(1);
  });

  it('counts from now on what another inventory has numbered, and sends nothing when it lost its lease', async () => {
    await subscribe('makeCode=FORD');
    await add(aListing({ id: 'n1' }));
    app.peopleDb.prepare(`UPDATE alerts SET inventory = 'of another replica'`).run();
    await nextDay();
    expect(await digests()).toHaveLength(0);
    await add(aListing({ id: 'n2' }));
    await digest.run();
    time += DAY + 1;
    expect(await digest.run(AbortSignal.abort())).toBe(0);
    expect(await digests()).toHaveLength(0);
    await digest.run();
    expect((await digests())[0]?.subject).toMatch(/^1 new match: /);
  });
});

describe('price drop notifications', () => {
  let app: TestApp;
  let sent: Notification[];
  let outcome: 'sent' | 'gone' | Error;
  const push: PushSender = {
    publicKey: 'k',
    accepts: () => true,
    send: (_, notification) => {
      if (outcome instanceof Error) return Promise.reject(outcome);
      sent.push(notification);
      return Promise.resolve(outcome);
    },
  };
  const ADA = { Authorization: 'Bearer token-of-ada' };
  beforeEach(async () => {
    sent = [];
    outcome = 'sent';
    app = await startTestApp({ owners: [anOwner()], listings: [aListing()] }, { push });
    const device = { brand: 'atc', pixall_id: 'p', browser_token: 'device-1' };
    expect((await app.send('POST', '/cars-for-sale/consumer-device/browser', device, ADA)).status).toBe(204);
    await app.send('PUT', '/account-api/saved-listings/1000001', undefined, ADA);
  });
  afterEach(() => app.stop());

  const price = (salePrice: number) =>
    createInventoryWriter(app.db).upsertListings([aListing({ salePrice })], 'test');
  const run = () =>
    createPriceDrops({ people: app.people, store: createListingStore(app.db), push, logger }).run();

  it('notifies of a price drop once, with the difference and a link', async () => {
    expect(await run()).toBe(0);
    await price(36_500);
    expect(await run()).toBe(1);
    expect(sent).toEqual([
      expect.objectContaining({
        title: 'Price drop: $1,500 less',
        url: '/cars-for-sale/vehicle/1000001?clickType=alert',
      }),
    ]);
    expect(sent[0]?.body).toContain('now $36,500');
    expect(await run()).toBe(0);
  });

  it('compares a price with the last one that the account was notified of', async () => {
    await price(40_000);
    await run();
    await price(39_000);
    await run();
    expect(sent.map(({ title }) => title)).toEqual(['Price drop: $1,000 less']);
  });

  it('retries notifications when the push service is down and drops unregistered browsers', async () => {
    await price(30_000);
    outcome = new Error('503');
    expect(await run()).toBe(0);
    outcome = 'sent';
    expect(await run()).toBe(1);
    await price(29_000);
    outcome = 'gone';
    await run();
    expect(await app.people.devices.count()).toBe(0);
  });
});
