import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { generateInventory, generateOwners } from '@forecourt/demo-data/inventory';
import { openDatabase } from '@forecourt/marketplace-api/database';
import { createIndexFeed } from '@forecourt/marketplace-api/indexFeed';
import { createInventoryWriter } from '@forecourt/marketplace-api/inventoryWriter';
import { createColumnarIndex } from '@forecourt/marketplace-api/listingIndex';
import { openOpenSearch } from '@forecourt/marketplace-api/openSearch';
import { createPlaceFinder, createZipDirectory } from '@forecourt/marketplace-api/places';
import { readSearchRequest } from '@forecourt/marketplace-api/searchRequest';
import { searchMix, timingsOf } from './measureSearch.ts';

// Usage: node openSearchProcess.ts <url of an empty node> <listings> <searches>. Fails if it and the index in memory disagree.
const [url = '', ...numbers] = process.argv.slice(2);
const [size = 0, searches = 0] = numbers.map(Number);
const TIMEOUT_MS = 60_000;

const zips = createZipDirectory();
const places = createPlaceFinder(zips);
const options = { size, seed: 2026, today: new Date('2026-11-01T00:00:00Z'), zips };
const now = () => options.today.getTime();

const folder = mkdtempSync(join(tmpdir(), 'forecourt-search-'));
const db = openDatabase(join(folder, 'marketplace.sqlite'));
const writer = createInventoryWriter(db);
writer.upsertOwners(generateOwners(options));
writer.upsertListings(generateInventory(options), 'bench');

const remote = openOpenSearch({ url, timeoutMs: TIMEOUT_MS, prefix: 'bench', now });
const embedded = createColumnarIndex({ now });
const feeds = [createIndexFeed(db, remote), createIndexFeed(db, embedded)] as const;
const started = performance.now();
await feeds[0].load();
const buildMs = performance.now() - started;
await feeds[1].load();

const stats = (await (await fetch(`${url}/bench-*/_stats/store`)).json()) as {
  readonly _all: { readonly total: { readonly store: { readonly size_in_bytes: number } } };
};

const times = { remote: [] as number[], embedded: [] as number[] };
let found = 0;
for (const text of searchMix(searches)) {
  const { query, page } = readSearchRequest(new URLSearchParams(text), places);
  const requestedAt = performance.now();
  const result = await remote.search(query, page, { counts: true });
  const respondedAt = performance.now();
  const { total, first, hits, stats: spans, counts } = embedded.search(query, page, { counts: true });
  const expected = { total, first, hits, stats: spans, counts };
  times.embedded.push(performance.now() - respondedAt);
  times.remote.push(respondedAt - requestedAt);
  if (!isDeepStrictEqual(result, expected)) throw new Error(`different results: ${text}`);
  if (total > 0) found += 1;
}
await remote.close();
for (const feed of feeds) feed.close();
db.close();
rmSync(folder, { recursive: true });
process.stdout.write(
  `${JSON.stringify({
    listings: size,
    searches,
    found,
    buildMs,
    diskMiB: stats._all.total.store.size_in_bytes / 2 ** 20,
    remote: timingsOf(times.remote),
    embedded: timingsOf(times.embedded),
  })}\n`,
);
