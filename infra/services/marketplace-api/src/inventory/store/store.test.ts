import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { createColumnarIndex } from '../../search/listingIndex/columnarIndex.ts';
import { aListing, anOwner } from '../../testing/arbitraries.ts';
import { type Db, SchemaTooNewError } from '@forecourt/service-kit/database';
import { createImportLog } from './importLog.ts';
import { createListingStore, openDatabase } from './listingStore.ts';
import { openActivityDatabase } from '../../community/activity/activityStore.ts';
import { openPeopleDatabase } from '../../community/people/people.ts';
import { createIndexFeed } from './indexFeed.ts';
import { createInventoryWriter, seedInventory } from './inventoryWriter.ts';

describe('the store', () => {
  let folder: string;
  let path: string;
  let db: Db;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'marketplace-store-'));
    path = join(folder, 'data', 'marketplace.sqlite');
    db = openDatabase(path);
  });
  afterEach(() => {
    db.close();
    rmSync(folder, { recursive: true });
  });

  it('keeps its data in WAL mode when the database is reopened', () => {
    createInventoryWriter(db).upsertOwners([anOwner()]);
    db.close();
    db = openDatabase(path);
    expect(db.pragma('journal_mode', { simple: true })).toBe('wal');
    expect(createListingStore(db).owners(['o1']).get('o1')).toEqual(anOwner());
  });

  it('uses synchronous=FULL for user data', () => {
    const people = openPeopleDatabase(join(folder, 'people.sqlite'));
    expect(people.pragma('synchronous', { simple: true })).toBe(2);
    people.close();
  });

  it('writes files that only its own user can read, whatever the umask, and tightens those of earlier releases', () => {
    const umask = process.umask(0);
    const restored = join(folder, 'restored.sqlite');
    writeFileSync(restored, '');
    chmodSync(restored, 0o644);
    const opened = [
      openDatabase(join(folder, 'new', 'inventory.sqlite')),
      openPeopleDatabase(join(folder, 'new', 'people.sqlite')),
      openActivityDatabase(join(folder, 'new', 'activity.sqlite')),
      openPeopleDatabase(restored),
    ];
    const modeOf = (file: string) => statSync(file).mode & 0o777;
    expect(modeOf(join(folder, 'new'))).toBe(0o700);
    const files = [restored, ...readdirSync(join(folder, 'new')).map((name) => join(folder, 'new', name))];
    expect(files.length).toBeGreaterThanOrEqual(7);
    expect(files.filter((file) => modeOf(file) !== 0o600)).toEqual([]);
    for (const database of opened) database.close();
    process.umask(umask);
  });

  it('rejects a database of a later release', () => {
    db.pragma('user_version = 999');
    expect(() => openDatabase(path)).toThrow(SchemaTooNewError);
  });

  it('counts new and changed listings and skips unchanged ones', () => {
    const writer = createInventoryWriter(db);
    writer.upsertOwners([anOwner()]);
    const listings = [aListing({ id: 'a' }), aListing({ id: 'b' })];
    expect(writer.upsertListings(listings, 'feed')).toEqual({ inserted: 2, updated: 0 });
    const changed = [aListing({ id: 'a', salePrice: 1 }), aListing({ id: 'b' }), aListing({ id: 'c' })];
    expect(writer.upsertListings(changed, 'feed')).toEqual({ inserted: 1, updated: 1 });
  });

  it('expires missing listings of one source only', () => {
    const writer = createInventoryWriter(db);
    writer.upsertOwners([anOwner()]);
    writer.upsertListings([aListing({ id: 'a' }), aListing({ id: 'b' })], 'feed');
    writer.upsertListings([aListing({ id: 'z' })], 'other');
    expect(writer.expireMissing('feed', (id) => id === 'b')).toBe(1);
    const store = createListingStore(db);
    expect(store.listings(['a', 'b', 'z']).map(({ id }) => id)).toEqual(['b', 'z']);
    expect([store.everListed('a')?.listing.id, store.everListed('nothing')]).toEqual(['a', undefined]);
    expect(writer.upsertListings([aListing({ id: 'a' })], 'feed')).toEqual({ inserted: 0, updated: 1 });
  });

  it('applies writes of another process to a running index', async () => {
    const writer = createInventoryWriter(db);
    writer.upsertOwners([anOwner()]);
    writer.upsertListings([aListing({ id: 'a' }), aListing({ id: 'b' })], 'feed');
    const server = openDatabase(path);
    const index = createColumnarIndex();
    const feed = createIndexFeed(server, index);
    expect(await feed.load()).toBe(2);
    expect(await feed.catchUp()).toBe(0);

    writer.upsertListings([aListing({ id: 'b', salePrice: 5 }), aListing({ id: 'c' })], 'feed');
    writer.expireMissing('feed', (id) => ['b', 'c'].includes(id));
    // Listings follow their seller to a new location.
    writer.upsertOwners([anOwner({ latitude: 39.74, longitude: -104.99, state: 'CO' })]);
    expect(await feed.catchUp()).toBeGreaterThan(0);

    const sort = { sort: 'derivedpriceASC', first: 0, size: 10 } as const;
    expect(index.search({}, sort).hits.map(({ id }) => id)).toEqual(['b', 'c']);
    expect(index.count({ state: 'CO' })).toBe(2);
    expect(await feed.catchUp()).toBe(0);
    server.close();
  });

  it('finds stock numbers and days of change in data of a release before they had columns, and after an undo', () => {
    db.close();
    const old = new Database(join(folder, 'old.sqlite'));
    const migrations = join(import.meta.dirname, 'migrations');
    for (const file of readdirSync(migrations).sort()) {
      if (Number.parseInt(file, 10) > 9) break;
      old.exec(readFileSync(join(migrations, file), 'utf8'));
      old.pragma(`user_version = ${Number.parseInt(file, 10)}`);
    }
    const listing = aListing({ id: 'a', stockNumber: 'u-47 11', listedOn: 20_000, reducedOn: 20_005 });
    old.exec("INSERT INTO owners (id, seq, is_alpha, body) VALUES ('o1', 0, 0, '{}')");
    old
      .prepare(
        "INSERT INTO listings (id, vin, owner_id, source, seq, body) VALUES ('a', 'v', 'o1', 'feed', 0, ?)",
      )
      .run(JSON.stringify(listing));
    old.close();

    db = openDatabase(join(folder, 'old.sqlite'));
    const store = createListingStore(db);
    const found = (stockNumber: string) => [store.idsOfStockNumber(stockNumber), store.sitemapVehicles(1)];
    expect(found('U4711')).toEqual([['a'], [{ id: 'a', changedOn: 20_005 }]]);
    const log = createImportLog(db);
    log.begin('feed');
    const changed = { ...listing, stockNumber: 'N-1', reducedOn: 20_009 };
    createInventoryWriter(db).upsertListings([changed], 'feed');
    log.finish('feed');
    expect(found('N1')).toEqual([['a'], [{ id: 'a', changedOn: 20_009 }]]);
    expect(store.idsOfStockNumber('U4711')).toEqual([]);
    log.undo('feed');
    expect(found('U4711')).toEqual([['a'], [{ id: 'a', changedOn: 20_005 }]]);
  });

  it('seeds the inventory once per key and keeps imported listings', () => {
    const writer = createInventoryWriter(db);
    writer.upsertOwners([anOwner()]);
    writer.upsertListings([aListing({ id: 'mine' })], 'feed');
    const seed = (key: string, ids: string[]) =>
      seedInventory(db, {
        key,
        size: ids.length,
        owners: () => [anOwner()],
        listings: () => ids.map((id) => aListing({ id })),
      });
    expect(seed('one', ['a', 'b'])).toBe('seeded');
    expect(seed('one', [])).toBe('present');
    expect(seed('two', ['b'])).toBe('seeded');
    const ids = createListingStore(db)
      .listings(['a', 'b', 'mine'])
      .map(({ id }) => id);
    expect(ids).toEqual(['b', 'mine']);
  });
});
