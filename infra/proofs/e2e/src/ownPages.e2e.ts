import assert from 'node:assert/strict';
import { browser } from '@wdio/globals';
import { before, describe, it } from 'mocha';
import {
  expectNoOverflow,
  expectNoAxeViolations,
  expectStructuredData,
  expectValidHtml,
} from './pageChecks.ts';
import { monthlyPayment } from '@forecourt/search/payments';
import { F150_NEAR_CHICAGO, getPage, listingIds } from '@forecourt/harness/serverHtml';
import { shellOrigin } from './sharedStack.ts';
import { openResults, shownPath, waitForSlots, setViewport } from './resultsPage.ts';

const open = (path: string) => browser.url(shellOrigin() + path);

/** Ids of used vehicles whose dealers accept email. */
async function someIds(count: number): Promise<string[]> {
  const { html } = await getPage(`${shellOrigin()}/cars-for-sale/used/ford/f150`);
  const ids: string[] = [];
  for (const id of listingIds(html)) {
    const page = await getPage(`${shellOrigin()}/cars-for-sale/vehicle/${id}`);
    if (page.html.includes('Email Seller')) ids.push(id);
    if (ids.length === count) break;
  }
  return ids;
}

let ids: string[];
before(async () => {
  ids = await someIds(3);
  assert.equal(ids.length, 3);
});
const vehiclePath = () => `/cars-for-sale/vehicle/${ids[0]}`;
const comparePath = () => `/cars-for-sale/compare?listingIds=${ids.join(',')}`;
/** No such make. */
const MISSING_PATH = '/cars-for-sale/all/fjord';
const BUILD_PATH = '/cars-for-sale/build-your-price?makeCode=FORD&modelCode=F150';

