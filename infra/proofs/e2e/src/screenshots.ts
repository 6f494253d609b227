import { existsSync, mkdirSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { removeDataDir, startStack } from '@forecourt/local';
import { type Browser, remote } from 'webdriverio';
import { ERROR_STATE, SCREENSHOT_STATES, type ScreenshotState } from './screenshotStates.ts';

// `npm run screenshots [-- name…]` saves the page's states by width and color scheme to `screenshots/`.
const FOLDER = resolve(dirname(fileURLToPath(import.meta.url)), '../../../../screenshots');
const HEIGHTS: Readonly<Record<number, number>> = { 390: 844, 820: 1180, 1440: 1000 };
const SCHEMES = ['light', 'dark'] as const;
const SETTLE_MS = 400;

const binary = (variable: string, path: string) =>
  process.env[variable] || (existsSync(path) ? path : undefined);

async function openBrowser(): Promise<Browser> {
  const chrome = binary('CHROME_BIN', '/usr/bin/chromium');
  const driver = binary('CHROMEDRIVER_PATH', '/usr/bin/chromedriver');
  const args = [
    '--headless',
    '--no-sandbox',
    '--disable-gpu',
    '--hide-scrollbars',
    '--force-device-scale-factor=1',
  ];
  return remote({
    logLevel: 'error',
    capabilities: {
      browserName: 'chrome',
      webSocketUrl: true,
      ...(driver ? { 'wdio:chromedriverOptions': { binary: driver } } : {}),
      'goog:chromeOptions': { ...(chrome ? { binary: chrome } : {}), args },
    },
  });
}

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

const only = process.argv.slice(2);
const isWanted = ({ name }: ScreenshotState) => only.length === 0 || only.includes(name);

mkdirSync(FOLDER, { recursive: true });
const stack = await startStack({ dataDir: mkdtempSync(join(tmpdir(), 'forecourt-screenshots-')) });
let browser: Browser | undefined;
try {
  browser = await openBrowser();
  for (const states of [SCREENSHOT_STATES.filter(isWanted), [ERROR_STATE].filter(isWanted)]) {
    if (states.includes(ERROR_STATE)) {
      await fetch(`${stack.urls['marketplace-api']}/__faults`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ path: '/rest/lsc/listing', status: 503 }),
      });
    }
    for (const scheme of SCHEMES) {
      await browser.sendCommand('Emulation.setEmulatedMedia', {
        features: [
          { name: 'prefers-color-scheme', value: scheme },
          { name: 'prefers-reduced-motion', value: 'reduce' },
        ],
      });
      for (const state of states)
        for (const width of state.widths ?? Object.keys(HEIGHTS).map(Number))
          await take(browser, stack.urls.shell, state, width, scheme);
    }
  }
  process.stdout.write(`Screenshots are in ${FOLDER}\n`);
} finally {
  await browser?.deleteSession();
  await stack.stop();
  removeDataDir(stack.dataDir);
}
