import assert from 'node:assert/strict';
import { browser } from '@wdio/globals';
import { describe, it } from 'mocha';
import { monthlyPayment } from '@forecourt/search/payments';
import type { SearchLoaded } from '@forecourt/search/state';
import { F150_NEAR_CHICAGO, FORDS_NEAR_CHICAGO } from '@forecourt/harness/serverHtml';
import { shellOrigin } from './sharedStack.ts';
import { openResults, setViewport, shownCount, shownPath, waitForCount, waitForPath } from './resultsPage.ts';

type Page = Pick<SearchLoaded, 'criteria' | 'listings' | 'owners' | 'totalResultCount'>;
type Listing = Page['listings'][number];

const ALL = '/cars-for-sale/all-cars';
const PANEL = '[data-slot="filters"] form[aria-label="Filters"]';

/** The search response for the current URL, as the page requests it. */
async function shownPage(): Promise<Page> {
  const url = new URL('/cars-for-sale/api/search', shellOrigin());
  url.searchParams.set('url', await shownPath());
  const response = await fetch(url, { headers: { 'X-Requested-With': 'forecourt' } });
  return ((await response.json()) as { page: Page }).page;
}

/** Opens a panel section, expands its list, and waits until both are painted. */
async function openSection(label: string): Promise<void> {
  await browser.execute(
    (panel, name) => {
      const details = [...document.querySelectorAll<HTMLDetailsElement>(`${panel} details`)].find(
        (section) => section.querySelector('summary')?.firstChild?.textContent === name,
      );
      if (!details) throw new Error(`no section ${name}`);
      if (!details.open) details.querySelector('summary')?.click();
    },
    PANEL,
    label,
  );
  await browser.execute((panel) => {
    for (const button of document.querySelectorAll<HTMLElement>(
      `${panel} details[open] button[aria-expanded="false"][aria-label^="Show all"]`,
    ))
      button.click();
  }, PANEL);
  await browser.execute(
    () => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))),
  );
}
const option = (param: string, value: string) =>
  browser.$(`${PANEL} input[name="${param}"][value="${value}"]`);

/** Chooses an option; returns the promised and the actual count. */
async function choose(param: string, value: string): Promise<{ promised: number; found: number }> {
  const input = option(param, value);
  const row = await input.parentElement().getText();
  const promised = Number(/([\d,]+)\s*$/.exec(row)?.[1]?.replaceAll(',', ''));
  const before = await shownCount();
  await input.scrollIntoView({ block: 'center' });
  await input.click();
  return { promised, found: await waitForCount((count) => count !== before) };
}

const isPrivate = ({ owners }: Page, { ownerId }: Listing) => owners[ownerId]?.privateSeller === true;

