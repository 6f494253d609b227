import assert from 'node:assert/strict';
import { browser } from '@wdio/globals';
import { describe, it } from 'mocha';
import { F150_NEAR_CHICAGO, FORDS_NEAR_CHICAGO } from '@forecourt/harness/serverHtml';
import { compareFirst, openResults, press, shownCount, shownListings, shownPath } from './resultsPage.ts';

const ALL = '/cars-for-sale/all-cars';

/** A page is appended in slices; it is complete when the list is no longer busy. */
const waitForTiles = (more: number) =>
  browser.waitUntil(
    async () =>
      (await shownListings()).length > more &&
      (await browser.execute(() => document.querySelector('#listings[aria-busy="false"]') !== null)),
    { timeout: 20_000, timeoutMsg: `no more than ${more} listings` },
  );
const seeMore = () => browser.$('a=See More Results');
/** Waits until the height of the list is stable for ten frames: a busy machine lays out new tiles over several frames. */
const waitForLayout = () =>
  browser.execute(async () => {
    const height = () => document.getElementById('listings')?.offsetHeight;
    for (let same = 0, last = height(); same < 10;) {
      await new Promise(requestAnimationFrame);
      same = height() === last ? same + 1 : 0;
      last = height();
    }
  });
/** Scrolls to the last vehicle until the next page is requested and appended. */
async function scrollOn(): Promise<void> {
  const count = (await shownListings()).length;
  await browser.waitUntil(
    async () =>
      browser.execute((before) => {
        const list = document.getElementById('listings');
        // A page may be appended between two looks.
        const isAsked =
          list?.getAttribute('aria-busy') === 'true' ||
          document.querySelectorAll('[data-tile="listing"] h3 a').length > before;
        const end = list?.querySelector('[data-placeholder]')?.getBoundingClientRect().top ?? 0;
        if (!isAsked) window.scrollBy(0, Math.max(0, Math.min(500, end - window.innerHeight)));
        return isAsked;
      }, count),
    { timeout: 30_000, interval: 100, timeoutMsg: 'no further page was asked for by scrolling' },
  );
  await waitForTiles(count);
}

interface Shift {
  /** Milliseconds since navigation start. */
  readonly at: number;
  readonly value: number;
  /** Only content below the grid moved. */
  readonly isBelow: boolean;
  readonly moved: readonly string[];
}

/** Observes layout shifts without recent input, with the moved elements. */
const watchShifts = () =>
  browser.execute(() => {
    const shifts: Shift[] = [];
    Object.assign(window, { resultShifts: shifts });
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) {
        const { value, hadRecentInput, sources } = entry as PerformanceEntry & {
          value: number;
          hadRecentInput: boolean;
          sources: { node: Node | null; previousRect: DOMRect; currentRect: DOMRect }[];
        };
        if (hadRecentInput) continue;
        const moved = sources.map(({ node, previousRect: from, currentRect: to }) => {
          const element = node instanceof Element ? node : node?.parentElement;
          const tile = element?.closest('[data-tile]');
          const at = tile ? [...(tile.parentElement?.children ?? [])].indexOf(tile) : -1;
          return `item ${at}, ${from.x},${from.y} to ${to.x},${to.y}: ${element?.outerHTML.slice(0, 80)}`;
        });
        const grid = document.getElementById('listings');
        const isBelow = sources.every(
          ({ node }) => node && grid && grid.compareDocumentPosition(node) & Node.DOCUMENT_POSITION_FOLLOWING,
        );
        shifts.push({ at: entry.startTime, value, isBelow, moved });
      }
    }).observe({ type: 'layout-shift', buffered: true });
  });
const shifts = () => browser.execute(() => (window as unknown as { resultShifts: Shift[] }).resultShifts);

