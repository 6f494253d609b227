import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { setTimeout as wait } from 'node:timers/promises';
import { after, before, describe, it } from 'mocha';
import { FIRST_PRICE, hostileRelease, hostiles, type Hostile } from '@forecourt/harness/hostileRelease';
import { startOwnStack } from '@forecourt/harness/ownStack';
import { deploy, fixtureDist } from '@forecourt/harness/releases';
import { getPage, listingIds, slotHtml } from '@forecourt/harness/serverHtml';
import { linesWith, loggedLines, logLines } from './serviceLogs.ts';

const PAGE = '/cars-for-sale/all/ford';
/** Pages that are attacked at least: some attacks need more than one render. */
const PAGES = 2;
/** Until an attack shows its outcome: the process may have died of an earlier one, or let a first render pass. */
const MAX_PAGES = 8;

export const FIXTURES: readonly Hostile[] = await hostiles();
/** One for each measure by which the shell ends a process: CPU time, silence, memory, threads, protocol, and its own end. */
const SAMPLES = [
  'loops',
  'waits-for-ever',
  'grows-array-buffers',
  'burns-in-the-thread-pool',
  'malformed-message',
  'aborts',
];
export const isStoppedBySandbox = ({ stoppedBy }: Hostile): boolean =>
  ['process', 'namespaces'].includes(stoppedBy);
/** What a level itself stops; the shell does the rest alike at all, so one level tries all of it, and the others samples. */
export const LEVEL_FIXTURES: readonly Hostile[] = FIXTURES.filter(
  (fixture) => isStoppedBySandbox(fixture) || SAMPLES.includes(fixture.name),
);

type OwnStack = Awaited<ReturnType<typeof startOwnStack>>;

interface Readiness {
  readonly isolation: { readonly level: string; readonly trouble: Readonly<Record<string, unknown>> };
  readonly failing?: Readonly<Record<string, Readonly<Record<string, string>>>>;
}

async function readinessOf(stack: OwnStack): Promise<Readiness> {
  const response = await fetch(`${stack.urls.shell}/health/ready`);
  return (await response.json()) as Readiness;
}

const metricsOf = async (stack: OwnStack): Promise<string> =>
  (await fetch(`${stack.urls.shell}/metrics`)).text();

async function assertLogged({ dataDir }: OwnStack, texts: readonly string[]): Promise<void> {
  const lines = await loggedLines(dataDir, texts);
  assert.ok(lines.length > 0, `the log has ${texts.join(' and ')}`);
}

const failuresOf = (metrics: string, release: string): number =>
  [...metrics.matchAll(/^forecourt_slot_failures_total\{(.*)\} (\d+)$/gm)]
    .filter(([, labels = '']) => labels.includes(`slot="showcase",release="${release}"`))
    .reduce((sum, [, , count]) => sum + Number(count), 0);

/** Readiness and log name the release whose slot shows its fallback, and the metrics have counted it since `failures`. */
async function assertNamed(stack: OwnStack, release: string, failures: number): Promise<void> {
  const { failing } = await readinessOf(stack);
  assert.match(failing?.[release]?.['showcase'] ?? '', /^[A-Z_]+$/, 'readiness names the release');
  assert.ok(failuresOf(await metricsOf(stack), release) > failures, 'metrics count the failure');
  await assertLogged(stack, [`"release":"${release}"`, '"slot":"showcase"', '"code":']);
}

/** CPU time of the release's current process, in seconds. */
async function cpuSecondsOf(stack: OwnStack, release: string): Promise<number> {
  const series = new RegExp(`^forecourt_release_process_cpu_seconds\\{release="${release}"\\} (.+)$`, 'm');
  return Number(series.exec(await metricsOf(stack))?.[1] ?? Number.NaN);
}

const isKilled = async (stack: OwnStack, release: string): Promise<boolean> =>
  release in (await readinessOf(stack)).isolation.trouble;

const KILLED_SECONDS = 20;
/** What the shell tolerates of a process without a job: a quarter of a core, and a second. */
const TOLERATED_SHARE = 0.25;
const TOLERATED_SECONDS = 1;

