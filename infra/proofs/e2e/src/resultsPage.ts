import { browser } from '@wdio/globals';
import { F150_NEAR_CHICAGO, SPONSORED_KINDS } from '@forecourt/harness/serverHtml';
import { shellOrigin } from './sharedStack.ts';

const DESKTOP = { width: 1440, height: 900 };

/** Size of the page in CSS pixels, whatever the size of its window. */
export const setViewport = (size: { readonly width: number; readonly height: number }): Promise<unknown> =>
  browser.sendCommand('Emulation.setDeviceMetricsOverride', { ...size, deviceScaleFactor: 1, mobile: false });

/** px at the bottom of the window that the fixed ad or the compare tray may cover just when an element is clicked. */
const COVERED = 200;

/** Clicks of this session scroll what is near the bottom of the window, or below it, to its middle first. */
export function clickAboveBottom(session: WebdriverIO.Browser): void {
  session.overwriteCommand(
    'click',
    async function (this: WebdriverIO.Element, click, options?: Parameters<WebdriverIO.Element['click']>[0]) {
      // A command of the element waits until it exists.
      await this.execute((element: HTMLElement, covered: number) => {
        const { bottom } = element.getBoundingClientRect();
        if (bottom > window.innerHeight - covered)
          element.scrollIntoView({ block: 'center', inline: 'nearest', behavior: 'instant' });
      }, COVERED);
      return click(options);
    },
    true,
  );
}

/** Runs a script in each document before its own, until it is removed. */
export async function addInitScript<Values extends readonly string[]>(
  script: (...values: Values) => void,
  ...values: Values
): Promise<{ readonly remove: () => Promise<unknown> }> {
  const source = `(${script.toString()})(${values.map((value) => JSON.stringify(value)).join()})`;
  const added: unknown = await browser.sendCommandAndGetResult('Page.addScriptToEvaluateOnNewDocument', {
    source,
  });
  const remove = () => browser.sendCommand('Page.removeScriptToEvaluateOnNewDocument', added as object);
  return { remove };
}

/** Names of the hydrated slots, in order. */
export const hydratedSlots = (): Promise<string[]> =>
  browser.execute(() =>
    performance
      .getEntriesByType('mark')
      .map(({ name }) => /^slot:(.+):hydrated$/.exec(name)?.[1] ?? '')
      .filter((name) => name !== ''),
  );

export async function waitForSlots(...slots: readonly string[]): Promise<void> {
  await browser.waitUntil(
    async () => {
      const ready = await hydratedSlots();
      return slots.every((slot) => ready.includes(slot));
    },
    { interval: 100, timeoutMsg: `not hydrated: ${slots.join(', ')}` },
  );
}

/** Opens a page and waits until the slots of the first view are hydrated. */
export async function openResults(
  path: string,
  options: {
    readonly origin?: string;
    readonly width?: number;
    readonly height?: number;
    readonly slots?: readonly string[];
  } = {},
): Promise<void> {
  const { origin = shellOrigin(), width = DESKTOP.width, height = DESKTOP.height } = options;
  await setViewport({ width, height });
  await browser.url(origin + path);
  await waitForSlots(...(options.slots ?? ['toolbar', 'filters', 'results']));
}

/** The number in the heading '1,234 Matches'. */
export const shownCount = (): Promise<number> =>
  browser.execute(() =>
    Number((document.getElementById('results-heading')?.textContent ?? '').replaceAll(/\D/g, '')),
  );

/** Path and query of the address bar. */
export const shownPath = (): Promise<string> =>
  browser.execute(() => window.location.pathname + window.location.search);

/** Waits for the expected URL, which is written after the paint of a click, and returns it. */
export async function waitForPath(expected: string | ((path: string) => boolean)): Promise<string> {
  const isExpected = (path: string) => (typeof expected === 'string' ? path === expected : expected(path));
  // A page that is being replaced has no script context.
  const isShown = () => shownPath().then(isExpected, () => false);
  await browser.waitUntil(isShown, {
    timeoutMsg: `the URL never became ${String(expected)}`,
  });
  return shownPath();
}

/** Paths of the organic listings, without spotlights, in order. */
export const shownListings = (): Promise<string[]> =>
  browser.execute(() =>
    [...document.querySelectorAll<HTMLAnchorElement>('[data-tile="listing"] h3 a')].map(
      (link) => link.pathname,
    ),
  );

/** Paths of the vehicles on sponsored tiles. */
export const shownPlaced = (): Promise<string[]> =>
  browser.execute(
    (selector) => [...document.querySelectorAll<HTMLAnchorElement>(selector)].map((link) => link.pathname),
    SPONSORED_KINDS.map((kind) => `[data-tile="${kind}"] h3 a`).join(),
  );

