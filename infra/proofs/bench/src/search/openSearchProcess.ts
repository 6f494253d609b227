import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { openInventory } from '@forecourt/marketplace-api/inventory';
import { createIndexFeed } from '@forecourt/marketplace-api/indexFeed';
import { createStockLog } from '@forecourt/marketplace-api/stockLog';
import { createColumnarIndex } from '@forecourt/marketplace-api/listingIndex';
import { openOpenSearch } from '@forecourt/marketplace-api/openSearch';
import { createPlaceFinder } from '@forecourt/marketplace-api/places';
import { readSearchRequest } from '@forecourt/marketplace-api/searchRequest';
import { differences } from '@forecourt/marketplace-api/oracleAnswer';
import type { SearchHits } from '@forecourt/marketplace-api/query';
import { cpuSeconds } from '@forecourt/harness/processes';
import {
  type Comparison,
  importInventory,
  indexMiB,
  inventoryOf,
  timingsOf,
  wideMix,
} from './measureSearch.ts';
import { startOracle } from './startOracle.ts';

// Usage: node openSearchProcess.ts <url of an empty node> <its process id> <JSON of Comparison>. Fails if it, the index in memory and a search
// through all listings disagree.
const [url = '', pid = '', comparison = ''] = process.argv.slice(2);
const { listings: size, searches } = JSON.parse(comparison) as Comparison;
const TIMEOUT_MS = 60_000;

const options = inventoryOf(size);
const places = createPlaceFinder(options.zips);
const now = () => options.today.getTime();

const folder = mkdtempSync(join(tmpdir(), 'forecourt-search-'));
const db = openInventory(join(folder, 'marketplace.sqlite'));
const [oracle] = await Promise.all([startOracle(size), importInventory(db, options)]);

const remote = openOpenSearch({ url, timeoutMs: TIMEOUT_MS, prefix: 'bench', now });
const embedded = createColumnarIndex({ now });
const log = await createStockLog(db);
const feeds = [createIndexFeed(log, remote), createIndexFeed(log, embedded)] as const;
const started = performance.now();
await feeds[0].load();
const buildMs = performance.now() - started;
await feeds[1].load();

const diskMiB = await indexMiB(url, 'bench');

const times = { remote: [] as number[], embedded: [] as number[] };

/** Options in one order: that of the first listings, in which engines have them, doesn't reach a page. */
function inOneOrder({ counts, ...found }: SearchHits) {
  const sorted = (options: readonly object[]) => options.map((option) => JSON.stringify(option)).sort();
  const { facets, makes, models, trims, ...others } = counts!;
  return {
    ...found,
    counts: {
      ...others,
      facets: Object.entries(facets).map(([name, facet]) => [
        name,
        new Map(facet.values.map((value, code) => [value, facet.counts[code]])),
      ]),
      vehicles: [makes, models, trims].map(sorted),
    },
  };
}

let cpu = 0;
let found = 0;
let oracleMs = 0;
for (const text of wideMix(searches)) {
  const { query, page } = readSearchRequest(new URLSearchParams(text), places);
  const cpuBefore = cpuSeconds(Number(pid));
  const requestedAt = performance.now();
  const result = await remote.search(query, page, { counts: true });
  const respondedAt = performance.now();
  cpu += cpuSeconds(Number(pid)) - cpuBefore;
  const { total, first, hits, stats: spans, counts } = embedded.search(query, page, { counts: true });
  const expected = { total, first, hits, stats: spans, counts };
  times.embedded.push(performance.now() - respondedAt);
  times.remote.push(respondedAt - requestedAt);
  // Not while the others search, on the same cores.
  const comparedAt = performance.now();
  const answered = oracle.answer(query, page);
  if (!isDeepStrictEqual(inOneOrder(result), inOneOrder(expected)))
    throw new Error(`different results: ${text}`);
  const differing = differences(expected, await answered, page);
  if (differing.length > 0) throw new Error(`not what all listings give: ${text}: ${differing.join(', ')}`);
  oracleMs += performance.now() - comparedAt;
  if (total > 0) found += 1;
}
await oracle.close();
await remote.close();
await db.close();
rmSync(folder, { recursive: true });
process.stdout.write(
  `${JSON.stringify({
    searches: times.remote.length,
    oracleMs: oracleMs / times.remote.length,
    found,
    buildMs,
    diskMiB,
    cpuMs: (cpu * 1000) / times.remote.length,
    remote: timingsOf(times.remote),
    embedded: timingsOf(times.embedded),
  })}\n`,
);
