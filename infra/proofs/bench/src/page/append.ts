import { setTimeout as wait } from 'node:timers/promises';
import type { Page } from 'puppeteer-core';
import { hydrated, inFreshBrowser, TASK_CATEGORIES, tasksOf, type TraceEvent } from './browser.ts';

const SLOWDOWN = 4;
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
const SETTLED_MS = 1500;
const START = 'bench:append';
const END = 'bench:appended';

export interface AppendResult {
  /** CPU ms of the page's main thread: of the longest task, and of all tasks from the request until the page is idle. */
  readonly longestMs: number;
  readonly workMs: number;
}

const count = (page: Page) => page.$$eval('#listings article', ({ length }) => length);

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
  let before = await count(page);
  // Found by text: a query by role makes the browser maintain an accessibility tree, a fifth of all work.
  await page.$$eval('a[rel=next]', (links) => {
    const more = links.find(({ textContent }) => textContent === 'See More Results');
    if (!more) throw new Error('the page has no link to more results');
    (more as HTMLAnchorElement).click();
  });
  await appended(page, before);
  while ((before = await count(page)) < LOADED) {
    await scrollTo(page, -1);
    await appended(page, before);
  }
}

async function measureOne(page: Page): Promise<AppendResult> {
  await scrollTo(page, BEFORE_PX);
  await page.emulateCPUThrottling(SLOWDOWN);
  await wait(SETTLED_MS);
  const before = await count(page);
  await page.tracing.start({ categories: [...TASK_CATEGORIES] });
  await page.evaluate(
    (mark, pixels) => {
      performance.mark(mark);
      window.scrollBy({ top: pixels, behavior: 'instant' });
    },
    START,
    ON_PX,
  );
  await wait(SETTLED_MS);
  await appended(page, before);
  await wait(SETTLED_MS);
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
    for (let run = 0; run < APPENDS; run += 1) results.push(await measureOne(page));
    return results;
  });
}