describe('a panel filter', () => {
  const CHOICES: readonly [
    section: string,
    param: keyof Page['criteria']['filters'],
    value: string,
    holds: (listing: Listing, page: Page) => boolean,
    path?: string,
  ][] = [
    ['Drive Type', 'driveGroup', 'FWD', ({ driveType }) => /FWD|front/i.test(driveType ?? '')],
    [
      'Monthly Payment',
      'monthlyPayment',
      '400',
      ({ pricingDetail: { derivedPrice } }) => monthlyPayment(derivedPrice ?? 0) <= 400,
    ],
    ['Mileage', 'mileage', '75000', ({ mileage }) => (mileage?.value ?? 0) <= 75_000],
    ['Fuel Type', 'fuelTypeGroup', 'ELE', ({ fuelTypeGroup }) => fuelTypeGroup === 'ELE'],
    [
      'Make, Model, Trim',
      'modelCode',
      'F150',
      ({ modelCode }) => modelCode === 'F150',
      '/cars-for-sale/all/ford',
    ],
    [
      'Make, Model, Trim',
      'trimCode',
      'F150|XLT',
      ({ trim }) => trim?.code === 'F150|XLT',
      '/cars-for-sale/all/ford/f150',
    ],
    ['Exterior Color', 'extColorSimple', 'BLUE', ({ color }) => color?.exteriorColorSimple === 'BLUE'],
    ['Interior Color', 'intColorSimple', 'TAN', ({ color }) => color?.interiorColorSimple === 'TAN'],
    [
      'Transmission',
      'transmissionCode',
      'MAN',
      ({ specifications }) => /^man/i.test(specifications?.transmission ?? ''),
    ],
    [
      'Engine Displacement',
      'engineDisplacement',
      '2.0L',
      ({ displacementUOM }) => displacementUOM === '2.0L',
    ],
    ['Doors', 'doorCode', '2', ({ doors }) => doors === 2],
    ['Seller Type', 'sellerType', 'p', (listing, page) => isPrivate(page, listing)],
    ['Condition', 'listingType', 'NEW', ({ listingType }) => listingType === 'NEW'],
  ];

  for (const [section, param, value, holds, path = ALL] of CHOICES)
    // rows: A3-FILTER-09, A3-FILTER-11, A3-FILTER-13, A3-FILTER-16, A3-FILTER-18, A3-FILTER-20
    // rows: A3-FILTER-21, A3-FILTER-22, A3-FILTER-23, A3-FILTER-30, A3-FILTER-31, A1-SCOPE-01, B1-SCOPE-02
    it(`returns exactly the promised results for the filter ${param}=${value}`, async () => {
      await openResults(path);
      const all = await shownCount();
      await openSection(section);
      const { promised, found } = await choose(param, value);
      assert.equal(found, promised);
      assert.ok(found > 0 && found < all, `${found} of ${all}`);
      const page = await shownPage();
      assert.equal(page.totalResultCount, found);
      assert.deepEqual(page.criteria.filters[param], [value]);
      for (const listing of page.listings)
        assert.ok(holds(listing, page), `${listing.title} (${listing.id}) does not fit ${param}=${value}`);
    });

  // rows: A3-FILTER-15, A5-RULE-11
  it('shows only the selected make and enables its models', async () => {
    await openResults(ALL);
    const all = await shownCount();
    await browser.$(`${PANEL} select[name="makeCode"]`).selectByAttribute('value', 'FORD');
    await waitForCount((count) => count !== all);
    const page = await shownPage();
    for (const { title, makeCode } of page.listings) assert.equal(makeCode, 'FORD', title);
    await browser.$(`${PANEL} input[name="modelCode"]`).waitForExist();
  });

  // rows: B1-OFFER-03, B2-PANEL-01, B2-TOOL-12
  it('docks the panel beside the grid from 992 px, with sort and heading, and has a filter button below', async () => {
    const filterButton = browser.$('[data-slot="toolbar"]').$('button*=Filter');
    await openResults(FORDS_NEAR_CHICAGO, { width: 991 });
    assert.ok(await filterButton.isDisplayed());
    assert.equal(await browser.$(PANEL).isDisplayed(), false);
    await setViewport({ width: 992, height: 800 });
    assert.equal(await filterButton.isDisplayed(), false);
    for (const part of [PANEL, 'select[name="sortBy"]', '#results-heading', '[data-tile="listing"]'])
      assert.ok(await browser.$(part).isDisplayed(), part);
    const [panel, grid] = await browser.execute(
      (form) => [
        document.querySelector(form)?.getBoundingClientRect().right ?? Infinity,
        document.querySelector('[data-tile="listing"]')?.getBoundingClientRect().left ?? -Infinity,
      ],
      PANEL,
    );
    assert.ok((panel as number) <= (grid as number), `${panel} is not beside ${grid}`);
  });
});

