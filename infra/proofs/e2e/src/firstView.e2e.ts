import assert from 'node:assert/strict';
import { browser } from '@wdio/globals';
import { after, describe, it } from 'mocha';
import { FORDS_NEAR_CHICAGO } from '@forecourt/harness/serverHtml';
import { measureFirstView } from './firstView.ts';
import { setColorScheme } from './pageChecks.ts';
import { openResults, shownListings } from './resultsPage.ts';

/** A place, a make and two filters. */
const PATH = `${FORDS_NEAR_CHICAGO}&maxPrice=40000`;
const SLOTS = ['toolbar', 'filters', 'results', 'leads'];

const boxesOf = (selector: string) =>
  browser.execute(
    (query: string) =>
      [...document.querySelectorAll(query)]
        .filter((element) => element.checkVisibility())
        .map((element) => {
          const { top, bottom, left, right, height } = element.getBoundingClientRect();
          return { top, bottom, left, right, height };
        }),
    selector,
  );

describe('what a shopper sees on arrival', () => {
  for (const { width, height, above, card } of [
    { width: 320, height: 640, above: 360, card: 420 },
    { width: 390, height: 844, above: 340, card: 420 },
    { width: 820, height: 1180, above: 380, card: 430 },
    { width: 1440, height: 900, above: 400, card: 400 },
    { width: 1920, height: 1080, above: 400, card: 400 },
  ])
    it(`is cars: at ${width} px, the first card begins above ${above} px, with one main button and three text styles`, async () => {
      await openResults(PATH, { width, height, slots: SLOTS });
      const view = await browser.execute(measureFirstView);
      const facts = JSON.stringify(view);
      assert.ok(view.aboveFirstCard <= above && view.cardHeight <= card && view.firstPrice < height, facts);
      assert.ok(view.textStyles <= 3 && view.mainButtons === 1 && view.elements <= 30, facts);
      assert.deepEqual({ covered: view.covered, twins: view.twins }, { covered: 0, twins: 0 }, facts);
    });

  it('shows the first card whole and begins the second on a phone', async () => {
    await openResults(PATH, { width: 390, height: 844, slots: SLOTS });
    const [first, second] = await boxesOf('[data-tile] article');
    assert.ok(first && first.bottom <= 844, JSON.stringify(first));
    assert.ok(second && second.top < 800, JSON.stringify(second));
  });

  it('shows the number of results beside its links, not below them, on narrow screens', async () => {
    for (const width of [320, 390]) {
      await openResults(PATH, { width, height: 844, slots: SLOTS });
      const { right, left } = await browser.execute(() => {
        const range = document.createRange();
        range.selectNodeContents(
          [...document.querySelectorAll('[data-your-search] *')]
            .filter(({ textContent }) => /^[\d,]+ Match(es)?$/.test(textContent?.trim() ?? ''))
            .at(-1)!,
        );
        const header = document.getElementById('results-heading')!.parentElement!;
        return { right: range.getBoundingClientRect().right, left: header.getBoundingClientRect().left };
      });
      assert.ok(
        right > 0 && right <= left,
        `at ${width} px the number ends at ${right}, the links begin at ${left}`,
      );
    }
  });

  it('begins two rows of cards at 1440×900', async () => {
    await openResults(PATH, { width: 1440, height: 900, slots: SLOTS });
    const tops = (await boxesOf('[data-tile] article')).map(({ top }) => Math.round(top));
    assert.ok([...new Set(tops)].filter((top) => top < 860).length >= 2, tops.slice(0, 8).join());
  });

  it('has four tiles per row from 1,600 px on, in rows without gaps', async () => {
    await openResults('/cars-for-sale/all-cars', { width: 1600, height: 1000, slots: SLOTS });
    const tops = (await boxesOf('#listings > * > * > [data-tile]:not([data-tile="adRow"])')).map(({ top }) =>
      Math.round(top),
    );
    const rows = [...new Set(tops)].sort((one, other) => one - other);
    const counts = rows.map((top) => tops.filter((other) => other === top).length);
    assert.ok(counts.length > 5);
    assert.deepEqual(new Set(counts.slice(0, -1)), new Set([4]), counts.join());
  });
});

