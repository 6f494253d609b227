import { setTimeout as wait } from 'node:timers/promises';
import { inFreshBrowser, type Page } from '@forecourt/harness/browser';
import { FIRST_PRICE, hostileRelease, hostiles, type Hostile } from '@forecourt/harness/hostileRelease';
import { startOwnStack } from '@forecourt/harness/ownStack';
import { deploy } from '@forecourt/harness/releases';
import { median, quantile } from '@forecourt/harness/statistics';
import { startVisitors } from '@forecourt/harness/visitors';
import { completePage, PAGE } from './pages.ts';
import { countOf, metricsOf, type Proof, reported, required, type Finding } from './proof.ts';

/** The hostile releases have this slot; all others belong to other teams. */
const SLOT = 'showcase';
const VISITORS = 2;
const PAUSE_MS = 150;
const LIVE_EVERY_MS = 20;
/** Pages that a browser loads while the visitors come. */
const LOADS = 3;
/** Before and after the hostile releases. */
const CALM_RUNS = 3;
const MAX_LIVE_MS = 100;
const MAX_LOADED_RATIO = 1.5;

interface Measured {
  readonly name: string;
  readonly pages: number;
  readonly failures: readonly string[];
  /** ms; 99th percentile of `/health/live`. */
  readonly liveMs: number;
  /** Times that a slot of another team was left out. */
  readonly misses: number;
  /** ms until DOMContentLoaded, median. */
  readonly loadedMs: number;
}

type Stack = Awaited<ReturnType<typeof startOwnStack>>;

async function missesOfOthers(shell: string): Promise<number> {
  const metrics = await metricsOf(shell);
  const name = 'forecourt_slot_failures_total';
  return countOf(metrics, name) - countOf(metrics, name, `slot="${SLOT}"`);
}

/** Asks `/health/live` at a steady pace until stopped; returns the times. */
function watchLive(shell: string): () => Promise<readonly number[]> {
  const times: number[] = [];
  let isOver = false;
  const watching = (async () => {
    while (!isOver) {
      const started = performance.now();
      await (await fetch(`${shell}/health/live`)).text();
      times.push(performance.now() - started);
      await wait(LIVE_EVERY_MS);
    }
  })();
  return async () => {
    isOver = true;
    await watching;
    return times;
  };
}

async function loadedMsOf(page: Page, url: string): Promise<number> {
  await page.goto(url, { waitUntil: 'domcontentloaded' });
  return page.evaluate(() => {
    const [entry] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[];
    return entry?.domContentLoadedEventEnd ?? Number.NaN;
  });
}

/** Measures pages that ask for the attacks of the release which is live, one after another. */
async function measure(stack: Stack, page: Page, name: string, attacks: number): Promise<Measured> {
  const { shell } = stack.urls;
  const urlOf = (visit: number) => `${shell}${PAGE}?maxPrice=${FIRST_PRICE + (visit % Math.max(attacks, 1))}`;
  const before = await missesOfOthers(shell);
  const stopWatching = watchLive(shell);
  const visits = startVisitors(VISITORS, PAUSE_MS, async (visit) => void (await completePage(urlOf(visit))));
  const loads: number[] = [];
  try {
    for (let load = 0; load < LOADS; load += 1) {
      await wait(500);
      loads.push(await loadedMsOf(page, urlOf(load)));
    }
  } finally {
    await visits.stop();
  }
  const times = await stopWatching();
  return {
    name,
    pages: visits.count(),
    failures: visits.failures,
    liveMs: quantile(times, 0.99),
    misses: (await missesOfOthers(shell)) - before,
    loadedMs: median(loads),
  };
}

/** Attacks by HTML are one release, which shows another one in each page. */
const groupsOf = (all: readonly Hostile[]): ReadonlyMap<string, readonly Hostile[]> =>
  Map.groupBy(all, ({ name, stoppedBy }) => (stoppedBy === 'fragment-check' ? 'html-…' : name));

const ms = (value: number): string => `${Math.round(value)} ms`;

