import { spawn } from 'node:child_process';
import { cpSync, mkdtempSync, writeFileSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { quantile } from '@forecourt/harness/statistics';
import { startOwnStack } from '@forecourt/harness/ownStack';
import { startReplica } from '@forecourt/harness/shellReplica';
import { startVisitors } from '@forecourt/harness/visitors';
import { fixtureDist, promote, publish, readManifest, releasesOf } from '@forecourt/harness/releases';
import { type Stack, removeDataDir } from '@forecourt/local';
import { slotHtml } from '@forecourt/harness/serverHtml';
import { distOf, startRegistry } from './registry.ts';
import { type Arrivals, completePage, PAGE, readArrivals } from './pages.ts';
import {
  countOf,
  type Finding,
  metricsOf,
  type Proof,
  type ProofContext,
  noFailures,
  required,
  reported,
  until,
} from './proof.ts';

/** The slot that hangs comes after the results, so that it doesn't delay the slots before it. */
const REMOTE = 'mfe-model-reference';
const SLOT = 'model-reference';
/** As in the shell's layout. */
const SLOT_DEADLINE_MS = 800;
const OTHERS = ['hero', 'location-editor', 'toolbar', 'filters', 'results'];
const VISITORS = 2;
const BLOCKS = 16;
const BLOCK_MS = 5000;
const MAX_RATIO = 1.2;
const VERSION = '9.8.1';
const SECRET = 'endless-loop-proof-secret-of-32-char';

/** A fixture of the showcase as a release of another remote; it fills all of its slots, as the gate requires. */
function releaseOf(fixture: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'forecourt-release-'));
  cpSync(fixtureDist(fixture), folder, { recursive: true });
  const manifest = readManifest(folder);
  const { showcase } = manifest.slots;
  if (!showcase) throw new Error(`the fixture ${fixture} has no showcase`);
  const slots = Object.fromEntries(
    Object.keys(readManifest(distOf(REMOTE)).slots).map((slot) => [slot, showcase]),
  );
  writeFileSync(
    join(folder, 'release.json'),
    JSON.stringify({ ...manifest, name: REMOTE, version: VERSION, slots }),
  );
  return folder;
}

/** How many renders of the slot were aborted, and after how many seconds in total, by the shell's metrics. */
async function abortsOf(shell: string): Promise<{ count: number; seconds: number }> {
  const text = await (await fetch(`${shell}/metrics`)).text();
  const sumOf = (field: string) => {
    const line = new RegExp(
      `^forecourt_slot_seconds_${field}\\{[^}]*slot="${SLOT}",outcome="(?:DIED|DEADLINE)"[^}]*\\} (\\S+)`,
      'gm',
    );
    return [...text.matchAll(line)].reduce((sum, [, value]) => sum + Number(value), 0);
  };
  return { count: sumOf('count'), seconds: sumOf('sum') };
}

/** Starts a shell and its own registry, in which the fixture is live. */
async function startArm(stack: Stack, folder: string, fixture: string, onEnd: ProofContext['onEnd']) {
  const registry = await startRegistry(join(folder, fixture), join(folder, fixture, 'logs'));
  onEnd(() => registry.service.stop());
  const release = releaseOf(fixture);
  onEnd(() => removeDataDir(release));
  const replica = await startReplica(
    stack,
    join(folder, fixture),
    {
      LOCAL_MODE: 'true',
      CACHE_SECONDS: 'pages=0,slots=0',
      SESSION_SECRET: SECRET,
      REGISTRY_URL: registry.url,
    },
    onEnd,
  );
  await publish(registry.url, release);
  await promote(registry.url, REMOTE, VERSION);
  await until('the shell uses the fixture', async () => (await releasesOf(replica.url))[REMOTE] === VERSION);
  return { url: replica.url, pages: [] as Arrivals[], failures: [] as string[] };
}
type Arm = Awaited<ReturnType<typeof startArm>>;

/** A shell with a working release, and one whose release loops. */
interface Arms {
  readonly good: Arm;
  readonly loop: Arm;
}

