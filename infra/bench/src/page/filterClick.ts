import { hydrated, inFreshBrowser } from './browser.ts';

const SLOWDOWN = 4;

export interface ClickResult {
  /** From the click to the end of the frame that shows the control checked, ms. */
  readonly paintedMs: number;
  /** The longest interaction, from input to the next paint, as INP counts it, ms (steps of 8). */
  readonly interactionMs: number;
}

/** Clicks on a filter of the panel with a processor four times slower. */
export function measureFilterClick(url: string, value = 'USED'): Promise<ClickResult> {
  return inFreshBrowser(async (page) => {
    await page.setViewport({ width: 1440, height: 900 });
    await page.goto(url, { waitUntil: 'networkidle0' });
    await Promise.all([hydrated(page, 'filters'), hydrated(page, 'results')]);
    const checkbox = await page.waitForSelector(
      `[data-slot="filters"] input[type=checkbox][value="${value}"]`,
    );
    await checkbox?.scrollIntoView();
    await page.evaluate((code: string) => {
      const measured = { paintedMs: Number.NaN, interactionMs: 0 };
      Object.assign(window, { measured });
      new PerformanceObserver((list) => {
        for (const { duration } of list.getEntries())
          measured.interactionMs = Math.max(measured.interactionMs, duration);
      }).observe({ type: 'event', durationThreshold: 16 } as PerformanceObserverInit);
      document.addEventListener(
        'click',
        ({ timeStamp }) => {
          const look = () => {
            // The frame's own work is over when the message that was sent from within it arrives.
            const { port1, port2 } = new MessageChannel();
            port1.onmessage = () => {
              const control = document.querySelector<HTMLInputElement>(
                `[data-slot="filters"] input[type=checkbox][value="${code}"]`,
              );
              if (control?.checked) measured.paintedMs = performance.now() - timeStamp;
              else requestAnimationFrame(look);
            };
            port2.postMessage(undefined);
          };
          requestAnimationFrame(look);
        },
        { once: true, capture: true },
      );
    }, value);
    await page.emulateCPUThrottling(SLOWDOWN);
    await checkbox?.click();
    await page.waitForFunction(() =>
      Number.isFinite((window as unknown as { measured: ClickResult }).measured.paintedMs),
    );
    await page.waitForNetworkIdle({ idleTime: 1000 });
    return page.evaluate(() => (window as unknown as { measured: ClickResult }).measured);
  });
}
