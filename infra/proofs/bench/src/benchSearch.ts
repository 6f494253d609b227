import { createHash } from 'node:crypto';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { persistentSql } from '@forecourt/service-kit/persistentSql';
import { migratePostgres, openPostgres } from '@forecourt/service-kit/postgres';
import { findPostgres, startPostgres } from '@forecourt/service-kit/testing';
import { removeDataDir } from '@forecourt/local';
import { createIndexFeed } from '@forecourt/marketplace-api/indexFeed';
import { INVENTORY_OPTIONS, openInventory } from '@forecourt/marketplace-api/inventory';
import { createColumnarIndex } from '@forecourt/marketplace-api/listingIndex';
import { createStockLog } from '@forecourt/marketplace-api/stockLog';
import type { Sql } from '@forecourt/service-kit/sql';
import { writeCapacity } from './capacity.ts';
import { describeMachine, loadAverage } from '@forecourt/harness/machine';
import { markdownTable } from '@forecourt/harness/markdown';
import { writeResults } from './report.ts';
import { migrateApi, startApiReplica } from './search/apiReplica.ts';
import {
  importInventory,
  indexMiB,
  inventoryOf,
  measureHttpSearch,
  measureIndex,
  measureOpenSearch,
  measureSql,
  measureUpdates,
  residentMiB,
  SEARCHES,
  type Timings,
} from './search/measureSearch.ts';
import { canStartJavaServer, startOpenSearch } from '@forecourt/service-kit/javaServer';
import { type Measurement, runMeasurement } from './runMeasurement.ts';
import { startBenchStack } from './servers/startBenchStack.ts';
import { cpuSeconds } from '@forecourt/harness/processes';

/** Listings, and how many searches SQL can run in reasonable time. */
const SIZES = [
  { size: 100_000, sqlSearches: SEARCHES },
  { size: 1_000_000, sqlSearches: 10 },
];
const HTTP_SIZE = 100_000;
/** Searches that are compared between OpenSearch and the index in memory. */
const COMPARED = 10_000;
/** Listings changed by another process during the measurement. */
const CHANGES = 5000;

const text = (value: number, digits = 1) => value.toFixed(digits);
const thousands = (value: number) => value.toLocaleString('en');
const timesOf = ({ p50, p99, mean }: Timings) => [p50, p99, mean].map((ms) => text(ms));

const OPTIONS = {
  /** `open-search`, `replica` (the API over PostgreSQL and OpenSearch), or `postgresql`. */
  only: { type: 'string' },
  /** In OpenSearch or PostgreSQL. */
  listings: { type: 'string', default: String(HTTP_SIZE) },
  /** Compared ones. */
  searches: { type: 'string', default: String(COMPARED) },
} as const;
type Options = ReturnType<typeof parseArgs<{ options: typeof OPTIONS }>>['values'];

type OnStart = Measurement['onStart'];

/** OpenSearch beside the index in memory, in a node of this machine, and behind the API. */
async function benchOpenSearch(onStart: OnStart, { listings, searches: compared }: Options): Promise<void> {
  const size = Number(listings);
  process.stderr.write(`OpenSearch, ${thousands(size)} listings\n`);
  const loadBefore = loadAverage();
  const node = await startOpenSearch({ isMeasured: true });
  onStart(() => node.stop());
  const { remote, embedded, cpuMs, searches, oracleMs, found, buildMs, diskMiB } = await measureOpenSearch(
    node,
    {
      listings: size,
      searches: Number(compared),
    },
  );
  const rows = [
    ['OpenSearch', ...timesOf(remote), text(cpuMs), text(buildMs / 1000), text(diskMiB, 0)],
    ['index in memory', ...timesOf(embedded), '', '', ''],
  ];
  const facts = `Measured on ${new Date().toISOString().slice(0, 10)} by \`npm run bench:search -- --only open-search --listings ${size} --searches ${compared}\`: ${describeMachine()}; load average ${loadBefore} before, ${loadAverage()} after. A node with a heap of 2 GB on the same cores; building is from the file. Random searches with rarer filters than the mix above, one after the other, each with the counts of every filter.`;
  const counts = `**${thousands(searches)} searches**, ${thousands(found)} with results: each had the same total, page, order, statistics and counts in OpenSearch, in memory and by brute force through all ${thousands(size)} listings, ${text(oracleMs)} ms a search on all cores. The run fails at the first difference.`;
  const table = markdownTable(
    ['Search', 'p50 ms', 'p99 ms', 'mean ms', 'CPU ms', 'build s', 'disk MiB'],
    rows,
  );
  writeResults(`OpenSearch with ${thousands(size)} listings`, [facts, counts, table].join('\n\n'));
  process.stdout.write(`${counts}\n\n${table}\n`);
}