/** Starts both shells over the same upstream. */
async function startArms({ onEnd }: ProofContext): Promise<Arms> {
  const stack = await startOwnStack();
  onEnd(stack.remove);
  const folder = mkdtempSync(join(tmpdir(), 'forecourt-loop-'));
  onEnd(() => removeDataDir(folder));
  return {
    good: await startArm(stack, folder, 'good', onEnd),
    loop: await startArm(stack, folder, 'hangs-in-render', onEnd),
  };
}

/** Visits both shells in turns and records the arrivals of each. */
async function visitInTurns(arms: Arms, say: ProofContext['say']): Promise<void> {
  for (let block = -2; block < BLOCKS; block += 1) {
    const arm = block % 2 === 0 ? arms.good : arms.loop;
    const visits = startVisitors(VISITORS, 10, async () => {
      const page = await readArrivals(arm.url + PAGE, (html) => slotHtml(html, SLOT).includes('<section'));
      // The first turns are warm-up.
      if (block >= 0) arm.pages.push(page);
    });
    await new Promise((resolve) => setTimeout(resolve, BLOCK_MS));
    await visits.stop();
    arm.failures.push(...visits.failures);
    if (block % 4 === 3) say(`turn ${block + 1} of ${BLOCKS}`);
  }
}

const ms = (value: number): string => `${Math.round(value)} ms`;

/** Compares when the other slots arrived. */
function slotFindings({ good, loop }: Arms): Finding[] {
  const p95 = (pages: readonly Arrivals[], slot: string) =>
    quantile(
      pages.map(({ slots }) => slots.get(slot) ?? Infinity),
      0.95,
    );
  return OTHERS.map((slot) => {
    const [goodMs, loopMs] = [p95(good.pages, slot), p95(loop.pages, slot)];
    const ratio = loopMs / goodMs;
    return required(
      `p95 of ${slot}: with the working release, with the loop`,
      `${ms(goodMs)}, ${ms(loopMs)}: ${ratio.toFixed(2)}×`,
      `≤ ${MAX_RATIO}×`,
      ratio <= MAX_RATIO,
    );
  });
}

/** How often and after what time the loop was aborted. */
async function abortFindings(loop: Arm, limitMs: number): Promise<Finding[]> {
  const aborts = await abortsOf(loop.url);
  const meanAbortMs = (aborts.seconds / Math.max(1, aborts.count)) * 1000;
  return [
    required('Aborted renders of the loop', aborts.count, '≥ 4', aborts.count >= 4),
    required(
      'Mean time until a render was aborted',
      ms(meanAbortMs),
      `≤ ${limitMs} ms`,
      meanAbortMs <= limitMs,
    ),
  ];
}

/** When the fallback of the looping slot arrived. */
function fallbackFindings(loop: Arm, limitMs: number): Finding[] {
  // Slots are sent in page order, so the fallback cannot arrive before the results.
  const waits = loop.pages.map(({ slots }) => {
    const shownAt = slots.get(SLOT) ?? Infinity;
    return { shownAt, isDelayed: shownAt <= (slots.get('results') ?? 0) + SLOT_DEADLINE_MS / 10 };
  });
  const late = waits.filter(({ shownAt, isDelayed }) => shownAt > limitMs && !isDelayed);
  const times = waits.map(({ shownAt }) => shownAt);
  return [
    reported(
      'p50 and p95 of the fallback, from the first byte',
      `${ms(quantile(times, 0.5))}, ${ms(quantile(times, 0.95))}`,
    ),
    reported(
      'Pages whose fallback waited for the results',
      waits.filter(({ isDelayed }) => isDelayed).length,
    ),
    required(`Others whose fallback arrived after ${limitMs} ms`, late.length, '0', late.length === 0),
  ];
}

