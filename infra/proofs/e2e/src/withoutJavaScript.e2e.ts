import assert from 'node:assert/strict';
import { browser } from '@wdio/globals';
import { after, before, describe, it } from 'mocha';
import { F150_NEAR_CHICAGO, FORDS_NEAR_CHICAGO } from '@forecourt/harness/serverHtml';
import { shellOrigin } from './sharedStack.ts';
import { shownCount, shownListings, shownPath, setViewport } from './resultsPage.ts';

const open = (path: string) => browser.url(shellOrigin() + path);
/** Paths of the listings that a visitor without scripts sees. */
const visibleListings = (): Promise<string[]> =>
  browser.execute(() =>
    [...document.querySelectorAll<HTMLAnchorElement>('[data-tile="listing"] h3 a')]
      .filter((link) => link.checkVisibility())
      .map((link) => link.pathname),
  );
const setScripting = (isOff: boolean) =>
  browser.sendCommand('Emulation.setScriptExecutionDisabled', { value: isOff });

describe('the page without JavaScript', () => {
  before(async () => {
    await setViewport({ width: 1440, height: 900 });
    await setScripting(true);
  });
  after(() => setScripting(false));

  it('shows results without JavaScript and runs no script', async () => {
    await open(F150_NEAR_CHICAGO);
    assert.ok((await shownListings()).length > 5);
    assert.equal(await browser.execute(() => performance.getEntriesByType('mark').length), 0);
  });

  it('shows what is below the results, with its styles', async () => {
    await open(F150_NEAR_CHICAGO);
    assert.equal(
      await browser.execute(() =>
        document.getElementById('slot-related')?.checkVisibility({ visibilityProperty: true }),
      ),
      true,
    );
    const sheets = await browser.execute(() =>
      [...document.styleSheets].flatMap(({ href }) => (href === null ? [] : [new URL(href).pathname])),
    );
    assert.ok(
      sheets.some((path) => path.endsWith('/later.css')),
      sheets.join(' '),
    );
    assert.equal(new Set(sheets).size, sheets.length);
  });

  it('tabs through filters before results, although results come first in the HTML', async () => {
    await open(F150_NEAR_CHICAGO);
    const slotOfFocus = () =>
      browser.execute(() => document.activeElement?.closest<HTMLElement>('[data-slot]')?.dataset['slot']);
    assert.deepEqual(
      await browser.execute(() => {
        const [, first, second] = document.querySelectorAll<HTMLElement>('.fc-columns > [data-slot]');
        [...(second?.querySelectorAll<HTMLElement>('a[href], button, input, summary') ?? [])].at(-1)?.focus();
        return [first?.dataset['slot'], second?.dataset['slot']];
      }),
      ['results', 'filters'],
    );
    assert.equal(await slotOfFocus(), 'filters');
    await browser.waitUntil(async () => {
      await browser.keys('Tab');
      return (await slotOfFocus()) !== 'filters';
    });
    assert.equal(await slotOfFocus(), 'results');
    await browser.keys(['Shift', 'Tab']);
    assert.equal(await slotOfFocus(), 'filters');
  });

  // rows: A2-CRUMB-02
  it('follows breadcrumbs to wider searches without JavaScript', async () => {
    await open(F150_NEAR_CHICAGO);
    const count = await shownCount();
    await browser.$('nav[aria-label="Breadcrumb"]').$('a=Ford').click();
    await browser.waitUntil(async () => (await shownPath()) === FORDS_NEAR_CHICAGO);
    assert.ok((await shownCount()) > count);
  });

  it('shows only sections with options, leads to those of all sections, and filters by them', async () => {
    await open(F150_NEAR_CHICAGO);
    const panel = browser.$('form[aria-label="Filters"]');
    const shown = () =>
      browser.execute(() =>
        [...document.querySelectorAll<HTMLElement>('form[aria-label="Filters"] :is(h3, summary)')]
          .filter((part) => part.checkVisibility())
          .map((part) => part.firstChild?.textContent),
      );
    assert.deepEqual(await shown(), [
      'Location',
      'Price and payment',
      'Price',
      'Vehicle',
      'Make, Model, Trim',
      'Condition and history',
      'Condition',
    ]);
    await panel.$('=Show all options').click();
    await browser.waitUntil(async () => (await shownPath()).includes('openSection=all'));
    for (const part of ['Drive Type', 'Features and details', 'Doors'])
      assert.ok((await shown()).includes(part), part);
    await panel.$('input[name="driveGroup"][value="AWD4WD"]').click();
    await browser.$('form[aria-label="Filters"] > button[type="submit"]').click();
    await browser.waitUntil(async () => (await shownPath()).includes('driveGroup=AWD4WD'));
    assert.ok(!(await shownPath()).includes('openSection'));
  });

  it('filters with the form, including closed sections, without JavaScript', async () => {
    await open(F150_NEAR_CHICAGO);
    const promised = await browser.execute(() => {
      const input = document.querySelector(
        'form[aria-label="Filters"] input[name="listingType"][value="USED"]',
      );
      return Number(input?.closest('label')?.textContent?.replaceAll(/\D/g, ''));
    });
    await browser.$('form[aria-label="Filters"] input[name="listingType"][value="USED"]').click();
    await browser.$('form[aria-label="Filters"] > button[type="submit"]').click();
    await browser.waitUntil(async () => (await shownPath()).startsWith('/cars-for-sale/used/'));
    assert.equal(await shownPath(), '/cars-for-sale/used/ford/f150?searchRadius=50&zip=60601');
    assert.equal(await shownCount(), promised);
  });

  it('reads typed words as filters around the same place, and links to the search as typed', async () => {
    await open(FORDS_NEAR_CHICAGO);
    await browser.$('input[name="keyword"]').setValue('used suv');
    await browser.keys('Enter');
    await browser.waitUntil(async () => (await shownPath()).includes('keyword='));
    assert.match(await browser.$('h1').getText(), /^Used SUV.* Chicago, IL$/);
    assert.ok((await shownListings()).length > 0);
    await browser.$('a=Search for “used suv” instead').click();
    await browser.waitUntil(async () => (await shownPath()).includes('keyword=%22used'));
  });

  it('sorts with the form without JavaScript', async () => {
    await open(F150_NEAR_CHICAGO);
    await browser.$('select[name="sortBy"]').selectByAttribute('value', 'derivedpriceASC');
    await browser.$('button=Sort').click();
    await browser.waitUntil(async () => (await shownPath()).includes('sortBy=derivedpriceASC'));
    assert.equal(await browser.$('select[name="sortBy"]').getValue(), 'derivedpriceASC');
  });

  // rows: B2-BOTTOM-01
  it('pages forward and back without JavaScript', async () => {
    await open(FORDS_NEAR_CHICAGO);
    const first = await visibleListings();
    await browser.$('a=See More Results').click();
    await browser.waitUntil(async () => (await shownPath()).includes('firstRecord=30'));
    const second = await visibleListings();
    assert.ok(second.length > 0 && second.every((link) => !first.includes(link)));
    await browser.$('a[rel="prev"]').click();
    await browser.waitUntil(async () => (await shownPath()) === FORDS_NEAR_CHICAGO);
    assert.deepEqual(await visibleListings(), first);
  });

  // rows: B2-ROUTE-03
  it('opens the vehicle of a card without JavaScript', async () => {
    await open(F150_NEAR_CHICAGO);
    const title = (await browser.$('[data-tile="listing"] h3').getText()).replaceAll(/\s+/g, ' ');
    await browser.$('[data-tile="listing"] h3 a').click();
    await browser.waitUntil(async () => (await shownPath()).startsWith('/cars-for-sale/vehicle/'));
    assert.equal(await browser.$('h1').getText(), title);
  });

  it('hides controls that require scripts', async () => {
    await open(F150_NEAR_CHICAGO);
    const useless = await browser.execute(() =>
      [...document.querySelectorAll<HTMLElement>('button:not([type="submit"]):not([aria-selected="true"])')]
        .filter((button) => button.checkVisibility() && !button.closest('dialog:not([open])'))
        .map((button) => button.getAttribute('aria-label') ?? button.textContent),
    );
    assert.deepEqual(useless, []);
  });
});