describe('the results grid', () => {
  // rows: B2-GRID-01, B9-GRID-01
  it('shows three tiles per row on a large screen', async () => {
    await openResults(ALL, { width: 1599 });
    const rows = await browser.execute(() => {
      const tops = [
        ...document.querySelectorAll('#listings > * > * > [data-tile]:not([data-tile="adRow"])'),
      ].map((tile) => Math.round(tile.getBoundingClientRect().top + window.scrollY));
      return [...new Set(tops)].map((top) => tops.filter((other) => other === top).length);
    });
    assert.ok(rows.length > 5);
    for (const count of rows.slice(0, -1)) assert.equal(count, 3);
  });

  it('uses the same gaps between vehicles below the grid as in it', async () => {
    // Blocks follow at most 25 results; how many there are depends on the stock.
    for (const radius of [50, 25, 10]) {
      await openResults(`/cars-for-sale/all/ford/f150?searchRadius=${radius}&zip=60601`);
      if ((await shownCount()) <= 25) break;
    }
    const room = (tiles: string) =>
      browser.execute((selector) => {
        const [one, two] = [...document.querySelectorAll(selector)].map((tile) =>
          tile.getBoundingClientRect(),
        );
        return one && two && two.left - one.right;
      }, tiles);
    const block = '[data-block] [data-tile] > article';
    await browser.waitUntil(
      async () => {
        await browser.execute(() => window.scrollBy(0, 400));
        return typeof (await room(block)) === 'number';
      },
      { timeout: 20_000, interval: 100, timeoutMsg: 'no block with vehicles' },
    );
    const between = await room(block);
    assert.ok(Number(between) >= 16, String(between));
    assert.equal(between, await room('#listings [data-tile] > article'));
  });

  it('reserves space for the expert reviews until they load', async () => {
    await openResults('/cars-for-sale/all/ford/f150');
    const block = browser.$('[data-block="reviews"]');
    const room = async () => Math.round((await block.getSize()).height);
    await browser.$('[data-block="reviews"] [data-placeholder]').waitForExist();
    const before = await room();
    await block.scrollIntoView();
    await browser.$('[data-block="reviews"] h3').waitForExist();
    assert.equal(await room(), before);
  });

  // rows: B2-BOTTOM-03, B2-BOTTOM-09
  it('shows a wider search after few results, and the footer ad', async () => {
    await openResults(`${F150_NEAR_CHICAGO}&keyword=zeppelin`);
    for (const part of ['[data-block="supplemental"] article', '[data-ad="footer"] iframe'])
      await browser.waitUntil(
        () =>
          browser.execute((selector) => {
            window.scrollBy(0, 400);
            return document.querySelector(selector) !== null;
          }, part),
        { timeout: 20_000, interval: 100, timeoutMsg: `${part} is missing` },
      );
    const ids = await browser.execute(() =>
      [...document.querySelectorAll('article[data-listing]')].map((card) =>
        card.getAttribute('data-listing'),
      ),
    );
    assert.equal(new Set(ids).size, ids.length);
  });

  it('aligns price, title and facts within a row of cards', async () => {
    await openResults(ALL);
    const offsets = await browser.execute(() =>
      [...document.querySelectorAll('#listings [data-tile] article')].slice(0, 6).map((card) => {
        const top = card.getBoundingClientRect().top;
        const [price, link] = [card.querySelector('strong'), card.querySelector('h3 a')];
        const facts = card.querySelector('h3 ~ p ~ p');
        return [price, link, facts].map((part) => Math.round((part?.getBoundingClientRect().top ?? 0) - top));
      }),
    );
    assert.equal(new Set(offsets.map((row) => row.join())).size, 1, JSON.stringify(offsets));
  });

  // rows: B1-OFFER-10, B6-CTA-02
  it('offers calling on small screens and email on large ones', async () => {
    const calls = () =>
      browser.execute(() =>
        [...document.querySelectorAll<HTMLElement>('#listings article')]
          .filter((card) =>
            [...card.querySelectorAll('button')].some((b) => /^Email/.test(b.textContent ?? '')),
          )
          .slice(0, 5)
          .map((card) => {
            const call = card.querySelector<HTMLElement>('a[href^="tel:"]');
            const email = [...card.querySelectorAll<HTMLElement>('button')].find((button) =>
              /^Email/.test(button.textContent ?? ''),
            );
            return [call && call.offsetHeight > 0, email && email.offsetHeight > 0];
          }),
      );
    await openResults('/cars-for-sale/all-cars?sellerType=d', { width: 375, height: 800 });
    const small = await calls();
    assert.ok(small.length > 0);
    for (const card of small) assert.deepEqual(card, [true, true]);
    await openResults('/cars-for-sale/all-cars?sellerType=d', { width: 1280, height: 900 });
    const large = await calls();
    assert.ok(large.length > 0);
    assert.ok(
      large.every(([call, email]) => !call && email),
      JSON.stringify(large),
    );
  });

  // rows: B6-FLAG-13
  it('offers Compare on small screens only with its flag and always on large ones', async () => {
    const shown = () =>
      browser.execute(async () => {
        const menu = document.querySelector<HTMLDetailsElement>('#listings article details')!;
        menu.open = true;
        while (!menu.querySelector('button[aria-label^="Share"]')) await new Promise(requestAnimationFrame);
        return [...menu.querySelectorAll<HTMLElement>('button')].filter(
          (button) => /^Compare/.test(button.textContent ?? '') && button.offsetHeight > 0,
        ).length;
      });
    const small = { width: 375, height: 800 };
    await openResults(ALL, small);
    assert.ok((await shown()) > 0);
    try {
      await browser.setCookies({ name: 'flags', value: 'compareSmallScreen=false', path: '/' });
      await openResults(ALL, small);
      assert.equal(await shown(), 0);
      await openResults(ALL, { width: 1280, height: 900 });
      assert.ok((await shown()) > 0);
    } finally {
      await browser.deleteCookies(['flags']);
    }
  });

  // rows: A1-SCOPE-02
  it('updates the results when a sort is selected', async () => {
    await openResults(ALL);
    const before = await shownListings();
    await browser.$('select[name="sortBy"]').selectByAttribute('value', 'yearASC');
    await browser.waitUntil(async () => (await shownListings()).join() !== before.join());
    const years = await browser.execute(() =>
      [...document.querySelectorAll('[data-tile="listing"] h3')].map((title) =>
        Number(/^\d{4}/.exec(title.textContent ?? '')?.[0]),
      ),
    );
    assert.ok(years.length > 10);
    assert.deepEqual(
      years,
      [...years].sort((one, other) => one - other),
    );
  });

  it('has no layout shift during load, five appended pages, ads and the fixed ad', async () => {
    await openResults(ALL);
    await watchShifts();
    const count = (await shownListings()).length;
    await browser.waitUntil(
      async () => {
        await browser.execute(() => window.scrollBy(0, 300));
        return seeMore().isDisplayed({ withinViewport: true });
      },
      { timeout: 30_000, interval: 100 },
    );
    const pageTime = () => browser.execute(() => performance.now());
    const clicked = await pageTime();
    await seeMore().click();
    await waitForTiles(count);
    await waitForLayout();
    const grown = await pageTime();
    for (let page = 0; page < 4; page++) await scrollOn();
    assert.ok((await shownListings()).length > 100);
    const bar = browser.$('[data-ad="fixed-bottom"]');
    await bar.waitForDisplayed({ timeout: 15_000 });
    const row = browser.$('[data-ad="grid-row-1"]');
    await row.scrollIntoView();
    await row.$('iframe').waitForExist();
    assert.match((await row.$('iframe').getAttribute('src')) ?? '', /^\/ads\/creative\?.*t\.page=results/);
    // There are never two ads in a window.
    await bar.waitForDisplayed({ reverse: true });
    await browser.execute(() => {
      const ad = document.querySelector('[data-ad="grid-row-1"]')!;
      window.scrollBy(0, ad.getBoundingClientRect().bottom + 20);
    });
    await bar.waitForDisplayed();
    await bar.$('button').click();
    await bar.waitForExist({ reverse: true });
    const parsed = await browser.execute(() => {
      const [navigation] = performance.getEntriesByType('navigation');
      return (navigation as PerformanceNavigationTiming).domInteractive;
    });
    // A row painted before its last vehicle has arrived may grow with it. The click moves content below; the browser
    // excludes shifts only within 500 ms of input.
    const unexpectedShifts = (await shifts()).filter(
      ({ at, isBelow }) => !(isBelow && (at < parsed || (at > clicked && at < grown))),
    );
    const sum = unexpectedShifts.reduce((total, { value }) => total + value, 0);
    assert.equal(sum.toFixed(3), '0.000', JSON.stringify(unexpectedShifts));
  });

  for (const width of [390, 1280])
    it(`moves nothing at ${width} px while a slow device appends pages in view`, async () => {
      await openResults(ALL, { width });
      const first = (await shownListings()).length;
      // Not by its place, which the fixed ad may cover.
      await press('a[rel="next"]');
      await waitForTiles(first);
      await waitForLayout();
      await watchShifts();
      const throttle = (rate: number) => browser.sendCommand('Emulation.setCPUThrottlingRate', { rate });
      await throttle(6);
      try {
        const loaded = (await browser.execute(() => performance.now())) as number;
        for (let page = 0; page < 2; page++) {
          const count = (await shownListings()).length;
          // The last rows of the results, and placeholders that the vehicles replace one after the other.
          await browser.execute(() =>
            document.querySelectorAll('#listings [data-placeholder]')[2]?.scrollIntoView({ block: 'center' }),
          );
          await waitForTiles(count);
          await waitForLayout();
        }
        const moved = (await shifts()).filter(({ at }) => at > loaded);
        assert.deepEqual(moved, []);
      } finally {
        await throttle(1);
      }
    });

  for (const [width, row, footer] of [
    [1440, 146, 246],
    [900, 117, 191],
    [390, 117, 124],
  ] as const)
    // rows: B9-HEIGHT-01, B9-HEIGHT-02
    it(`reserves ${row} and ${footer} px for ads at ${width} px before they load`, async () => {
      await openResults(ALL, { width });
      const heights = await browser.execute(() =>
        ['grid-row-1', 'footer'].map(
          (slot) => document.querySelector(`[data-ad="${slot}"]`)?.getBoundingClientRect().height,
        ),
      );
      assert.deepEqual(heights, [row, footer]);
    });

  // rows: B4-PAGING-02
  it('keeps loading after a jump past the end of the list and back', async () => {
    await openResults(ALL);
    const first = (await shownListings()).length;
    await seeMore().click();
    await waitForTiles(first);
    const second = (await shownListings()).length;
    await browser.execute(() => window.scrollTo(0, document.documentElement.scrollHeight));
    await browser.pause(500);
    await browser.execute(() =>
      [...document.querySelectorAll('[data-placeholder]')].at(-3)?.scrollIntoView({ block: 'center' }),
    );
    await waitForTiles(second);
  });

  it('returns to the exact card, also on an earlier page', async () => {
    await openResults(ALL);
    const first = (await shownListings()).length;
    await seeMore().click();
    await waitForTiles(first);
    const path = await shownPath();
    assert.match(path, /firstRecord=30/);
    const link = browser.$('[data-tile="listing"] h3 a');
    const target = await link.getAttribute('href');
    await link.click();
    await browser.waitUntil(async () => (await shownPath()).startsWith('/cars-for-sale/vehicle/'));
    await browser.back();
    await browser.waitUntil(
      () => browser.execute((href) => document.activeElement?.getAttribute('href') === href, target),
      { timeout: 15_000, timeoutMsg: 'the focus is not on the card' },
    );
    const box = await browser.execute(() => {
      const { top, bottom } = (document.activeElement as HTMLElement).getBoundingClientRect();
      return { top, bottom, height: window.innerHeight };
    });
    assert.ok(box.top < box.height && box.bottom > 0, JSON.stringify(box));
  });

  // rows: A4-COMPARE-02
  it('keeps selected vehicles across a reload and compares them', async () => {
    await openResults(FORDS_NEAR_CHICAGO);
    await compareFirst(2);
    await browser.refresh();
    await browser.$('aside[aria-label="Compare vehicles"]').waitForDisplayed();
    await browser.$('button=Compare now').click();
    const dialog = browser.$('dialog[open]');
    await dialog.waitForDisplayed();
    assert.equal(await dialog.$$('thead th').length, 2);
    await browser.keys('Escape');
    await dialog.waitForExist({ reverse: true });
    assert.equal(await browser.execute(() => document.activeElement?.textContent), 'Compare now');
    await browser.$('button=Clear all').click();
  });

  it('supports skip link, card, compare and load more by keyboard alone', async () => {
    await openResults(FORDS_NEAR_CHICAGO);
    await browser.execute(() => (document.activeElement as HTMLElement | null)?.blur());
    await browser.keys('Tab');
    await browser.keys('Enter');
    await browser.waitUntil(() => browser.execute(() => document.activeElement?.id === 'listings'));
    const focusedNames: string[] = [];
    for (let presses = 0; presses < 12; presses++) {
      await browser.keys('Tab');
      focusedNames.push(
        await browser.execute(
          () =>
            document.activeElement?.getAttribute('aria-label') ?? document.activeElement?.textContent ?? '',
        ),
      );
    }
    assert.match(focusedNames[0] ?? '', /^(19|20)\d\d /);
    assert.ok(focusedNames.some((name) => /^(Email Seller|Make Offer|Call Seller|Visit Website)/.test(name)));
    assert.ok(focusedNames.some((name) => /^More about/.test(name)));
    const count = (await shownListings()).length;
    await browser.execute(() =>
      [...document.querySelectorAll('a')]
        .find(({ textContent }) => textContent === 'See More Results')
        ?.focus(),
    );
    await browser.keys('Enter');
    await waitForTiles(count);
    await browser.waitUntil(() =>
      browser.execute(() => document.activeElement?.matches('[data-listing] h3 a') ?? false),
    );
  });
});
