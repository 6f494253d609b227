import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { searchMix } from './searchMix.ts';
import { type Measure, mean, quantile } from '../report.ts';
import { BUDGETS } from '../budgets.ts';

export const SEARCHES = 200;
const LIMIT_MS = 600_000;

export interface IndexResult extends Timings {
  readonly listings: number;
  /** Includes generating the listings. */
  readonly buildMs: number;
  readonly memoryMiB: number;
  /** Searches with results. */
  readonly found: number;
}

/** Builds the index in a separate process and times searches in it, including facet counts. */
export async function measureIndex(listings: number): Promise<IndexResult> {
  const script = fileURLToPath(new URL('./indexProcess.ts', import.meta.url));
  const { stdout } = await promisify(execFile)(
    process.execPath,
    ['--expose-gc', '--max-old-space-size=8192', script, String(listings), String(SEARCHES)],
    { timeout: LIMIT_MS },
  );
  return JSON.parse(stdout) as IndexResult;
}

export interface SqlResult extends Timings {
  readonly searches: number;
  readonly found: number;
}

/**
 * The first `searches` of the mix in SQLite, in a separate process. Fails if SQL and the index disagree.
 */
export async function measureSql(listings: number, searches: number): Promise<SqlResult> {
  const script = fileURLToPath(new URL('./sqlProcess.ts', import.meta.url));
  const { stdout } = await promisify(execFile)(
    process.execPath,
    ['--max-old-space-size=8192', script, String(listings), String(searches)],
    { timeout: LIMIT_MS },
  );
  return JSON.parse(stdout) as SqlResult;
}

export interface UpdateResult {
  /** CPU time to build the index from the file. */
  readonly loadMs: number;
  /** Time from the last write of another process until the search finds it. */
  readonly visibleMs: number;
  /** Longest CPU time between two event loop turns, during which no request is handled. */
  readonly longestPauseMs: number;
}

/** Loads the index from a file and applies the changes of another process. */
export async function measureUpdates(listings: number, changes: number): Promise<UpdateResult> {
  const script = fileURLToPath(new URL('./updateProcess.ts', import.meta.url));
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [script, String(listings), String(changes)],
    { timeout: LIMIT_MS },
  );
  return JSON.parse(stdout) as UpdateResult;
}

/** MiB used by a service, from its metrics. */
export async function residentMiB(origin: string): Promise<number> {
  const metrics = await (await fetch(`${origin}/metrics`)).text();
  const bytes = /^process_resident_memory_bytes (\S+)$/m.exec(metrics)?.[1];
  return Number(bytes) / 2 ** 20;
}

/** The same searches over HTTP, sequentially; each response has filters, facets, texts and 25 listings. */
export async function measureHttpSearch(origin: string): Promise<Timings> {
  const times: number[] = [];
  const queries = searchMix(SEARCHES);
  for (const isWarmUp of [true, false]) {
    for (const query of queries) {
      const started = performance.now();
      // Uncompressed, as the shell requests it.
      const response = await fetch(`${origin}/rest/lsc/listing?${query}`, {
        headers: { 'accept-encoding': 'identity' },
      });
      if (response.status !== 200) throw new Error(`${response.status} for ${query}`);
      await response.arrayBuffer();
      if (!isWarmUp) times.push(performance.now() - started);
    }
  }
  return timingsOf(times);
}

/** All in ms. */
export interface Timings {
  readonly p50: number;
  readonly p99: number;
  readonly mean: number;
}

export const timingsOf = (times: readonly number[]): Timings => ({
  p50: quantile(times, 0.5),
  p99: quantile(times, 0.99),
  mean: mean(times),
});

/** Search times of the index alone and of whole API responses at `origin`. */
export async function measureSearches(
  origin: string,
  listings: number,
  onStep: (step: string) => void,
): Promise<Measure[]> {
  onStep('searches');
  const overHttp = await measureHttpSearch(origin);
  const index = await measureIndex(listings);
  const measure = (name: string, value: number): Measure => ({ name, unit: 'ms', digits: 1, value });
  return [
    { ...measure('Search in the API, p50', index.p50), budget: BUDGETS.searchMedian },
    { ...measure('Search in the API, p99', index.p99), budget: BUDGETS.searchSlowest },
    measure('Listing call over HTTP, p50', overHttp.p50),
    measure('Listing call over HTTP, p99', overHttp.p99),
  ];
}
