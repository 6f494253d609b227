import { setTimeout as wait } from 'node:timers/promises';
import type { Page } from '@forecourt/harness/browser';
import { hydrated, inFreshBrowser } from '@forecourt/harness/browser';
import { TASK_CATEGORIES, tasksOf, type TraceEvent } from './traceTasks.ts';

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
const SORT = '[data-slot="toolbar"] select[name=sortBy]';
const EMAIL = '#listings button[aria-label^="Email Seller"]:not(details *)';

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

/** Listings loaded before the next append is measured. */
const LOADED = 500;
const APPENDS = 7;
/** One scroll gesture, in px and ms. */
const STEP_PX = 400;
const STEP_MS = 40;
/** Distances in px from the end of the list: before and after the point where the next page is requested. */
const BEFORE_PX = 1080;
const ON_PX = 150;
/** ms after which an append is surely complete. */
const APPENDED_MS = 1500;
const START = 'bench:append';
const END = 'bench:appended';

export interface AppendResult {
  /** CPU ms of the page's main thread: of the longest task, and of all tasks from the request until the page is idle. */
  readonly longestMs: number;
  readonly workMs: number;
}

const listingCount = (page: Page) => page.$$eval('#listings article', ({ length }) => length);

/** Resolves when more listings are present and their page is complete. */
const appended = (page: Page, before: number) =>
  page.waitForFunction(
    (listings: number) =>
      document.querySelectorAll('#listings article').length > listings &&
      document.querySelector('#listings[aria-busy="false"]') !== null,
    { polling: 250 },
    before,
  );

/** Scrolls like a person until the loaded results end this many px below the screen; -1: until a page is requested. */
const scrollTo = (page: Page, below: number) =>
  page.evaluate(
    async (goal, stepPx, stepMs) => {
      const list = document.querySelector('#listings');
      const end = () =>
        list?.querySelector('[data-placeholder]')?.getBoundingClientRect().top ??
        list?.getBoundingClientRect().bottom ??
        0;
      const left = () => end() - window.innerHeight - Math.max(0, goal);
      const isAsked = () => list?.getAttribute('aria-busy') === 'true';
      while (Math.abs(left()) > 1 && !(goal < 0 && isAsked())) {
        window.scrollBy({ top: Math.max(-stepPx, Math.min(stepPx, left())), behavior: 'instant' });
        await new Promise((resolve) => setTimeout(resolve, stepMs));
      }
    },
    below,
    STEP_PX,
    STEP_MS,
  );

async function loadListings(page: Page): Promise<void> {
  let before = await listingCount(page);
  // Found by text: a query by role makes the browser maintain an accessibility tree, a fifth of all work.
  await page.$$eval('a[rel=next]', (links) => {
    const more = links.find(({ textContent }) => textContent === 'See More Results');
    if (!more) throw new Error('the page has no link to more results');
    (more as HTMLAnchorElement).click();
  });
  await appended(page, before);
  while ((before = await listingCount(page)) < LOADED) {
    await scrollTo(page, -1);
    await appended(page, before);
  }
}

async function measureAppend(page: Page): Promise<AppendResult> {
  await scrollTo(page, BEFORE_PX);
  await page.emulateCPUThrottling(SLOWDOWN);
  await wait(APPENDED_MS);
  const before = await listingCount(page);
  await page.tracing.start({ categories: [...TASK_CATEGORIES] });
  await page.evaluate(
    (mark, pixels) => {
      performance.mark(mark);
      window.scrollBy({ top: pixels, behavior: 'instant' });
    },
    START,
    ON_PX,
  );
  await wait(APPENDED_MS);
  await appended(page, before);
  await wait(APPENDED_MS);
  await page.evaluate((mark) => performance.mark(mark), END);
  const trace = await page.tracing.stop();
  await page.emulateCPUThrottling(null);
  const { traceEvents } = JSON.parse(new TextDecoder().decode(trace)) as { traceEvents: TraceEvent[] };
  const tasks = tasksOf(traceEvents, START, END);
  return { longestMs: Math.max(...tasks), workMs: tasks.reduce((sum, task) => sum + task, 0) };
}

/** CPU time of appending pages to 500 loaded listings, with the CPU throttled four times. */
export function measureAppends(url: string): Promise<readonly AppendResult[]> {
  return inFreshBrowser(async (page) => {
    await page.setViewport({ width: 1440, height: 900 });
    await page.goto(url, { waitUntil: 'networkidle0' });
    await hydrated(page, 'results');
    await loadListings(page);
    const results: AppendResult[] = [];
    for (let run = 0; run < APPENDS; run += 1) results.push(await measureAppend(page));
    return results;
  });
}
