import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { aListing, anOwner } from '../../testing/arbitraries.ts';
import { SchemaTooNewError } from '@forecourt/service-kit/database';
import type { Sql } from '@forecourt/service-kit/sql';
import { createImportLog } from './importLog.ts';
import { openInventory } from './inventoryTables.ts';
import { createListingStore } from './listingStore.ts';
import { openActivityDatabase } from '../../community/activity/activityStore.ts';
import { openPeopleDatabase } from '../../community/people/people.ts';
import { createInventoryWriter } from './inventoryWriter.ts';

describe('the store in a file', () => {
  let folder: string;
  let path: string;
  let db: Sql;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'marketplace-store-'));
    path = join(folder, 'data', 'marketplace.sqlite');
    db = openInventory(path);
  });
  afterEach(async () => {
    await db.close();
    rmSync(folder, { recursive: true });
  });

  it('keeps its data in WAL mode when the database is reopened', async () => {
    await createInventoryWriter(db).upsertOwners([anOwner()]);
    await db.close();
    db = openInventory(path);
    expect(await db.get('PRAGMA journal_mode')).toEqual({ journal_mode: 'wal' });
    expect((await createListingStore(db).owners(['o1'])).get('o1')).toEqual(anOwner());
  });

  it('uses synchronous=FULL for user data', () => {
    const people = openPeopleDatabase(join(folder, 'people.sqlite'));
    expect(people.pragma('synchronous', { simple: true })).toBe(2);
    people.close();
  });

  it('writes files that only its own user can read, whatever the umask, and tightens those of earlier releases', async () => {
    const umask = process.umask(0);
    const restored = join(folder, 'restored.sqlite');
    writeFileSync(restored, '');
    chmodSync(restored, 0o644);
    const opened = [
      openInventory(join(folder, 'new', 'inventory.sqlite')),
      openPeopleDatabase(join(folder, 'new', 'people.sqlite')),
      openActivityDatabase(join(folder, 'new', 'activity.sqlite')),
      openPeopleDatabase(restored),
    ];
    const modeOf = (file: string) => statSync(file).mode & 0o777;
    expect(modeOf(join(folder, 'new'))).toBe(0o700);
    const files = [restored, ...readdirSync(join(folder, 'new')).map((name) => join(folder, 'new', name))];
    expect(files.length).toBeGreaterThanOrEqual(7);
    expect(files.filter((file) => modeOf(file) !== 0o600)).toEqual([]);
    for (const database of opened) await database.close();
    process.umask(umask);
  });

  it('rejects a database of a later release', async () => {
    await db.run('PRAGMA user_version = 999');
    expect(() => openInventory(path)).toThrow(SchemaTooNewError);
  });

  it('finds stock numbers and days of change in data of a release before they had columns, and after an undo', async () => {
    await db.close();
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

    db = openInventory(join(folder, 'old.sqlite'));
    const store = createListingStore(db);
    const found = async (stockNumber: string) => [
      await store.idsOfStockNumber(stockNumber),
      await store.sitemapVehicles(1),
    ];
    expect(await found('U4711')).toEqual([['a'], [{ id: 'a', changedOn: 20_005 }]]);
    const log = createImportLog(db);
    await log.begin('feed');
    const changed = { ...listing, stockNumber: 'N-1', reducedOn: 20_009 };
    await createInventoryWriter(db).upsertListings([changed], 'feed');
    await log.finish('feed');
    expect(await found('N1')).toEqual([['a'], [{ id: 'a', changedOn: 20_009 }]]);
    expect(await store.idsOfStockNumber('U4711')).toEqual([]);
    await log.undo('feed');
    expect(await found('U4711')).toEqual([['a'], [{ id: 'a', changedOn: 20_005 }]]);
  });
});