describe('the controls of a search on a phone', () => {
  after(() => setColorScheme(''));

  it('stay at the top of the window, and cover no focused card', async () => {
    await openResults(PATH, { width: 390, height: 844, slots: SLOTS });
    await browser.execute(() => window.scrollTo(0, 3000));
    const bar = (text: string) => browser.$('[data-your-search]').$(text);
    for (const control of ['button*=Filter', 'select[name="sortBy"]', 'button*=Save'])
      assert.ok(await bar(control).isDisplayed({ withinViewport: true }), control);
    const filter = browser.$('[data-your-search]').$('button*=Filter');
    assert.ok((await filter.getLocation('y')) - 3000 < 20);
    const below = await browser.execute(() => {
      const links = [...document.querySelectorAll<HTMLElement>('[data-tile] article h3 a')];
      const last = links.findLast((link) => link.getBoundingClientRect().top < 0);
      last?.focus();
      return new Promise<boolean>((resolve) =>
        requestAnimationFrame(() => {
          const { left, top, height } = last!.getBoundingClientRect();
          const front = document.elementFromPoint(left + 4, top + height / 2);
          resolve(front?.closest('article') === last?.closest('article'));
        }),
      );
    });
    assert.equal(below, true);
  });
});

describe('the filter panel on a wide screen', () => {
  it('stays beside the results, with its own scroll, to their end', async () => {
    await openResults(PATH, { slots: SLOTS });
    const panel = () => boxesOf('[data-slot="filters"] > div');
    const [atTop] = await panel();
    assert.ok(atTop && atTop.height <= 900, JSON.stringify(atTop));
    await browser.execute(() => {
      const end = document.getElementById('listings')!.getBoundingClientRect().bottom;
      window.scrollTo(0, window.scrollY + end - window.innerHeight);
    });
    const [atEnd] = await panel();
    assert.ok(atEnd && atEnd.top >= 0 && atEnd.top < 40 && atEnd.bottom > 500, JSON.stringify(atEnd));
    const scrolled = await browser.execute(() => {
      const element = document.querySelector('[data-slot="filters"] > div')!;
      element.scrollTop = 400;
      return element.scrollTop;
    });
    assert.equal(scrolled, 400);
  });
});

describe('the menu of a card', () => {
  const menu = () => browser.$('[data-tile] article details');
  const names = () =>
    browser.execute(() =>
      [...document.querySelectorAll<HTMLElement>('article details[open] :is(button, a)')].map((item) =>
        (item.innerText || '').trim(),
      ),
    );

  it('has what is not the main button, within its card, one menu at a time', async () => {
    await openResults(PATH, { slots: SLOTS });
    await menu().$('summary').click();
    await browser.waitUntil(async () => (await names()).length >= 3);
    for (const name of ['Compare', 'Share', 'Report'])
      assert.ok(
        (await names()).some((text) => text.startsWith(name)),
        `${name}: ${(await names()).join()}`,
      );
    const [card] = await boxesOf('[data-tile] article');
    const [items] = await boxesOf('article details[open] > div');
    assert.ok(items && card && items.left >= card.left && items.right <= card.right, JSON.stringify(items));
    await browser.$$('[data-tile] article summary')[1]!.click();
    await browser.waitUntil(async () => (await browser.$$('[data-tile] article details[open]').length) === 1);
    await browser.keys('Escape');
    assert.equal(await browser.$('[data-tile] article details[open]').isExisting(), false);
  });
});

describe('a jump to the end of an endless list', () => {
  it('loads the next page', async () => {
    await openResults('/cars-for-sale/all-cars', { slots: SLOTS });
    const first = (await shownListings()).length;
    await browser.$('a=See More Results').click();
    await browser.waitUntil(async () => (await shownListings()).length > first);
    await browser.waitUntil(() =>
      browser.execute(() => document.querySelector('#listings[aria-busy="false"]') !== null),
    );
    const second = (await shownListings()).length;
    await browser.execute(() => window.scrollTo(0, document.documentElement.scrollHeight));
    await browser.waitUntil(async () => (await shownListings()).length > second, { timeout: 15_000 });
  });
});
