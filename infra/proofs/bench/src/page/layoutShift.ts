import type { ElementHandle, Page } from 'puppeteer-core';
import { hydrated, inFreshBrowser } from './browser.ts';

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
    if (!more) throw new Error('the page has no button for more results');
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
