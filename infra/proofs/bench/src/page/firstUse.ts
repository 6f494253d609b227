import { setTimeout as wait } from 'node:timers/promises';
import { type Page, PredefinedNetworkConditions } from '@forecourt/harness/browser';
import { inFreshBrowser } from '@forecourt/harness/browser';

const SLOWDOWN = 4;
/** Chrome's preset: 1.44 Mbit/s down, 0.675 up, 562 ms from a request to its response. */
const NETWORK = 'Slow 4G';
const VIEWPORTS = {
  desktop: { width: 1440, height: 900 },
  phone: { width: 390, height: 844, isMobile: true, hasTouch: true, deviceScaleFactor: 2 },
} as const;
export type Screen = keyof typeof VIEWPORTS;
/** After this time without requests the page is loaded. */
const SETTLED_MS = 1000;

/** How a page is used, because each serves other markup. */
export interface Usage {
  /** Performance mark of the script that hydrates the filters; undefined if the page has no script. */
  readonly readyMark?: string;
  /** Whether a filter works as soon as it is painted; otherwise from the mark on. */
  readonly isEarly: boolean;
  /** Shows the number of matches, which changes with the results. */
  readonly count: string;
  /** Switches the filter. */
  readonly filter: string;
  /** Shows the filtered results, if the filter itself does not. */
  readonly submit?: string;
  /** Opens the panel that has the filter. */
  readonly opener?: string;
}

/** One cold visit; times in ms from navigation. */
export interface FirstUse {
  readonly fcpMs: number;
  readonly lcpMs: number;
  /** The filters are hydrated, or the form is complete. */
  readonly hydratedMs: number;
  /** Parts above 50 ms of the tasks after the First Contentful Paint, until the page has loaded (Total Blocking Time). */
  readonly blockingMs: number;
  /** From the click on a filter of the loaded page to the frame with its results. */
  readonly shownMs: number;
  /** Size of the scripts requested before hydration, compressed. */
  readonly scriptKb: number;
  /** Requests before hydration, without pictures. */
  readonly requests: number;
}

/** A click on a filter as early as it has an effect; times in ms from navigation. */
export interface EarlyUse {
  readonly clickMs: number;
  /** The frame with its results. */
  readonly shownMs: number;
}

interface Recorded {
  readonly tasks: { readonly startTime: number; readonly duration: number }[];
  lcp: number;
}
type RecordedWindow = { readonly recorded: Recorded };

/** Runs before the page's own scripts. */
function record(): void {
  const recorded: Recorded = { tasks: [], lcp: 0 };
  Object.assign(window, { recorded });
  new PerformanceObserver((list) => recorded.tasks.push(...list.getEntries())).observe({ type: 'longtask' });
  new PerformanceObserver((list) => {
    recorded.lcp = list.getEntries().at(-1)?.startTime ?? recorded.lcp;
  }).observe({ type: 'largest-contentful-paint', buffered: true });
}

/** Waits for a performance entry, and returns its start. */
const startOf = (page: Page, name: string): Promise<number> =>
  page
    .waitForFunction((entry: string) => performance.getEntriesByName(entry)[0]?.startTime, {}, name)
    .then((handle) => handle.jsonValue() as Promise<number>);

/** When the form of a page without scripts is complete. */
const formComplete = (page: Page): Promise<number> =>
  page
    .waitForFunction(() => {
      const [entry] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[];
      return entry?.domInteractive || undefined;
    })
    .then((handle) => handle.jsonValue() as Promise<number>);

const hydratedAt = (page: Page, { readyMark }: Usage): Promise<number> =>
  readyMark ? startOf(page, readyMark) : formComplete(page);

/** Paints, tasks and bytes of the load. */
function loadResults(page: Page, hydratedMs: number): Promise<Omit<FirstUse, 'hydratedMs' | 'shownMs'>> {
  return page.evaluate((until: number) => {
    const { recorded } = window as unknown as RecordedWindow;
    const fcpMs = performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? Number.NaN;
    const blockingMs = recorded.tasks
      .filter(({ startTime }) => startTime >= fcpMs)
      .reduce((sum, { duration }) => sum + duration - 50, 0);
    const isPicture = (name: string, type: string) =>
      type === 'img' || type === 'image' || /\.(?:svg|png|jpe?g|avif|webp)(?:\?|$)/.test(name);
    const before = (performance.getEntriesByType('resource') as PerformanceResourceTiming[]).filter(
      ({ startTime }) => startTime <= until,
    );
    const scripts = before.filter(({ name }) => /\.js(?:\?|$)/.test(name));
    return {
      fcpMs,
      lcpMs: recorded.lcp,
      blockingMs,
      scriptKb: scripts.reduce((sum, { encodedBodySize }) => sum + encodedBodySize, 0) / 1000,
      requests: 1 + before.filter(({ name, initiatorType }) => !isPicture(name, initiatorType)).length,
    };
  }, hydratedMs);
}

/** As long as a visitor holds a button or a finger; the composed page searches when it is pressed. */
const PRESS_MS = 80;

