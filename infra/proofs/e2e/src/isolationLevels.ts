import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { after, before, describe, it } from 'mocha';
import { hostileRelease, hostiles, type Hostile } from './hostileRelease.ts';
import { startOwnStack } from './ownStack.ts';
import { deploy, fixtureDist } from './releases.ts';
import { getPage, listingIds, slotHtml } from './serverHtml.ts';

const PAGE = '/cars-for-sale/all/ford';
/** Two pages before the attack starts, then one attack per page until the process is killed. */
const PAGES = 6;

export const FIXTURES: readonly Hostile[] = await hostiles();
/** Without HTML: the shell checks that alike at every level, so one level tries it. */
export const CODE_FIXTURES: readonly Hostile[] = FIXTURES.filter(
  ({ stoppedBy }) => stoppedBy !== 'fragment-check',
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

const logOf = (stack: OwnStack): string => join(stack.dataDir, 'logs/shell.log');

/** The series is in the metrics, and a line of the log has each of the texts. */
async function assertReported(stack: OwnStack, series: RegExp, texts: readonly string[]): Promise<void> {
  assert.match(await metricsOf(stack), series);
  const log = readFileSync(logOf(stack), 'utf8').split('\n');
  assert.ok(
    log.some((line) => texts.every((text) => line.includes(text))),
    `the log has ${texts.join(' and ')}`,
  );
}

/** The release whose slot shows its fallback is named in readiness, metrics and log. */
async function assertNamed(stack: OwnStack, release: string): Promise<void> {
  const { failing } = await readinessOf(stack);
  assert.match(failing?.[release]?.['showcase'] ?? '', /^[A-Z_]+$/, 'readiness names the release');
  const series = `forecourt_slot_failures_total\\{slot="showcase",release="${release}",code="[A-Z_]+"\\}`;
  await assertReported(stack, new RegExp(series), [`"release":"${release}"`, '"slot":"showcase"', '"code":']);
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
  await assertReported(stack, new RegExp(series), [`"release":"${release}"`, '"event":"release-died"']);
}

const hasPanel = (html: string): boolean => slotHtml(html, 'filters').includes('aria-label="Filters"');
/** Of the panel, in milliseconds: longer than an attack may compute before its process is killed. */
const PANEL_DEADLINE = 500;

/**
 * The panel is optional. Only a machine without a free core may leave it to the browser: its process waited for one longer
 * than its deadline, which the 400 ms of CPU time of an attack can't cause alone.
 */
function assertBusy(lines: string): void {
  const late = /"slot":"filters".*"code":"DEADLINE".*ms, (\d+) of them waiting for the machine/.exec(lines);
  assert.ok(Number(late?.[1]) >= PANEL_DEADLINE, `the panel is there, or the machine was busy: ${lines}`);
}

const isAttacked = (slot: string): boolean => !slot.includes('>calm<');

/** Runs the tests against their own stack at one isolation level. */
export function withStack(
  title: string,
  environment: Readonly<Record<string, string>>,
  tests: (
    runAttack: (hostile: Hostile) => Promise<{ slotContent: string; release: string }>,
    stack: () => OwnStack,
  ) => void,
): void {
  describe(title, () => {
    let stack: OwnStack;
    let vehicles: number;
    let deployed = 0;

    before(async () => {
      stack = await startOwnStack({ environment });
      await deploy(stack.urls, fixtureDist('good'));
      vehicles = listingIds((await getPage(stack.urls.shell + PAGE)).html).length;
      assert.ok(vehicles > 10);
    });
    after(() => stack?.remove());

    async function openIntactPage(): Promise<string> {
      const { status, html } = await getPage(stack.urls.shell + PAGE);
      assert.equal(status, 200);
      assert.ok(html.endsWith('</html>'), 'the page is complete');
      assert.equal(listingIds(html).length, vehicles, 'the results are whole');
      for (const slot of ['results', 'filters', 'toolbar'])
        assert.doesNotMatch(slotHtml(html, slot), /LOOT|FORGED|POLLUTED|Hostile/, `slot ${slot} is intact`);
      return html;
    }

    /** Deploys the fixture, asserts that pages are complete, and returns the last HTML of its slot. */
    async function runAttack(hostile: Hostile) {
      deployed += 1;
      const version = `6.6.${deployed}`;
      const release = hostileRelease(hostile, { version, port: stack.ports['remote-registry'] });
      try {
        await deploy(stack.urls, release.directory);
      } finally {
        release.remove();
      }
      let slotContent = '';
      for (let at = 0; at < PAGES; at += 1) {
        const { size } = statSync(logOf(stack));
        const html = await openIntactPage();
        if (!hasPanel(html)) assertBusy(readFileSync(logOf(stack)).subarray(size).toString('utf8'));
        // A restarted process doesn't attack at first, so the last page may not show the attack.
        const own = slotHtml(html, 'showcase');
        if (isAttacked(own)) slotContent = own;
      }
      return { slotContent, release: `mfe-showcase@${version}` };
    }
    tests(runAttack, () => stack);
  });
}

/**
 * Whether an attack succeeds, which proves that the fixture is real: some only namespaces stop, a container hides its
 * machine's name, and only root can give a release another user, whose signals do not reach the shell.
 */
function succeeds({ name, stoppedBy }: Hostile, level: string): boolean {
  if (level === 'namespaces') return false;
  if (name.startsWith('signals-')) return process.getuid?.() !== 0;
  return stoppedBy === 'namespaces' && !(level === 'container' && name === 'reads-the-host-name');
}

/** Whether this machine lets bubblewrap create namespaces: some containers do not. */
export const hasNamespaces = (): boolean =>
  spawnSync('bwrap', ['--unshare-all', '--ro-bind', '/', '/', 'true'], { timeout: 10_000 }).status === 0;

const PROGRAM = join(import.meta.dirname, '../../../../shell/dist/program');

/** What `compose.release-host.yaml` gives the release host, by bubblewrap: a container engine is rarely at hand. */
const containerOf = (folder: string): readonly string[] => [
  ...['--die-with-parent', '--unshare-pid', '--unshare-net', '--unshare-ipc', '--unshare-uts', '--as-pid-1'],
  ...[
    '--hostname',
    'release',
    '--ro-bind',
    '/usr',
    '/usr',
    '--proc',
    '/proc',
    '--dev',
    '/dev',
    '--chdir',
    '/',
  ],
  ...['bin', 'lib', 'lib64'].flatMap((name) => ['--symlink', `usr/${name}`, `/${name}`]),
  ...['--ro-bind', process.execPath, '/node', '--ro-bind', PROGRAM, '/program', '--bind', folder, '/run'],
  ...['--cap-drop', 'ALL', ...CAPABILITIES.flatMap((name) => ['--cap-add', `CAP_${name}`]), '--clearenv'],
  ...['/node', '--disable-sigusr1', '/program/releaseHost.cjs', '/run/host.sock'],
];
/** Of the host's container: to run each release as a user of its own. */
const CAPABILITIES = process.getuid?.() === 0 ? ['SETUID', 'SETGID', 'SETPCAP', 'KILL'] : [];

/** Starts a release host before the tests around it, in a container or not; returns the shell's settings. */
export function withReleaseHost(isContained: boolean): Readonly<Record<string, string>> {
  const folder = mkdtempSync(join(tmpdir(), 'forecourt-host-'));
  chmodSync(folder, 0o755);
  const socket = join(folder, 'host.sock');
  let end = () => {};
  before(async () => {
    const host = isContained
      ? spawn('bwrap', containerOf(folder), { stdio: ['ignore', 'pipe', 'inherit'] })
      : spawn(process.execPath, [join(PROGRAM, 'releaseHost.cjs'), socket], {
          env: {},
          stdio: ['ignore', 'pipe', 'inherit'],
        });
    end = () => void host.kill('SIGKILL');
    await once(host.stdout as NodeJS.ReadableStream, 'data');
  });
  after(() => {
    end();
    rmSync(folder, { recursive: true });
  });
  return { RELEASE_SANDBOX: 'container', RELEASE_HOST: socket };
}

/** Tries each fixture at one isolation level. */
export const isolated = (
  level: string,
  environment: Readonly<Record<string, string>>,
  fixtures: readonly Hostile[] = FIXTURES,
): void =>
  withStack(`at the level ${level} a hostile release`, environment, (runAttack, stack) => {
    it('reports the configured isolation level', async () => {
      assert.equal((await readinessOf(stack())).isolation.level, level);
    });

    for (const hostile of fixtures) {
      const isStopped = !succeeds(hostile, level);
      it(`${isStopped ? 'stops' : 'does not stop'} the attack ${hostile.name} at the level ${level}`, async () => {
        const { slotContent, release } = await runAttack(hostile);
        if (!isStopped) return assert.match(slotContent, /LOOT/);
        assert.doesNotMatch(slotContent, /LOOT/);
        if (hostile.outcome === 'contained') assert.match(slotContent, />attacked/);
        if (hostile.outcome === 'killed') await assertKilled(stack(), release);
        if (hostile.outcome === 'fallback') assert.doesNotMatch(slotContent, /<section/);
        // A slot that may show its fallback is named if it does.
        const isFallback = hostile.outcome !== 'contained' && !slotContent.includes('<section');
        return isFallback ? assertNamed(stack(), release) : undefined;
      });
    }
  });
