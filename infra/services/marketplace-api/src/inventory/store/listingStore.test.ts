import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import type { Db } from '@forecourt/service-kit/database';
import { createNewListings, openDatabase } from './listingStore.ts';
import { createInventoryWriter } from './inventoryWriter.ts';
import { aListing, anOwner } from '../../testing/arbitraries.ts';

const MIGRATIONS = join(import.meta.dirname, 'migrations');

describe('new listings', () => {
  let folder: string;
  let db: Db;
  const path = () => join(folder, 'stock.sqlite');
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'arrivals-'));
  });
  afterEach(() => {
    db.close();
    rmSync(folder, { recursive: true });
  });
  const add = (...ids: string[]) => {
    const writer = createInventoryWriter(db);
    writer.upsertOwners([anOwner()]);
    writer.upsertListings(
      ids.map((id) => aListing({ id })),
      'test',
    );
  };
  const after = (arrival: number) => {
    const listings = createNewListings(db);
    return listings.between(arrival, listings.newestRow(), 100).ids;
  };

  it('keeps arrival numbers when the database is vacuumed', () => {
    db = openDatabase(path());
    add('1', '2', '3', '4');
    const newestRow = createNewListings(db).newestRow();
    add('5');
    // VACUUM may renumber implicit row ids after a deletion.
    db.prepare("DELETE FROM listings WHERE id IN ('1', '2')").run();
    db.exec('VACUUM');
    expect(after(newestRow)).toEqual(['5']);
  });

  it('does not count a changed listing as new', () => {
    db = openDatabase(path());
    add('1', '2');
    const newestRow = createNewListings(db).newestRow();
    createInventoryWriter(db).upsertListings([aListing({ id: '1', year: 2011 })], 'test');
    expect(after(newestRow)).toEqual([]);
  });

  it('keeps the order of arrival when it migrates a database of an earlier release', () => {
    const before = new Database(path());
    for (const file of ['001-inventory.sql', '002-leads.sql', '003-superseded.sql'])
      before.exec(readFileSync(join(MIGRATIONS, file), 'utf8'));
    before.pragma('user_version = 3');
    before.exec(`INSERT INTO owners VALUES ('o1', 1, 0, '{}')`);
    for (const id of ['9', '2', '5'])
      before.exec(
        `INSERT INTO listings (id, vin, owner_id, source, seq, body) VALUES ('${id}', 'v${id}', 'o1', 'test', 1, '{}')`,
      );
    before.close();
    db = openDatabase(path());
    expect(after(0)).toEqual(['9', '2', '5']);
    expect(after(1)).toEqual(['2', '5']);
  });
});
