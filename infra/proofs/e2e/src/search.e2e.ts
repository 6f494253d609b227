import assert from 'node:assert/strict';
import { browser } from '@wdio/globals';
import { describe, it } from 'mocha';
import {
  F150_NEAR_CHICAGO,
  FORDS_NEAR_CHICAGO,
  getPage,
  listingIds,
  matchCount,
  vehicleIds,
} from '@forecourt/harness/serverHtml';
import { shellOrigin } from './sharedStack.ts';
import {
  addInitScript,
  hydratedSlots,
  openResults,
  shownCount,
  shownListings,
  shownPlaced,
  shownPath,
  waitForCount,
  waitForPath,
  waitForSlots,
} from './resultsPage.ts';

/** Number of searches that the page has requested. */
const searchRequests = () =>
  browser.execute(
    () => performance.getEntriesByType('resource').filter(({ name }) => name.includes('/api/search?')).length,
  );
const usedOption = () => browser.$('form[aria-label="Filters"] input[name="listingType"][value="USED"]');

/** The facet count of a panel option. */
const optionCount = (param: string, value: string): Promise<number> =>
  browser.execute(
    (name, code) => {
      const row = document
        .querySelector(`form[aria-label="Filters"] input[name="${name}"][value="${code}"]`)
        ?.closest('label');
      return Number(/([\d,]+)\s*$/.exec(row?.textContent ?? '')?.[1]?.replaceAll(',', ''));
    },
    param,
    value,
  );

describe('a search for Ford F-150s near Chicago', () => {
  // rows: A2-ROUTE-02, B2-HEAD-01, A2-UI-01, A2-UI-02
  it('shows only Ford F-150s within the radius', async () => {
    await openResults(F150_NEAR_CHICAGO);
    assert.equal(await browser.$('h1').getText(), 'Ford F-150 Cars for Sale in Chicago, IL');
    const cards = await browser.execute(() =>
      [...document.querySelectorAll('[data-tile] article')].map((card) => ({
        title: card.querySelector('h3')?.textContent ?? '',
        miles: Number(/(\d+) mi away/.exec(card.textContent ?? '')?.[1]),
      })),
    );
    assert.ok(cards.length > 5, `only ${cards.length} cards`);
    for (const { title, miles } of cards) {
      assert.match(title, /^(19|20)\d\d Ford F-150/);
      assert.ok(miles <= 50, `${title} is ${miles} miles away`);
    }
    assert.ok((await shownCount()) >= (await shownListings()).length);
  });

  // rows: B2-HEAD-01
  it('returns as many used vehicles as the facet promised', async () => {
    await openResults(F150_NEAR_CHICAGO);
    const all = await shownCount();
    const conditions = await Promise.all(
      ['NEW', 'USED', 'CERTIFIED', '3P_CERT'].map((value) => optionCount('listingType', value)),
    );
    assert.equal(
      conditions.reduce((sum, count) => sum + count, 0),
      all,
    );
    const promised = conditions[1] as number;
    await usedOption().click();
    assert.equal(await waitForCount((count) => count !== all), promised);
    const ids = new Set<string>();
    const path = await waitForPath((current) => current.startsWith('/cars-for-sale/used/'));
    for (let record = 0; record < promised; record += 30) {
      const url = new URL(path, shellOrigin());
      if (record > 0) url.searchParams.set('firstRecord', String(record));
      url.searchParams.sort();
      const { html } = await getPage(url.href);
      assert.equal(matchCount(html), promised);
      for (const id of vehicleIds(html)) ids.add(id);
    }
    assert.equal(ids.size, promised);
  });

  // rows: A2-CRUMB-02, A2-CRUMB-04
  it('shows breadcrumbs from wide to narrow searches', async () => {
    await openResults(F150_NEAR_CHICAGO);
    const crumbs = await browser.execute(() =>
      [...document.querySelectorAll<HTMLAnchorElement>('nav[aria-label="Breadcrumb"] a')].map(
        (link) => [link.textContent, link.getAttribute('href')] as const,
      ),
    );
    assert.deepEqual(crumbs, [
      ['Home', '/'],
      ['Cars for Sale', '/cars-for-sale/all-cars'],
      ['Chicago, IL', '/cars-for-sale/all-cars?searchRadius=50&zip=60601'],
      ['Ford', '/cars-for-sale/all/ford?searchRadius=50&zip=60601'],
      ['F-150', F150_NEAR_CHICAGO],
    ]);
  });

  // rows: B2-SORT-01, A3-SORT-02
  it('sorts results by price', async () => {
    await openResults(F150_NEAR_CHICAGO);
    const before = await shownListings();
    assert.ok(await browser.$('label=Sort By:').isDisplayed());
    await browser.$('select[name="sortBy"]').selectByAttribute('value', 'derivedpriceASC');
    await browser.waitUntil(async () => (await shownListings()).join() !== before.join());
    await waitForPath((path) => path.includes('sortBy=derivedpriceASC'));
    const prices = await browser.execute(() =>
      [...document.querySelectorAll('[data-tile="listing"] strong')]
        .map((price) => Number((price.textContent ?? '').replaceAll(/\D/g, '')))
        .filter((price) => price > 0),
    );
    assert.ok(prices.length > 3);
    assert.deepEqual(
      prices,
      [...prices].sort((a, b) => a - b),
    );
  });
});