export const endlessLoop: Proof = {
  name: 'endless-loop',
  title: 'An endless loop in one release does not slow down other slots',
  limitMs: 8 * 60_000,
  method: `Two shells use the same upstream, each with its own registry. In place of ${REMOTE}, one has a working fixture, the other one whose view loops forever. In turns of ${BLOCK_MS / 1000} s, ${VISITORS} visitors request uncached pages of one shell, then of the other. A slot's time runs from the page's first byte, which is sent right before the slots are rendered, until the slot has arrived. The slots before the looping one are compared, because slots are sent in page order. A release whose thread is aborted more than three times within half a minute is suspended for the rest of it, and its slot is left out at once.`,
  async run(context) {
    const arms = await startArms(context);
    await visitInTurns(arms, context.say);
    const { good, loop } = arms;
    const loopPages = loop.pages.filter(({ isMatch }) => isMatch).length;
    const failures = [...good.failures, ...loop.failures];
    const limitMs = Math.round(SLOT_DEADLINE_MS * 1.1);
    return [
      noFailures('page requests', good.pages.length + loop.pages.length + failures.length, failures),
      ...slotFindings(arms),
      ...(await abortFindings(loop, limitMs)),
      ...fallbackFindings(loop, limitMs),
      required('Pages with HTML of the looping release', loopPages, '0', loopPages === 0),
    ];
  },
};

const CONTENTION_SECONDS = 120;
const PAUSE_MS = 250;
const WARM_UP_PAGES = 10;
/** Two busy processes for each core: a release gets a third of one at best. */
const BURNERS = availableParallelism() * 2;

/** Keeps every core busy with other work until the proof ends; each process also ends by itself. */
function saturate({ onEnd }: ProofContext): void {
  const seconds = CONTENTION_SECONDS + 30;
  const loop = `const end = Date.now() + ${seconds * 1000}; while (Date.now() < end);`;
  for (let at = 0; at < BURNERS; at += 1) {
    const burner = spawn(process.execPath, ['-e', loop], { stdio: 'ignore' });
    onEnd(() => void burner.kill('SIGKILL'));
  }
}

export const contention: Proof = {
  name: 'contention',
  title: 'Healthy releases on a machine that is busy with other work',
  limitMs: 5 * 60_000,
  method: `${BURNERS} processes compute on ${BURNERS / 2} cores for ${CONTENTION_SECONDS} s. At the same time ${VISITORS} visitors request uncached pages, each ${PAUSE_MS} ms after its last. Deaths and fallbacks are the shell's counters; the results slot is required, the others are optional.`,
  async run(context) {
    const stack = await startOwnStack();
    context.onEnd(stack.remove);
    const url = stack.urls.shell + PAGE;
    for (let page = 0; page < WARM_UP_PAGES; page += 1) await completePage(url);
    saturate(context);
    const times: number[] = [];
    let plain = 0;
    const visits = startVisitors(VISITORS, PAUSE_MS, async () => {
      const startedAt = performance.now();
      const html = await completePage(url);
      times.push(performance.now() - startedAt);
      if (html.includes('class="fc-plain"')) plain += 1;
    });
    context.onEnd(() => visits.stop());
    for (let second = 0; second < CONTENTION_SECONDS; second += 30) {
      await wait(30_000);
      context.say(`${second + 30} s: ${times.length} pages`);
    }
    await visits.stop();
    const metrics = await metricsOf(stack.urls.shell);
    const deaths = countOf(metrics, 'forecourt_release_process_events_total', 'event="release-died"');
    const fallbacks = countOf(metrics, 'forecourt_slot_failures_total');
    const shed = countOf(metrics, 'forecourt_shed_total');
    return [
      noFailures('page requests', visits.count(), visits.failures),
      required('Deaths of healthy releases', deaths, '0', deaths === 0),
      required('Pages whose results are a fallback', plain, '0', plain === 0),
      required('Fallbacks of all slots', fallbacks, '0', fallbacks === 0),
      reported('Shed: optional slots, stale pages, refused pages', shed),
      reported('Time of a page, p50', `${Math.round(quantile(times, 0.5))} ms`),
      reported('Time of a page, p99', `${Math.round(quantile(times, 0.99))} ms`),
    ];
  },
};
