import { setTimeout as wait } from 'node:timers/promises';
import { hydrated, inFreshBrowser } from './browser.ts';

const SLOWDOWN = 4;
const HOVER_MS = 300;
const PRESS_MS = 80;

export interface ClickResult {
  /** From the click to the end of the frame that shows the control checked, ms. */
  readonly paintedMs: number;
  /** The longest interaction, from input to the next paint, as INP counts it, ms (steps of 8). */
  readonly interactionMs: number;
}

/** Clicks a filter of the panel with the CPU throttled four times. */
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
        // Hovering is an event, but not an interaction.
        for (const { duration, interactionId } of list.getEntries() as PerformanceEventTiming[])
          if (interactionId) measured.interactionMs = Math.max(measured.interactionMs, duration);
      }).observe({ type: 'event', durationThreshold: 16 } as PerformanceObserverInit);
      document.addEventListener(
        'click',
        ({ timeStamp }) => {
          const look = () => {
            // Runs right after the frame's own work, before other tasks.
            void scheduler.postTask(
              () => {
                const control = document.querySelector<HTMLInputElement>(
                  `[data-slot="filters"] input[type=checkbox][value="${code}"]`,
                );
                if (control?.checked) measured.paintedMs = performance.now() - timeStamp;
                else requestAnimationFrame(look);
              },
              { priority: 'user-blocking' },
            );
          };
          requestAnimationFrame(look);
        },
        { once: true, capture: true },
      );
    }, value);
    await page.emulateCPUThrottling(SLOWDOWN);
    // Like a person: the pointer moves there first, and the button is held briefly.
    await checkbox?.hover();
    await wait(HOVER_MS);
    await checkbox?.click({ delay: PRESS_MS });
    await page.waitForFunction(() =>
      Number.isFinite((window as unknown as { measured: ClickResult }).measured.paintedMs),
    );
    await page.waitForNetworkIdle({ idleTime: 1000 });
    return page.evaluate(() => (window as unknown as { measured: ClickResult }).measured);
  });
}