describe('a filter', () => {
  // rows: B4-PANEL-03
  it('paints a filter in the frame of the click while results load', async () => {
    await openResults(F150_NEAR_CHICAGO);
    const all = await shownCount();
    const seen = await browser.execute(async () => {
      const input = document.querySelector<HTMLInputElement>(
        'form[aria-label="Filters"] input[name="listingType"][value="USED"]',
      );
      const listings = document.getElementById('listings');
      let wasBusy = false;
      const watch = new MutationObserver(() => (wasBusy ||= listings?.getAttribute('aria-busy') === 'true'));
      if (listings) watch.observe(listings, { attributes: true });
      const before = window.location.pathname;
      input?.click();
      await new Promise(requestAnimationFrame);
      const painted = { checked: input?.checked, isFirst: window.location.pathname === before };
      // The search and its URL follow the paint.
      for (let turn = 0; turn < 20 && !window.location.pathname.includes('/used'); turn += 1)
        await new Promise((resolve) => setTimeout(resolve, 100));
      watch.disconnect();
      return { ...painted, wasBusy, address: window.location.pathname };
    });
    assert.equal(seen.checked, true);
    assert.equal(seen.isFirst, true);
    assert.equal(seen.wasBusy, true);
    assert.match(seen.address, /\/used\b/);
    await waitForCount((count) => count !== all);
  });

  it('restores URL, panel and results on Back and Forward without a request', async () => {
    await openResults(F150_NEAR_CHICAGO);
    const all = await shownCount();
    await usedOption().click();
    const used = await waitForCount((count) => count !== all);
    const requests = await searchRequests();
    // One for press and click.
    assert.equal(requests, 1);
    await browser.back();
    await waitForCount((count) => count === all);
    assert.equal(await usedOption().isSelected(), false);
    await waitForPath(F150_NEAR_CHICAGO);
    await browser.forward();
    await waitForCount((count) => count === used);
    assert.equal(await usedOption().isSelected(), true);
    assert.equal(await searchRequests(), requests);
  });

  // rows: A3-SORT-12
  it('keeps the sort order of a filtered search, as a page load of the new URL does', async () => {
    await openResults(F150_NEAR_CHICAGO);
    const all = await shownCount();
    await usedOption().click();
    await waitForCount((count) => count !== all);
    const path = await waitForPath((current) => current.startsWith('/cars-for-sale/used/'));
    assert.doesNotMatch(path, /sortBy/);
    assert.equal(await browser.$('select[name="sortBy"]').getValue(), 'relevance');
    const { status, html } = await getPage(shellOrigin() + path);
    assert.equal(status, 200);
    const shown = (await shownListings()).map((link) => link.split('/').at(-1));
    assert.deepEqual(shown, listingIds(html));
  });

  it('removes a filter with its chip while focus stays on the chips', async () => {
    await openResults(F150_NEAR_CHICAGO);
    const all = await shownCount();
    await browser.execute(() =>
      [...document.querySelectorAll<HTMLAnchorElement>('ul[aria-label$="ilters"] a')]
        .find((chip) => chip.checkVisibility() && chip.textContent?.includes('F-150'))
        ?.click(),
    );
    await waitForCount((count) => count > all);
    await waitForPath(FORDS_NEAR_CHICAGO);
    const focused = await browser.execute(() => ({
      text: document.activeElement?.textContent,
      isChip: document.activeElement?.closest('ul[aria-label$="ilters"]') !== null,
    }));
    assert.ok(focused.isChip, `the focus is on ${focused.text}`);
    assert.equal(await browser.$('h1').getText(), 'Ford Cars for Sale in Chicago, IL');
  });
});