describe('several quick filter clicks', () => {
  it('returns one correct result for several quick filter clicks and announces it once', async () => {
    await openResults(FORDS_NEAR_CHICAGO);
    await browser.execute((panel) => {
      const announcements: string[] = [];
      Object.assign(window, { announcements });
      const region = document.getElementById('fc-announcer');
      if (region)
        new MutationObserver(() => region.textContent && announcements.push(region.textContent)).observe(
          region,
          {
            childList: true,
            characterData: true,
            subtree: true,
          },
        );
      for (const value of ['NEW', 'USED', 'CERTIFIED', 'NEW'])
        document.querySelector<HTMLElement>(`${panel} input[name="listingType"][value="${value}"]`)?.click();
    }, PANEL);
    await browser.waitUntil(async () =>
      browser.execute(() => (window as unknown as { announcements: string[] }).announcements.length > 0),
    );
    await browser.pause(1000);
    const page = await shownPage();
    assert.deepEqual(page.criteria.filters.listingType, ['CERTIFIED', 'USED']);
    assert.equal(await shownCount(), page.totalResultCount);
    for (const [value, isChecked] of [
      ['NEW', false],
      ['USED', true],
      ['CERTIFIED', true],
    ] as const)
      assert.equal(await option('listingType', value).isSelected(), isChecked, value);
    const announcements = await browser.execute(
      () => (window as unknown as { announcements: string[] }).announcements,
    );
    assert.deepEqual(announcements, [`${page.totalResultCount.toLocaleString('en-US')} Matches`]);
  });
});

describe('while filters load', () => {
  it('keeps toolbar and panel in place while filters load, however late the response', async () => {
    await openResults(ALL);
    await openSection('Exterior Color');
    await browser.execute(() => {
      // Responds after half a second, when the browser starts to count layout shifts again.
      const originalFetch = window.fetch.bind(window);
      window.fetch = async (input, options) => {
        if (typeof input === 'string' && input.includes('/api/search'))
          await new Promise((resolve) => setTimeout(resolve, 700));
        return originalFetch(input, options);
      };
      const moved: string[] = [];
      Object.assign(window, { moved });
      type Shift = PerformanceEntry & { hadRecentInput: boolean; sources: { node: Node | null }[] };
      new PerformanceObserver((list) => {
        for (const entry of (list.getEntries() as Shift[]).filter(({ hadRecentInput }) => !hadRecentInput))
          for (const { node } of entry.sources) {
            const element = node instanceof Element ? node : node?.parentElement;
            const slot = element?.closest('[data-slot]')?.getAttribute('data-slot');
            if (slot === 'toolbar' || slot === 'filters' || element?.classList.contains('fc-columns'))
              moved.push(`${slot}: ${element?.className}`);
          }
      }).observe({ type: 'layout-shift' });
    });
    const place = () =>
      browser.execute(
        (panel) => document.querySelector(`${panel} input[value="BLUE"]`)?.getBoundingClientRect().top ?? NaN,
        PANEL,
      );
    await option('extColorSimple', 'BLUE').scrollIntoView({ block: 'center' });
    const before = await place();
    for (const value of ['BLUE', 'RED']) {
      const count = await shownCount();
      await option('extColorSimple', value).click();
      await waitForCount((shown) => shown !== count);
    }
    await browser.pause(300);
    assert.equal(await place(), before);
    assert.deepEqual(await browser.execute(() => (window as unknown as { moved: string[] }).moved), []);
  });

  // rows: B4-PANEL-02
  it('shows a skeleton in an opened section until its controls are there', async () => {
    await openResults(FORDS_NEAR_CHICAGO);
    const skeletons = await browser.execute(async (panel) => {
      const section = document.querySelector<HTMLDetailsElement>(`${panel} details:not([open])`)!;
      const skeleton = () => getComputedStyle(section, '::after').content;
      const closed = skeleton();
      // As before hydration: React hears of it afterwards.
      section.open = true;
      const opened = skeleton();
      while (!section.querySelector('input')) await new Promise(requestAnimationFrame);
      return { closed, opened, withControls: skeleton() };
    }, PANEL);
    assert.deepEqual(skeletons, { closed: 'none', opened: '""', withControls: 'none' });
  });

  it('keeps focus on the control when its option ends up without results', async () => {
    await openResults(F150_NEAR_CHICAGO);
    await openSection('Body Style');
    const focused = () =>
      browser.execute(() => {
        const active = document.activeElement;
        return active instanceof HTMLInputElement
          ? `${active.name}=${active.value}`
          : (active?.tagName ?? '');
      });
    const count = await shownCount();
    await browser.execute(
      (panel) =>
        document
          .querySelector<HTMLElement>(`${panel} input[name="vehicleStyleCode"]:not(:disabled)`)
          ?.focus(),
      PANEL,
    );
    const focusedControl = await focused();
    for (let press = 0; press < 3; press += 1) {
      await browser.keys(' ');
      await browser.pause(400);
      assert.equal(await focused(), focusedControl);
    }
    assert.ok((await shownCount()) <= count);
  });
});

