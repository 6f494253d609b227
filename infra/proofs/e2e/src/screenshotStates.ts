import type { Browser } from 'webdriverio';

/** One state of the page for visual review. */
export interface ScreenshotState {
  readonly name: string;
  readonly path: string;
  /** Viewport widths (px) at which the state exists; default: all. */
  readonly widths?: readonly number[];
  /** Viewport height (px); default: a common screen of that width. */
  readonly height?: number;
  /** Slots that must be hydrated first. */
  readonly slots?: readonly string[];
  /** Brings the page into the state. */
  readonly show?: (browser: Browser) => Promise<unknown>;
}

const RESULTS = '/cars-for-sale/all/ford/f150?searchRadius=50&zip=60601';
const INTERACTIVE = ['hero', 'location-editor', 'showcase', 'toolbar', 'filters', 'results'];

const press = (browser: Browser, selector: string) =>
  browser.execute((target: string) => document.querySelector<HTMLElement>(target)?.click(), selector);

/** Presses an entry of a card's menu. */
const pressInMenu = (browser: Browser, words: string, at = 0) =>
  browser.execute(
    async (text: string, index: number) => {
      const menu = document.querySelectorAll<HTMLDetailsElement>('[data-tile] article details')[index]!;
      menu.open = true;
      for (;;) {
        const entry = [...menu.querySelectorAll('button')].find(({ textContent }) =>
          textContent?.startsWith(text),
        );
        if (entry) return entry.click();
        await new Promise(requestAnimationFrame);
      }
    },
    words,
    at,
  );

async function compareTwo(browser: Browser): Promise<void> {
  for (const at of [0, 1]) await pressInMenu(browser, 'Compare', at);
  await browser.$('aside[aria-label="Compare vehicles"]').waitForDisplayed();
}

async function openModelReference(browser: Browser): Promise<void> {
  await browser.$('#model-reference-container').waitForExist();
  await browser.execute(() => document.getElementById('model-reference-container')?.scrollIntoView());
}

async function emailSeller(browser: Browser): Promise<void> {
  await press(browser, '[data-tile] button[aria-label^="Email Seller"]:not(details *)');
  await browser.$('dialog[open] form').waitForDisplayed();
}

const WITH_DIALOGS = [...INTERACTIVE, 'leads'];
const PRIVATE_SELLERS = '/cars-for-sale/all/ford?searchRadius=0&sellerType=p&zip=60601';

/** Opens a dialog from the first card's menu. */
const byMenu = (words: string) => async (browser: Browser) => {
  await pressInMenu(browser, words);
  await browser.$('dialog[open]').waitForDisplayed();
};

/** Opens the dialog of the button with this text. */
async function byWords(browser: Browser, words: string): Promise<void> {
  await browser.execute((text: string) => {
    [...document.querySelectorAll('button')].find(({ textContent }) => textContent === text)?.click();
  }, words);
  await browser.$('dialog[open]').waitForDisplayed();
}

/** Saves one listing more than is possible without an account. */
async function saveTooMany(browser: Browser): Promise<void> {
  await browser.execute(() => {
    for (const heart of [
      ...document.querySelectorAll<HTMLElement>('[data-tile] article button[aria-label^="Save "]'),
    ].slice(0, 4))
      heart.click();
  });
  await browser.$('dialog[open]').waitForDisplayed();
}

/** Every dialog in its initial state. */
const DIALOG_STATES: readonly ScreenshotState[] = [
  { name: 'share', path: RESULTS, slots: WITH_DIALOGS, show: byMenu('Share') },
  { name: 'report', path: RESULTS, slots: WITH_DIALOGS, show: byMenu('Report') },
  {
    name: 'saved',
    path: RESULTS,
    slots: WITH_DIALOGS,
    async show(browser) {
      for (const at of [0, 1])
        await press(browser, `[data-tile]:nth-of-type(${at + 1}) article button[aria-label^="Save "]`);
      await press(browser, 'header a[href="/account/saved-vehicles"]');
      await browser.$('main li img').waitForDisplayed();
    },
  },
  { name: 'sign-in', path: RESULTS, slots: WITH_DIALOGS, show: saveTooMany },
  {
    name: 'save-search',
    path: RESULTS,
    slots: WITH_DIALOGS,
    widths: [1440],
    show: (browser) => byWords(browser, 'Save Search'),
  },
  {
    name: 'assistant',
    path: RESULTS,
    slots: WITH_DIALOGS,
    show: (browser) => press(browser, '[aria-label="Open the shopping assistant"]'),
  },
  {
    name: 'wallet',
    path: RESULTS,
    slots: WITH_DIALOGS,
    async show(browser) {
      await press(browser, '[aria-label="Open the shopping assistant"]');
      await byWords(browser, 'Estimate my monthly payment');
    },
  },
  {
    name: 'offer',
    path: PRIVATE_SELLERS,
    slots: WITH_DIALOGS,
    async show(browser) {
      await press(browser, '[data-tile] article button[aria-label^="Make Offer"]');
      await browser.$('make-offer-modal').waitForExist();
    },
  },
];

