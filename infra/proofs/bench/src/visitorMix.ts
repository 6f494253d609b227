import { mkdtempSync } from 'node:fs';
import { Agent, get, type IncomingMessage } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { cpuSeconds, processTree } from '@forecourt/harness/processes';
import { markdownTable } from '@forecourt/harness/markdown';
import { randomNumbers } from '@forecourt/harness/randomNumbers';
import { BROWSER_USER_AGENT } from '@forecourt/harness/serverHtml';
import { type Shopper, signUp } from '@forecourt/harness/shopper';
import { removeDataDir, startStack } from '@forecourt/local';
import { normalizedPaths } from './normalizedPaths.ts';
import { differentSearches } from './search/measureSearch.ts';

// Pages as visitors of a site open them: a few searches often and most of them hardly ever, some by crawlers and some by
// signed-in visitors, to whom no shared page is shown. Each visitor opens the next page when the last one has arrived.

const SEARCHES = 20_000;
/** Of a search's rank: the second most popular one is requested half as often as the first. */
const ZIPF_EXPONENT = 1;
/** Crawlers follow links, also to what nobody searches: any search is as likely as any other. */
const CRAWLER_SHARE = 0.2;
const SIGNED_IN_SHARE = 0.05;
const SIGNED_IN_VISITORS = 5;
const CONNECTIONS = 8;
const WARM_UP_SECONDS = 30;
const LOAD_SECONDS = 30;
const CRAWLER = 'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)';

/** How a page was made, as the shell says in Server-Timing. */
const OUTCOMES = ['hit', 'stale', 'join', 'miss', 'own'] as const;
type Outcome = (typeof OUTCOMES)[number];

/** Draws a rank from 0 by Zipf's law. */
function zipf(count: number, next: () => number): () => number {
  const upTo = new Float64Array(count);
  let sum = 0;
  for (let rank = 0; rank < count; rank += 1) upTo[rank] = sum += 1 / (rank + 1) ** ZIPF_EXPONENT;
  return () => {
    const drawn = next() * sum;
    let [low, high] = [0, count - 1];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (upTo[middle]! < drawn) low = middle + 1;
      else high = middle;
    }
    return low;
  };
}

export interface Visit {
  /** Index of the search by popularity. */
  readonly rank: number;
  readonly by: 'shopper' | 'crawler' | 'member';
}

/** Visits without an end, the same ones for the same seed. */
export function visits(seed: number, searches = SEARCHES): () => Visit {
  const next = randomNumbers(seed);
  const popular = zipf(searches, next);
  return () => {
    const share = next();
    if (share < CRAWLER_SHARE) return { rank: Math.floor(next() * searches), by: 'crawler' };
    return { rank: popular(), by: share < CRAWLER_SHARE + SIGNED_IN_SHARE ? 'member' : 'shopper' };
  };
}

interface MixResult {
  readonly perSecond: number;
  /** Of shell, releases' processes and API; ms per page. */
  readonly cpuMs: number;
  readonly outcomes: Readonly<Record<Outcome, number>>;
}

interface MixServer {
  readonly url: string;
  readonly pid: number;
  readonly apiPid: number;
  readonly members: readonly Shopper[];
}

/** Requests one page; resolves to its outcome. @throws Error for another status than 200 */
function requestPage(agent: Agent, url: string, headers: Readonly<Record<string, string>>): Promise<Outcome> {
  return new Promise((resolve, reject) => {
    const read = (response: IncomingMessage) => {
      const [, outcome] = /page;desc="(\w+)"/.exec(String(response.headers['server-timing'])) ?? [];
      response.once('error', reject).once('end', () => {
        if (response.statusCode === 200) resolve(outcome as Outcome);
        else reject(new Error(`${url} responded ${response.statusCode}`));
      });
      response.resume();
    };
    get(url, { agent, headers }, read).once('error', reject);
  });
}

