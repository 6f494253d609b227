import puppeteer, {
  type Browser,
  type ElementHandle,
  type Page,
  PredefinedNetworkConditions,
} from 'puppeteer-core';

export { type ElementHandle, type Page, PredefinedNetworkConditions };

const FLAGS = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-dev-shm-usage',
  '--disable-quic',
  // Larger than every viewport: what is painted outside of the window is not presented, so no interaction would end with it.
  '--window-size=1600,1200',
];
/** ms for one step in the browser. */
const STEP_MS = 30_000;

/** The browser's program. Puppeteer steers Firefox by WebDriver BiDi, which needs no driver program. */
export const browserPath = (name: 'chrome' | 'firefox'): string =>
  name === 'chrome'
    ? process.env['CHROME_BIN'] || '/usr/bin/chromium'
    : process.env['FIREFOX_BIN'] || '/usr/bin/firefox-esr';

const launch = (name: 'chrome' | 'firefox'): Promise<Browser> =>
  puppeteer.launch({
    browser: name,
    executablePath: browserPath(name),
    ...(name === 'chrome' && { args: FLAGS }),
  });

/** Opens a page in a new browser without cache, cookies or storage. */
export async function inFreshBrowser<T>(
  use: (page: Page) => Promise<T>,
  name: 'chrome' | 'firefox' = 'chrome',
): Promise<T> {
  const browser = await launch(name);
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

/** Name of the performance mark that a slot sets when it is interactive. */
export const hydratedMark = (slot: string): string => `slot:${slot}:hydrated`;

/** Resolves when a slot is interactive. */
export const hydrated = (page: Page, slot: string) =>
  page.waitForFunction(
    (mark: string) => performance.getEntriesByName(mark).length > 0,
    {},
    hydratedMark(slot),
  );
