import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Db } from '@forecourt/service-kit/database';
import { migratePostgres, openPostgres } from '@forecourt/service-kit/postgres';
import type { Sql } from '@forecourt/service-kit/sql';
import { openSqlite } from '@forecourt/service-kit/sqlite';
import { findPostgres, type PostgresServer, startPostgres } from '@forecourt/service-kit/testing';
import type { StockListing } from '../../domain/stock.ts';
import { aListing, anOwner } from '../../testing/arbitraries.ts';
import type { StockPage } from './indexFeed.ts';
import { createImportLog } from './importLog.ts';
import { createInventoryWriter, GENERATED_SOURCE } from './inventoryWriter.ts';
import { createListingStore, createNewListings, openDatabase } from './listingStore.ts';
import {
  createSharedStock,
  readStockLog,
  sendAlone,
  type SharedStock,
  STOCK_OPTIONS,
} from './sharedStock.ts';

const bin = findPostgres();
let server: PostgresServer | undefined;
let schemas = 0;
beforeAll(async () => {
  if (bin) server = await startPostgres(bin);
}, 60_000);
afterAll(() => server?.stop());

const engines: readonly [string, (folder: string) => Promise<Sql>][] = [
  ['SQLite', (folder) => Promise.resolve(openSqlite(join(folder, 'stock.sqlite'), STOCK_OPTIONS))],
  [
    'PostgreSQL',
    async () => {
      const options = { url: server!.url, schema: `stock_${++schemas}`, ...STOCK_OPTIONS };
      await migratePostgres(options);
      return openPostgres(options);
    },
  ],
];

