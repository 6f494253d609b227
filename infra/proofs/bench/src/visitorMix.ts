import { Agent, get, type IncomingMessage } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import { cpuSeconds, processTree } from '@forecourt/harness/processes';
import { markdownTable } from '@forecourt/harness/markdown';
import { randomNumbers } from '@forecourt/harness/randomNumbers';
import { BROWSER_USER_AGENT } from '@forecourt/harness/serverHtml';
import { type Shopper, signUp } from '@forecourt/harness/shopper';
import { normalizedPaths } from './normalizedPaths.ts';
import { differentSearches } from './search/measureSearch.ts';
import { startBenchStack } from './servers/startBenchStack.ts';

// Pages as visitors of a site open them: a few searches often and most of them hardly ever, some by crawlers and some by
// signed-in visitors, to whom no shared page is shown. Each visitor opens the next page when the last one has arrived.

const SEARCHES = 20_000;
/** Of a search's rank: the second most popular one is requested half as often as the first. */
const ZIPF_EXPONENT = 1;
/** Crawlers follow links, also to what nobody searches: any search is as likely as any other. */
const CRAWLER_SHARE = 0.2;
const SIGNED_IN_SHARE = 0.05;
const SIGNED_IN_VISITORS = 5;
/** At a time. */
export const VISITORS = 8;
/** After it was refused, a visitor waits; ms. */
const RETRY_MS = 250;
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

export interface MixResult {
  readonly perSecond: number;
  /** Of shell, releases' processes and API; ms per page. */
  readonly cpuMs: number;
  readonly outcomes: Readonly<Record<Outcome, number>>;
  /** Requests that a busy shell refused. */
  readonly refused: number;
  /** Until the last byte, of pages; ms. */
  readonly durations: readonly number[];
}

/** A site and its visitors. */
export interface Mix {
  /** What visitors get in that time; `visitors` at a time. */
  readonly load: (seconds: number, visitors?: number) => Promise<MixResult>;
  /** Process ids. */
  readonly shell: number;
  readonly api: number;
  readonly stop: () => Promise<void>;
}

interface MixServer {
  readonly url: string;
  readonly pid: number;
  readonly apiPid: number;
  readonly members: readonly Shopper[];
}

/** Requests one page; resolves to its outcome. @throws Error for other status codes than 200 and 503 */
function requestPage(
  agent: Agent,
  url: string,
  headers: Readonly<Record<string, string>>,
): Promise<Outcome | 'refused'> {
  return new Promise((resolve, reject) => {
    const read = (response: IncomingMessage) => {
      const [, outcome] = /page;desc="(\w+)"/.exec(String(response.headers['server-timing'])) ?? [];
      response.once('error', reject).once('end', () => {
        if (response.statusCode === 200) resolve(outcome as Outcome);
        else if (response.statusCode === 503) resolve('refused');
        else reject(new Error(`${url} responded ${response.statusCode}`));
      });
      response.resume();
    };
    get(url, { agent, headers }, read).once('error', reject);
  });
}

/** Pages that visitors of a server open, the next ones with each call. */
function visitorsOf({ url, pid, apiPid, members }: MixServer, paths: readonly string[]): Mix['load'] {
  const nextVisit = visits(1);
  const headersOf = ({ by, rank }: Visit): Readonly<Record<string, string>> => {
    const browser = { 'user-agent': BROWSER_USER_AGENT, 'accept-encoding': 'gzip, br, zstd' };
    if (by === 'crawler') return { 'user-agent': CRAWLER, 'accept-encoding': 'gzip, br' };
    if (by === 'shopper') return browser;
    return { ...browser, cookie: members[rank % members.length]!.cookiesOf(url) };
  };
  return async (seconds, count = VISITORS) => {
    const agent = new Agent({ keepAlive: true, maxSockets: count });
    const outcomes: Record<Outcome, number> = { hit: 0, stale: 0, join: 0, miss: 0, own: 0 };
    const durations: number[] = [];
    let refused = 0;
    const cpu = () => [...processTree(pid), apiPid].reduce((sum, each) => sum + cpuSeconds(each), 0);
    const before = cpu();
    const startedAt = performance.now();
    const endsAt = startedAt + seconds * 1000;
    const visitor = async () => {
      while (performance.now() < endsAt) {
        const visit = nextVisit();
        const requestedAt = performance.now();
        const outcome = await requestPage(agent, url + paths[visit.rank], headersOf(visit));
        if (outcome === 'refused') {
          refused += 1;
          await wait(RETRY_MS);
          continue;
        }
        outcomes[outcome] += 1;
        durations.push(performance.now() - requestedAt);
      }
    };
    try {
      await Promise.all(Array.from({ length: count }, visitor));
    } finally {
      agent.destroy();
    }
    const pages = durations.length;
    return {
      perSecond: (pages * 1000) / (performance.now() - startedAt),
      cpuMs: ((cpu() - before) * 1000) / pages,
      outcomes,
      refused,
      durations,
    };
  };
}

/** Starts a site with so many listings, and its visitors; `environment` is added to that of its services. */
export async function startMix(
  listings: number,
  environment: Readonly<Record<string, string>>,
  onStart: (stop: () => Promise<void> | void) => void,
): Promise<Mix> {
  const services = { LOCAL_MODE: 'true', LOG_LEVEL: 'warn', ...environment };
  const stack = await startBenchStack(listings, services, onStart);
  const url = stack.urls.shell;
  const members: Shopper[] = [];
  for (let index = 0; index < SIGNED_IN_VISITORS; index += 1)
    members.push(await signUp(url, stack.urls.identity, `member.${index}@example.com`));
  const [pid = 0, apiPid = 0] = [stack.pids.shell, stack.pids['marketplace-api']];
  const paths = await normalizedPaths(url, differentSearches(SEARCHES));
  const load = visitorsOf({ url, pid, apiPid, members }, paths);
  return { load, shell: pid, api: apiPid, stop: () => stack.stop() };
}

/** Pages of the mix per second and core with the caches of production and without any; a table. */
export async function measureVisitorMix(
  listings: number,
  {
    onStart,
    onStep,
  }: { onStart: (stop: () => Promise<void> | void) => void; onStep: (step: string) => void },
): Promise<string> {
  const rows: string[][] = [];
  for (const [name, environment] of [
    ['with the caches of production', {}],
    ['without caches', { CACHE_SECONDS: 'pages=0,slots=0' }],
  ] as const) {
    onStep(`mix of visitors, ${name}`);
    const mix = await startMix(listings, environment, onStart);
    await mix.load(WARM_UP_SECONDS);
    rows.push(rowOf(name, await mix.load(LOAD_SECONDS)));
    await mix.stop();
  }
  return markdownTable(COLUMNS, rows);
}

const COLUMNS = ['Shell', 'Pages per second', 'CPU per page, ms', 'Pages per second and core', ...OUTCOMES];

function rowOf(name: string, { perSecond, cpuMs, outcomes, durations }: MixResult): string[] {
  return [
    name,
    perSecond.toFixed(0),
    cpuMs.toFixed(1),
    (1000 / cpuMs).toFixed(0),
    ...OUTCOMES.map((outcome) => `${((100 * outcomes[outcome]) / durations.length).toFixed(0)} %`),
  ];
}