describe('a removed filter', () => {
  it('restores a removed filter with Undo by keyboard, with focus on the results', async () => {
    await openResults(F150_NEAR_CHICAGO);
    const all = await shownCount();
    await browser.$('[data-slot="toolbar"] ul[aria-label="Selected filters"]').$('a*=F-150').click();
    await waitForCount((count) => count > all);
    const undo = browser.$('[data-slot="toolbar"]').$('button=Undo');
    await undo.waitForDisplayed();
    await browser.execute(() => {
      for (const button of document.querySelectorAll<HTMLElement>('[data-slot="toolbar"] button'))
        if (button.textContent === 'Undo') button.focus();
    });
    await browser.keys('Enter');
    await waitForCount((count) => count === all);
    await waitForPath(F150_NEAR_CHICAGO);
    assert.equal(await browser.execute(() => document.activeElement?.id), 'results-heading');
  });
});

describe('filters on a small screen', () => {
  const dialog = () => browser.$('[data-slot="filters"] dialog[open]');
  const see = () => browser.$('[data-slot="filters"] dialog[open]').$('button*=See Results');
  const promisedBySee = async () =>
    Number(/([\d,]+) Match/.exec(await see().getText())?.[1]?.replaceAll(',', ''));
  const open = async () => {
    await browser.$('[data-slot="toolbar"]').$('button*=Filter').click();
    await dialog().waitForDisplayed();
  };
  const chooseInDialog = async (value: string) => {
    const before = await promisedBySee();
    await browser.$(`[data-slot="filters"] dialog[open] input[name="listingType"][value="${value}"]`).click();
    await browser.waitUntil(async () => (await promisedBySee()) !== before);
  };

  // rows: B2-PANEL-02, B2-PANEL-03
  it('previews the result count of a draft on a small screen and then shows exactly these results', async () => {
    await openResults(FORDS_NEAR_CHICAGO, { width: 390, height: 844 });
    const all = await shownCount();
    await open();
    assert.equal(await promisedBySee(), all);
    await chooseInDialog('USED');
    const promised = await promisedBySee();
    assert.ok(promised < all);
    assert.equal(await shownCount(), all);
    assert.equal(await shownPath(), FORDS_NEAR_CHICAGO);
    await see().click();
    assert.equal(await waitForCount((count) => count !== all), promised);
    assert.equal(await dialog().isExisting(), false);
    await browser.back();
    await waitForCount((count) => count === all);
    assert.equal(await shownPath(), FORDS_NEAR_CHICAGO);
  });

  it('keeps filters reachable deep in the results and shows new results from the heading', async () => {
    await openResults(FORDS_NEAR_CHICAGO, { width: 390, height: 844 });
    const all = await shownCount();
    await browser.execute(() => window.scrollTo(0, 6000));
    await browser.$('[data-slot="toolbar"]').$('button*=Filter').click();
    await dialog().waitForDisplayed();
    await chooseInDialog('USED');
    await see().click();
    await waitForCount((count) => count !== all);
    assert.equal(await browser.execute(() => document.activeElement?.id), 'results-heading');
  });

  it('closes the filter dialog on Back without a search, traps focus and restores it', async () => {
    await openResults(FORDS_NEAR_CHICAGO, { width: 390, height: 844 });
    const all = await shownCount();
    await open();
    for (let press = 0; press < 3; press += 1) {
      await browser.keys(['Shift', 'Tab']);
      const isInside = await browser.execute(
        () => document.activeElement?.closest('dialog') !== null || document.activeElement === document.body,
      );
      assert.ok(isInside);
    }
    await chooseInDialog('NEW');
    await browser.back();
    await browser.waitUntil(async () => !(await dialog().isExisting()));
    assert.equal(await shownPath(), FORDS_NEAR_CHICAGO);
    assert.equal(await shownCount(), all);
    assert.match(await browser.execute(() => document.activeElement?.textContent ?? ''), /^Filter/);
  });
});