/** The listing call of a stack of its own; memory of the API is resident, after the searches. */
async function measureApi(
  onStart: OnStart,
  inventorySize: number,
  settings: Readonly<Record<string, string>> = {},
): Promise<{ readonly times: readonly string[]; readonly memory: string }> {
  const stack = await startBenchStack(inventorySize, { LOG_LEVEL: 'warn', ...settings }, onStart);
  const api = stack.urls['marketplace-api'];
  const times = timesOf(await measureHttpSearch(api));
  return { times, memory: text(await residentMiB(api), 0) };
}

/** A replica of the API that starts beside another one, over PostgreSQL and an index that is there. */
async function benchReplica(onStart: OnStart, { listings }: Options): Promise<void> {
  const size = Number(listings);
  const bin = findPostgres();
  if (bin === undefined) throw new Error('PostgreSQL is not installed.');
  process.stderr.write(`a replica over OpenSearch, ${thousands(size)} listings\n`);
  const loadBefore = loadAverage();
  const server = await startPostgres(bin);
  onStart(server.stop);
  const node = await startOpenSearch({ isMeasured: true });
  onStart(node.stop);
  const settings = { DATABASE_URL: server.url, SEARCH_URL: node.url };
  await migrateApi(settings);
  const sql = await openPostgres({ url: server.url, schema: 'inventory', ...INVENTORY_OPTIONS });
  await importInventory(sql, inventoryOf(size));
  const { mib } = (await sql.get<{ mib: number }>(
    'SELECT pg_database_size(current_database()) / 1048576.0::float8 AS mib',
  ))!;
  await sql.close();
  const first = await startApiReplica(settings);
  onStart(first.stop);
  const replica = await startApiReplica(settings);
  onStart(replica.stop);
  const started = await residentMiB(replica.url);
  const cpuOf = () => [cpuSeconds(replica.pid), cpuSeconds(node.pid()!)] as const;
  const before = cpuOf();
  const { calls, ...timings } = await measureHttpSearch(replica.url);
  const cpu = cpuOf().map((seconds, at) => text(((seconds - before[at]!) * 1000) / calls));
  const table = markdownTable(
    [`Replica, ${thousands(size)} listings`, 'value'],
    [
      ['listing call of the mix, p50 ms', text(timings.p50)],
      ['listing call of the mix, p99 ms', text(timings.p99)],
      ['listing call of the mix, mean ms', text(timings.mean)],
      ['CPU of the API per call, ms', cpu[0]!],
      ['CPU of OpenSearch per call, ms', cpu[1]!],
      ['start to ready, s', text(replica.readySeconds)],
      ['memory when ready, MiB', text(started, 0)],
      ['memory after the calls, MiB', text(await residentMiB(replica.url), 0)],
      ['first replica, which builds the index, s', text(first.readySeconds)],
      ['index on disk, MiB', text(await indexMiB(node.url, 'listings'), 0)],
      ['PostgreSQL on disk, MiB', text(mib, 0)],
    ],
  );
  const facts = `Measured on ${new Date().toISOString().slice(0, 10)} by \`npm run bench:search -- --only replica --listings ${size}\`: ${describeMachine()}; load average ${loadBefore} before, ${loadAverage()} after. ${thousands(calls)} calls, of which the last ${SEARCHES} are timed, one after the other. PostgreSQL, OpenSearch (a heap of 2 GB) and two replicas run on the same cores; memory is resident.`;
  writeResults(`A replica over OpenSearch with ${thousands(size)} listings`, [facts, table].join('\n\n'));
  process.stdout.write(`${table}\n`);
}

/** All listings in the order of their arrival, in one hash. */
async function digestOf(inventory: Sql): Promise<string> {
  const hash = createHash('sha256');
  const log = await createStockLog(inventory);
  for await (const listings of log.listings(await log.lastChange())) hash.update(JSON.stringify(listings));
  return hash.digest('hex');
}

async function secondsOf(run: () => unknown): Promise<number> {
  const started = performance.now();
  await run();
  return (performance.now() - started) / 1000;
}

