import { setTimeout as wait } from 'node:timers/promises';
import type { Page } from 'puppeteer-core';
import { hydrated, inFreshBrowser } from './browser.ts';

const SLOWDOWN = 4;
const HOVER_MS = 300;
const PRESS_MS = 80;
/** After this time without requests a gesture's work is done. */
const SETTLED_MS = 1000;

export interface InteractionResults {
  /** From the click on a filter to the end of the frame that shows it checked, ms. */
  readonly paintedMs: number;
  /** The longest interaction of each gesture, from input to the next paint, as INP counts it, ms (steps of 8). */
  readonly saveMs: number;
  readonly sortMs: number;
  readonly filterMs: number;
  readonly dialogMs: number;
}

interface Measured {
  paintedMs: number;
  interactionMs: number;
}
type MeasuredWindow = { readonly measured: Measured };

const FILTER = '[data-slot="filters"] input[type=checkbox][value="USED"]';
const SAVE = '#listings button[aria-pressed]';
const SORT = '[data-slot="results"] select[name=sortBy]';
const EMAIL = '#listings button[aria-label^="Email Seller"]';

/** Records the longest interaction, and when the filter's frame has ended. */
const observe = (page: Page) =>
  page.evaluate((filter: string) => {
    const measured: Measured = { paintedMs: Number.NaN, interactionMs: 0 };
    Object.assign(window, { measured });
    new PerformanceObserver((list) => {
      // Hovering is an event, but not an interaction.
      for (const { duration, interactionId } of list.getEntries() as PerformanceEventTiming[])
        if (interactionId) measured.interactionMs = Math.max(measured.interactionMs, duration);
    }).observe({ type: 'event', durationThreshold: 16 } as PerformanceObserverInit);
    const control = document.querySelector<HTMLInputElement>(filter);
    control?.addEventListener(
      'click',
      ({ timeStamp }) => {
        const look = () => {
          // Runs right after the frame's own work, before other tasks.
          void scheduler.postTask(
            () => {
              if (document.querySelector<HTMLInputElement>(filter)?.checked)
                measured.paintedMs = performance.now() - timeStamp;
              else requestAnimationFrame(look);
            },
            { priority: 'user-blocking' },
          );
        };
        requestAnimationFrame(look);
      },
      { once: true, capture: true },
    );
  }, FILTER);

/** Like a person: the pointer moves there first, and the button is held briefly. */
async function press(page: Page, selector: string): Promise<void> {
  const control = await page.waitForSelector(selector);
  if (!control) throw new Error(`the page has no ${selector}`);
  await control.scrollIntoView();
  await control.hover();
  await wait(HOVER_MS);
  await control.click({ delay: PRESS_MS });
}

/** By the keyboard, because a list of options is a window of its own. */
async function chooseNext(page: Page, selector: string): Promise<void> {
  await page.focus(selector);
  await wait(HOVER_MS);
  await page.keyboard.press('ArrowDown', { delay: PRESS_MS });
}

/** The longest interaction of a gesture; resolves when `isDone` selects something and the network is idle. */
async function longestOf(page: Page, gesture: () => Promise<void>, isDone: string): Promise<number> {
  await page.evaluate(() => ((window as unknown as MeasuredWindow).measured.interactionMs = 0));
  await gesture();
  await page.waitForSelector(isDone);
  await page.waitForNetworkIdle({ idleTime: SETTLED_MS });
  return page.evaluate(() => (window as unknown as MeasuredWindow).measured.interactionMs);
}

/** Saves a vehicle, sorts, filters and opens a dialog, with the CPU throttled four times. */
export function measureInteractions(url: string): Promise<InteractionResults> {
  return inFreshBrowser(async (page) => {
    await page.setViewport({ width: 1440, height: 900 });
    await page.goto(url, { waitUntil: 'networkidle0' });
    await Promise.all([hydrated(page, 'filters'), hydrated(page, 'results')]);
    await observe(page);
    await page.emulateCPUThrottling(SLOWDOWN);
    const saveMs = await longestOf(page, () => press(page, SAVE), '#listings button[aria-pressed=true]');
    const sortMs = await longestOf(page, () => chooseNext(page, SORT), '#listings[aria-busy=false]');
    const filterMs = await longestOf(page, () => press(page, FILTER), `${FILTER}:checked`);
    const dialogMs = await longestOf(page, () => press(page, EMAIL), 'dialog[open]');
    const { paintedMs } = await page.evaluate(() => (window as unknown as MeasuredWindow).measured);
    return { paintedMs, saveMs, sortMs, filterMs, dialogMs };
  });
}