describe('the keyword search', () => {
  const field = () => browser.$('[data-slot="toolbar"] input[name="keyword"]');
  const suggestion = (text: string) => browser.$(`[role="option"]*=${text}`);

  // rows: B4-KEY-01, B4-KEY-03, B7-KEY-01
  it('tolerates a typo in the keyword search and replaces the filters with the suggestion', async () => {
    await openResults(FORDS_NEAR_CHICAGO);
    const all = await shownCount();
    await field().click();
    await browser.keys('toyta');
    await suggestion('Toyota').waitForDisplayed();
    await browser.keys(['ArrowDown']);
    await browser.keys(['Enter']);
    await waitForCount((count) => count !== all);
    const { criteria, listings } = await shownPage();
    assert.deepEqual(criteria.filters, { makeCode: ['TOYOTA'], zip: ['60601'], searchRadius: ['50'] });
    assert.ok(listings.every(({ makeCode }) => makeCode === 'TOYOTA'));
    assert.equal(await browser.execute(() => document.activeElement?.id), 'results-heading');
  });

  it('reads a sentence as filters, shows them as chips, and offers the search as typed', async () => {
    await openResults(FORDS_NEAR_CHICAGO);
    const all = await shownCount();
    await field().click();
    await browser.keys('red pickup under 60k near Austin');
    await browser.keys(['Enter']);
    await waitForCount((count) => count !== all);
    const { criteria, listings } = await shownPage();
    assert.deepEqual(criteria.filters, {
      city: ['Austin'],
      state: ['TX'],
      maxPrice: ['60000'],
      vehicleStyleCode: ['TRUCKS'],
      extColorSimple: ['RED'],
    });
    assert.ok(listings.length > 0);
    await browser.execute(() =>
      [...document.querySelectorAll<HTMLAnchorElement>('ul[aria-label$="ilters"] a')]
        .find((chip) => chip.checkVisibility() && chip.textContent?.includes('Under $60,000'))
        ?.click(),
    );
    await browser.waitUntil(async () => !(await shownPage()).criteria.filters.maxPrice);
  });

  // rows: B4-KEY-03, A3-SORT-12
  it('keeps place and radius, sorts cheap ones by price, and names what no filter covers', async () => {
    await openResults(FORDS_NEAR_CHICAGO);
    const all = await shownCount();
    await field().click();
    for (const key of 'cheap suv with third row and sliding doors') await browser.keys(key);
    await browser.keys(['Enter']);
    await waitForCount((count) => count !== all);
    const { criteria, listings } = await shownPage();
    assert.deepEqual(criteria.filters, {
      zip: ['60601'],
      searchRadius: ['50'],
      vehicleStyleCode: ['SUVCROSS'],
      featureCode: ['THIRDROW'],
    });
    assert.equal(criteria.sortBy, 'derivedpriceASC');
    assert.ok(listings.length > 0);
    const text = await browser.$('p*=SUVs with a third row near Chicago').getText();
    assert.equal(
      text,
      'SUVs with a third row near Chicago, lowest price first. We can’t filter by “sliding doors”.',
    );
    // A VIN opens the vehicle.
    const { id, vin } = listings[0]!;
    await field().click();
    await browser.keys(vin.toLowerCase());
    await browser.keys(['Enter']);
    await browser.waitUntil(async () => (await browser.getUrl()).endsWith(`/cars-for-sale/vehicle/${id}`));
    await browser.back();
    await browser.$('p*=SUVs with a third row near Chicago').waitForDisplayed();
  });

  // rows: B4-KEY-02
  it('opens a content page in a new window and keeps the search', async () => {
    await openResults(FORDS_NEAR_CHICAGO);
    await field().click();
    await browser.keys('toyota rav4');
    const content = browser.$('[role="option"]*=New window');
    await content.waitForDisplayed();
    const windows = await browser.getWindowHandles();
    await content.click();
    await browser.waitUntil(async () => (await browser.getWindowHandles()).length > windows.length);
    const opened = (await browser.getWindowHandles()).find((handle) => !windows.includes(handle));
    await browser.switchToWindow(opened as string);
    assert.match(await browser.getUrl(), /toyota/);
    await browser.closeWindow();
    await browser.switchToWindow(windows[0] as string);
    assert.equal(await shownPath(), FORDS_NEAR_CHICAGO);
  });

  // rows: B2-MODAL-05
  it('opens the keyword search in a dialog on a small screen', async () => {
    await openResults(FORDS_NEAR_CHICAGO, { width: 390, height: 844 });
    await field().click();
    const inside = browser.$('[data-slot="toolbar"] dialog[open] input[name="keyword"]');
    await inside.waitForDisplayed();
    assert.ok(await inside.isFocused());
    await browser.keys('ford');
    await suggestion('Ford').waitForDisplayed();
    await browser.back();
    await inside.waitForExist({ reverse: true });
    assert.equal(await shownPath(), FORDS_NEAR_CHICAGO);
  });
});