/** The inventory in PostgreSQL compared with a file: imported, and loaded into the index of a new replica. */
async function benchPostgres(onStart: OnStart, { listings }: Options): Promise<void> {
  const size = Number(listings);
  const bin = findPostgres();
  if (bin === undefined) throw new Error('PostgreSQL is not installed.');
  process.stderr.write(`PostgreSQL, ${thousands(size)} listings\n`);
  const loadBefore = loadAverage();
  const server = await startPostgres(bin, { isDurable: true });
  onStart(server.stop);
  const options = { url: server.url, schema: 'inventory', ...INVENTORY_OPTIONS };
  const durableOptions = { ...options, schema: 'durable', durability: 'full' } as const;
  for (const schema of [options, durableOptions]) await migratePostgres(schema);
  const folder = mkdtempSync(join(tmpdir(), 'forecourt-bench-'));
  onStart(() => removeDataDir(folder));
  // As the importer does: a busy machine only takes longer.
  const sql = persistentSql(await openPostgres(options));
  onStart(sql.close);
  const durable = persistentSql(await openPostgres(durableOptions));
  onStart(durable.close);
  const file = openInventory(join(folder, 'marketplace.sqlite'));
  onStart(file.close);
  const inventory = inventoryOf(size);
  const steps: string[][] = [];
  for (const [name, stock] of [
    ['SQLite', file],
    ['PostgreSQL', sql],
    ['PostgreSQL, with each commit on disk', durable],
  ] as const) {
    const importing = await secondsOf(() => importInventory(stock, inventory));
    const log = await createStockLog(stock);
    const loading = await secondsOf(() => createIndexFeed(log, createColumnarIndex()).load());
    steps.push(
      [`import into ${name}`, text(importing), thousands(Math.round(size / importing))],
      [`index of a new replica from ${name}`, text(loading), thousands(Math.round(size / loading))],
    );
  }
  const digests = await Promise.all([file, sql, durable].map(digestOf));
  if (new Set(digests).size > 1) throw new Error('The inventories differ.');
  const disk = await sql.get<{ bytes: number }>(
    `SELECT pg_total_relation_size('inventory.listings')::float8 AS bytes`,
  );
  const table = markdownTable(['Step', 'seconds', 'listings/s'], steps);
  const facts = `Measured on ${new Date().toISOString().slice(0, 10)} by \`npm run bench:search -- --only postgresql --listings ${size}\`: ${describeMachine()}; load average ${loadBefore} before, ${loadAverage()} after. PostgreSQL runs on the same cores; its table of listings has ${text(disk!.bytes / 2 ** 20, 0)} MiB with indexes. Importing includes generating the listings. An inventory can be imported again, so its commits wait for no disk (\`synchronous_commit=off\`, as SQLite's \`synchronous=NORMAL\`), except where the table says so. At the end all have the same listings, compared by a hash of all of them.`;
  writeResults(`PostgreSQL with ${thousands(size)} listings`, [facts, table].join('\n\n'));
  process.stdout.write(`${table}\n`);
}

async function benchSearch(onStart: OnStart): Promise<void> {
  const loadBefore = loadAverage();
  const rows: string[][] = [];
  for (const { size, sqlSearches } of SIZES) {
    process.stderr.write(`index of ${thousands(size)} listings\n`);
    const { listings, p50, p99, mean, memoryMiB, buildMs, found } = await measureIndex(size);
    rows.push([
      `index, ${thousands(listings)} listings`,
      text(p50),
      text(p99),
      text(mean),
      text(memoryMiB, 0),
      text(buildMs / 1000),
      `${found} of ${SEARCHES}`,
    ]);
    process.stderr.write(`the same in SQL\n`);
    const sql = await measureSql(size, sqlSearches);
    rows.push([
      `SQLite, SQL alone, ${thousands(size)} listings`,
      text(sql.p50, 0),
      text(sql.p99, 0),
      text(sql.mean, 0),
      '',
      '',
      `${sql.found} of ${sql.searches}`,
    ]);
  }
  process.stderr.write(`the API over HTTP, ${thousands(HTTP_SIZE)} listings\n`);
  const { times, memory } = await measureApi(onStart, HTTP_SIZE);
  rows.push([`listing call, ${thousands(HTTP_SIZE)} listings`, ...times, `${memory} (service)`, '', '']);
  const table = markdownTable(
    ['Search', 'p50 ms', 'p99 ms', 'mean ms', 'memory MiB', 'build s', 'found something'],
    rows,
  );
  const facts = [
    `Measured on ${new Date().toISOString().slice(0, 10)} by \`npm run bench:search\`: ${describeMachine()}; load average ${loadBefore} before, ${loadAverage()} after.`,
    `${SEARCHES} searches as shoppers make them, one after the other, each with the counts of every filter; each for the first time, after others that compile the code. SQLite answers the same page, total and counts by SQL alone (matches into a table, one grouping a filter, indexes and statistics as a careful engineer would make them), and is held to what the index finds. The listing call's answers hold 30 whole listings with their owners, filters and texts. Building includes generating the listings.`,
  ];
  process.stderr.write('changes of another process\n');
  const updates = await measureUpdates(HTTP_SIZE, CHANGES);
  const changing = `With ${thousands(HTTP_SIZE)} listings the index is built from the file in ${text(updates.loadMs / 1000)} s of processor time. When another process changes ${thousands(CHANGES)} of them, the last is found ${text(updates.visibleMs, 0)} ms after it was written; no pause between two chances to answer takes more than ${text(updates.longestPauseMs, 0)} ms of processor time.`;
  writeResults('The search', [...facts, table, changing].join('\n\n'));
  writeCapacity();
  process.stdout.write(`${table}\n`);
}

const { values: options } = parseArgs({ options: OPTIONS });
// The time depends on the searches that are asked for.
await runMeasurement(async ({ onStart }) => {
  if (options.only === undefined) await benchSearch(onStart);
  if (options.only === 'postgresql') await benchPostgres(onStart, options);
  else if (canStartJavaServer())
    await (options.only === 'replica' ? benchReplica : benchOpenSearch)(onStart, options);
  else process.stderr.write('OpenSearch is left out: Java or Maven is missing.\n');
});
