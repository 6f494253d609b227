import puppeteer, { type Browser, type Page } from 'puppeteer-core';

const FLAGS = ['--headless', '--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage', '--disable-quic'];
/** ms for any one step in the browser. */
const STEP_MS = 30_000;

const launch = (): Promise<Browser> =>
  puppeteer.launch({ executablePath: process.env['CHROME_BIN'] ?? '/usr/bin/chromium', args: FLAGS });

/** Hands out a page of a fresh browser: nothing is cached, nobody is known. */
export async function inFreshBrowser<T>(use: (page: Page) => Promise<T>): Promise<T> {
  const browser = await launch();
  try {
    const page = await browser.newPage();
    page.setDefaultTimeout(STEP_MS);
    return await use(page);
  } finally {
    await browser.close();
  }
}

/** E.g. 'Chrome/140.0.1'. */
export async function browserVersion(): Promise<string> {
  return inFreshBrowser((page) => page.browser().version());
}

/** Name of the performance mark which says that a slot is interactive. */
export const hydratedMark = (slot: string): string => `slot:${slot}:hydrated`;

/** Resolves when a slot is interactive. */
export const hydrated = (page: Page, slot: string) =>
  page.waitForFunction(
    (mark: string) => performance.getEntriesByName(mark).length > 0,
    {},
    hydratedMark(slot),
  );
