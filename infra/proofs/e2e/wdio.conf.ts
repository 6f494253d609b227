/// <reference types="@wdio/globals/types" />
/// <reference types="@wdio/mocha-framework" />
import { randomUUID } from 'node:crypto';
import { existsSync, mkdtempSync, readdirSync, readFileSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { carryOut, type Cluster, planCluster, removeDataDir, type Stack, startStack } from '@forecourt/local';
import { prepareOwnStacks } from '@forecourt/harness/ownStack';
import { buildFixtures } from '@forecourt/harness/releases';
import { clickAboveBottom } from './src/resultsPage.ts';
import { noteFailure, testHooks } from './src/consoleErrors.ts';

/** Enough for full pages of every make near big cities, and generated in seconds. */
const INVENTORY_SIZE = 20_000;
/** For a machine that is several times slower than it should be; a test takes 1 to 60 s. `this.timeout` has no effect. */
const TEST_MS = 300_000;
const VISITOR =
  'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36';

const installed = (variable: string, path: string): string | undefined =>
  process.env[variable] || (existsSync(path) ? path : undefined);
// If missing, WebdriverIO downloads matching binaries.
const browserBinary = installed('CHROME_BIN', '/usr/bin/chromium');
/** Chromium without its own interface, which takes a quarter less processor time. */
const headlessShell =
  (!process.env['E2E_HEADED'] && process.env['CHROME_HEADLESS_SHELL_BIN']) || browserBinary;
const driverBinary = installed('CHROMEDRIVER_PATH', '/usr/bin/chromedriver');

/** The files that take a minute or more start first, so that none of them is left alone at the end. */
const LONGEST = [
  ...['accounts', 'framedSlots', 'hostileInNamespaces', 'filters', 'slotWalls', 'foreignRemotes'],
  ...['saving', 'hostileInProcess', 'search'],
];
/** They use pages that have not loaded, for which WebDriver would wait. */
const UNLOADED = ['earlyClick'];
/** The headless shell denies notifications. */
const FULL_BROWSER = ['dialogs'];
const SUFFIX = '.e2e.ts';
const names = readdirSync(join(import.meta.dirname, 'src'))
  .filter((file) => file.endsWith(SUFFIX))
  .map((file) => file.slice(0, -SUFFIX.length));
const selected = process.env['E2E_SPECS']?.split(',') ?? names;

const others = selected.filter((name) => !UNLOADED.includes(name) && !FULL_BROWSER.includes(name));
const among = (names: readonly string[]) => names.filter((name) => selected.includes(name));

// A test waits half of the time: for its page, for a release that is followed, for an installation.
const INSTANCES = Number(process.env['E2E_INSTANCES'] ?? availableParallelism() + 2);

/**
 * Files that share a browser, whose start takes more time than many tests: many files at first and one at last, so that all
 * instances end at about the same time. The first groups share the longest files among them.
 */
function groupsOf(files: readonly string[]): string[][] {
  const longest = LONGEST.filter((name) => files.includes(name));
  const others = files.filter((name) => !LONGEST.includes(name));
  const groups: string[][] = [];
  for (let start = 0; start < others.length; start += groups.at(-1)?.length ?? 0)
    groups.push(others.slice(start, start + Math.ceil((others.length - start) / (INSTANCES * 3))));
  while (groups.length < Math.min(INSTANCES, longest.length)) groups.push([]);
  for (const [at, name] of longest.entries()) groups[at % INSTANCES]!.unshift(name);
  return groups.map((group) => group.map((name) => `./src/${name}${SUFFIX}`));
}

const chrome = (binary: string | undefined) => ({
  browserName: 'chrome',
  ...(driverBinary ? { 'wdio:chromedriverOptions': { binary: driverBinary } } : {}),
  // The browser's own list of errors.
  ...{ 'goog:loggingPrefs': { browser: 'SEVERE' } },
  'goog:chromeOptions': {
    ...(binary ? { binary } : {}),
    args: [
      ...(process.env['E2E_HEADED'] ? [] : ['--headless']),
      // A headless user agent is treated as a crawler, without history and profile.
      `--user-agent=${VISITOR}`,
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      // A process for each frame of an advertisement, and one in reserve.
      '--disable-features=IsolateSandboxedIframes,SpareRendererForSitePerProcess',
      '--disable-dev-shm-usage',
      '--force-device-scale-factor=1',
      // Otherwise a page that fades in covers what a test clicks.
      '--force-prefers-reduced-motion',
      '--window-size=1280,900',
    ],
  },
});
/** BiDi translates each event of a page in a page of its own: a fifth of a test's processor time. */
const CLASSIC = { 'wdio:enforceWebDriverClassic': true };

/** In the environment of all processes that this run starts. */
const RUN_ID = randomUUID();
/** ms in which the last browser ends. */
const BROWSER_END_MS = 10_000;

/** Process ids of browsers that this run started; none where the system has no /proc. */
function browsersOfRun(): string[] {
  const read = (pid: string, file: string) => {
    try {
      return readFileSync(join('/proc', pid, file), 'utf8');
    } catch {
      // Not ours to read, or it has ended.
      return '';
    }
  };
  const pids = existsSync('/proc') ? readdirSync('/proc').filter((name) => /^\d+$/.test(name)) : [];
  return pids.filter(
    (pid) =>
      /chrom|firefox/.test(read(pid, 'cmdline').split('\0', 1)[0]!) && read(pid, 'environ').includes(RUN_ID),
  );
}

/** A driver may end without its browser, whose open pages then slow down everything else on the machine. */
async function checkBrowsersEnded(): Promise<void> {
  const deadline = performance.now() + BROWSER_END_MS;
  let left = browsersOfRun();
  while (left.length > 0 && performance.now() < deadline) {
    await wait(100);
    left = browsersOfRun();
  }
  if (left.length > 0) throw new Error(`Browsers outlived their tests, processes ${left.join(', ')}`);
}

/** Several replicas of each service, behind nginx, and how tests reach what they store. */
async function startCluster(options: { dataDir: string; inventorySize: number }): Promise<Cluster> {
  const onRestart = (line: string) => process.stdout.write(`${line}\n`);
  const cluster = await carryOut(await planCluster({ ...options, onRestart }));
  if (!cluster.search) process.stdout.write('without OpenSearch: Java or Maven is missing\n');
  const originsOf = (service: string) =>
    cluster.replicas.filter(({ name }) => name === service).map(({ port }) => `http://127.0.0.1:${port}`);
  process.env['E2E_API_REPLICAS'] = originsOf('marketplace-api').join();
  process.env['E2E_SHELL_REPLICAS'] = originsOf('shell').join();
  process.env['E2E_DATABASE_URL'] = cluster.postgres.url;
  return cluster;
}

let stack: Stack | Cluster | undefined;
let removeTemplate = () => {};

export const config: WebdriverIO.Config = {
  runner: 'local',
  rootDir: import.meta.dirname,
  maxInstances: INSTANCES,
  logLevel: 'error',
  framework: 'mocha',
  reporters: [['spec', { showPreface: false, onlyFailures: true }]],
  // Most of all for the first load of a slot, on a machine that is several times slower than it should be.
  waitforTimeout: 30_000,
  mochaOpts: {
    ui: 'bdd',
    timeout: TEST_MS,
    ...(process.env['E2E_GREP'] && { grep: process.env['E2E_GREP'] }),
    ...{ rootHooks: testHooks },
  },
  capabilities: [
    { ...chrome(headlessShell), ...CLASSIC, 'wdio:specs': groupsOf(others) },
    { ...chrome(browserBinary), ...CLASSIC, 'wdio:specs': groupsOf(among(FULL_BROWSER)) },
    {
      ...chrome(headlessShell),
      ...CLASSIC,
      pageLoadStrategy: 'none' as const,
      'wdio:specs': groupsOf(among(UNLOADED)),
    },
  ].filter((capability) => capability['wdio:specs'].length > 0),

  /** Builds the broken remotes and starts one stack, or with E2E_CLUSTER one cluster, for all test files, unless `--url` or E2E_BASE_URL names one. */
  async onPrepare() {
    // Node runs TypeScript itself; the compiler that WebdriverIO preloads would cost each process two seconds.
    process.env['NODE_OPTIONS'] = '';
    process.env['E2E_RUN'] = RUN_ID;
    const isLocal = !process.env['E2E_BASE_URL'];
    // Without its registry nothing can be published to a shell that runs elsewhere.
    const building = isLocal || process.env['E2E_REGISTRY_URL'] ? buildFixtures() : undefined;
    if (!isLocal) return building;
    const preparing = prepareOwnStacks().then((remove) => {
      removeTemplate = remove;
    });
    const dataDir = mkdtempSync(join(tmpdir(), 'forecourt-e2e-'));
    const options = { dataDir, inventorySize: Number(process.env['E2E_INVENTORY_SIZE'] ?? INVENTORY_SIZE) };
    const starting = process.env['E2E_CLUSTER'] ? startCluster(options) : startStack(options);
    const [started, built, prepared] = await Promise.allSettled([starting, building, preparing]);
    if (started.status === 'rejected') {
      removeDataDir(dataDir);
      throw started.reason;
    }
    stack = started.value;
    for (const part of [built, prepared]) if (part.status === 'rejected') throw part.reason;
    process.env['E2E_BASE_URL'] = stack.urls.shell;
    process.env['E2E_API_URL'] = stack.urls['marketplace-api'];
    process.env['E2E_REGISTRY_URL'] = stack.urls['remote-registry'];
    process.env['E2E_DATA_DIR'] = stack.dataDir;
  },

  before(_capabilities, _specs, session: WebdriverIO.Browser) {
    clickAboveBottom(session);
  },

  async afterTest(_test, _context, { error }: { readonly error?: unknown }) {
    if (error !== undefined) await noteFailure(error);
  },

  async onComplete() {
    removeTemplate();
    if (stack) {
      await stack.stop();
      removeDataDir(stack.dataDir);
    }
    await checkBrowsersEnded();
  },
};
