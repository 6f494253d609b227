import assert from 'node:assert/strict';
import { browser } from '@wdio/globals';
import { describe, it } from 'mocha';
import { F150_NEAR_CHICAGO } from '@forecourt/harness/serverHtml';
import { EMAIL, hasLaterStyles, setViewport } from './resultsPage.ts';
import { shellOrigin } from './sharedStack.ts';

/** Requests for scripts wait in the browser, before they take a connection, until `releaseScripts`. */
async function holdScripts(): Promise<void> {
  await browser.sendCommand('Network.enable', {});
  await browser.sendCommand('Network.setCacheDisabled', { cacheDisabled: true });
  await browser.sendCommand('Fetch.enable', { patterns: [{ urlPattern: '*.js' }] });
}

/** The browser itself continues every request that waits. */
async function releaseScripts(): Promise<void> {
  await browser.sendCommand('Fetch.disable', {});
  await browser.sendCommand('Network.setCacheDisabled', { cacheDisabled: false });
}

const marksOf = (name: string) => browser.execute((name) => performance.getEntriesByName(name).length, name);

/** Loads the path without its scripts, and once it is painted, acts on it. The scripts arrive when `act` has resolved. */
async function actEarly(path: string, act: () => Promise<unknown>): Promise<void> {
  // Otherwise the page of the test before would count as painted.
  await browser.url('about:blank');
  await holdScripts();
  try {
    await browser.url(shellOrigin() + path);
    await browser.waitUntil(async () => (await marksOf('first-contentful-paint')) === 1);
    await act();
    assert.equal(await marksOf('slot:results:hydrated'), 0);
  } finally {
    await releaseScripts();
  }
}

/** ms at which the mark is set; waits for it. */
const startOf = (mark: string) =>
  browser.waitUntil(() => browser.execute((name) => performance.getEntriesByName(name)[0]?.startTime, mark));

/** Paths of the files that were requested before the load event, besides the document. */
const requestedBeforeLoad = () =>
  browser.waitUntil(() =>
    browser.execute(() => {
      const [navigation] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[];
      const loadedAt = navigation?.loadEventStart;
      if (!loadedAt || location.protocol === 'about:') return undefined;
      return performance
        .getEntriesByType('resource')
        .filter(({ startTime }) => startTime < loadedAt)
        .map(({ name }) => new URL(name).pathname);
    }),
  ) as Promise<string[]>;

describe('the first view', () => {
  /** A browser opens six connections to an origin. */
  const MAX_REQUESTS = 5;

  for (const [width, height] of [
    [1440, 900],
    [1920, 1080],
    [390, 844],
  ] as const)
    it(`leaves a connection to the first search while it loads, at ${width}×${height}`, async () => {
      await setViewport({ width, height });
      await browser.url('about:blank');
      await browser.url(shellOrigin() + F150_NEAR_CHICAGO);
      const paths = await requestedBeforeLoad();
      assert.deepEqual(
        paths.filter((path) => !path.startsWith('/pictures/')),
        [],
      );
      assert.ok(paths.length > 0 && paths.length <= MAX_REQUESTS, paths.join(' '));
    });

  it('is followed by the styles of what is below it, and by what they are for', async () => {
    await setViewport({ width: 1440, height: 900 });
    await actEarly(F150_NEAR_CHICAGO, () => browser.waitUntil(() => browser.execute(hasLaterStyles)));
  });
});

const CONDITION = (value: string) => `[data-slot=filters] [type=checkbox][name=listingType][value=${value}]`;

/** What the document has requested of searches, with itself. */
const searchRequests = () =>
  browser.execute(() =>
    performance
      .getEntries()
      .filter(({ entryType }) => entryType === 'navigation' || entryType === 'resource')
      .map(({ entryType, name }) => ({ type: entryType, path: new URL(name).pathname }))
      .filter(({ type, path }) => type === 'navigation' || /\/api\/(?:slots|search)$/.test(path)),
  );

