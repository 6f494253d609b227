import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Sql } from '@forecourt/service-kit/sql';
import { EMPTY_CATALOG } from '../../domain/catalog.ts';
import type { StockListing } from '../../domain/stock.ts';
import { createZipDirectory } from '../../domain/places/index.ts';
import { createFeedRows, createInventoryWriter } from '../store/inventoryWriter.ts';
import { createImportLog } from '../store/importLog.ts';
import { createImportMemory } from '../store/importMemory.ts';
import { openInventory } from '../store/inventoryTables.ts';
import { createListingStore } from '../store/listingStore.ts';
import { type ImportOptions, importFeed } from './importFeed.ts';
import { mappingSchema } from './mapping.ts';

const zips = createZipDirectory();
const HEADER = 'VIN,Year,Make,Model,Price,Miles,Dealer,Zip';
const mapping = mappingSchema.parse({
  source: 'lakeside',
  fields: {
    vin: 'VIN',
    year: 'Year',
    make: 'Make',
    model: 'Model',
    price: 'Price',
    mileage: 'Miles',
    sellerName: 'Dealer',
    zip: 'Zip',
  },
});

/** A row; without a VIN the car is known by its description. */
const row = (vin: string, price = 20_000, miles = 30_000) =>
  `${vin},2021,Ford,Escape,${price},${miles},Lakeside Ford,60601`;
const vins = (count: number) =>
  Array.from({ length: count }, (_, index) => `WVWZZZ1KZAW${String(index).padStart(6, '0')}`);