/** Presses a control as a visitor does, and returns when it was clicked, by the clock. */
async function press(page: Page, screen: Screen, selector: string): Promise<number> {
  const control = await page.waitForSelector(selector, { visible: true });
  if (!control) throw new Error(`There is no ${selector}`);
  const clicked = control.evaluate(
    (element) =>
      new Promise<number>((resolve) =>
        element.addEventListener('click', ({ timeStamp }) => resolve(performance.timeOrigin + timeStamp), {
          once: true,
        }),
      ),
  );
  if (screen === 'phone') {
    const finger = await control.touchStart();
    await wait(PRESS_MS);
    await finger.end();
  } else await control.click({ delay: PRESS_MS });
  return clicked;
}

/**
 * Filters the results; returns when the last control was clicked, and when the frame with another number of matches ended,
 * on this page or the next; by the clock.
 */
async function clickFilter(
  page: Page,
  screen: Screen,
  { count, filter, submit, opener }: Usage,
): Promise<{ readonly start: number; readonly end: number }> {
  const before = await page.$eval(count, ({ textContent }) => textContent);
  if (opener) await press(page, screen, opener);
  if (submit) {
    await press(page, screen, filter);
    await page.waitForNetworkIdle();
  }
  const start = await press(page, screen, submit ?? filter);
  const shown = await page.waitForFunction(
    (selector: string, old: string | null) => {
      const text = document.querySelector(selector)?.textContent;
      if (text === undefined || text === old) return undefined;
      return new Promise<number>((resolve) =>
        requestAnimationFrame(() => setTimeout(() => resolve(performance.timeOrigin + performance.now()))),
      );
    },
    { polling: 'raf' },
    count,
    before,
  );
  return { start, end: (await shown.jsonValue()) as number };
}

/** Opens the page on a slow connection and processor without any cache. */
const onSlowMachine = <T>(screen: Screen, use: (page: Page) => Promise<T>): Promise<T> =>
  inFreshBrowser(async (page) => {
    await page.setViewport(VIEWPORTS[screen]);
    await page.emulateNetworkConditions(PredefinedNetworkConditions[NETWORK]);
    await page.emulateCPUThrottling(SLOWDOWN);
    await page.evaluateOnNewDocument(record);
    return use(page);
  });

/** Loads the page, and filters its results when it is quiet. */
export const measureFirstUse = (url: string, screen: Screen, usage: Usage): Promise<FirstUse> =>
  onSlowMachine(screen, async (page) => {
    await page.goto(url, { waitUntil: 'domcontentloaded' });
    const hydratedMs = await hydratedAt(page, usage);
    await page.waitForNetworkIdle({ idleTime: SETTLED_MS });
    const load = await loadResults(page, hydratedMs);
    const { start, end } = await clickFilter(page, screen, usage);
    return { ...load, hydratedMs, shownMs: end - start };
  });

interface Early {
  readonly before: string;
  /** ms by the clock. */
  readonly clicked: number;
  /** Of the first document. */
  readonly origin: number;
}
type EarlyWindow = { readonly earlyUse?: EarlyUse };

/**
 * Runs in each document: clicks the filter in the first frame in which it works, and records the frame in which the
 * number of matches has changed, here or in the next document. Not from outside: a busy page would click late.
 */
function clickEarly({ isEarly, readyMark, count, filter, submit }: Usage): void {
  const KEY = 'early-use';
  const now = () => performance.timeOrigin + performance.now();
  const works = () => {
    if (performance.getEntriesByName('first-contentful-paint').length === 0) return false;
    if (submit) return document.readyState !== 'loading';
    return isEarly || !readyMark || performance.getEntriesByName(readyMark).length > 0;
  };
  const look = () => {
    const text = document.querySelector(count)?.textContent;
    const control = document.querySelector<HTMLElement>(filter);
    const stored = sessionStorage.getItem(KEY);
    if (stored) {
      const { before, clicked, origin } = JSON.parse(stored) as Early;
      if (text !== undefined && text !== before) {
        setTimeout(() => {
          const earlyUse: EarlyUse = { clickMs: clicked - origin, shownMs: now() - origin };
          Object.assign(window, { earlyUse });
        });
        return;
      }
    } else if (text !== undefined && control && works()) {
      const early: Early = { before: text, clicked: now(), origin: performance.timeOrigin };
      sessionStorage.setItem(KEY, JSON.stringify(early));
      control.click();
      if (submit) document.querySelector<HTMLElement>(submit)?.click();
    }
    requestAnimationFrame(look);
  };
  requestAnimationFrame(look);
}

/** Filters the results as soon as the filter is painted and works. */
export const measureEarlyUse = (url: string, usage: Usage): Promise<EarlyUse> =>
  onSlowMachine('desktop', async (page) => {
    await page.evaluateOnNewDocument(clickEarly, usage);
    await page.goto(url, { waitUntil: 'domcontentloaded' });
    const early = await page.waitForFunction(() => (window as unknown as EarlyWindow).earlyUse);
    return (await early.jsonValue()) as EarlyUse;
  });

/**
 * Saves a vehicle as soon as its page is there; returns when it is shown as saved, in ms from navigation. What is pressed
 * before is recorded and replayed.
 */
export const measureEarlySave = (url: string, heart: string): Promise<number> =>
  onSlowMachine('desktop', async (page) => {
    await page.goto(url, { waitUntil: 'domcontentloaded' });
    await press(page, 'desktop', heart);
    const saved = await page.waitForFunction(
      (selector: string) =>
        document.querySelector(selector)?.getAttribute('aria-pressed') === 'true'
          ? performance.now()
          : undefined,
      { polling: 'raf' },
      heart,
    );
    return (await saved.jsonValue()) as number;
  });