describe('a search before the page has its scripts', () => {
  const untilShown = (count: number) =>
    browser.waitUntil(async () => (await marksOf('early-search:shown')) === count);

  it('goes back to the page before, in place', async () => {
    await actEarly('/cars-for-sale/all/ford', async () => {
      await browser.$(CONDITION('NEW')).click();
      await untilShown(1);
      await browser.execute(() => history.back());
      await untilShown(2);
    });
    await browser.waitUntil(async () => /\/all\/ford$/.test(await browser.getUrl()));
    await startOf('slot:filters:hydrated');
    assert.equal(await browser.$(CONDITION('NEW')).isSelected(), false);
    assert.deepEqual(
      (await searchRequests()).map(({ path }) => path),
      ['/cars-for-sale/all/ford', '/cars-for-sale/api/slots', '/cars-for-sale/api/slots'],
    );
  });

  it('shows only the last of two filters that are switched at once', async () => {
    await actEarly('/cars-for-sale/all/ford', async () => {
      await browser.$(CONDITION('USED')).waitForExist();
      await browser.execute((filters: readonly string[]) => {
        for (const filter of filters) document.querySelector<HTMLElement>(filter)?.click();
      }, ['NEW', 'USED'].map(CONDITION));
      await untilShown(1);
    });
    await browser.waitUntil(async () => {
      const { searchParams } = new URL(await browser.getUrl());
      return searchParams.getAll('listingType').join() === 'NEW,USED';
    });
    await startOf('slot:filters:hydrated');
    for (const value of ['NEW', 'USED'])
      assert.equal(await browser.$(CONDITION(value)).isSelected(), true, value);
  });

  it('loads the document when the request for its slots fails', async () => {
    await browser.sendCommand('Network.enable', {});
    await browser.sendCommand('Network.setBlockedURLs', { urls: ['*/api/slots*'] });
    try {
      await actEarly('/cars-for-sale/all/ford', async () => {
        await browser.$(CONDITION('NEW')).click();
        await browser.waitUntil(async () => /\/new\/ford$/.test(await browser.getUrl()));
      });
    } finally {
      await browser.sendCommand('Network.setBlockedURLs', { urls: [] });
    }
    await startOf('slot:filters:hydrated');
    assert.equal(await browser.$(CONDITION('NEW')).isSelected(), true);
    assert.deepEqual(
      (await searchRequests()).map(({ path }) => path),
      ['/cars-for-sale/new/ford'],
    );
  });
});

describe('a click before hydration', () => {
  it('replays a click before hydration once the slot has hydrated', async () => {
    await actEarly('/cars-for-sale/all-cars', () => browser.$(`#listings ${EMAIL}`).click());
    await browser.$('dialog[open] form').waitForDisplayed();
  });

  it('opens the menu of a card before hydration, and fills it then', async () => {
    await actEarly('/cars-for-sale/all-cars', () => browser.$('#listings article summary').click());
    const compare = browser.$('#listings article details[open]').$('button*=Compare');
    await compare.waitForDisplayed();
  });

  it('suggests searches for words that were typed before hydration', async () => {
    const field = '[data-slot=toolbar] [name=keyword]';
    await actEarly('/cars-for-sale/all-cars', async () => {
      await browser.$(field).click();
      await browser.keys('civic');
    });
    await browser.$('[role="option"]*=Civic').waitForDisplayed({ timeout: 30_000 });
    assert.equal(await browser.$(field).getValue(), 'civic');
  });

  it('searches for a filter before the page has its scripts, and hydrates the results', async () => {
    const filter = CONDITION('NEW');
    await actEarly('/cars-for-sale/all/ford', async () => {
      await browser.$(filter).click();
      await browser.waitUntil(async () => (await marksOf('early-search:shown')) === 1);
    });

    const hydrated = await startOf('slot:results:hydrated');
    assert.ok((await startOf('early-search:shown')) < hydrated, 'the results were shown without the scripts');
    assert.match(await browser.getUrl(), /\/cars-for-sale\/new\/ford$/);
    // A busy server leaves the panel to the browser, which renders it after the results.
    await browser.waitUntil(() => browser.$(filter).isSelected());
    await browser.waitUntil(() => browser.$(filter).isFocused());
    assert.deepEqual(await searchRequests(), [
      { type: 'navigation', path: '/cars-for-sale/all/ford' },
      { type: 'resource', path: '/cars-for-sale/api/slots' },
    ]);

    // The page goes on from there.
    await browser.back();
    await browser.waitUntil(async () => /\/all\/ford$/.test(await browser.getUrl()));
    await browser.waitUntil(async () => !(await browser.$(filter).isSelected()));
  });
});