export async function waitForCount(isExpected: (count: number) => boolean): Promise<number> {
  await browser.waitUntil(
    async () =>
      isExpected(await shownCount()) &&
      (await browser.execute(
        () => document.getElementById('listings')?.getAttribute('aria-busy') !== 'true',
      )),
    { timeoutMsg: 'the expected number of matches is not shown' },
  );
  return shownCount();
}

/** Clears storage and cookies of earlier tests: a first-time visitor. */
export async function startFreshVisit(): Promise<void> {
  await browser.url(`${shellOrigin()}/health/live`);
  await browser.execute(() => {
    localStorage.clear();
    sessionStorage.clear();
  });
  await browser.deleteCookies();
}

/** From the 'Check your email' page, opens the newest email to an address and follows its link. */
export async function followEmail(email: string): Promise<void> {
  await browser.$('a=Open the mails of this machine').click();
  await browser.$(`//ol/li[contains(., "${email}")][1]//a`).click();
}

/** Confirms a sign-up through its email and returns to the site. */
export async function confirmAddress(email: string): Promise<void> {
  await followEmail(email);
  await browser.$('button=Confirm and sign in').click();
}

/** Slots that dialog tests wait for. */
/** Runs in the page: whether the styles are there that it postpones, and what is below them is shown. */
export const hasLaterStyles = (): boolean =>
  document.querySelector('link[data-later]') === null &&
  [...document.styleSheets].some(({ href }) => href?.endsWith('/later.css')) &&
  document.getElementById('slot-related')?.checkVisibility({ visibilityProperty: true }) === true;

export const WITH_DIALOGS = ['toolbar', 'filters', 'results', 'leads'];
/** A card's email button. */
export const EMAIL = 'button[aria-label^="Email Seller"]:not(details *)';

/** An unused email address. */
export const newAddress = (name: string): string => `${name}.${Date.now()}@example.com`;

/** Clicks the nth match of a selector, even outside the viewport. */
export const press = (selector: string, at = 0): Promise<void> =>
  browser.execute(
    (target: string, index: number) => document.querySelectorAll<HTMLElement>(target)[index]?.click(),
    selector,
    at,
  );

/** Clicks the first button with this text, `times` times in a row. */
export const pressWords = (words: string, times = 1): Promise<void> =>
  browser.execute(
    (text: string, presses: number) => {
      const button = [...document.querySelectorAll('button')].find(({ textContent }) => textContent === text);
      for (let press = 0; press < presses; press += 1) button?.click();
    },
    words,
    times,
  );

/** Presses an entry of the nth card's menu, which has it once it is open. */
export async function pressInMenu(words: string, at = 0): Promise<void> {
  await browser.execute(
    async (text: string, index: number) => {
      const menu = document.querySelectorAll<HTMLDetailsElement>('[data-tile] article details')[index];
      if (!menu) throw new Error(`no menu ${index}`);
      menu.open = true;
      for (;;) {
        const entry = [...menu.querySelectorAll<HTMLElement>('button, a')].find(({ textContent }) =>
          textContent?.startsWith(text),
        );
        if (entry) return entry.click();
        await new Promise(requestAnimationFrame);
      }
    },
    words,
    at,
  );
}

/** Adds the first vehicles of the grid that aren't compared yet. */
export async function compareFirst(count: number): Promise<void> {
  await browser.execute(async (vehicles: number) => {
    let added = 0;
    for (const menu of document.querySelectorAll<HTMLDetailsElement>('[data-tile] article details')) {
      if (added === vehicles) return;
      menu.open = true;
      const find = () =>
        [...menu.querySelectorAll('button')].find(({ textContent }) => textContent?.includes('Compare'));
      while (!find()) await new Promise(requestAnimationFrame);
      if (!find()!.textContent?.startsWith('Compare')) continue;
      find()!.click();
      added += 1;
    }
  }, count);
  await browser.$('aside[aria-label="Compare vehicles"]').waitForDisplayed();
}

/** Opens the results and the dialog of the first card's control; returns the listing id. */
export async function openDialog(control: string, path = F150_NEAR_CHICAGO): Promise<string> {
  await openResults(path, { slots: WITH_DIALOGS });
  const button = browser.$(`[data-tile] article ${control}`);
  await button.scrollIntoView({ block: 'center' });
  const listingId = await browser.execute(
    (opener) =>
      opener.closest('article')?.querySelector<HTMLAnchorElement>('h3 a')?.pathname.split('/').at(-1),
    await button.getElement(),
  );
  await button.click();
  return listingId ?? '';
}

/** Fills fields of the open dialog by name. */
export async function fill(fields: Readonly<Record<string, string>>): Promise<void> {
  for (const [name, value] of Object.entries(fields))
    await browser.$(`dialog[open] [name="${name}"]`).setValue(value);
}

/** Double-clicks the submit button of the open dialog. */
export const pressSendTwice = (): Promise<void> =>
  browser.execute(() => {
    const send = document.querySelector<HTMLButtonElement>('dialog[open] button[type="submit"]');
    send?.click();
    send?.click();
  });