describe('the vehicle page', () => {
  it('opens the vehicle page from the results and links back to them', async () => {
    await openResults(F150_NEAR_CHICAGO);
    const title = browser.$('[data-tile] article h3 a');
    await title.scrollIntoView({ block: 'center' });
    const name = (await title.getText()).replaceAll(/\s+/g, ' ');
    await title.click();
    await browser.waitUntil(async () => (await shownPath()).startsWith('/cars-for-sale/vehicle/'));
    assert.equal(await browser.$('h1').getText(), name);
    const back = browser.$('a*=Back to');
    const hasCount = async () =>
      /^‹ Back to [\d,]+ results?$/.test((await back.getText()).replaceAll(/\s+/g, ' '));
    // The page leaves out what comes too late on a busy machine.
    await browser.waitUntil(async () => (await hasCount()) || (await browser.refresh(), false), {
      interval: 1_000,
    });
    await back.click();
    await browser.waitUntil(async () => (await shownPath()) === F150_NEAR_CHICAGO);
  });

  it('has price, call and email in a bar at the bottom edge of a phone, which covers no end of the page', async () => {
    await setViewport({ width: 390, height: 844 });
    await open(vehiclePath());
    await waitForSlots('vehicle');
    const boxes = () =>
      browser.execute(() => {
        const { top, bottom } = document.querySelector('#contact')!.getBoundingClientRect();
        const footer = document.querySelector('footer')!.getBoundingClientRect();
        const { content } = getComputedStyle(document.querySelector('#contact')!, '::before');
        return { top, bottom, content, end: footer.bottom, height: innerHeight };
      });
    const { bottom, height, content } = await boxes();
    assert.equal(bottom, height);
    assert.match(content, /^"\$[\d,]+"/);
    await browser.waitUntil(async () => {
      // Again, because late parts move the end.
      await browser.execute(() => scrollTo(0, document.body.scrollHeight));
      const { end, top } = await boxes();
      return end <= top + 1;
    });
    await browser.$('button=Email Seller').click();
    await browser.$('dialog[open] form').waitForDisplayed();
    await browser.keys('Escape');
  });

  it('opens lead dialogs about the vehicle of the page', async () => {
    await setViewport({ width: 1440, height: 900 });
    await open(vehiclePath());
    await browser.$('button=Email Seller').click();
    await browser.$('dialog[open] form').waitForDisplayed();
    const title = await browser.$('h1').getText();
    assert.ok((await browser.$('dialog[open]').getText()).includes(title));
    await expectNoAxeViolations();
    await browser.keys('Escape');
    await browser.$('dialog[open]').waitForExist({ reverse: true });
    assert.equal(await browser.execute(() => document.activeElement?.textContent), 'Email Seller');
  });

  it('navigates pictures with thumbnails, buttons and keys', async () => {
    await setViewport({ width: 820, height: 900 });
    await open(vehiclePath());
    await waitForSlots('vehicle');
    const pictureLabel = () => browser.$('[data-picture]').getText();
    assert.equal(await pictureLabel(), '1');
    await browser.$('[aria-label="Next picture"]').click();
    await browser.waitUntil(async () => (await pictureLabel()) === '2');
    await browser.$('a[aria-label^="Picture 4"]').click();
    await browser.waitUntil(async () => (await pictureLabel()) === '4');
    await browser.execute(() =>
      document.querySelector<HTMLElement>('[aria-label="Pictures, scroll sideways"]')?.focus(),
    );
    await browser.keys('Home');
    await browser.waitUntil(async () => (await pictureLabel()) === '1');
    await browser.waitUntil(async () =>
      browser.execute(
        () => document.querySelector('[aria-label="Pictures, scroll sideways"]')?.scrollLeft === 0,
      ),
    );
  });

  it('recalculates the payment while the visitor types', async () => {
    await open(vehiclePath());
    await waitForSlots('vehicle');
    const monthly = () => browser.$('[data-payment="monthly"]').getText();
    const before = await monthly();
    await browser.$('#pay-term').selectByAttribute('value', '36');
    await browser.waitUntil(async () => (await monthly()) !== before);
  });

  it('works without JavaScript: pictures scroll, phone links dial, the server calculates payments', async () => {
    await browser.sendCommand('Emulation.setScriptExecutionDisabled', { value: true });
    try {
      await open(vehiclePath());
      assert.equal(await browser.$('button=Email Seller').isDisplayed(), false);
      await browser.$('#pay-apr').setValue('0');
      await browser.$('button=Calculate').click();
      await browser.waitUntil(async () => (await shownPath()).includes('apr=0'));
      assert.match(await browser.$('[data-payment="detail"]').getText(), /at 0% APR/);
    } finally {
      await browser.sendCommand('Emulation.setScriptExecutionDisabled', { value: false });
    }
  });

  it('responds with 404 to the id of a vehicle that was never for sale', async () => {
    const { status, html } = await getPage(`${shellOrigin()}/cars-for-sale/vehicle/1-gone`);
    assert.equal(status, 404);
    assert.match(html, /<a href="\/cars-for-sale/);
  });

  // rows: B2-ALERT-01
  it('leads from a vehicle that is no longer for sale to results with an alert', async () => {
    await open('/cars-for-sale/all-cars?expiredListing=1');
    const text = await browser.$('main').getText();
    assert.match(text, /We're sorry, the vehicle you were looking for is no longer available\./);
  });
});

describe('the compare page', () => {
  it('marks differences on the compare page and hides equal rows on demand', async () => {
    await setViewport({ width: 1440, height: 900 });
    await open(comparePath());
    const rows = () => browser.$$('tbody tr').filter((row) => row.isDisplayed());
    const all = (await rows()).length;
    const same = await browser.$$('tr[data-row="same"]').length;
    assert.ok(same > 0 && same < all, `${same} of ${all} rows are the same`);
    await browser.$('#only-different').click();
    assert.equal((await rows()).length, all - same);
  });

  it('adds a similar vehicle, saves one, and shares its address', async () => {
    await open(comparePath());
    const columns = () => browser.$$('th[scope="col"]').length;
    const before = await columns();
    const name = (await browser.$('[data-add]').getText()).replace(/^Add /, '');
    await browser.$('[data-add]').click();
    await browser.waitUntil(async () => (await columns()) === before + 1, {
      timeoutMsg: `${name} was not added`,
    });
    await waitForSlots('compare', 'leads');
    await expectNoAxeViolations();
    await browser.$('th [data-saves]').click();
    await browser.waitUntil(async () => (await browser.$('header .fc-saved b').getText()) === '1');
    await browser.$('button=Share').click();
    await browser.waitUntil(async () =>
      /Link copied|Copy the address/.test(await browser.$('main').getText()),
    );
    await browser.execute(() => localStorage.clear());
  });

  it('compares each feature in a row', async () => {
    await open(comparePath());
    const rows = await browser.execute(() =>
      [...document.querySelectorAll('tbody:last-of-type tr:not([data-row="group"])')].map((row) =>
        [...row.querySelectorAll('td')].map((cell) => cell.firstElementChild?.textContent).join(''),
      ),
    );
    assert.ok(rows.length > 5 && rows.every((row) => /^[✓–]+$/.test(row) && row.includes('✓')), rows.join());
  });

  it('removes compared vehicles one by one', async () => {
    await open(comparePath());
    await browser.$('[data-remove]').click();
    await browser.waitUntil(async () => (await browser.$$('th[scope="col"]').length) === 2);
  });
});

describe('the build-your-price page', () => {
  it('prices the selected trim immediately on the build-your-price page', async () => {
    await setViewport({ width: 1440, height: 900 });
    await open(BUILD_PATH);
    const price = () => browser.$('[data-payment="price"]').getText();
    const cheapest = await price();
    await browser.$$('input[name="trim"]')[2]?.click();
    await browser.waitUntil(async () => (await price()) !== cheapest);
    const chosen = await price();
    await browser.$('button=Calculate').click();
    await browser.waitUntil(async () => (await shownPath()).includes('trim='));
    assert.equal(await price(), chosen);
  });
});

describe('a budget', () => {
  /** Not the terms of the example. */
  const TERMS = { down: 3_000, termMonths: 48, aprPercent: 5 };
  const dollars = (text: string | null | undefined) =>
    Number(/\$([\d,]+)/.exec(text ?? '')?.[1]?.replaceAll(',', ''));
  const textOf = (selector: string) =>
    browser.execute((one) => document.querySelector(one)?.textContent ?? '', selector);

  it('pays the same on card, vehicle, comparison and a built price', async () => {
    await open('/health/live');
    const { down: downPayment, ...loan } = TERMS;
    await browser.execute(
      (wallet) => {
        localStorage.setItem('wallet', wallet);
        localStorage.setItem('showsPayments', 'true');
      },
      JSON.stringify({ monthlyBudget: 150, downPayment, ...loan, tradeInValue: 0 }),
    );
    try {
      await openResults(F150_NEAR_CHICAGO);
      const card = () =>
        browser.execute(() => {
          const cards = [...document.querySelectorAll('[data-tile="listing"] article')];
          const priced = cards.find(({ textContent }) => /Est\. \$[\d,]+\/mo/.test(textContent));
          return [
            priced?.querySelector('strong')?.textContent,
            /Est\. \$[\d,]+/.exec(priced?.textContent ?? '')?.[0],
          ];
        });
      await browser.waitUntil(async () => {
        const [price, payment] = (await card()).map(dollars);
        return payment === monthlyPayment(price!, TERMS);
      });

      await open(comparePath());
      const row = (label: string) =>
        browser.execute((name) => {
          const found = [...document.querySelectorAll('tbody tr')].find(
            (one) => one.querySelector('th')?.textContent === name,
          );
          return [...(found?.querySelectorAll('td') ?? [])].map(({ textContent }) => textContent);
        }, label);
      const expected = (await row('Price')).map((price) => monthlyPayment(dollars(price), TERMS));
      await browser.waitUntil(
        async () => (await row('Monthly payment')).map(dollars).join() === expected.join(),
      );

      await open(vehiclePath());
      await browser.waitUntil(async () => dollars(await textOf('[data-payment="monthly"]')) === expected[0]);

      await open(BUILD_PATH);
      await browser.waitUntil(async () => {
        const price = dollars(await textOf('[data-payment="price"]'));
        return dollars(await textOf('[data-payment="monthly"]')) === monthlyPayment(price, TERMS);
      });
    } finally {
      await browser.execute(() => localStorage.clear());
    }
  });
});

/** The page that a path leads to. */
async function followPage(path: string): Promise<string> {
  const { html, headers } = await getPage(new URL(path, shellOrigin()).href);
  const next = headers.get('location');
  return next === null ? html : followPage(next);
}

describe('vehicle, compare and build-your-price pages', () => {
  const paths = () => [
    vehiclePath(),
    comparePath(),
    '/cars-for-sale/compare',
    BUILD_PATH,
    '/cars-for-sale/build-your-price',
    MISSING_PATH,
    '/cars-for-sale/vehicle/1-gone',
  ];
  for (const width of [320, 820, 1440])
    it(`has no axe violations or horizontal scrolling on vehicle, compare, price and missing pages at ${width} px`, async () => {
      await setViewport({ width, height: 900 });
      for (const path of paths()) {
        await open(path);
        await expectNoAxeViolations();
        await expectNoOverflow();
      }
    });

  it('serves every kind of page as valid HTML', async () => {
    for (const path of [
      ...paths(),
      '/',
      '/help',
      '/cars-for-sale/all/ford/f150?maxPrice=1&searchRadius=50&zip=60601',
    ])
      await expectValidHtml(await followPage(path));
  });

  it('describes each kind of page to search engines, with every required property', async () => {
    const kinds: readonly (readonly [path: string, types: readonly string[]])[] = [
      ['/cars-for-sale/all-cars', ['BreadcrumbList', 'ItemList']],
      [F150_NEAR_CHICAGO, ['BreadcrumbList', 'ItemList']],
      [vehiclePath(), ['BreadcrumbList', 'Car']],
      [comparePath(), []],
      [BUILD_PATH, []],
      ['/help', []],
      [MISSING_PATH, []],
    ];
    for (const [path, types] of kinds) expectStructuredData(await followPage(path), types);
  });
});
