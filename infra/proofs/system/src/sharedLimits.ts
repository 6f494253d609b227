import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { median, quantile } from '@forecourt/harness/statistics';
import { findPostgres, startPostgres } from '@forecourt/service-kit/testing';
import { startOwnStack } from '@forecourt/harness/ownStack';
import { type ShellReplica, startReplica } from '@forecourt/harness/shellReplica';
import { removeDataDir } from '@forecourt/local';
import { PAGE, send } from './abuse/site.ts';
import { type Finding, type Proof, type ProofContext, reported, required } from './proof.ts';

const LIMIT = 60;
/** Of one shell, between two exchanges. */
const ALLOWANCE = 3;
/** Requests of an attack, and how many are in flight at a time. */
const REQUESTS = 4 * LIMIT;
const IN_FLIGHT = 4;
/** Seconds of the window that an attack may need. */
const NEEDED_SECONDS = 30;
const CACHED_PAGES = 250;

/** A client's address, as a proxy passes it on. */
const from = (client: string) => ({ headers: { 'X-Forwarded-For': client } });

/** Waits for the next window of a client if the current one is about to end. */
async function untilWindow([shell]: readonly string[], client: string): Promise<void> {
  const { headers } = await send(`${shell}${PAGE}?window=1`, from(client));
  const seconds = Number(/\bt=(\d+)/.exec(String(headers['ratelimit']))?.[1]);
  if (seconds < NEEDED_SECONDS) await wait((seconds + 1) * 1000);
}

/** Requests pages that no cache has from all shells in turn; returns how many were rendered. */
async function attack(shells: readonly string[], client: string): Promise<number> {
  await untilWindow(shells, client);
  let next = 0;
  let rendered = 0;
  const request = async () => {
    while (next < REQUESTS) {
      const n = (next += 1);
      const page = `${PAGE}?x${client.replaceAll('.', '')}n${n}=1`;
      const { status } = await send(`${shells[n % shells.length]}${page}`, from(client));
      if (status === 200) rendered += 1;
      else if (status !== 429) throw new Error(`status ${status}`);
    }
  };
  await Promise.all(Array.from({ length: IN_FLIGHT }, request));
  return rendered;
}

/** Median and 99th percentile of a page from the cache of each shell, requested in turn, each time from another client. */
async function cachedPageTimes(shells: readonly string[]): Promise<string[]> {
  const times = shells.map((): number[] => []);
  for (let n = -1; n < CACHED_PAGES; n += 1)
    for (const [at, shell] of shells.entries()) {
      const startedAt = performance.now();
      await send(shell + PAGE, from(`198.51.100.${n + 2}`));
      // The first request renders the page.
      if (n >= 0) times[at]!.push(performance.now() - startedAt);
    }
  return times.map((all) => `${median(all).toFixed(2)} ms, p99 ${quantile(all, 0.99).toFixed(1)} ms`);
}

async function exchangesOf(shell: string): Promise<string> {
  const { text } = await send(`${shell}/metrics`);
  const value = (part: string) =>
    Number(new RegExp(`^forecourt_limits_exchange_seconds_${part} (\\S+)`, 'm').exec(text)?.[1]);
  return `${value('count')}, ${((1000 * value('sum')) / value('count')).toFixed(1)} ms on average`;
}

/** Starts two shells for each database: with it, and without one. */
async function startPairs(database: string, { onEnd, say }: ProofContext) {
  const stack = await startOwnStack();
  onEnd(stack.remove);
  const folder = mkdtempSync(join(tmpdir(), 'forecourt-limits-'));
  onEnd(() => removeDataDir(folder));
  const environment = {
    RENDER_LIMITS: `pagesPerMinute=${LIMIT}`,
    CACHE_SECONDS: 'pages=60',
    TRUST_PROXY: '1',
    LOCAL_MODE: 'true',
  };
  const start = async (name: string, settings: Readonly<Record<string, string>>): Promise<ShellReplica> => {
    say(`starting ${name}`);
    return startReplica(stack, join(folder, name), { ...environment, ...settings }, onEnd);
  };
  const shared = [await start('a', { DATABASE_URL: database }), await start('b', { DATABASE_URL: database })];
  const alone = [await start('c', {}), await start('d', {})];
  return { shared: shared.map(({ url }) => url), alone: alone.map(({ url }) => url) };
}

export const sharedLimits: Proof = {
  name: 'shared-limits',
  title: 'Two shells have one budget',
  limitMs: 10 * 60_000,
  method: `Two shells with one PostgreSQL and \`pagesPerMinute=${LIMIT}\`, and two without a database. A client requests ${REQUESTS} pages that no cache has from both in turn, ${IN_FLIGHT} at a time, within one window. The attack is repeated after PostgreSQL has crashed. Then ${CACHED_PAGES} pages from the cache are requested from a shell of each pair, one after another. Requires Debian's package of PostgreSQL.`,
  async run(context) {
    const bin = findPostgres();
    if (bin === undefined) throw new Error('PostgreSQL is not installed: nothing was proven');
    const server = await startPostgres(bin);
    context.onEnd(server.stop);
    const { shared, alone } = await startPairs(server.url, context);
    const granted = async (what: string, shells: readonly string[], client: string) => {
      context.say(what);
      return attack(shells, client);
    };
    const isOneLimit = (pages: number) => pages >= LIMIT - 1 && pages <= LIMIT + ALLOWANCE;
    const oneLimit = `${LIMIT - 1} to ${LIMIT + ALLOWANCE}`;
    const findings: Finding[] = [];
    const together = await granted('two shells with one database', shared, '203.0.113.1');
    findings.push(
      required('Pages that two shells with one database rendered', together, oneLimit, isOneLimit(together)),
    );
    const apart = await granted('two shells without a database', alone, '203.0.113.1');
    findings.push(
      required(
        'Pages that two shells without a database rendered',
        apart,
        `${2 * LIMIT - 1} or more: the attack succeeds`,
        apart >= 2 * LIMIT - 1,
      ),
    );
    await server.restart();
    const afterwards = await granted('after a crash of the database', shared, '203.0.113.2');
    findings.push(
      required('The same after a crash of the database', afterwards, oneLimit, isOneLimit(afterwards)),
    );
    context.say('pages from the cache');
    const [withDatabase, without] = await cachedPageTimes([shared[0]!, alone[0]!]);
    findings.push(
      reported('Median of a page from the cache, with a database', withDatabase!),
      reported('The same without a database', without!),
      reported('Exchanges of one shell', await exchangesOf(shared[0]!)),
    );
    return findings;
  },
};