describe('links from the panel to other parts', () => {
  // rows: A7-PACK-01, A7-PACK-02, A3-FILTER-19
  it('offers the packages of one trim and returns vehicles with the selected one', async () => {
    await openResults('/cars-for-sale/all/ford/f150/xlt');
    await openSection('Packages');
    await option('packages', 'TOW').waitForExist();
    const { promised, found } = await choose('packages', 'TOW');
    assert.equal(found, promised);
    assert.deepEqual((await shownPage()).criteria.filters.packages, ['TOW']);
  });

  // rows: B2-MODAL-10
  it('explains electric vehicle types from the panel', async () => {
    await openResults(ALL);
    await openSection('Fuel Type');
    await browser.$(PANEL).$('button=Electric vehicle types').click();
    const dialog = browser.$('dialog[open]');
    await dialog.waitForDisplayed();
    // The text is in a file of its own.
    await browser.waitUntil(async () => /plug-in hybrid/i.test(await dialog.getText()));
  });

  // rows: B4-PANEL-15, B4-PANEL-16
  it('shows payments on cards and opens the wallet, and shows only prices when switched off', async () => {
    await openResults(ALL);
    const monthly = () =>
      browser.execute(() =>
        /\d\/mo/.test(document.querySelector('[data-tile="listing"]')?.textContent ?? ''),
      );
    assert.equal(await monthly(), false);
    const toggle = browser.$(`${PANEL} input[role="switch"]`);
    await toggle.scrollIntoView({ block: 'center' });
    await toggle.click();
    await browser.$('dialog[open]').waitForDisplayed();
    await browser.waitUntil(monthly);
    await browser.keys('Escape');
    await browser.$('dialog[open]').waitForExist({ reverse: true });
    await toggle.click();
    await browser.waitUntil(async () => !(await monthly()));
    assert.equal(await browser.$('dialog[open]').isExisting(), false);
  });
});