/**
 * Its process is killed although no page waits for it; readiness, metrics and log name the release. On a machine so busy
 * that the process gets less than its limit, it harms nobody and isn't killed.
 */
async function assertKilled(stack: OwnStack, release: string): Promise<void> {
  const since = Date.now();
  const before = await cpuSecondsOf(stack, release);
  while (!(await isKilled(stack, release))) {
    const seconds = (Date.now() - since) / 1000;
    if (seconds > KILLED_SECONDS) {
      const used = (await cpuSecondsOf(stack, release)) - before;
      if (await isKilled(stack, release)) break;
      const tolerated = seconds * TOLERATED_SHARE + TOLERATED_SECONDS;
      assert.ok(used <= tolerated, `its process used ${used} s in ${seconds} s and was not killed`);
      return;
    }
    await wait(200);
  }
  const series = `forecourt_release_process_events_total\\{(?=.*event="release-died")(?=.*release="${release}").*\\} [1-9]`;
  assert.match(await metricsOf(stack), new RegExp(series));
  await assertLogged(stack, [`"release":"${release}"`, '"event":"release-died"']);
}

/** The longest that a process of a release may compute for a page before it is killed; ms. */
const ATTACK_MS = 500;

/**
 * Only a machine without a free core may leave a slot to the browser: the slot missed its deadline, and a process of the
 * page waited for a core longer than an attack may compute. The log of the page begins at line `start`.
 */
async function assertBusy({ dataDir }: OwnStack, start: number, slot: string): Promise<void> {
  const own = await loggedLines(dataDir, ['"code":"DEADLINE"', `"slot":"${slot}"`], { start });
  const log = logLines(dataDir).slice(start);
  const waits = linesWith(log, ['"code":"DEADLINE"']).map((line) =>
    Number(/ (\d+) of them waiting for the machine/.exec(line)?.[1]),
  );
  assert.ok(
    own.length > 0 && waits.some((ms) => ms >= ATTACK_MS),
    `the page has its ${slot}, or the machine was busy: ${log.join('\n')}`,
  );
}

/** Fixtures that one release can hold: they neither end its process nor change it for the next attack. */
function groupOf({ name, outcome, stoppedBy }: Hostile): string {
  if (stoppedBy === 'fragment-check') return 'HTML';
  return outcome === 'contained' ? 'contained' : name;
}

const isFallback = (content: string): boolean => !content.includes('<section');

interface Attacked {
  /** What the attacker's slot showed in each page. */
  readonly shown: readonly string[];
  readonly release: string;
  /** Failures of the release before the attack. */
  readonly failures: number;
}

