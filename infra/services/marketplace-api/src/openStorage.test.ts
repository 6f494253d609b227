import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { findPostgres, type PostgresServer, startPostgres } from '@forecourt/service-kit/testing';
import { aListing, anOwner } from './testing/arbitraries.ts';
import { startTestApp } from './testing/testApp.ts';
import { createActivityStore } from './community/activity/activityStore.ts';
import { createWebPush } from './community/alerts/webPush.ts';
import { readConfig } from './config.ts';
import { createInventoryWriter, createNewListings, inventoryId } from './inventory/index.ts';
import { openStock, openUserStorage, prepareStorage, type UserStorage } from './openStorage.ts';
import { createPeople } from './community/people/people.ts';
import { MAX_BOOKMARKS } from './community/people/savedStore.ts';

const bin = findPostgres();
let server: PostgresServer;
let folder: string;

const configOf = (environment: Record<string, string>) => readConfig({ DATA_DIR: folder, ...environment });
const fail = (error: Error) => {
  throw error;
};

/** Opens the same data twice, as two replicas do. A file has one process. */
const engines = {
  SQLite: async () => {
    const storage = await openUserStorage(configOf({}), fail);
    return [storage, storage];
  },
  PostgreSQL: async () => {
    const config = configOf({ DATABASE_URL: `${server.url}?connections=4` });
    await prepareStorage(config, 'leave');
    return [await openUserStorage(config, fail), await openUserStorage(config, fail)];
  },
};
const names = (['SQLite', ...(bin ? (['PostgreSQL'] as const) : [])] as const).map((name) => [name] as const);

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'replicas-'));
  if (bin) server = await startPostgres(bin);
}, 60_000);
afterAll(async () => {
  await server?.stop();
  rmSync(folder, { recursive: true });
});
if (!bin) it.skip('skipped: no PostgreSQL', () => undefined);

const DAY_MS = 86_400_000;
const MAIL = { to: 'ada@example.com', subject: 'Hello', text: 'Hi' };
const ada = { account: 'ada', consumer: 'browser-1' };
const SEEN = { row: 7, inventory: 'of-here' };
const BODY = {
  comments: 'Is it still there?',
  firstName: 'Ada',
  lastName: 'Byron',
  fromEmailAddress: 'ada@example.com',
  phoneNumber: '',
};

