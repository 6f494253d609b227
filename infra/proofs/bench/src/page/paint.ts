import { loadLighthouse } from '../tools.ts';
import { hydrated, inFreshBrowser } from '@forecourt/harness/browser';
import type { ElementHandle, Page } from '@forecourt/harness/browser';

export interface PaintResult {
  readonly lcpMs: number;
  readonly fcpMs: number;
  readonly blockingMs: number;
}

const AUDITS = {
  lcpMs: 'largest-contentful-paint',
  fcpMs: 'first-contentful-paint',
  blockingMs: 'total-blocking-time',
} as const;

/**
 * One load on a mid-range phone with a slow connection (Lighthouse's mobile profile, throttled while loading).
 * Lighthouse's faster simulation isn't usable: whether a script counts for the paint depends on the load order on this
 * machine, so the same page gets two different results.
 */
export async function measurePaint(url: string): Promise<PaintResult> {
  const lighthouse = await loadLighthouse();
  return inFreshBrowser(async (page) => {
    const run = await lighthouse(
      url,
      { onlyAudits: Object.values(AUDITS), logLevel: 'error', throttlingMethod: 'devtools' },
      undefined,
      page,
    );
    const valueOf = (audit: string) => {
      const value = run?.lhr.audits[audit]?.numericValue;
      if (value === undefined) throw new Error(`Lighthouse did not measure ${audit} of ${url}`);
      return value;
    };
    return {
      lcpMs: valueOf(AUDITS.lcpMs),
      fcpMs: valueOf(AUDITS.fcpMs),
      blockingMs: valueOf(AUDITS.blockingMs),
    };
  });
}

/** One scroll gesture, in px and ms. */
const STEP_PX = 300;
const STEP_MS = 60;
const LONGEST_SCROLL_PX = 60_000;

/** Scrolls gradually until an element is in view, or to the end of the page. */
async function scrollDown(page: Page, to?: ElementHandle): Promise<void> {
  for (let scrolled = 0; scrolled < LONGEST_SCROLL_PX; scrolled += STEP_PX) {
    const isThere = to
      ? await to.isIntersectingViewport({ threshold: 1 })
      : await page.evaluate(
          () => window.scrollY + window.innerHeight >= document.documentElement.scrollHeight - 1,
        );
    if (isThere) return;
    await page.evaluate((pixels) => window.scrollBy(0, pixels), STEP_PX);
    await new Promise((resolve) => setTimeout(resolve, STEP_MS));
  }
}

/** Layout shifts without recent input: load, scrolling to the end, and 'See More Results'. */
export function measureLayoutShift(url: string): Promise<number> {
  return inFreshBrowser(async (page) => {
    await page.setViewport({ width: 390, height: 844, isMobile: true, hasTouch: true });
    await page.evaluateOnNewDocument(() => {
      const shifts: { value: number; hadRecentInput: boolean }[] = [];
      Object.assign(window, { shifts });
      new PerformanceObserver((list) =>
        shifts.push(...(list.getEntries() as unknown as typeof shifts)),
      ).observe({ type: 'layout-shift', buffered: true });
    });
    await page.goto(url, { waitUntil: 'networkidle0' });
    await hydrated(page, 'results');
    const cards = () => page.$$eval('#listings article', ({ length }) => length);
    const before = await cards();
    const more = await page.waitForSelector('::-p-aria(See More Results)');
    if (!more) throw new Error('the page has no link to more results');
    await scrollDown(page, more);
    await more.click();
    await page.waitForFunction(
      (count: number) => document.querySelectorAll('#listings article').length > count,
      {},
      before,
    );
    await scrollDown(page);
    await page.waitForNetworkIdle({ idleTime: 1000 });
    return page.evaluate(() =>
      (window as unknown as { shifts: { value: number; hadRecentInput: boolean }[] }).shifts
        .filter(({ hadRecentInput }) => !hadRecentInput)
        .reduce((sum, { value }) => sum + value, 0),
    );
  });
}
