import { hydrated, inFreshBrowser } from './browser.ts';

/** All layout shifts that the shopper did not cause: of a load, a scroll to the page's end and 'See More Results'. */
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
    await more?.scrollIntoView();
    await more?.click();
    await page.waitForFunction(
      (count: number) => document.querySelectorAll('#listings article').length > count,
      {},
      before,
    );
    await page.evaluate(() => window.scrollTo(0, document.documentElement.scrollHeight));
    await page.waitForNetworkIdle({ idleTime: 1000 });
    return page.evaluate(() =>
      (window as unknown as { shifts: { value: number; hadRecentInput: boolean }[] }).shifts
        .filter(({ hadRecentInput }) => !hadRecentInput)
        .reduce((sum, { value }) => sum + value, 0),
    );
  });
}