describe.each(names)('stores of users over %s', (engine) => {
  let storage: UserStorage[];
  let at = Date.UTC(2026, 0, 1);
  const now = () => at;
  let here: ReturnType<typeof createPeople>;
  let there: ReturnType<typeof createPeople>;
  beforeAll(async () => {
    storage = await engines[engine]();
  });
  beforeEach(async () => {
    for (const table of ['leads', 'mails', 'alerts', 'captures', 'reports', 'bookmarks', 'mailboxes'])
      await storage[0]!.people.run(`DELETE FROM ${table}`);
    [here, there] = storage.map(({ people }) => createPeople(people, now)) as [typeof here, typeof here];
  });
  afterAll(async () => {
    for (const { people, activity } of new Set(storage)) {
      await people.close();
      await activity.close();
    }
  });

  it('store a lead that arrives at both replicas once, with one email', async () => {
    const add = (people: typeof here, key: string) =>
      people.leads.add(
        { idempotencyKey: key, kind: 'email-owner', listingId: '1', ownerId: 'o1', caller: ada, body: BODY },
        (lead) => people.mails.add('lead', MAIL, `lead:${lead.id}`),
      );
    const stored = await Promise.all(
      [here, there].flatMap((people) => ['key-one', 'key-two'].map((key) => add(people, key))),
    );
    expect(stored.filter(Boolean)).toHaveLength(2);
    expect((await there.leads.all()).map(({ idempotencyKey }) => idempotencyKey).sort()).toEqual([
      'key-one',
      'key-two',
    ]);
    expect(await here.mails.counts()).toEqual({ pending: 2, sent: 0, dead: 0, outbox: 0 });
    expect(await there.leads.listingIds(ada)).toEqual(new Set(['1']));
    expect(await here.leads.ofAccount('ada')).toMatchObject([{ body: BODY }, { body: BODY }]);
  });

  it('keep nothing of a report whose email could not be stored', async () => {
    const report = { listingId: '1', reason: 'SCAM' as const, comments: 'Wants money', email: '' };
    const failing = here.reports.add({ ...report, idempotencyKey: 'report-1' }, ada, () =>
      Promise.reject(new Error('no email')),
    );
    await expect(failing).rejects.toThrow('no email');
    expect(await there.reports.all()).toEqual([]);
    const again = () =>
      there.reports.add({ ...report, idempotencyKey: 'report-1' }, ada, (id) =>
        there.mails.add('report', MAIL, `report:${id}`),
      );
    expect([await again(), await again()]).toEqual([true, false]);
    expect(await here.reports.all()).toMatchObject([report]);
  });

  it('keep the limit of bookmarks that both replicas save at the same time, and an account’s own ones', async () => {
    const form = (title: string) => ({
      bookmarkId: '',
      bookmarkTitle: title,
      searchName: '',
      lastExecuted: '',
      searchResultsURL: '%7B%7D',
    });
    for (let index = 0; index < MAX_BOOKMARKS - 1; index++)
      await here.bookmarks.save('ada', form('Car'), SEEN);
    const saved = await Promise.allSettled(
      [here, there, here].map((each) => each.bookmarks.save('ada', form('Last'), SEEN)),
    );
    expect(saved.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    const [bookmark] = await there.bookmarks.list('ada');
    expect(await there.bookmarks.list('ada')).toHaveLength(MAX_BOOKMARKS);
    const id = bookmark!.bookmarkId;
    await expect(
      there.bookmarks.save('bob', { ...form('Mine'), bookmarkId: id }, SEEN),
    ).rejects.toMatchObject({
      code: 'BOOKMARK_NOT_FOUND',
    });
    expect(await there.bookmarks.rename('bob', id, 'Mine')).toBeUndefined();
    expect(await there.bookmarks.rename('ada', id, 'Trucks')).toMatchObject({ bookmarkTitle: 'Trucks' });
    expect((await there.bookmarks.seen('ada')).get(id)).toEqual(SEEN);
    expect(await there.bookmarks.open('bob', id, SEEN)).toBeUndefined();
    expect(await there.bookmarks.open('ada', id, { ...SEEN, row: 9 })).toMatchObject({ openedAt: at });
    expect((await here.bookmarks.seen('ada')).get(id)).toEqual({ ...SEEN, row: 9 });
    expect(await here.bookmarks.shared(id)).not.toHaveProperty('openedAt');
    expect([await here.bookmarks.remove('ada', id), await there.bookmarks.remove('ada', id)]).toEqual([
      true,
      false,
    ]);
    expect(await here.bookmarks.shared(id)).toBeUndefined();
  });

  it('subscribe a mailbox once to a search and to two searches at most, whichever replica it asks', async () => {
    const subscribe = (people: typeof here, search: string) =>
      people.alerts.subscribe(
        {
          caller: { consumer: 'browser-2' },
          emailAddress: 'Bob@example.com',
          brand: 'atc',
          search,
          title: search,
          seenRow: 7,
          inventory: 'inventory-1',
          isVerified: false,
        },
        (alert) => people.mails.add('alert-confirm', MAIL, `alert-confirm:${alert.alertId}`),
      );
    const same = await Promise.all(
      [here, there, here, there].map((people) => subscribe(people, 'makeCode=BMW')),
    );
    expect(same.filter((result) => result !== 'LIMIT' && result.isNew)).toHaveLength(1);
    const more = await Promise.all(
      ['FORD', 'KIA', 'JEEP'].map((code, index) => subscribe([here, there][index % 2]!, code)),
    );
    expect(more.filter((result) => result === 'LIMIT')).toHaveLength(2);
    expect(await here.mails.list()).toHaveLength(2);

    const [first] = same;
    const { unsubscribeToken: token, alertId } = (
      first as { alert: { unsubscribeToken: string; alertId: string } }
    ).alert;
    let confirmations = 0;
    const confirm = (people: typeof here) =>
      people.alerts.confirmByToken(token, () => Promise.resolve(confirmations++));
    await confirm(here);
    expect(await confirm(there)).toMatchObject({ alertId, seenRow: 7 });
    expect(confirmations).toBe(1);
    at += 1;
    expect(await there.alerts.due(at, 10)).toMatchObject([{ alertId }]);
    const [due] = await there.alerts.due(at, 10);
    const seen = { row: 9, inventory: 'inventory-1' };
    expect(await there.alerts.recordRun(due!, seen, () => there.mails.add('alert-digest', MAIL))).toBe(true);
    // The other replica read the alert before that run.
    expect(await here.alerts.recordRun(due!, seen, () => here.mails.add('alert-digest', MAIL))).toBe(false);
    expect((await here.mails.list()).filter(({ kind }) => kind === 'alert-digest')).toHaveLength(1);
    expect(await here.alerts.byToken(token)).toMatchObject({ seenRow: 9, isConfirmed: true, isEnded: false });
    expect(await here.alerts.due(at, 10)).toEqual([]);
    await here.alerts.endByToken(token);
    expect(await there.alerts.byToken(token)).toMatchObject({ isEnded: true });
  });

  it('capture an address once, and again after its end', async () => {
    const capture = (people: typeof here) =>
      people.captures.add({ email: 'eve@example.com', brand: 'atc', isVerified: true }, () =>
        Promise.resolve(),
      );
    expect((await Promise.all([capture(here), capture(there)])).sort()).toEqual(['added', 'present']);
    const [row] = await storage[0]!.people.all<{ token: string }>(
      'SELECT unsubscribe_token AS token FROM captures',
    );
    await here.captures.endByToken(row!.token);
    expect(await there.captures.byToken(row!.token)).toMatchObject({ isEnded: true });
    expect(await capture(there)).toBe('added');
  });

  it('keep budgets and refusals of mailboxes across replicas', async () => {
    const share = { ...MAIL, to: 'friend@example.com' };
    const outcomes = await Promise.all(
      [here, there, here, there, here].map((people, index) =>
        people.mails.add('share', share, `s${index}`, 'ada'),
      ),
    );
    expect(outcomes.sort()).toEqual(['limited', 'limited', 'queued', 'queued', 'queued']);
    at += DAY_MS;
    const token = await here.mails.optOutToken('Friend+cars@example.com');
    expect(await there.mails.optOutToken('friend@example.com')).toBe(token);
    expect([await there.mails.hasToken(token), await there.mails.declineByToken(token)]).toEqual([
      true,
      true,
    ]);
    expect(await here.mails.add('share', share, 's9', 'ada')).toBe('suppressed');
    await here.mails.unsuppress('friend@example.com');
    expect(await there.mails.add('share', share, 's9', 'ada')).toBe('queued');
    expect(await there.mails.add('share', share, 's9', 'ada')).toBe('repeated');
  });

  it('hand each email to one sender, and to another one after it died', async () => {
    await here.mails.add('share', MAIL);
    const [mail] = await here.mails.due(10);
    const claims = await Promise.all([here, there].map(({ mails }) => mails.claim(mail!, at + 1000)));
    expect(claims.sort()).toEqual([false, true]);
    expect(await there.mails.due(10)).toEqual([]);
    at += 1000;
    const [again] = await there.mails.due(10);
    await there.mails.failed(again!.id, 'no such mailbox', undefined, true);
    expect(await here.mails.list('dead')).toMatchObject([{ attempts: 1, lastError: 'no such mailbox' }]);
    expect(await here.mails.add('share', MAIL)).toBe('suppressed');
    expect([await here.mails.retry(mail!.id), await there.mails.retry(mail!.id)]).toEqual([true, false]);
    await here.mails.failed(mail!.id, 'busy', at + 500);
    expect(await there.mails.list('pending')).toMatchObject([{ nextAt: at + 500 }]);
    await there.mails.delivered(mail!.id, 'sent');
    at += 30 * DAY_MS;
    expect(await here.mails.sweep()).toBe(1);
  });

  it('return and forget all data of an account', async () => {
    await here.savedListings.merge('ada', [{ id: '1', price: 20_000 }, { id: '2' }]);
    expect(await there.savedListings.save('ada', '1', 1)).toBe(true);
    const device = { brand: 'atc', pixall_id: 'browser-1', browser_token: 'token' } as const;
    await here.devices.register(device, ada);
    // Another visit without an account does not take the browser away.
    await there.devices.register({ ...device, brand: 'kbb' }, { consumer: 'browser-1' });
    await here.savedListings.markNotified('ada', '1', 19_000);
    expect((await there.savedListings.watched()).map(({ knownPrice }) => knownPrice)).toEqual(
      expect.arrayContaining([19_000, null]),
    );
    const profile = {
      firstName: 'Ada',
      lastName: 'Byron',
      email: 'ada@example.com',
      phone: '',
      isOneClickOptedIn: true,
    };
    await here.profiles.save(ada, profile);
    expect(await there.profiles.get(ada)).toEqual(profile);
    expect(await there.dataOf('ada')).toMatchObject({
      savedListings: expect.arrayContaining([{ listingId: '1', savedAt: at, savedPrice: 20_000 }]),
      devices: [{ brand: 'kbb', registeredAt: at }],
    });
    await there.forget({ account: 'ada' });
    expect(await here.dataOf('ada')).toEqual({
      profile: { ...profile, firstName: '', lastName: '', email: '', isOneClickOptedIn: false },
      bookmarks: [],
      savedListings: [],
      alerts: [],
      devices: [],
      leads: [],
    });
    expect(await here.profiles.get(ada)).toMatchObject({ firstName: '' });
  });

  it('replace a deal, delete what was kept long enough, and drop U+0000, which PostgreSQL cannot store', async () => {
    const deal = { carId: '1', deal: { dealType: 'finance' } } as const;
    const { id } = await here.deals.add(deal);
    expect(await there.deals.replace(id, { ...deal, carId: '2' })).toMatchObject({ id, carId: '2' });
    expect(await there.deals.replace('unknown\0', deal)).toBeUndefined();
    at += 365 * DAY_MS;
    expect(await there.sweep()).toBe(1);
    expect(await here.deals.replace(id, deal)).toBeUndefined();
  });

  it('count a browser’s view of a vehicle once a day, and forget it after 90 days', async () => {
    const [one, other] = storage.map(({ activity }) => createActivityStore(activity, now));
    const view = { listingId: '1', vin: 'VIN1', brand: 'kbb', consumer: 'browser-1' };
    await Promise.all([one!, other!, one!, other!].map((store) => store.view(view)));
    await other!.view({ ...view, consumer: 'browser-2' });
    expect(await one!.viewsByBrand('VIN1', 30)).toEqual(new Map([['kbb', 2]]));
    expect(await other!.history('browser-1')).toEqual([{ listingId: '1', vin: 'VIN1', viewedAt: at }]);
    await one!.interest({ brand: 'kbb', vins: ['VIN1'], consumer: 'browser-1', email: 'ada@example.com' });
    await one!.forget('browser-1');
    expect(await other!.history('browser-1')).toEqual([]);
    at += 91 * DAY_MS;
    await other!.sweep();
    const left = await storage[0]!.activity.all(
      'SELECT vin FROM view_counts UNION ALL SELECT vins FROM interests',
    );
    expect(left).toEqual([]);
  });

  it('sign notifications with one key, which the first replica creates', async () => {
    const pushes = await Promise.all(
      storage.map(({ people }) => createWebPush(people, { contact: 'mailto:push@example.com' })),
    );
    expect(pushes[0]!.publicKey).toBe(pushes[1]!.publicKey);
  });
});

describe('data of users in PostgreSQL', () => {
  it('requires TLS outside local mode, unless the server is on this machine', () => {
    const DATABASE_URL = 'postgres://api@db.example/forecourt';
    expect(() => configOf({ DATABASE_URL })).toThrow('sslmode=verify-full');
    expect(configOf({ DATABASE_URL, LOCAL_MODE: 'true' })).toMatchObject({ DATABASE_URL });
    const isPrivate = `${DATABASE_URL}?sslmode=verify-full`;
    expect(configOf({ DATABASE_URL: isPrivate })).toMatchObject({ DATABASE_URL: isPrivate });
  });

  (bin ? it : it.skip)('fails writes with 503 while the server is away, and searches continue', async () => {
    const own = await startPostgres(bin!);
    const config = configOf({ DATABASE_URL: own.url });
    await prepareStorage(config, 'leave');
    const lost: Error[] = [];
    const users = await openUserStorage(config, (error) => void lost.push(error));
    const app = await startTestApp({ owners: [anOwner()], listings: [aListing()] }, { users });
    const capture = () =>
      app.send('POST', '/cars-for-sale/svc/email-capture', { emailAddress: 'eve@example.com', brand: 'atc' });
    expect((await capture()).status).toBe(200);
    await own.stop();
    for (let attempt = 0; attempt < 2; attempt++) {
      const refused = await capture();
      expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '30']);
      expect(await refused.json()).toMatchObject({ error: { code: 'STORAGE_UNAVAILABLE' } });
    }
    expect(await app.json('/rest/lsc/listing/count')).toMatchObject({ totalResultCount: 1 });
    expect(lost).not.toEqual([]);
    await app.stop();
    await users.people.close();
    await users.activity.close();
  });

  (bin ? it : it.skip)('shows a write at every replica as soon as one has acknowledged it', async () => {
    const config = configOf({ DATABASE_URL: `${server.url}?connections=4` });
    await prepareStorage(config, 'leave');
    const opened = [await openUserStorage(config, fail), await openUserStorage(config, fail)];
    const listings = Array.from({ length: 20 }, (_, at) =>
      aListing({ id: String(at + 1), vin: `VIN00000000000${String(at).padStart(3, '0')}` }),
    );
    const apps = await Promise.all(
      opened.map((users) => startTestApp({ owners: [anOwner()], listings }, { users })),
    );
    const GRACE = { Authorization: 'Bearer token-of-grace' };
    const saved = async (app: (typeof apps)[number]) => {
      const { savedListings } = (await (await app.get('/account-api/saved-listings', GRACE)).json()) as {
        savedListings: { listingId: string }[];
      };
      return savedListings.map(({ listingId }) => listingId);
    };
    const expected = new Set<string>();
    for (const [at, { id }] of listings.entries()) {
      const path = `/account-api/saved-listings/${id}`;
      expect((await apps[at % 2]!.send('PUT', path, undefined, GRACE)).status).toBe(204);
      expected.add(id);
      for (const app of apps) expect(new Set(await saved(app))).toEqual(expected);
    }
    expect((await apps[0]!.send('DELETE', '/account-api/saved-listings/1', undefined, GRACE)).status).toBe(
      204,
    );
    expect(await saved(apps[1]!)).not.toContain('1');
    for (const app of apps) await app.stop();
    for (const { people, activity } of opened) {
      await people.close();
      await activity.close();
    }
  });

  (bin ? it : it.skip)('counts writes of a caller at all replicas together', async () => {
    const config = configOf({ DATABASE_URL: `${server.url}?connections=4` });
    await prepareStorage(config, 'leave');
    const opened = [await openUserStorage(config, fail), await openUserStorage(config, fail)];
    const apps = await Promise.all(
      opened.map((users) => startTestApp({ owners: [], listings: [] }, { users, writeLimit: 3 })),
    );
    const statuses = [];
    for (let count = 0; count < 5; count++) {
      const body = { emailAddress: `eve-${count}@example.com`, brand: 'atc' };
      const { status } = await apps[count % 2]!.send('POST', '/cars-for-sale/svc/email-capture', body, {
        'X-Consumer-Id': 'browser-9',
      });
      statuses.push(status);
    }
    expect(statuses).toEqual([200, 200, 200, 429, 429]);
    for (const app of apps) await app.stop();
    for (const { people, activity } of opened) {
      await people.close();
      await activity.close();
    }
  });

  (bin ? it : it.skip)('is copied from files once, and continues with the next ids', async () => {
    const own = await startPostgres(bin!);
    const files = mkdtempSync(join(tmpdir(), 'files-'));
    const before = await openUserStorage(configOf({ DATA_DIR: files }), fail);
    const old = createPeople(before.people);
    await old.mails.add('lead', MAIL, 'lead:1');
    await old.savedListings.save('ada', '1', 20_000);
    const key = (await createWebPush(before.people, { contact: 'mailto:push@example.com' })).publicKey;
    await createActivityStore(before.activity).view({
      listingId: '1',
      vin: 'VIN1',
      brand: 'kbb',
      consumer: 'browser-1',
    });
    await before.people.close();
    await before.activity.close();
    const file = await openStock(configOf({ DATA_DIR: files }));
    const writer = createInventoryWriter(file);
    await writer.upsertOwners([anOwner()]);
    await writer.upsertListings(
      Array.from({ length: 300 }, (_, at) => aListing({ id: `car-${at}` })),
      'feed',
    );
    const id = await inventoryId(file);
    await file.close();

    const config = configOf({ DATABASE_URL: own.url, DATA_DIR: files });
    await prepareStorage(config, 'copy');
    await expect(prepareStorage(config, 'copy')).rejects.toThrow('has rows already; nothing was copied');
    const after = await openUserStorage(config, () => undefined);
    const people = createPeople(after.people);
    await people.mails.add('lead', MAIL, 'lead:2');
    expect((await people.mails.list()).map(({ id, to }) => [id, to])).toEqual([
      [2, MAIL.to],
      [1, MAIL.to],
    ]);
    expect(await people.savedListings.list('ada')).toMatchObject([{ listingId: '1', savedPrice: 20_000 }]);
    expect((await createWebPush(after.people, { contact: 'mailto:push@example.com' })).publicKey).toBe(key);
    expect(await createActivityStore(after.activity).history('browser-1')).toMatchObject([{ vin: 'VIN1' }]);
    await after.people.close();
    await after.activity.close();
    const stock = await openStock(config);
    expect(await inventoryId(stock)).toBe(id);
    expect(await createInventoryWriter(stock).countMissing('feed', () => true)).toEqual({
      live: 300,
      missing: 0,
    });
    await createInventoryWriter(stock).upsertListings([aListing({ id: 'next' })], 'feed');
    expect(await (await createNewListings(stock)).newestRow()).toBe(301);
    await stock.close();
    await own.stop();
    rmSync(files, { recursive: true });
  });

  it('is not started over files with data of users', async () => {
    writeFileSync(join(folder, 'people.sqlite'), '');
    await expect(prepareStorage(configOf({ DATABASE_URL: 'postgres://localhost/x' }))).rejects.toThrow(
      '--copy',
    );
  });
});