async function measureMix(
  { url, pid, apiPid, members }: MixServer,
  paths: readonly string[],
): Promise<MixResult> {
  const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS });
  const nextVisit = visits(1);
  const headersOf = ({ by, rank }: Visit): Readonly<Record<string, string>> => {
    const browser = { 'user-agent': BROWSER_USER_AGENT, 'accept-encoding': 'gzip, br, zstd' };
    if (by === 'crawler') return { 'user-agent': CRAWLER, 'accept-encoding': 'gzip, br' };
    if (by === 'shopper') return browser;
    return { ...browser, cookie: members[rank % members.length]!.cookiesOf(url) };
  };
  async function load(seconds: number): Promise<MixResult> {
    const outcomes: Record<Outcome, number> = { hit: 0, stale: 0, join: 0, miss: 0, own: 0 };
    const cpu = () => [...processTree(pid), apiPid].reduce((sum, each) => sum + cpuSeconds(each), 0);
    const before = cpu();
    const startedAt = performance.now();
    const endsAt = startedAt + seconds * 1000;
    const visitor = async () => {
      while (performance.now() < endsAt) {
        const visit = nextVisit();
        outcomes[await requestPage(agent, url + paths[visit.rank], headersOf(visit))] += 1;
      }
    };
    await Promise.all(Array.from({ length: CONNECTIONS }, visitor));
    const pages = Object.values(outcomes).reduce((sum, each) => sum + each, 0);
    return {
      perSecond: (pages * 1000) / (performance.now() - startedAt),
      cpuMs: ((cpu() - before) * 1000) / pages,
      outcomes,
    };
  }
  try {
    await load(WARM_UP_SECONDS);
    return await load(LOAD_SECONDS);
  } finally {
    agent.destroy();
  }
}

/** Pages of the mix per second and core with the caches of production and without any; a table. */
export async function measureVisitorMix(
  listings: number,
  {
    onStart,
    onStep,
  }: { onStart: (stop: () => Promise<void> | void) => void; onStep: (step: string) => void },
): Promise<string> {
  const paths: string[] = [];
  const rows: string[][] = [];
  for (const [name, environment] of [
    ['with the caches of production', {}],
    ['without caches', { CACHE_SECONDS: 'pages=0,slots=0' }],
  ] as const) {
    onStep(`mix of visitors, ${name}`);
    const dataDir = mkdtempSync(join(tmpdir(), 'forecourt-bench-'));
    onStart(() => removeDataDir(dataDir));
    const stack = await startStack({
      dataDir,
      inventorySize: listings,
      environment: { LOCAL_MODE: 'true', LOG_LEVEL: 'warn', ...environment },
    });
    onStart(() => stack.stop());
    const url = stack.urls.shell;
    const members: Shopper[] = [];
    for (let index = 0; index < SIGNED_IN_VISITORS; index += 1)
      members.push(await signUp(url, stack.urls.identity, `member.${index}@example.com`));
    if (paths.length === 0) paths.push(...(await normalizedPaths(url, differentSearches(SEARCHES))));
    const [pid = 0, apiPid = 0] = [stack.pids.shell, stack.pids['marketplace-api']];
    rows.push(rowOf(name, await measureMix({ url, pid, apiPid, members }, paths)));
    await stack.stop();
  }
  return markdownTable(COLUMNS, rows);
}

const COLUMNS = ['Shell', 'Pages per second', 'CPU per page, ms', 'Pages per second and core', ...OUTCOMES];

function rowOf(name: string, { perSecond, cpuMs, outcomes }: MixResult): string[] {
  const pages = Object.values(outcomes).reduce((sum, each) => sum + each, 0);
  return [
    name,
    perSecond.toFixed(0),
    cpuMs.toFixed(1),
    (1000 / cpuMs).toFixed(0),
    ...OUTCOMES.map((outcome) => `${((100 * outcomes[outcome]) / pages).toFixed(0)} %`),
  ];
}