describe('See More Results', () => {
  // rows: B2-BOTTOM-01, B4-PAGING-01, B4-PAGING-06, B4-PAGING-07, B4-PAGING-08, B9-PAGE-01
  it('appends the next page without duplicates and writes firstRecord, so that a reload continues there', async () => {
    await openResults(FORDS_NEAR_CHICAGO);
    const first = await shownListings();
    // An organic listing may be on a boosted or sponsored tile instead.
    assert.ok(new Set([...first, ...(await shownPlaced())]).size >= 30);
    // The next page begins with the one beside a highlight.
    const pageBefore = (await browser.$('[data-tile="highlight"]').isExisting()) ? first.slice(0, -1) : first;
    assert.ok(pageBefore.length <= 30);
    const more = browser.$('a=See More Results');
    await more.scrollIntoView({ block: 'center' });
    await more.click();
    await browser.waitUntil(async () => (await shownListings()).length > first.length);
    const both = await shownListings();
    assert.deepEqual(both.slice(0, first.length), first);
    assert.equal(new Set(both).size, both.length);
    await waitForPath((path) => /[?&]firstRecord=\d+/.test(path));
    await openResults(await shownPath());
    const reloaded = await shownListings();
    assert.ok(
      reloaded.length > 0 && reloaded.every((path) => !pageBefore.includes(path)),
      'a reload shows the page that was read last',
    );
  });
});

describe('going back from a vehicle', () => {
  it('restores results and scroll position when the visitor goes back from a vehicle', async () => {
    await openResults(FORDS_NEAR_CHICAGO);
    const listings = await shownListings();
    const link = browser.$$('[data-tile="listing"] h3 a')[15]!;
    await link.scrollIntoView({ block: 'center' });
    // The scroll offset is stored in the history entry, throttled.
    await browser.pause(700);
    assert.ok((await browser.execute(() => window.scrollY)) > 500);
    const href = await link.getAttribute('href');
    // Parts above the results may have another height after the return: the vehicle must not move on the screen.
    const topOfLink = () =>
      browser.execute(
        (target) =>
          document.querySelector(`[data-tile="listing"] h3 a[href="${target}"]`)?.getBoundingClientRect().top,
        href,
      );
    const before = (await topOfLink()) as number;
    await link.click();
    await browser.waitUntil(async () => (await shownPath()).startsWith('/cars-for-sale/vehicle/'));
    await browser.back();
    await waitForSlots('results');
    assert.deepEqual(await shownListings(), listings);
    let after: number | undefined;
    await browser
      .waitUntil(async () => {
        after = await topOfLink();
        return typeof after === 'number' && Math.abs(after - before) < 40;
      })
      .catch(() => assert.fail(`the link is ${after} px below the top, not ${before} px as before`));
  });
});

