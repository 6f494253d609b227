import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { compile } from '@forecourt/build/buildRelease';
import { removeDataDir, REPOSITORY, startStack } from '@forecourt/local';
import { BuildNews, createApp, definePage } from '@forecourt/workshop';
import type { Browser } from 'webdriverio';
import { type CompareOptions, comparePictures, describeComparison } from './comparePictures.ts';
import { openBrowser } from './openBrowser.ts';
import { ERROR_STATE, SCREENSHOT_STATES, type ScreenshotState } from './screenshotStates.ts';

// `npm run screenshots [-- name…]` saves the page's states by width and color scheme to `screenshots/`.
// `npm run screenshots -- --scenarios mfe-results [--approve]` compares the scenarios of a remote with approved pictures.
const FOLDER = join(REPOSITORY, 'screenshots');
const HEIGHTS: Readonly<Record<number, number>> = { 390: 844, 820: 1180, 1440: 1000 };
const SCHEMES = ['light', 'dark'] as const;
const SETTLE_MS = 400;

const setMedia = (browser: Browser, scheme: string) =>
  browser.sendCommand('Emulation.setEmulatedMedia', {
    features: [
      { name: 'prefers-color-scheme', value: scheme },
      { name: 'prefers-reduced-motion', value: 'reduce' },
    ],
  });

async function take(browser: Browser, origin: string, state: ScreenshotState, width: number, scheme: string) {
  const { name, path, slots = [], height = HEIGHTS[width] ?? 1000, show } = state;
  await browser.setViewport({ width, height });
  await browser.url(origin + path);
  await browser.execute(() => {
    localStorage.clear();
    sessionStorage.clear();
  });
  if (slots.length > 0) {
    // Reload without the previous state's storage.
    await browser.url(origin + path);
    await browser.waitUntil(
      () =>
        browser.execute(
          (selectors: readonly string[]) =>
            selectors.every((slot) => performance.getEntriesByName(`slot:${slot}:hydrated`).length > 0),
          slots,
        ),
      { timeout: 15_000 },
    );
  }
  await show?.(browser);
  await browser.pause(SETTLE_MS);
  await browser.saveScreenshot(join(FOLDER, `${name}-${width}-${scheme}.png`));
}

/** Saves the page's states, all or the named ones. */
async function takeStates(browser: Browser, only: readonly string[]): Promise<void> {
  const isWanted = ({ name }: ScreenshotState) => only.length === 0 || only.includes(name);
  mkdirSync(FOLDER, { recursive: true });
  const stack = await startStack({ dataDir: mkdtempSync(join(tmpdir(), 'forecourt-screenshots-')) });
  try {
    for (const states of [SCREENSHOT_STATES.filter(isWanted), [ERROR_STATE].filter(isWanted)]) {
      if (states.includes(ERROR_STATE)) {
        await fetch(`${stack.urls['marketplace-api']}/__faults`, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify({ path: '/rest/lsc/listing', status: 503 }),
        });
      }
      for (const scheme of SCHEMES) {
        await setMedia(browser, scheme);
        for (const state of states)
          for (const width of state.widths ?? Object.keys(HEIGHTS).map(Number))
            await take(browser, stack.urls.shell, state, width, scheme);
      }
    }
  } finally {
    await stack.stop();
    removeDataDir(stack.dataDir);
  }
  process.stdout.write(`Screenshots are in ${FOLDER}\n`);
}

const SCENARIO_WIDTHS = [390, 1440];

/** Pictures of a scenario move with neither time nor the caret. */
const STILL =
  '*,*::before,*::after{animation:none!important;transition:none!important;caret-color:transparent!important}';

async function takeScenario(browser: Browser, url: string, name: string): Promise<Buffer> {
  await browser.url(`${url}/?bare&scenario=${name}`);
  await browser.waitUntil(
    () =>
      browser.execute(
        (scenario: string) =>
          document.documentElement.dataset['ready'] === scenario &&
          document.fonts.status === 'loaded' &&
          [...document.images].every(({ complete, loading }) => complete || loading === 'lazy'),
        name,
      ),
    { timeout: 15_000, timeoutMsg: `the scenario ${name} is not ready` },
  );
  await browser.execute((css: string) => {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(css);
    document.adoptedStyleSheets = [sheet];
  }, STILL);
  await browser.pause(SETTLE_MS);
  const { data } = await browser.browsingContextCaptureScreenshot({
    context: await browser.getWindowHandle(),
    origin: 'document',
  });
  return Buffer.from(data, 'base64');
}

/** Pictures of all scenarios of a remote, by name and width: the remote is built with its scenarios and nothing else. */
async function takeScenarios(browser: Browser, remote: string): Promise<ReadonlyMap<string, Buffer>> {
  const files = mkdtempSync(join(tmpdir(), 'forecourt-scenarios-'));
  await compile([definePage(join(REPOSITORY, remote), REPOSITORY, files)]);
  const server = createServer(createApp({ remote, files, news: new BuildNews() }));
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const url = `http://localhost:${(server.address() as AddressInfo).port}`;
  const taken = new Map<string, Buffer>();
  try {
    await setMedia(browser, 'light');
    await browser.url(url);
    const list = browser.$$('nav[aria-label="Scenario"] a');
    await browser.waitUntil(async () => (await list.length) > 0);
    const names = await list.map((link) => link.getText());
    for (const width of SCENARIO_WIDTHS) {
      await browser.setViewport({ width, height: HEIGHTS[width] ?? 1000 });
      for (const name of names) taken.set(`${name}-${width}`, await takeScenario(browser, url, name));
    }
    return taken;
  } finally {
    server.closeAllConnections();
    server.close();
    rmSync(files, { recursive: true });
  }
}

/** Compares the scenarios of a remote with the approved pictures; resolves to whether there is no difference. */
async function checkScenarios(
  browser: Browser,
  remote: string,
  options: Pick<CompareOptions, 'tolerance' | 'isApproving'> & { readonly baseline: string },
): Promise<boolean> {
  const baseline = resolve(REPOSITORY, options.baseline, remote);
  const results = join(FOLDER, 'scenarios', remote);
  const comparisons = comparePictures(await takeScenarios(browser, remote), {
    ...options,
    baseline,
    results,
  });
  const different = comparisons.filter(({ kind }) => kind !== 'same');
  if (!options.isApproving)
    for (const comparison of different) process.stdout.write(`  ${describeComparison(comparison)}\n`);
  const summary = options.isApproving
    ? `approved ${different.length} of ${comparisons.length} pictures in ${baseline}`
    : `${different.length} of ${comparisons.length} pictures differ${different.length > 0 ? `: see ${results}, and add --approve if they should` : ''}`;
  process.stdout.write(`${remote}: ${summary}\n`);
  return options.isApproving || different.length === 0;
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    scenarios: { type: 'string', multiple: true, default: [] },
    approve: { type: 'boolean', default: false },
    /** Below it, a folder for each remote. */
    baseline: { type: 'string', default: '.data/scenario-pictures' },
    /** Percent of a picture's pixels that may differ. */
    tolerance: { type: 'string', default: '0.05' },
  },
});
const tolerance = Number(values.tolerance) / 100;
if (!(tolerance >= 0 && tolerance < 1)) throw new Error('--tolerance must be a percentage, e.g. 0.05');
const browser = await openBrowser();
try {
  if (values.scenarios.length === 0) await takeStates(browser, positionals);
  for (const remote of values.scenarios) {
    const options = { baseline: values.baseline, tolerance, isApproving: values.approve };
    if (!(await checkScenarios(browser, remote, options))) process.exitCode = 1;
  }
} finally {
  await browser.deleteSession();
}