function findingsOf(hostile: readonly Measured[], calm: readonly Measured[]): Finding[] {
  const all = [...hostile, ...calm];
  const failures = all.flatMap((one) => one.failures);
  const calmMisses = Math.max(...calm.map(({ misses }) => misses));
  const calmLoadedMs = median(calm.map(({ loadedMs }) => loadedMs));
  const missing = hostile.filter(({ misses }) => misses > calmMisses);
  const ratioOf = ({ loadedMs }: Measured) => loadedMs / calmLoadedMs;
  const named = (those: readonly Measured[]) => {
    const names = those.slice(0, 5).map(({ name }) => name);
    if (those.length > names.length) names.push(`${those.length - names.length} more`);
    return names.join(', ') || 'none';
  };
  const slow = hostile.filter(({ liveMs }) => liveMs >= MAX_LIVE_MS);
  const late = hostile.filter((one) => ratioOf(one) > MAX_LOADED_RATIO);
  const pages = all.reduce((sum, one) => sum + one.pages, 0);
  return [
    required(
      `Incomplete pages of ${pages}`,
      failures.slice(0, 3).join('; ') || 0,
      '0',
      failures.length === 0,
    ),
    required(
      'Releases with which others’ slots are missing more often than without',
      named(missing),
      'none',
      missing.length === 0,
    ),
    required(
      `Releases with which /health/live takes ${MAX_LIVE_MS} ms or more (p99)`,
      named(slow),
      'none',
      slow.length === 0,
    ),
    required(
      `Releases with which DOMContentLoaded takes more than ${MAX_LOADED_RATIO} times as long`,
      named(late),
      'none',
      late.length === 0,
    ),
    ...[...calm, ...hostile].map((one) =>
      reported(
        `${one.name}: live p99, others’ missing slots, DOMContentLoaded`,
        `${ms(one.liveMs)}, ${one.misses}, ${ms(one.loadedMs)} (${ratioOf(one).toFixed(2)}×)`,
      ),
    ),
  ];
}

export const hostileReleases: Proof = {
  name: 'hostile',
  title: 'With any hostile release live, the shell answers and other teams’ slots arrive',
  limitMs: 40 * 60_000,
  method: `Each fixture of \`infra/proofs/harness/hostile\` becomes the live release of mfe-showcase, one after another; those that attack by HTML are one release. ${VISITORS} visitors request uncached pages that ask for the attack, ${PAUSE_MS} ms after their last; \`/health/live\` is asked ${LIVE_EVERY_MS} ms after its last answer; meanwhile a browser loads ${LOADS} such pages. The calm runs, ${CALM_RUNS} before and after, have a release without attacks. A slot is missing when the shell counts a failure of it.`,
  async run({ onEnd, say }) {
    const stack = await startOwnStack();
    onEnd(stack.remove);
    let deploys = 0;
    const makeLive = async (attacks: readonly Hostile[]) => {
      deploys += 1;
      const release = hostileRelease(attacks, {
        version: `6.6.${deploys}`,
        port: stack.ports['remote-registry'],
      });
      try {
        await deploy(stack.urls, release.directory);
      } finally {
        release.remove();
      }
    };
    const groups = groupsOf(await hostiles());
    return inFreshBrowser(async (page) => {
      const hostile: Measured[] = [];
      const calm: Measured[] = [];
      const runCalm = async () => {
        await makeLive([]);
        for (let run = 0; run < CALM_RUNS; run += 1)
          calm.push(await measure(stack, page, `calm ${calm.length + 1}`, 0));
      };
      await makeLive([]);
      await measure(stack, page, 'warm-up', 0);
      await runCalm();
      for (const [name, attacks] of groups) {
        await makeLive(attacks);
        const measured = await measure(stack, page, name, attacks.length);
        hostile.push(measured);
        say(`${name}: ${ms(measured.liveMs)}, ${measured.misses} missing, ${ms(measured.loadedMs)}`);
      }
      await runCalm();
      return findingsOf(hostile, calm);
    });
  },
};
