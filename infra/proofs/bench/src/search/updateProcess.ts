import { fork } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { generateInventory } from '@forecourt/demo-data/inventory';
import type { StockListing } from '@forecourt/marketplace-api/stock';
import { createColumnarIndex } from '@forecourt/marketplace-api/listingIndex';
import { openInventory } from '@forecourt/marketplace-api/inventory';
import { createIndexFeed } from '@forecourt/marketplace-api/indexFeed';
import { createStockLog } from '@forecourt/marketplace-api/stockLog';
import { createInventoryWriter } from '@forecourt/marketplace-api/inventoryWriter';
import { importInventory, inventoryOf } from './measureSearch.ts';

// Usage: node updateProcess.ts <listings> <changes>. With a third argument, this file is the writer.
const [size = 0, changes = 0] = process.argv.slice(2).map(Number);
const path = process.argv[4];
const FEED_INTERVAL_MS = 500;
const LATEST_MS = 60_000;
const options = inventoryOf(size);

/** CPU milliseconds of this thread, independent of other load. */
const processorMs = (): number => {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
};

function* changedListings(): Iterable<StockListing> {
  let remaining = changes;
  for (const listing of generateInventory(options)) {
    if (remaining === 0) return;
    remaining -= 1;
    yield { ...listing, salePrice: 1234, incentive: undefined };
  }
}

/** Lowers prices in import-sized transactions and reports when it is done. */
async function write(file: string): Promise<void> {
  const writer = createInventoryWriter(openInventory(file));
  await writer.upsertListings(changedListings(), 'bench');
  process.send?.(Date.now());
}

async function measure(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'forecourt-updates-'));
  const file = join(folder, 'marketplace.sqlite');
  const db = openInventory(file);
  await importInventory(db, options);

  const started = processorMs();
  const index = createColumnarIndex();
  const feed = createIndexFeed(await createStockLog(db), index);
  await feed.load();
  const loadMs = processorMs() - started;

  const written = new Promise<number>((resolve) =>
    fork(fileURLToPath(import.meta.url), [String(size), String(changes), file]).once('message', (at) =>
      resolve(Number(at)),
    ),
  );
  let writtenAt = Infinity;
  void written.then((at) => (writtenAt = at));
  // CPU time between two event loop turns while changes are applied.
  let longestPause = 0;
  let last = processorMs();
  let isTakingOver = false;
  const beat = setInterval(() => {
    const now = processorMs();
    if (isTakingOver) longestPause = Math.max(longestPause, now - last);
    last = now;
  }, 1);
  let visibleAt = Infinity;
  const deadline = Date.now() + LATEST_MS;
  while (visibleAt === Infinity && Date.now() < deadline) {
    isTakingOver = true;
    last = processorMs();
    await feed.catchUp();
    isTakingOver = false;
    if (index.count({ price: { min: 1234, max: 1234 } }) >= changes) visibleAt = Date.now();
    else await wait(FEED_INTERVAL_MS);
  }
  clearInterval(beat);
  await db.close();
  rmSync(folder, { recursive: true });
  const visibleMs = Math.max(0, visibleAt - Math.min(writtenAt, visibleAt));
  process.stdout.write(`${JSON.stringify({ loadMs, visibleMs, longestPauseMs: longestPause })}\n`);
}

if (path === undefined) await measure();
else await write(path);
