import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import type { Sql } from '@forecourt/service-kit/sql';
import { openInventory } from './inventoryTables.ts';
import { createNewListings } from './listingStore.ts';
import { createInventoryWriter } from './inventoryWriter.ts';
import { aListing, anOwner } from '../../testing/arbitraries.ts';

const MIGRATIONS = join(import.meta.dirname, 'migrations');

describe('new listings', () => {
  let folder: string;
  let db: Sql;
  const path = () => join(folder, 'stock.sqlite');
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'arrivals-'));
  });
  afterEach(async () => {
    await db.close();
    rmSync(folder, { recursive: true });
  });
  const add = async (...ids: string[]) => {
    const writer = createInventoryWriter(db);
    await writer.upsertOwners([anOwner()]);
    await writer.upsertListings(
      ids.map((id) => aListing({ id })),
      'test',
    );
  };
  const after = async (arrival: number) => {
    const listings = await createNewListings(db);
    return (await listings.between(arrival, await listings.newestRow(), 100)).ids;
  };

  it('keeps arrival numbers when the database is vacuumed', async () => {
    db = openInventory(path());
    await add('1', '2', '3', '4');
    const newestRow = await (await createNewListings(db)).newestRow();
    await add('5');
    // VACUUM may renumber implicit row ids after a deletion.
    await db.run("DELETE FROM listings WHERE id IN ('1', '2')");
    await db.run('VACUUM');
    expect(await after(newestRow)).toEqual(['5']);
  });

  it('does not count a changed listing as new', async () => {
    db = openInventory(path());
    await add('1', '2');
    const newestRow = await (await createNewListings(db)).newestRow();
    await createInventoryWriter(db).upsertListings([aListing({ id: '1', year: 2011 })], 'test');
    expect(await after(newestRow)).toEqual([]);
  });

  it('keeps the order of arrival when it migrates a database of an earlier release', async () => {
    const before = new Database(path());
    for (const file of ['001-inventory', '002-leads', '003-superseded'])
      before.exec(readFileSync(join(MIGRATIONS, `${file}.sqlite.sql`), 'utf8'));
    before.pragma('user_version = 3');
    before.exec(`INSERT INTO owners VALUES ('o1', 1, 0, '{}')`);
    for (const id of ['9', '2', '5'])
      before.exec(
        `INSERT INTO listings (id, vin, owner_id, source, seq, body) VALUES ('${id}', 'v${id}', 'o1', 'test', 1, '{}')`,
      );
    before.close();
    db = openInventory(path());
    expect(await after(0)).toEqual(['9', '2', '5']);
    expect(await after(1)).toEqual(['2', '5']);
  });
});
