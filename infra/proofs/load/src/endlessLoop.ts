import { cpSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { quantile } from '@forecourt/bench/statistics';
import { startOwnStack } from '@forecourt/e2e/ownStack';
import { fixtureDist, promote, publish, readManifest, releasesOf } from '@forecourt/e2e/releases';
import { removeDataDir, type Stack } from '@forecourt/local';
import { startVisitors } from '@forecourt/e2e/visitors';
import { distOf } from './builds.ts';
import { startRegistry } from './ownRegistry.ts';
import { PAGE, slotHtml } from './pages.ts';
import { type Finding, listed, type Proof, type ProofContext, required, told } from './proof.ts';
import { startReplica } from './shellReplica.ts';
import { type Arrivals, readArrivals } from './slotArrivals.ts';
import { until } from './until.ts';

/** The slot that hangs is the first one behind the results, so that the page's order holds up none of the others. */
const REMOTE = 'mfe-model-reference';
const SLOT = 'model-reference';
/** See the shell's layout. */
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

/** How often renders of the slot were cut, and the seconds that they had taken by the shell's own clock. */
async function cutsOf(shell: string): Promise<{ count: number; seconds: number }> {
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

/** Starts a shell with a registry of its own, in which the fixture is live. */
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
      PAGE_CACHE_SECONDS: '0',
      SESSION_SECRET: SECRET,
      REGISTRY_URL: registry.url,
    },
    onEnd,
  );
  await publish(registry.url, release);
  await promote(registry.url, REMOTE, VERSION);
  await until('the fixture', async () => (await releasesOf(replica.url))[REMOTE] === VERSION);
  return { url: replica.url, pages: [] as Arrivals[], failures: [] as string[] };
}
type Arm = Awaited<ReturnType<typeof startArm>>;

/** The shell whose release works, and the one whose release loops. */
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

/** Visits both shells in turns and adds what came to each. */
async function visitInTurns(arms: Arms, say: ProofContext['say']): Promise<void> {
  for (let block = -2; block < BLOCKS; block += 1) {
    const arm = block % 2 === 0 ? arms.good : arms.loop;
    const visits = startVisitors(VISITORS, 10, async () => {
      const page = await readArrivals(arm.url + PAGE, (html) => slotHtml(html, SLOT).includes('<section'));
      // The first turns warm up.
      if (block >= 0) arm.pages.push(page);
    });
    await new Promise((resolve) => setTimeout(resolve, BLOCK_MS));
    await visits.stop();
    arm.failures.push(...visits.failures);
    if (block % 4 === 3) say(`turn ${block + 1} of ${BLOCKS}`);
  }
}

const ms = (value: number): string => `${Math.round(value)} ms`;

/** Compares how late the other slots came. */
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
      `p95 of ${slot}: beside the one that works, beside the loop`,
      `${ms(goodMs)}, ${ms(loopMs)}: ${ratio.toFixed(2)}×`,
      `≤ ${MAX_RATIO}×`,
      ratio <= MAX_RATIO,
    );
  });
}

/** How often and how late the loop was cut, by the shell's clock. */
async function cutFindings(loop: Arm, allowed: number): Promise<Finding[]> {
  const cuts = await cutsOf(loop.url);
  const meanCutMs = (cuts.seconds / Math.max(1, cuts.count)) * 1000;
  return [
    required('Renders of the loop that were cut', cuts.count, '≥ 4', cuts.count >= 4),
    required(
      "Mean time until one was cut, by the shell's clock",
      ms(meanCutMs),
      `≤ ${allowed} ms`,
      meanCutMs <= allowed,
    ),
  ];
}

/** How late the fallback of the looping slot came. */
function fallbackFindings(loop: Arm, allowed: number): Finding[] {
  // The page is sent in its order: until the results are there, nothing behind them can be.
  const waits = loop.pages.map(({ slots }) => {
    const shownAt = slots.get(SLOT) ?? Infinity;
    return { shownAt, isHeld: shownAt <= (slots.get('results') ?? 0) + SLOT_DEADLINE_MS / 10 };
  });
  const late = waits.filter(({ shownAt, isHeld }) => shownAt > allowed && !isHeld);
  const times = waits.map(({ shownAt }) => shownAt);
  return [
    told(
      'p50 and p95 until the fallback came, from the first byte',
      `${ms(quantile(times, 0.5))}, ${ms(quantile(times, 0.95))}`,
    ),
    told(
      'Pages whose fallback waited for the results before it',
      waits.filter(({ isHeld }) => isHeld).length,
    ),
    required(
      'Others whose fallback came later than the deadline and a tenth',
      listed(late.map(({ shownAt }) => ms(shownAt))),
      `0 (${allowed} ms)`,
      late.length === 0,
    ),
  ];
}

export const endlessLoop: Proof = {
  name: 'endless-loop',
  title: 'An endless loop in one release leaves the other slots alone',
  limitMs: 8 * 60_000,
  method: `Two shells over the same upstream, each with a registry of its own: in one a fixture that works stands in the place of ${REMOTE}, in the other one whose view loops for ever. In turns of ${BLOCK_MS / 1000} s ${VISITORS} visitors ask the one and then the other for pages that are rendered anew each time. A slot's time runs from the page's first byte, which leaves right before the slots are rendered, until the slot has come; those before the hanging one in the page's order are compared, since the page is sent in its order. A release whose thread had to be ended more than three times within half a minute rests for the rest of it: then its slot is left out at once.`,
  async run(context) {
    const arms = await startArms(context);
    await visitInTurns(arms, context.say);
    const { good, loop } = arms;
    const shown = loop.pages.filter(({ isSeen }) => isSeen).length;
    const failures = [...good.failures, ...loop.failures];
    const allowed = Math.round(SLOT_DEADLINE_MS * 1.1);
    return [
      required(
        `Failed of ${good.pages.length} and ${loop.pages.length} pages`,
        listed(failures),
        '0',
        failures.length === 0,
      ),
      ...slotFindings(arms),
      ...(await cutFindings(loop, allowed)),
      ...fallbackFindings(loop, allowed),
      required('Pages with HTML of the looping release', shown, '0', shown === 0),
    ];
  },
};
