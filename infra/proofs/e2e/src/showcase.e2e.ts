import assert from 'node:assert/strict';
import { browser } from '@wdio/globals';
import { describe, it } from 'mocha';
import { F150_NEAR_CHICAGO, getPage, slotHtml, unescapeHtml } from '@forecourt/harness/serverHtml';
import { shellOrigin } from './sharedStack.ts';
import { openResults } from './resultsPage.ts';

/** No showcase vehicle has all of these colors, so each misses at least one criterion. */
const PICKY = `${F150_NEAR_CHICAGO}&extColorSimple=GREEN&intColorSimple=RED`;
const SLOTS = ['showcase', 'results'];

const showcase = () => browser.$('[data-slot="showcase"] section');

describe('the sponsored showcase', () => {
  // rows: B1-OFFER-01, B2-ALPHA-01
  it('shows the sponsored showcase above the results, labeled as sponsored', async () => {
    await openResults(F150_NEAR_CHICAGO, { slots: SLOTS });
    assert.ok(await showcase().isDisplayed());
    assert.match(await showcase().getText(), /Sponsored/);
    const precedes = await browser.execute(() => {
      const above = document.querySelector('[data-slot="showcase"] section');
      const grid = document.getElementById('listings');
      if (!above || !grid) return false;
      return (
        (above.compareDocumentPosition(grid) & Node.DOCUMENT_POSITION_FOLLOWING) !== 0 &&
        above.getBoundingClientRect().bottom <= grid.getBoundingClientRect().top
      );
    });
    assert.ok(precedes, 'the showcase does not stand above the grid');
  });

  it('says the whole word Sponsored on a screen of 320 px, with a picture of the vehicle or without', async () => {
    const seen = new Set<boolean>();
    for (const make of ['ford', 'nissan', 'toyota', 'ram', 'jeep', 'chevrolet', 'honda']) {
      await openResults(`/cars-for-sale/all/${make}`, { width: 320, height: 640, slots: SLOTS });
      const strip = await browser.execute(() => {
        const word = [...document.querySelectorAll('[data-slot="showcase"] span')].find(
          ({ textContent }) => textContent === 'Sponsored',
        );
        const line = word?.parentElement;
        if (!word || !line) return undefined;
        const [end, room] = [word, line].map((element) => element.getBoundingClientRect().right);
        return { end, room, hasPicture: line.parentElement?.querySelector(':scope > img') !== null };
      });
      if (!strip) continue;
      assert.ok(
        strip.end! <= strip.room!,
        `${make}: the word ends at ${strip.end}, its line at ${strip.room}`,
      );
      seen.add(strip.hasPicture);
      if (seen.size === 2) return;
    }
    assert.fail(`no search has a sponsor ${seen.has(true) ? 'without' : 'with'} a picture`);
  });

  // rows: B1-OFFER-02
  it('lists the criteria that the sponsored vehicle misses, struck through', async () => {
    await openResults(PICKY, { slots: SLOTS });
    const strip = await browser.execute(() => ({
      missing: [...document.querySelectorAll('[data-slot="showcase"] s')].map((label) => label.textContent),
      text: document.querySelector('[data-slot="showcase"]')?.textContent ?? '',
    }));
    assert.match(strip.text, /Missing:/);
    assert.ok(
      strip.missing.some((label) => label === 'Green' || label === 'Red'),
      `missing are ${strip.missing.join(', ')}`,
    );
  });

  it('renders the showcase in its final layout before the rest of the document arrives', async () => {
    await openResults('/cars-for-sale/all-cars', { slots: SLOTS });
    const [whole, begun] = await browser.execute(() => {
      const vehicles = document.querySelector('[data-slot="showcase"] ul');
      const places = () =>
        [...(vehicles?.children ?? [])].map((item) => JSON.stringify(item.getBoundingClientRect()));
      const before = places();
      while (vehicles?.nextSibling) vehicles.nextSibling.remove();
      return [before, places()];
    });
    assert.ok(whole?.length);
    assert.deepEqual(begun, whole);
  });

  // rows: B4-ALPHA-06
  it('keeps the showcase hidden for the session and moves focus to its place', async () => {
    await openResults(F150_NEAR_CHICAGO, { slots: SLOTS });
    await browser.$('button[aria-label="Hide sponsored showcase"]').click();
    await showcase().waitForDisplayed({ reverse: true });
    assert.ok(
      await browser.execute(() => document.activeElement?.closest('[data-slot="showcase"]') !== null),
      'the focus fell out of the showcase',
    );
    await openResults(F150_NEAR_CHICAGO, { slots: SLOTS });
    assert.equal(await showcase().isDisplayed(), false);
    await browser.execute(() => sessionStorage.clear());
    await openResults(F150_NEAR_CHICAGO, { slots: SLOTS });
    assert.ok(await showcase().isDisplayed());
  });

  it('leads to vehicles of the sponsor, and says which filters it dropped', async () => {
    const searches = ['ford', 'honda', 'toyota', 'chevrolet'].flatMap((make) =>
      ['extColorSimple=GREEN', 'maxPrice=9000', 'searchRadius=10&zip=60601'].map(
        (filter) => `/cars-for-sale/all/${make}?${filter}`,
      ),
    );
    const adjusted: string[] = [];
    let count = 0;
    for (const path of [F150_NEAR_CHICAGO, ...searches]) {
      const { html } = await getPage(shellOrigin() + path);
      const href = /<a\b[^>]*href="([^"]+)"[^>]*>View All Cars</.exec(slotHtml(html, 'showcase'))?.[1];
      if (href === undefined) continue;
      count += 1;
      const page = await getPage(shellOrigin() + unescapeHtml(href));
      assert.equal(page.status, 200, href);
      assert.match(page.html, /id="results-heading"[^>]*>(?:<!-- -->)*[1-9]/, href);
      const notice = /has no match for all of your filters\. Showing its vehicles without [^<]+/.exec(
        page.html,
      );
      if (notice) adjusted.push(notice[0]);
    }
    assert.ok(count > 5, `${count} pages with a sponsor`);
    assert.ok(adjusted.length > 0, 'no filters were dropped');
  });
});