export const SCREENSHOT_STATES: readonly ScreenshotState[] = [
  {
    name: 'sentence',
    path: '/cars-for-sale/all-cars?keyword=red%20pickup%20under%2060k%20near%20Austin&zip=60601',
    slots: INTERACTIVE,
  },
  {
    name: 'assistant',
    path: RESULTS,
    slots: WITH_DIALOGS,
    show: async (browser) => {
      await press(browser, '[data-assistant] button');
      await browser.$('[data-assistant] section').waitForDisplayed();
    },
  },
  { name: 'results', path: RESULTS, slots: INTERACTIVE },
  {
    name: 'card-menu',
    path: RESULTS,
    slots: INTERACTIVE,
    show: (browser) => press(browser, '[data-tile] article summary'),
  },
  {
    name: 'map',
    path: '/cars-for-sale/all-cars?searchRadius=50&view=map&zip=60601',
    slots: [...INTERACTIVE, 'map'],
  },
  {
    name: 'map-area',
    path: '/cars-for-sale/all-cars?area=41.6~-88.3~42.2~-87.5&view=map',
    slots: [...INTERACTIVE, 'map'],
  },
  { name: 'results-long', path: RESULTS, slots: INTERACTIVE, height: 3200 },
  {
    name: 'filters',
    path: RESULTS,
    slots: INTERACTIVE,
    widths: [390, 820],
    async show(browser) {
      await press(browser, 'button[aria-haspopup="dialog"]');
      await browser.$('dialog[open] form').waitForDisplayed();
    },
  },
  {
    name: 'no-results',
    path: '/cars-for-sale/all/ford/f150?maxPrice=1&searchRadius=50&zip=60601',
    slots: INTERACTIVE,
  },
  { name: 'email', path: RESULTS, slots: INTERACTIVE, show: emailSeller },
  {
    name: 'email-errors',
    path: RESULTS,
    slots: INTERACTIVE,
    async show(browser) {
      await emailSeller(browser);
      await press(browser, 'dialog[open] button[type="submit"]');
    },
  },
  ...DIALOG_STATES,
  { name: 'compare-drawer', path: RESULTS, slots: INTERACTIVE, show: compareTwo },
  {
    name: 'compare-dialog',
    path: RESULTS,
    slots: INTERACTIVE,
    async show(browser) {
      await compareTwo(browser);
      await browser.$('button=Compare now').click();
      await browser.$('dialog[open]').waitForDisplayed();
    },
  },
  { name: 'pricing', path: RESULTS, slots: INTERACTIVE, show: openModelReference },
  {
    name: 'vehicle',
    path: RESULTS,
    slots: INTERACTIVE,
    async show(browser) {
      await press(browser, '[data-tile="listing"] h3 a');
      await browser.$('dl').waitForExist();
    },
  },
  { name: 'build-your-price', path: '/cars-for-sale/build-your-price?makeCode=FORD&modelCode=F150' },
  { name: 'sign-in', path: '/account/sign-in' },
  { name: 'sign-up', path: '/account/sign-in?defaultScreen=signup' },
  { name: 'signed-out', path: '/account/signed-out' },
  { name: 'not-found', path: '/cars-for-sale/all/fjord' },
];

/** Captured last, while the marketplace fails. */
export const ERROR_STATE: ScreenshotState = { name: 'error', path: RESULTS };
