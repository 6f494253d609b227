import { mkdtempSync, rmSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { createApp } from '../app.ts';
import type { StockListing, StockOwner } from '../domain/stock.ts';
import { createColumnarIndex } from '../index/columnarIndex.ts';
import { generateInventory, generateOwners } from '../inventory/generate.ts';
import { createLeadStore } from '../leads/leadStore.ts';
import { createZipDirectory } from '../places/zips.ts';
import { openDatabase } from '../store/database.ts';
import { createIndexFeed } from '../store/indexFeed.ts';
import { createInventoryWriter } from '../store/inventoryWriter.ts';
import { createListingStore } from '../store/listingStore.ts';

export const TEST_NOW = Date.UTC(2026, 10, 1);

const zips = createZipDirectory();

/** Generated stock of a size, always the same. */
export function generatedStock(size: number): { owners: StockOwner[]; listings: StockListing[] } {
  const options = { size, seed: 7, today: new Date(TEST_NOW), zips };
  return { owners: [...generateOwners(options)], listings: [...generateInventory(options)] };
}

/** The whole service on a free port over its own database file; `stop` leaves nothing behind. */
export async function startTestApp(
  stock: { owners: readonly StockOwner[]; listings: readonly StockListing[] },
  { isLocal = true } = {},
) {
  const folder = mkdtempSync(join(tmpdir(), 'marketplace-api-'));
  const path = join(folder, 'marketplace.sqlite');
  const db = openDatabase(path);
  const people = openDatabase(path, { durability: 'full' });
  const writer = createInventoryWriter(db, () => TEST_NOW);
  writer.upsertOwners(stock.owners);
  writer.upsertListings(stock.listings, 'test');

  const index = createColumnarIndex({ now: () => TEST_NOW });
  const feed = createIndexFeed(db, index);
  feed.load();
  const app = createApp(
    {
      index,
      store: createListingStore(db),
      leads: createLeadStore(people),
      zips,
      logger: pino({ level: 'silent' }),
      isReady: () => true,
      now: () => TEST_NOW,
    },
    { isLocal },
  );
  const server = app.listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const { port } = server.address() as AddressInfo;
  const origin = `http://127.0.0.1:${port}`;

  return {
    origin,
    path,
    feed,
    index,
    get: (target: string, headers: Record<string, string> = {}) => fetch(origin + target, { headers }),
    async json<Body = Record<string, never>>(target: string): Promise<Body> {
      return (await (await fetch(origin + target)).json()) as Body;
    },
    send: (method: 'POST' | 'DELETE', target: string, body?: unknown) =>
      fetch(origin + target, {
        method,
        headers: { 'Content-Type': 'application/json' },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      }),
    async stop() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      db.close();
      people.close();
      rmSync(folder, { recursive: true });
    },
  };
}

export type TestApp = Awaited<ReturnType<typeof startTestApp>>;