describe('importing a feed again', () => {
  let folder: string;
  let db: Sql;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'repeated-import-'));
    db = openInventory(join(folder, 'marketplace.sqlite'));
  });
  afterEach(async () => {
    await db.close();
    rmSync(folder, { recursive: true });
  });

  async function run(rows: readonly string[], more: Partial<ImportOptions> = {}) {
    const path = join(folder, 'feed.csv');
    writeFileSync(path, [HEADER, ...rows].join('\n'));
    const store = createListingStore(db);
    const log = createImportLog(db);
    await log.begin('lakeside');
    const summary = await importFeed({
      path,
      mapping,
      zips,
      catalog: EMPTY_CATALOG,
      openMemory: createImportMemory,
      today: new Date(Date.UTC(2026, 10, 1)),
      writer: createInventoryWriter(db),
      known: { find: (ids) => store.listings(ids) },
      knownRows: await createFeedRows(db),
      expireMissing: true,
      ...more,
    });
    await log.finish('lakeside');
    return summary;
  }
  const prices = async () => {
    const rows = await db.all<{ vin: string; body: string }>(
      'SELECT vin, body FROM listings WHERE removed_at IS NULL ORDER BY vin',
    );
    return rows.map(({ vin, body }) => `${vin} ${(JSON.parse(body) as StockListing).salePrice}`);
  };

  it('converts the changed rows only, and counts the rest as before', async () => {
    const [a = '', b = '', c = ''] = vins(3);
    await run([row(a), row(b)]);
    const again = await run([row(a), row(b)]);
    expect(again).toMatchObject({
      accepted: 2,
      unchanged: 2,
      inserted: 0,
      updated: 0,
      expired: 0,
      sellers: 1,
    });
    expect(again.recognizedBy.vin).toBe(2);
    const changed = await run([row(a, 19_000), row(b), row(c)]);
    expect(changed).toMatchObject({ unchanged: 1, inserted: 1, updated: 1, expired: 0 });
    expect(await prices()).toEqual([`${a} 19000`, `${b} 20000`, `${c} 20000`]);
  });

  it('converts all rows again after a change of the mapping, and rows whose listing has expired', async () => {
    const [a = '', b = ''] = vins(2);
    await run([row(a), row(b)]);
    expect(await run([row(a)])).toMatchObject({ unchanged: 1, expired: 1 });
    expect(await run([row(a), row(b)])).toMatchObject({ unchanged: 1, updated: 1 });
    const other = { ...mapping, distanceUnit: 'km' as const };
    expect(await run([row(a), row(b)], { mapping: other })).toMatchObject({ unchanged: 0, updated: 2 });
  });

  it('keeps the last of two rows with one VIN, whichever changed', async () => {
    const [a = ''] = vins(1);
    await run([row(a, 1000), row(a, 2000)]);
    expect(await prices()).toEqual([`${a} 2000`]);
    await run([row(a, 3000), row(a, 2000)]);
    expect(await prices()).toEqual([`${a} 2000`]);
  });

  it('keeps identically described cars apart', async () => {
    const rows = [row(''), row(''), row('', 21_000), row('', 20_000, 5)];
    await run(rows);
    const again = await run(rows);
    expect(again).toMatchObject({ accepted: 4, inserted: 0, updated: 0, expired: 0 });
    expect(again.unchanged).toBeGreaterThanOrEqual(3);
    expect(await run(rows.slice(1))).toMatchObject({ accepted: 3, expired: 1 });
  });

  it('holds the expiry when the feed lost a large part of the stock', async () => {
    const all = vins(40).map((vin) => row(vin));
    await run(all);
    expect(await run(all.slice(0, 25))).toMatchObject({ held: 15, expired: 0 });
    expect(await prices()).toHaveLength(40);
    expect(await run(all.slice(0, 25), { maxShrink: 1 })).toMatchObject({ held: 0, expired: 15 });
    expect(await run(all.slice(0, 20))).toMatchObject({ held: 0, expired: 5 });
  });

  it('can be undone once: new listings leave, changed and expired ones are as before', async () => {
    const [a = '', b = '', c = ''] = vins(3);
    const log = createImportLog(db);
    await run([row(a), row(b)]);
    await run([row(a, 15_000), row(c)]);
    expect(await log.undo('lakeside')).toEqual({ removed: 1, restored: 2 });
    expect(await prices()).toEqual([`${a} 20000`, `${b} 20000`]);
    expect(await log.undo('lakeside')).toBeUndefined();
    await run([row(a, 15_000), row(c)]);
    expect(await prices()).toEqual([`${a} 15000`, `${c} 20000`]);
  });

  it('goes on after an interruption, and is undone as a whole', async () => {
    const [a = '', b = '', c = ''] = vins(3);
    await run([row(a), row(b)]);
    const log = createImportLog(db);
    await run([row(a, 1000)], { expireMissing: false });
    // As it stands in the log when the process ends early.
    await db.run('UPDATE imports SET finished_at = NULL');
    await run([row(a, 1000), row(b, 2000), row(c)]);
    expect(await log.undo('lakeside')).toEqual({ removed: 1, restored: 2 });
    expect(await prices()).toEqual([`${a} 20000`, `${b} 20000`]);
  });

  it('counts North American VINs with a wrong check digit', async () => {
    const right = '1HGCM82633A004352';
    const summary = await run([row(right), row('1HGCM82643A004352'), ...vins(1).map((vin) => row(vin))]);
    expect(summary).toMatchObject({ accepted: 3, invalidVins: 1 });
  });

  it('fills in make and model year from the VIN, and reports VINs that contradict their row', async () => {
    const honda = '1HGCM82633A004352';
    const at = '20000,30000,Lakeside Ford,60601';
    const summary = await run([
      `${honda},,,Accord,${at}`,
      `5YJSA1H12FFP71790,2015,Toyota,Model S,${at}`,
      `KNDCE3LG2L5073161,2019,Kia,Niro,${at}`,
      `JF1GPAD60D1803590,2013,Subaru,Impreza,${at}`,
      `1HGCM82643A004352,,Honda,Accord,${at}`,
    ]);
    expect(summary).toMatchObject({
      accepted: 4,
      rejected: 1,
      contradictions: 2,
      contradicting: ['5YJSA1H12FFP71790 (2015 Toyota)', 'KNDCE3LG2L5073161 (2019 Kia)'],
    });
    const filled = await db.get<{ body: string }>('SELECT body FROM listings WHERE vin = ?', honda);
    expect(JSON.parse(filled!.body)).toMatchObject({ year: 2003, make: { name: 'Honda' } });
  });

  it('counts the vehicles that other feeds list too, by their VIN', async () => {
    const [a = '', b = '', c = ''] = vins(3);
    const log = createImportLog(db);
    await run([row(a), row(b), row(''), row('')]);
    expect(await log.countSharedVins('lakeside')).toBe(0);
    await run([row(a), row(c), row('')], { mapping: { ...mapping, source: 'river' } });
    expect(await log.countSharedVins('lakeside')).toBe(1);
    expect(await log.countSharedVins('river')).toBe(1);
    await run([row(c)], { mapping: { ...mapping, source: 'river' } });
    expect(await log.countSharedVins('lakeside')).toBe(0);
  });
});
