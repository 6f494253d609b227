import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { generateInventory, generateOwners } from '@forecourt/demo-data/inventory';
import { openInventory } from '@forecourt/marketplace-api/inventory';
import { createIndexFeed } from '@forecourt/marketplace-api/indexFeed';
import { createStockLog } from '@forecourt/marketplace-api/stockLog';
import { createColumnarIndex } from '@forecourt/marketplace-api/listingIndex';
import { openOpenSearch } from '@forecourt/marketplace-api/openSearch';
import { createPlaceFinder } from '@forecourt/marketplace-api/places';
import { readSearchRequest } from '@forecourt/marketplace-api/searchRequest';
import { comparator, facetCounts, found as search, type Stock } from '@forecourt/marketplace-api/oracle';
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

// Usage: node openSearchProcess.ts <url of an empty node> <its process id> <JSON of Comparison>. Fails if it, the index in memory and a search
// through all listings disagree.
const [url = '', pid = '', comparison = ''] = process.argv.slice(2);
const { listings: size, searches, confirmEvery, seconds } = JSON.parse(comparison) as Comparison;
const MS_PER_DAY = 86_400_000;
const TIMEOUT_MS = 60_000;

const options = inventoryOf(size);
const places = createPlaceFinder(options.zips);
const now = () => options.today.getTime();

const folder = mkdtempSync(join(tmpdir(), 'forecourt-search-'));
const db = openInventory(join(folder, 'marketplace.sqlite'));
await importInventory(db, options);

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
const stock: Stock | undefined =
  confirmEvery > 0
    ? {
        listings: [...generateInventory(options)],
        owners: new Map([...generateOwners(options)].map((owner) => [owner.id, owner])),
      }
    : undefined;

type Request = ReturnType<typeof readSearchRequest>;
const byId = new Map(stock?.listings.map((listing) => [listing.id, listing]));

/** Whether all listings, one after the other, give this total, this page in this order and these counts. */
function isConfirmed({ query, page }: Request, { total, first, hits, counts }: SearchHits): boolean {
  const all = search(query, stock!);
  if (all.length !== total) return false;
  const compare = comparator(page.sort, query, stock!, Math.floor(now() / MS_PER_DAY));
  const shown = hits.map(({ id }) => byId.get(id)!);
  const isSorted = shown.every((listing, at) => at === 0 || compare(shown[at - 1]!, listing) < 0);
  // As many come before the page, and before its end, as its place says: then no other listing belongs there.
  const before = (listing: (typeof shown)[number]) => all.filter((one) => compare(one, listing) < 0).length;
  const ids = new Set(all.map(({ id }) => id));
  const isPage =
    shown.length === 0 ||
    (hits.every(({ id }) => ids.has(id)) &&
      before(shown[0]!) === first &&
      before(shown.at(-1)!) === first + shown.length - 1);
  return isSorted && isPage && haveCounts(facetCounts(query, stock!), counts!.facets);
}

function haveCounts(
  expected: ReturnType<typeof facetCounts>,
  facets: NonNullable<SearchHits['counts']>['facets'],
): boolean {
  return Object.entries(facets).every(([name, { values, counts }]) => {
    const counted = values.map((value, code) => [value, counts[code]] as const);
    return isDeepStrictEqual(
      new Map(counted.filter(([, count]) => count! > 0)),
      expected[name as keyof typeof expected],
    );
  });
}

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

const until = performance.now() + seconds * 1000;
let cpu = 0;
let found = 0;
let confirmed = 0;
for (const [at, text] of wideMix(searches).entries()) {
  if (performance.now() > until) break;
  const request = readSearchRequest(new URLSearchParams(text), places);
  const { query, page } = request;
  const cpuBefore = cpuSeconds(Number(pid));
  const requestedAt = performance.now();
  const result = await remote.search(query, page, { counts: true });
  const respondedAt = performance.now();
  cpu += cpuSeconds(Number(pid)) - cpuBefore;
  const { total, first, hits, stats: spans, counts } = embedded.search(query, page, { counts: true });
  const expected = { total, first, hits, stats: spans, counts };
  times.embedded.push(performance.now() - respondedAt);
  times.remote.push(respondedAt - requestedAt);
  if (!isDeepStrictEqual(inOneOrder(result), inOneOrder(expected)))
    throw new Error(`different results: ${text}`);
  if (stock && at % confirmEvery === 0) {
    if (!isConfirmed(request, expected)) throw new Error(`not what all listings give: ${text}`);
    confirmed += 1;
  }
  if (total > 0) found += 1;
}
await remote.close();
await db.close();
rmSync(folder, { recursive: true });
process.stdout.write(
  `${JSON.stringify({
    searches: times.remote.length,
    confirmed,
    found,
    buildMs,
    diskMiB,
    cpuMs: (cpu * 1000) / times.remote.length,
    remote: timingsOf(times.remote),
    embedded: timingsOf(times.embedded),
  })}\n`,
);