describe('a vehicle page', () => {
  it('is fetched while the pointer rests on its link, and fades in unless motion is reduced', async () => {
    await openResults(F150_NEAR_CHICAGO);
    const link = browser.$('[data-tile="listing"] h3 a');
    await link.scrollIntoView({ block: 'center' });
    await link.moveTo();
    await browser.pause(1_000);
    await link.click();
    await browser.waitUntil(async () => (await shownPath()).startsWith('/cars-for-sale/vehicle/'));
    await waitForSlots('vehicle');
    const page = await browser.execute(() => {
      const [navigation] = performance.getEntriesByType('navigation');
      return {
        delivery: (navigation as unknown as { deliveryType: string }).deliveryType,
        // The rules of the first style element, in which the transition stands behind a query for motion.
        transitions: [...document.styleSheets]
          .flatMap((sheet) => (sheet.ownerNode instanceof HTMLStyleElement ? [...sheet.cssRules] : []))
          .filter((rule) => rule.cssText.includes('@view-transition'))
          .map((rule) => (rule instanceof CSSMediaRule ? rule.conditionText : 'always')),
      };
    });
    assert.equal(page.delivery, 'navigational-prefetch');
    assert.deepEqual(page.transitions, ['(prefers-reduced-motion: no-preference)']);
  });
});

describe('the composed page', () => {
  it('marks each slot when it hydrates, those below the fold when visible', async () => {
    await openResults(F150_NEAR_CHICAGO, {
      slots: ['hero', 'location-editor', 'toolbar', 'filters', 'results'],
    });
    assert.ok(!(await hydratedSlots()).includes('model-reference'));
    assert.ok(!(await hydratedSlots()).includes('leads'));
    await browser.$('[data-slot="model-reference"]').scrollIntoView();
    await waitForSlots('model-reference');
  });

  it('hydrates without a mismatch or a reported failure', async () => {
    // Recoverable hydration errors are only reported to the page-event endpoint.
    const script = await addInitScript(() => {
      const messages: string[] = [];
      Object.assign(window, { sentEvents: messages });
      navigator.sendBeacon = (_url, body) => {
        void (body as Blob).text().then((text) => messages.push(text));
        return true;
      };
    });
    await openResults(F150_NEAR_CHICAGO, {
      slots: ['hero', 'location-editor', 'showcase', 'toolbar', 'filters', 'results'],
    });
    await browser.$('[data-slot="model-reference"]').scrollIntoView();
    await waitForSlots('model-reference');
    const events = await browser.execute(async () => {
      Object.defineProperty(document, 'visibilityState', { value: 'hidden', configurable: true });
      document.dispatchEvent(new Event('visibilitychange', { bubbles: true }));
      await new Promise((resolve) => setTimeout(resolve, 200));
      return (window as unknown as { sentEvents: string[] }).sentEvents.join();
    });
    await script.remove();
    assert.match(events, /"events"/);
    assert.doesNotMatch(events, /slot\.failed|event\.refused/, events);
  });
});

describe('a search without a network', () => {
  const connect = async (isOffline: boolean) => {
    await browser.sendCommand('Network.enable', {});
    await browser.sendCommand('Network.emulateNetworkConditions', {
      offline: isOffline,
      latency: 0,
      downloadThroughput: -1,
      uploadThroughput: -1,
    });
  };

  it('says so over the dimmed old results and searches again when the network is back', async () => {
    await openResults(FORDS_NEAR_CHICAGO);
    const before = await shownCount();
    const used = await optionCount('listingType', 'USED');
    assert.notEqual(used, before);
    await connect(true);
    try {
      await usedOption().click();
      const alert = browser.$('[data-slot="results"] [role="alert"]');
      await alert.waitForDisplayed();
      assert.match(
        await alert.getText(),
        /You’re offline\. .*\n?These vehicles are from your previous search\./s,
      );
      assert.equal(await shownCount(), before);
    } finally {
      await connect(false);
    }
    await waitForCount((count) => count === used);
    assert.equal(await browser.$('[data-slot="results"] [role="alert"]').isExisting(), false);
  });
});
