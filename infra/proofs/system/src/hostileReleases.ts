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
const LOADS = 5;
/** Hostile releases between two calm runs; each is compared with both. */
const BETWEEN_CALM = 3;
/** How often a release that did worse is measured again: what other programs of the machine do doesn't repeat. */
const REPEATS = 2;
/** Of visits before a release is measured again: by then the shell has seen it die or be late often enough to pause it. */
const JUDGED_MS = 6_000;
const MAX_LIVE_MS = 100;
/** Of the times of the slower calm run. */
const MAX_RATIO = 1.5;

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
async function measure(
  stack: Stack,
  page: Page,
  {
    name,
    attacks,
    settleMs = 0,
  }: { readonly name: string; readonly attacks: number; readonly settleMs?: number },
): Promise<Measured> {
  const { shell } = stack.urls;
  const urlOf = (visit: number) => `${shell}${PAGE}?maxPrice=${FIRST_PRICE + (visit % Math.max(attacks, 1))}`;
  const before = await missesOfOthers(shell);
  const stopWatching = watchLive(shell);
  const visits = startVisitors(VISITORS, PAUSE_MS, async (visit) => void (await completePage(urlOf(visit))));
  const loads: number[] = [];
  try {
    await wait(settleMs);
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

/** What a hostile release makes worse, compared with the calm runs before and after it. */
interface Compared extends Measured {
  readonly isLiveLate: boolean;
  readonly isMissing: boolean;
  readonly isLoadedLate: boolean;
  /** Of DOMContentLoaded. */
  readonly ratio: number;
}

function compare(measured: Measured, calm: readonly Measured[]): Compared {
  const slowest = (value: (one: Measured) => number) => Math.max(...calm.map(value));
  const ratio = measured.loadedMs / slowest(({ loadedMs }) => loadedMs);
  return {
    ...measured,
    ratio,
    isLiveLate: measured.liveMs >= Math.max(MAX_LIVE_MS, MAX_RATIO * slowest(({ liveMs }) => liveMs)),
    isMissing: measured.misses > slowest(({ misses }) => misses),
    isLoadedLate: ratio > MAX_RATIO,
  };
}

const isWorse = ({ isLiveLate, isMissing, isLoadedLate }: Compared): boolean =>
  isLiveLate || isMissing || isLoadedLate;

function findingsOf(hostile: readonly Compared[], calm: readonly Measured[]): Finding[] {
  const all = [...hostile, ...calm];
  const failures = all.flatMap((one) => one.failures);
  const pages = all.reduce((sum, one) => sum + one.pages, 0);
  const none = (measure: string, isBad: (one: Compared) => boolean) => {
    const bad = hostile.filter(isBad);
    const names = bad.slice(0, 5).map(({ name }) => name);
    if (bad.length > names.length) names.push(`${bad.length - names.length} more`);
    return required(measure, names.join(', ') || 'none', 'none', bad.length === 0);
  };
  const calmLive = calm.map(({ liveMs }) => liveMs);
  return [
    required(
      `Incomplete pages of ${pages}`,
      failures.slice(0, 3).join('; ') || 0,
      '0',
      failures.length === 0,
    ),
    none(
      `Of ${hostile.length} releases, those with which others’ slots are missing more often than in the calm runs around`,
      ({ isMissing }) => isMissing,
    ),
    none(
      `Those with which /health/live takes ${MAX_LIVE_MS} ms or more (p99), and ${MAX_RATIO} times as long as around`,
      ({ isLiveLate }) => isLiveLate,
    ),
    none(
      `Those with which DOMContentLoaded takes more than ${MAX_RATIO} times as long as around`,
      ({ isLoadedLate }) => isLoadedLate,
    ),
    reported(
      `/health/live of ${calm.length} calm runs, p99: median, slowest`,
      `${ms(median(calmLive))}, ${ms(Math.max(...calmLive))}`,
    ),
    reported(
      '/health/live of hostile releases, p99: median, slowest',
      `${ms(median(hostile.map(({ liveMs }) => liveMs)))}, ${ms(Math.max(...hostile.map(({ liveMs }) => liveMs)))}`,
    ),
    reported(
      'Others’ missing slots: in calm runs, with hostile releases',
      `${calm.reduce((sum, { misses }) => sum + misses, 0)}, ${hostile.reduce((sum, { misses }) => sum + misses, 0)}`,
    ),
    reported(
      'DOMContentLoaded of hostile releases to the calm runs around: median, most',
      `${median(hostile.map(({ ratio }) => ratio)).toFixed(2)}, ${Math.max(...hostile.map(({ ratio }) => ratio)).toFixed(2)}`,
    ),
  ];
}

export const hostileReleases: Proof = {
  name: 'hostile',
  title: 'With any hostile release live, the shell answers and other teams’ slots arrive',
  limitMs: 40 * 60_000,
  method: `Each fixture of \`infra/proofs/harness/hostile\` becomes the live release of mfe-showcase, one after another; those that attack by HTML are one release. ${VISITORS} visitors request uncached pages that ask for the attack, ${PAUSE_MS} ms after their last; \`/health/live\` is asked ${LIVE_EVERY_MS} ms after its last answer; meanwhile a browser loads ${LOADS} such pages. Calm runs, after every ${BETWEEN_CALM} releases, have a release without attacks; a release is compared with those before and after it, and one that does worse is measured up to ${REPEATS} times more, each between two calm runs and after ${JUDGED_MS / 1000} s of visits, in which the shell judges it: only what repeats counts. A slot is missing when the shell counts a failure of it.`,
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
      const calm: Measured[] = [];
      const runCalm = async (): Promise<Measured> => {
        await makeLive([]);
        const measured = await measure(stack, page, { name: `calm ${calm.length + 1}`, attacks: 0 });
        calm.push(measured);
        say(`${measured.name}: ${ms(measured.liveMs)}, ${measured.misses} missing, ${ms(measured.loadedMs)}`);
        return measured;
      };
      const runHostile = async (names: readonly string[], settleMs: number): Promise<Measured[]> => {
        const measured: Measured[] = [];
        for (const name of names) {
          const attacks = groups.get(name)!;
          await makeLive(attacks);
          measured.push(await measure(stack, page, { name, attacks: attacks.length, settleMs }));
        }
        return measured;
      };
      await makeLive([]);
      await measure(stack, page, { name: 'warm-up', attacks: 0 });
      let before = await runCalm();
      const compareAll = async (
        names: readonly string[],
        { size, settleMs }: { readonly size: number; readonly settleMs: number },
      ): Promise<Compared[]> => {
        const compared: Compared[] = [];
        for (let at = 0; at < names.length; at += size) {
          const measured = await runHostile(names.slice(at, at + size), settleMs);
          const after = await runCalm();
          compared.push(...measured.map((one) => compare(one, [before, after])));
          before = after;
        }
        for (const one of compared)
          say(
            `${one.name}: ${ms(one.liveMs)}, ${one.misses} missing, ${ms(one.loadedMs)}${isWorse(one) ? ' WORSE' : ''}`,
          );
        return compared;
      };
      const results = new Map<string, Compared>();
      let suspects: readonly string[] = [...groups.keys()];
      for (let attempt = 0; attempt <= REPEATS && suspects.length > 0; attempt += 1) {
        const compared = await compareAll(
          suspects,
          attempt === 0 ? { size: BETWEEN_CALM, settleMs: 0 } : { size: 1, settleMs: JUDGED_MS },
        );
        for (const one of compared) results.set(one.name, one);
        suspects = compared.filter(isWorse).map(({ name }) => name);
      }
      return findingsOf([...results.values()], calm);
    });
  },
};