/** Runs the tests against their own stack at one isolation level; `fixtures` are those that they try. */
export function withStack(
  title: string,
  environment: Readonly<Record<string, string>>,
  fixtures: readonly Hostile[],
  tests: (runAttack: (hostile: Hostile) => Promise<Attacked>, stack: () => OwnStack) => void,
): void {
  describe(title, () => {
    let stack: OwnStack;
    let vehicles: number;
    let deployed: { readonly group: string; readonly version: string } | undefined;
    let deploys = 0;
    const groups = Map.groupBy(fixtures, groupOf);

    before(async () => {
      stack = await startOwnStack({ environment });
      await deploy(stack.urls, fixtureDist('good'));
      vehicles = listingIds(
        (await getPage(`${stack.urls.shell}${PAGE}?maxPrice=${FIRST_PRICE - 1}`)).html,
      ).length;
      assert.ok(vehicles > 10);
    });
    after(() => stack?.remove());

    /** Loads the page that asks for an attack, asserts that all else is intact, and returns the slot of the attacker. */
    async function openIntactPage(query: string): Promise<string> {
      const { length: start } = logLines(stack.dataDir);
      const { status, html } = await getPage(`${stack.urls.shell}${PAGE}?${query}`);
      assert.equal(status, 200);
      assert.ok(html.endsWith('</html>'), 'the page is complete');
      if (listingIds(html).length !== vehicles) await assertBusy(stack, start, 'results');
      if (!slotHtml(html, 'filters').includes('aria-label="Filters"'))
        await assertBusy(stack, start, 'filters');
      for (const slot of ['results', 'filters', 'toolbar'])
        assert.doesNotMatch(slotHtml(html, slot), /LOOT|FORGED|POLLUTED|Hostile/, `slot ${slot} is intact`);
      return slotHtml(html, 'showcase');
    }

    /** Makes the fixtures of a group live, unless they are; returns the version. */
    async function deployGroup(group: string): Promise<string> {
      if (deployed?.group === group) return deployed.version;
      deploys += 1;
      const version = `6.6.${deploys}`;
      const release = hostileRelease(groups.get(group) ?? [], {
        version,
        port: stack.ports['remote-registry'],
      });
      try {
        await deploy(stack.urls, release.directory);
      } finally {
        release.remove();
      }
      deployed = { group, version };
      return version;
    }

    /** Lets the fixture attack pages until its outcome shows, and asserts that each is otherwise intact. */
    async function runAttack(hostile: Hostile): Promise<Attacked> {
      const group = groupOf(hostile);
      const release = `mfe-showcase@${await deployGroup(group)}`;
      const failures = failuresOf(await metricsOf(stack), release);
      const price = FIRST_PRICE + (groups.get(group) ?? []).indexOf(hostile);
      const hasShown: Readonly<Record<Hostile['outcome'], (content: string) => boolean>> = {
        contained: (content) => content.includes(hostile.name),
        fallback: isFallback,
        killed: () => true,
        any: () => true,
      };
      const shown: string[] = [];
      while (
        shown.length < PAGES ||
        (!hasShown[hostile.outcome](shown.at(-1) ?? '') && shown.length < MAX_PAGES)
      )
        shown.push(await openIntactPage(`maxPrice=${price}`));
      return { shown, release, failures };
    }
    tests(runAttack, () => stack);
  });
}

/**
 * Whether an attack succeeds, which proves that the fixture is real: some only namespaces stop, and only root can give a
 * release another user, whose signals do not reach the shell.
 */
function succeeds({ name, stoppedBy }: Hostile, level: string): boolean {
  if (level === 'namespaces') return false;
  if (name.startsWith('signals-')) return process.getuid?.() !== 0;
  return stoppedBy === 'namespaces';
}

/** Whether this machine lets bubblewrap create namespaces: some containers do not. */
export const hasNamespaces = (): boolean =>
  spawnSync('bwrap', ['--unshare-all', '--ro-bind', '/', '/', 'true'], { timeout: 10_000 }).status === 0;

/** Tries each fixture at one isolation level. */
export const isolated = (
  level: string,
  environment: Readonly<Record<string, string>>,
  fixtures: readonly Hostile[] = FIXTURES,
): void =>
  withStack(`at the level ${level} a hostile release`, environment, fixtures, (runAttack, stack) => {
    it('reports the configured isolation level', async () => {
      assert.equal((await readinessOf(stack())).isolation.level, level);
    });

    for (const hostile of [...Map.groupBy(fixtures, groupOf).values()].flat()) {
      const isStopped = !succeeds(hostile, level);
      it(`${isStopped ? 'stops' : 'does not stop'} the attack ${hostile.name} at the level ${level}`, async () => {
        const { shown, release, failures } = await runAttack(hostile);
        if (!isStopped) return assert.match(shown.join(), /LOOT/);
        assert.doesNotMatch(shown.join(), /LOOT/);
        if (hostile.outcome === 'contained')
          assert.match(shown.join(), new RegExp(`>${hostile.name} attacked`));
        if (hostile.outcome === 'killed') await assertKilled(stack(), release);
        if (hostile.outcome === 'fallback') assert.doesNotMatch(shown.at(-1) ?? '', /<section/);
        // A slot that may show its fallback is named if it does.
        const hasFailed = hostile.outcome !== 'contained' && shown.some(isFallback);
        return hasFailed ? assertNamed(stack(), release, failures) : undefined;
      });
    }
  });