describe.each(engines.filter(([name]) => name === 'SQLite' || bin))(
  'the stock of replicas, shared in %s',
  (_, open) => {
    let folder: string;
    let sql: Sql;
    const opened: Db[] = [];
    beforeEach(async () => {
      folder = mkdtempSync(join(tmpdir(), 'shared-stock-'));
      sql = await open(folder);
    });
    afterEach(async () => {
      await sql.close();
      for (const db of opened.splice(0)) db.close();
      rmSync(folder, { recursive: true });
    });

    function replica(name: string) {
      const db = openDatabase(join(folder, name, 'marketplace.sqlite'));
      opened.push(db);
      const shared: SharedStock = createSharedStock(db, sql);
      const writer = createInventoryWriter(db);
      return {
        db,
        ...shared,
        writer,
        log: createImportLog(db),
        async import(listings: readonly StockListing[], source = 'dealer') {
          writer.upsertOwners([anOwner()]);
          writer.upsertListings(listings, source);
          return shared.send();
        },
        prices: (ids: readonly string[]) =>
          createListingStore(db)
            .listings(ids)
            .map(({ salePrice }) => salePrice),
        store: createListingStore(db),
      };
    }
    const car = (id: string, price = 10_000) => aListing({ id, vin: id, salePrice: price });

    it('gives every replica what one of them has imported, changed and removed', async () => {
      const [a, b] = [replica('a'), replica('b')];
      expect(await a.import([car('one'), car('two')])).toBe(3);
      expect(await b.receive()).toBe(3);
      expect(b.store.listings(['one', 'two'])).toEqual(a.store.listings(['one', 'two']));
      expect(b.store.owners(['o1'])).toEqual(a.store.owners(['o1']));

      await a.import([car('one', 9_000)]);
      a.writer.expireMissing('dealer', (id) => id === 'one');
      await a.send();
      await b.receive();
      expect(b.prices(['one', 'two'])).toEqual([9_000]);
      expect(b.store.everListed('two')).toEqual(a.store.everListed('two'));
      // The source is known, so that another replica can import the feed next time.
      expect(b.writer.countMissing('dealer', () => false).live).toBe(1);
    });

    it('sends nothing back that was received, and nothing twice', async () => {
      const [a, b] = [replica('a'), replica('b')];
      await a.import([car('one')]);
      await b.receive();
      expect(await b.send()).toBe(0);
      expect(await a.import([car('one')])).toBe(0);
      await a.import([car('one', 9_000)]);
      expect(await b.send()).toBe(0);
      expect(await b.receive()).toBe(1);
      expect(await a.receive()).toBeGreaterThan(0);
      expect([a.prices(['one']), b.prices(['one'])]).toEqual([[9_000], [9_000]]);
    });

    it('ends with the same listings everywhere when replicas change the same one, the last sent one', async () => {
      const [a, b] = [replica('a'), replica('b')];
      await a.import([car('one')]);
      await b.receive();
      a.writer.upsertListings([car('one', 8_000)], 'dealer');
      b.writer.upsertListings([car('one', 7_000)], 'dealer');
      await b.send();
      // Imported here and not sent yet: it is newer.
      await a.receive();
      expect(a.prices(['one'])).toEqual([8_000]);
      await a.send();
      await Promise.all([a.receive(), b.receive()]);
      expect([a.prices(['one']), b.prices(['one'])]).toEqual([[8_000], [8_000]]);
    });

    it('fills a new replica, also with listings whose seller has changed since', async () => {
      const a = replica('a');
      a.writer.upsertOwners([anOwner({ id: 'o2' })]);
      // With its seller: the first change is larger, so that no page of rows ends with a change.
      const other = aListing({ id: 'other', ownerId: 'o2' });
      await a.import([other, ...Array.from({ length: 1_699 }, (_unused, at) => car(`car-${at}`))]);
      a.writer.upsertOwners([anOwner({ name: 'Another name' })]);
      await a.send();
      const b = replica('b');
      expect(await b.receive()).toBeGreaterThan(1_700);
      expect(createNewListings(b.db).newestRow()).toBe(1_700);
      expect(b.store.owners(['o1']).get('o1')?.name).toBe('Another name');
    });

    it('keeps the photos that each replica has stored', async () => {
      const [a, b] = [replica('a'), replica('b')];
      const photoUrls = ['https://photos.example/1.jpg'];
      await a.import([aListing({ id: 'one', photoUrls })]);
      await b.receive();
      const photos = [{ hash: 'f00', width: 640, height: 480 }];
      const body = JSON.stringify({ ...b.store.listings(['one'])[0], photos });
      b.db.prepare(`UPDATE meta SET value = value + 1 WHERE key = 'change_seq'`).run();
      b.db
        .prepare(`UPDATE listings SET body = ?, seq = (SELECT value FROM meta WHERE key = 'change_seq')`)
        .run(body);
      expect(await b.send()).toBe(0);
      await a.import([aListing({ id: 'one', photoUrls, salePrice: 9_000 })]);
      await b.receive();
      const after = createListingStore(b.db).listings(['one'])[0];
      expect(after).toMatchObject({ salePrice: 9_000, photos });
      expect(a.store.listings(['one'])[0]).not.toHaveProperty('photos');
    });

    it('shares an import that was undone, the hosts of photos, and generated listings', async () => {
      const [a, b] = [replica('a'), replica('b')];
      a.writer.allowPhotoHosts('dealer', ['photos.example']);
      await a.import([car('made')], GENERATED_SOURCE);
      a.log.begin('dealer');
      await a.import([car('one')]);
      a.log.finish('dealer');
      await b.receive();
      expect(b.prices(['one', 'made'])).toEqual([10_000, 10_000]);
      expect(b.db.prepare('SELECT hosts FROM photo_hosts').pluck().get()).toBe('["photos.example"]');
      a.log.undo('dealer');
      await a.send();
      await b.receive();
      expect(b.prices(['one'])).toEqual([]);
    });

    it('sends everything again when the shared tables are lost, and after a crash between sending and noting it', async () => {
      const [a, b] = [replica('a'), replica('b')];
      await a.import([car('one')]);
      await b.receive();
      a.db.prepare(`UPDATE meta SET value = '0' WHERE key = 'shared_sent'`).run();
      a.db.prepare('DELETE FROM shared_rows').run();
      expect(await a.send()).toBe(0);
      await sql.run('DELETE FROM stock_rows');
      await sql.run('DELETE FROM stock');
      expect(await a.send()).toBe(2);
      await b.import([car('two')]);
      await a.receive();
      expect(a.prices(['one', 'two'])).toEqual([10_000, 10_000]);
    });

    it('receives up to a change, and what that had although it was changed since', async () => {
      const [a, b] = [replica('a'), replica('b')];
      await a.import([car('one'), car('again')]);
      await a.import([car('two')]);
      const until = await a.lastChange();
      await a.import([car('again', 9_000), car('three')]);
      await b.receive(until);
      expect(b.prices(['one', 'two'])).toEqual([10_000, 10_000]);
      // The row has its last state only: an index that has the first import shows that.
      expect(b.prices(['again'])).toEqual([9_000]);
      await b.receive();
      await a.import([car('four')]);
      const next = await a.lastChange();
      await a.import([car('one', 7_000)]);
      await b.receive(next);
      expect(b.prices(['one', 'four'])).toEqual([10_000, 10_000]);
      await b.receive();
      expect(b.prices(['one', 'four'])).toEqual([7_000, 10_000]);
    });

    it('is read as a log by what indexes it', async () => {
      const a = replica('a');
      await a.import([car('one'), car('two')]);
      const log = await readStockLog(sql);
      const read = async (change: number) => {
        const pages: StockPage[] = [];
        for await (const page of log.pagesAfter(change)) pages.push(page);
        return pages;
      };
      const [first, ...others] = await read(-1);
      expect(others).toEqual([]);
      expect(first).toMatchObject({ until: await log.lastChange(), moved: ['o1'] });
      expect(first!.listings.map(({ id }) => id).sort()).toEqual(['one', 'two']);
      expect(await log.sizeAt(first!.until)).toBe(2);
      expect(await read(first!.until)).toEqual([]);

      a.writer.expireMissing('dealer', (id) => id !== 'one');
      await a.import([car('two', 9_000)]);
      expect(await log.sizeAt(first!.until)).toBeUndefined();
      const changes = await read(first!.until);
      expect(changes.map(({ listings }) => listings)).toEqual([
        expect.arrayContaining([
          { id: 'one' },
          { id: 'two', listing: expect.objectContaining({ salePrice: 9_000 }) },
        ]),
      ]);
      // Its seller comes with it, although that hasn't changed.
      expect(changes[0]!.moved).toEqual([]);
      expect(changes[0]!.owners.get('o1')?.id).toBe('o1');
      expect(await log.find(['one', 'two'])).toHaveLength(2);
    });

    it('leaves the sending to another process that does it', async () => {
      const a = replica('a');
      a.writer.upsertOwners([anOwner()]);
      a.writer.upsertListings([car('one')], 'dealer');
      const first = sendAlone(a.db, a);
      expect(await sendAlone(a.db, a)).toBeUndefined();
      expect(await first).toBe(2);
      expect(await sendAlone(a.db, a)).toBe(0);
    });
  },
);
