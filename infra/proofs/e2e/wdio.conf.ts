/// <reference types="@wdio/globals/types" />
/// <reference types="@wdio/mocha-framework" />
import { existsSync, mkdtempSync, readdirSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { removeDataDir, type Stack, startStack } from '@forecourt/local';
import { buildFixtures } from './src/releases.ts';
import { testHooks } from './src/consoleErrors.ts';

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
const driverBinary = installed('CHROMEDRIVER_PATH', '/usr/bin/chromedriver');

/** Files that run for minutes start first, so that none of them is left alone at the end. */
const LONGEST = ['hostileInNamespaces', 'hostileInContainer'];
const SUFFIX = '.e2e.ts';
const names = readdirSync(join(import.meta.dirname, 'src'))
  .filter((file) => file.endsWith(SUFFIX))
  .map((file) => file.slice(0, -SUFFIX.length));
const ordered = [...LONGEST, ...names.filter((name) => !LONGEST.includes(name))];

let stack: Stack | undefined;

export const config: WebdriverIO.Config = {
  runner: 'local',
  rootDir: import.meta.dirname,
  specs: (process.env['E2E_SPECS']?.split(',') ?? ordered).map((name) => `./src/${name}${SUFFIX}`),
  // A test waits for its page a third of the time.
  maxInstances: Number(process.env['E2E_INSTANCES'] ?? availableParallelism() + 1),
  logLevel: 'error',
  framework: 'mocha',
  reporters: [['spec', { showPreface: false, onlyFailures: true }]],
  waitforTimeout: 10_000,
  mochaOpts: {
    ui: 'bdd',
    timeout: TEST_MS,
    ...(process.env['E2E_GREP'] && { grep: process.env['E2E_GREP'] }),
    ...{ rootHooks: testHooks },
  },
  capabilities: [
    {
      browserName: 'chrome',
      webSocketUrl: true,
      ...(driverBinary ? { 'wdio:chromedriverOptions': { binary: driverBinary } } : {}),
      // Collects security errors as well as script errors.
      ...{ 'goog:loggingPrefs': { browser: 'SEVERE' } },
      'goog:chromeOptions': {
        ...(browserBinary ? { binary: browserBinary } : {}),
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
          '--disable-dev-shm-usage',
          '--force-device-scale-factor=1',
          // Otherwise a page that fades in covers what a test clicks.
          '--force-prefers-reduced-motion',
          '--window-size=1280,900',
        ],
      },
    },
  ],

  /** Builds the broken remotes and starts one stack for all test files, unless `--url` or E2E_BASE_URL names one. */
  async onPrepare() {
    const isLocal = !process.env['E2E_BASE_URL'];
    // Without its registry nothing can be published to a shell that runs elsewhere.
    const building = isLocal || process.env['E2E_REGISTRY_URL'] ? buildFixtures() : undefined;
    if (!isLocal) return building;
    const starting = startStack({
      dataDir: mkdtempSync(join(tmpdir(), 'forecourt-e2e-')),
      inventorySize: Number(process.env['E2E_INVENTORY_SIZE'] ?? INVENTORY_SIZE),
      slotRenderer: process.env['SLOT_RENDERER'],
      // The runner's NODE_OPTIONS load a compiler that services do not need.
      environment: { NODE_OPTIONS: '' },
    });
    // Either may fail; a stack that has started is stopped at the end.
    await Promise.allSettled([starting, building]);
    stack = await starting;
    await building;
    process.env['E2E_BASE_URL'] = stack.urls.shell;
    process.env['E2E_API_URL'] = stack.urls['marketplace-api'];
    process.env['E2E_REGISTRY_URL'] = stack.urls['remote-registry'];
    process.env['E2E_DATA_DIR'] = stack.dataDir;
  },

  async onComplete() {
    if (!stack) return;
    await stack.stop();
    removeDataDir(stack.dataDir);
  },
};
