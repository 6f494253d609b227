import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { removeDataDir, startStack } from '@forecourt/local';
import { writeCapacity } from './capacity.ts';
import { describeMachine, loadAverage, writeResults, markdownTable } from './report.ts';
import {
  measureHttpSearch,
  measureIndex,
  measureOpenSearch,
  measureSql,
  measureUpdates,
  residentMiB,
  SEARCHES,
} from './search/measureSearch.ts';
import { canStartJavaServer, startOpenSearch } from '@forecourt/durable/javaServer';
import { createCleanup } from './servers/processes.ts';

/** Listings, and how many searches SQL can run in reasonable time. */
const SIZES = [
  { size: 100_000, sqlSearches: SEARCHES },
  { size: 1_000_000, sqlSearches: 10 },
];
const HTTP_SIZE = 100_000;
/** Searches whose results in OpenSearch are compared with the index in memory. */
const COMPARED = 10_000;
/** Listings changed by another process during the measurement. */
const CHANGES = 5000;

const text = (value: number, digits = 1) => value.toFixed(digits);
const thousands = (value: number) => value.toLocaleString('en');

/** OpenSearch alone and behind the API, in a node of this machine; no rows without Java. */
async function benchOpenSearch(
  onStart: (stop: () => Promise<void> | void) => void,
): Promise<{ rows: string[][]; facts: string[] }> {
  if (!canStartJavaServer()) return { rows: [], facts: [] };
  process.stderr.write(`OpenSearch, ${thousands(HTTP_SIZE)} listings\n`);
  const node = await startOpenSearch({ isMeasured: true });
  onStart(() => node.stop());
  const { remote, found, searches, buildMs, diskMiB } = await measureOpenSearch(
    node.url,
    HTTP_SIZE,
    COMPARED,
  );
  const dataDir = mkdtempSync(join(tmpdir(), 'forecourt-bench-'));
  onStart(() => removeDataDir(dataDir));
  const environment = { LOG_LEVEL: 'warn', SEARCH_URL: node.url };
  const stack = await startStack({ dataDir, inventorySize: HTTP_SIZE, environment });
  onStart(() => stack.stop());
  const overHttp = await measureHttpSearch(stack.urls['marketplace-api']);
  const memory = await residentMiB(stack.urls['marketplace-api']);
  return {
    rows: [
      [
        `OpenSearch, ${thousands(HTTP_SIZE)} listings`,
        ...[remote.p50, remote.p99, remote.mean].map((ms) => text(ms)),
        '',
        text(buildMs / 1000),
        `${found} of ${searches}`,
      ],
      [
        `listing call over OpenSearch, ${thousands(HTTP_SIZE)} listings`,
        ...[overHttp.p50, overHttp.p99, overHttp.mean].map((ms) => text(ms)),
        `${text(memory, 0)} (service)`,
        '',
        '',
      ],
    ],
    facts: [
      `OpenSearch is a node with a heap of 1 GB on the same cores; its index takes ${text(diskMiB, 0)} MiB on disk. Each of the ${thousands(searches)} searches had the same totals, hits, order and counts as in memory.`,
    ],
  };
}

async function benchSearch(onStart: (stop: () => Promise<void> | void) => void): Promise<void> {
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
  const dataDir = mkdtempSync(join(tmpdir(), 'forecourt-bench-'));
  onStart(() => removeDataDir(dataDir));
  const stack = await startStack({ dataDir, inventorySize: HTTP_SIZE, environment: { LOG_LEVEL: 'warn' } });
  onStart(() => stack.stop());
  const { p50, p99, mean } = await measureHttpSearch(stack.urls['marketplace-api']);
  const memory = await residentMiB(stack.urls['marketplace-api']);
  rows.push([
    `listing call, ${thousands(HTTP_SIZE)} listings`,
    text(p50),
    text(p99),
    text(mean),
    `${text(memory, 0)} (service)`,
    '',
    '',
  ]);

  const openSearch = await benchOpenSearch(onStart);
  rows.push(...openSearch.rows);
  const table = markdownTable(
    ['Search', 'p50 ms', 'p99 ms', 'mean ms', 'memory MiB', 'build s', 'found something'],
    rows,
  );
  const facts = [
    `Measured on ${new Date().toISOString().slice(0, 10)} by \`npm run bench:search\`: ${describeMachine()}; load average ${loadBefore} before, ${loadAverage()} after.`,
    `${SEARCHES} searches as shoppers make them, one after the other, each with the counts of every filter; in the index the best of four rounds counts. SQLite answers the same page, total and counts by SQL alone (matches into a table, one grouping a filter, indexes and statistics as a careful engineer would make them), and is held to what the index finds. The listing call's answers hold 30 whole listings with their owners, filters and texts. Building includes generating the listings, except in OpenSearch.`,
    ...openSearch.facts,
  ];
  process.stderr.write('changes of another process\n');
  const updates = await measureUpdates(HTTP_SIZE, CHANGES);
  const changing = `With ${thousands(HTTP_SIZE)} listings the index is built from the file in ${text(updates.loadMs / 1000)} s of processor time. When another process changes ${thousands(CHANGES)} of them, the last is found ${text(updates.visibleMs, 0)} ms after it was written; no pause between two chances to answer takes more than ${text(updates.longestPauseMs, 0)} ms of processor time.`;
  writeResults('The search', [...facts, table, changing].join('\n\n'));
  writeCapacity();
  process.stdout.write(`${table}\n`);
}

const cleanup = createCleanup();
try {
  await benchSearch(cleanup.add);
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
} finally {
  await cleanup.run();
}
