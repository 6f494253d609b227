import assert from 'node:assert/strict';
import { browser } from '@wdio/globals';
import { beforeEach, describe, it } from 'mocha';
import {
  addInitScript,
  confirmAddress,
  openResults,
  startFreshVisit,
  waitForSlots,
  WITH_DIALOGS,
  newAddress,
  press,
  pressSendTwice,
  pressWords,
} from './resultsPage.ts';
import { emailsTo, failing, removeListing, storedRows } from './marketplaceStore.ts';
import { expectNoAxeViolations, expectNoOverflow, expectValidHtml } from './pageChecks.ts';
import { F150_NEAR_CHICAGO, FORDS_NEAR_CHICAGO, getPage } from '@forecourt/harness/serverHtml';
import { apiOrigin, shellOrigin } from './sharedStack.ts';

const HEART = '[data-tile] article button[aria-label^="Save "]';
const heartsPressed = () =>
  browser.execute(
    (hearts: string) =>
      [...document.querySelectorAll(hearts)].map((heart) => heart.getAttribute('aria-pressed') === 'true'),
    HEART,
  );
const pressedCount = async () => (await heartsPressed()).filter(Boolean).length;
const savedInBrowser = () =>
  browser.execute(() => JSON.parse(localStorage.getItem('savedListings') ?? '[]') as string[]);
const dialogText = () => browser.execute(() => document.querySelector('dialog[open]')?.textContent ?? '');

/** Creates an account on the sign-in page and returns. */
async function signUp(): Promise<void> {
  await browser.$('input[name="name"]').waitForDisplayed();
  await browser.$('input[name="name"]').setValue('Ada Byron');
  const email = newAddress('account');
  await browser.$('input[name="email"]').setValue(email);
  await browser.$('input[name="password"]').setValue('correct horse battery staple');
  await press('form button:not([formnovalidate])');
  await confirmAddress(email);
  await browser.waitUntil(async () => (await browser.getUrl()).startsWith(`${shellOrigin()}/`), {
    timeoutMsg: 'did not come back from signing up',
  });
}

describe('saving listings', () => {
  beforeEach(startFreshVisit);

  // rows: A4-LISTSAVE-05, A4-LISTSAVE-08, A4-LISTSAVE-09, A6-ROLE-02
  it('saves three listings in the browser, requires an account for the fourth, and moves all of them into it', async () => {
    await openResults(FORDS_NEAR_CHICAGO, { slots: WITH_DIALOGS });
    for (const at of [0, 1, 2]) await press(HEART, at);
    await browser.waitUntil(async () => (await savedInBrowser()).length === 3);
    assert.equal(await browser.$('dialog[open]').isExisting(), false);
    await press(HEART, 3);
    await browser.$('h3=Save Cars with a Free Account').waitForDisplayed();
    assert.match(
      await dialogText(),
      /Create an account to track price changes, saved cars across devices, and more\./,
    );
    assert.equal(await pressedCount(), 3);
    await browser.$('a=Create a free account').click();
    await signUp();
    await waitForSlots('results', 'leads');
    await browser.waitUntil(async () => (await pressedCount()) === 4, {
      timeoutMsg: 'the account did not take over what was saved',
    });
    await browser.waitUntil(async () => (await savedInBrowser()).length === 0);
    await browser.url(`${shellOrigin()}/account/saved-vehicles`);
    assert.equal(await browser.$$('main li').length, 4);
    await press('main li form button');
    await browser.$('p=Vehicle removed from your saved vehicles.').waitForDisplayed();
    assert.equal(await browser.$$('main li').length, 3);
  });

  it('undoes a saved listing from the toast', async () => {
    await openResults(FORDS_NEAR_CHICAGO, { slots: WITH_DIALOGS });
    await press(HEART, 0);
    await browser.$('button=Undo').waitForDisplayed();
    assert.equal(await pressedCount(), 1);
    await browser.$('button=Undo').click();
    assert.equal(await pressedCount(), 0);
    assert.deepEqual(await savedInBrowser(), []);
  });

  it('reverts a saved listing with a message when the account fails, and asks to sign in when the session expired', async () => {
    await browser.url(
      `${shellOrigin()}/account/sign-in?defaultScreen=signup&refUrl=${encodeURIComponent(FORDS_NEAR_CHICAGO)}`,
    );
    await signUp();
    await waitForSlots('results', 'leads');
    const clearFault = await failing('saveListing', { status: 503, times: 1 });
    try {
      await press(HEART, 0);
      await browser.$('p=We couldn’t save this vehicle.').waitForDisplayed();
      assert.equal(await pressedCount(), 0);
      await browser.$('button=Try again').click();
      await browser.waitUntil(async () => (await pressedCount()) === 1);
    } finally {
      await clearFault();
    }
    const cookies = await browser.getCookies();
    await browser.deleteCookies();
    await press(HEART, 1);
    await browser.$('h2=Sign in').waitForDisplayed();
    assert.equal(await pressedCount(), 1);
    await browser.keys('Escape');
    for (const { name, value, httpOnly } of cookies)
      await browser.setCookies({ name, value, httpOnly, path: '/' });
    await browser.url(`${shellOrigin()}/account/saved-vehicles`);
    assert.equal(await browser.$$('main li').length, 1);
  });
});

describe('vehicles saved in this browser', () => {
  beforeEach(startFreshVisit);

  const SAVED_LINK = 'header a[href="/account/saved-vehicles"]';
  const headerCount = () => browser.$(`${SAVED_LINK} b`).getText();
  const cards = () => browser.$$('main li h2 a').map((link) => link.getText());
  const isFocused = (selector: string, words = '') =>
    browser.execute(
      (wanted: string, text: string) => {
        const { activeElement } = document;
        return !!activeElement?.matches(wanted) && !!activeElement.textContent?.includes(text);
      },
      selector,
      words,
    );
  /** Presses a key until the focused element matches; the journey has no pointer. */
  async function keyTo(selector: string, { back = false, words = '' } = {}): Promise<void> {
    for (let presses = 0; presses < 200; presses += 1) {
      if (await isFocused(selector, words)) return;
      await browser.keys(back ? ['Shift', 'Tab'] : 'Tab');
    }
    assert.fail(`the keyboard never reached ${selector}`);
  }

  it('lead from a heart to their page and away from it by keyboard, on the narrowest screen', async () => {
    await openResults(FORDS_NEAR_CHICAGO, { slots: WITH_DIALOGS, width: 320, height: 640 });
    const name = (await browser.$('[data-tile="listing"] article h3').getText()).replaceAll(/\s+/g, ' ');
    await keyTo('[data-tile="listing"] article button[aria-label^="Save "]');
    await browser.keys('Enter');
    await browser.waitUntil(async () => (await headerCount()) === '1', { timeoutMsg: 'not counted' });
    await keyTo(SAVED_LINK, { back: true });
    await browser.keys('Enter');
    await browser.$('h1=Saved vehicles').waitForDisplayed();
    await browser.waitUntil(async () => (await cards()).length === 1, { timeoutMsg: 'no card' });
    const [card = ''] = await cards();
    assert.ok(name.startsWith(card) || card.startsWith(name), `${card}, saved as ${name}`);
    assert.match(await browser.$('main li').getText(), /\$\d/);
    assert.match(await browser.$('main').getText(), /^1 vehicle saved in this browser\./m);
    await expectNoOverflow();
    await expectNoAxeViolations();
    await waitForSlots('leads');
    await keyTo('main li button');
    await browser.keys('Enter');
    await browser.waitUntil(async () => (await cards()).length === 0, { timeoutMsg: 'not removed' });
    assert.equal(await isFocused('main p'), true, 'the keyboard starts again at the top of the page');
    assert.deepEqual(await savedInBrowser(), []);
    await browser.$('button=Undo').waitForDisplayed();
    await keyTo('button', { words: 'Undo' });
    await browser.keys('Enter');
    await browser.waitUntil(async () => (await cards()).length === 1, { timeoutMsg: 'not undone' });
    assert.equal(await headerCount(), '1');
  });

  it('move into the account from their page, which shows them at once', async () => {
    await openResults(FORDS_NEAR_CHICAGO, { slots: WITH_DIALOGS });
    for (const at of [0, 1]) await press(HEART, at);
    await browser.waitUntil(async () => (await savedInBrowser()).length === 2);
    await browser.$(SAVED_LINK).click();
    await browser.$('a=Create a free account').waitForDisplayed();
    await browser.$('a=Create a free account').click();
    await signUp();
    await browser.$('h1=Saved vehicles').waitForDisplayed();
    await browser.waitUntil(async () => (await cards()).length === 2, {
      timeoutMsg: 'the page did not follow the account',
    });
    assert.deepEqual(await savedInBrowser(), []);
    await browser.refresh();
    assert.equal((await cards()).length, 2);
  });

  it('keep the name, picture and last price of a vehicle that is no longer for sale', async () => {
    const response = await fetch(
      `${apiOrigin()}/rest/lsc/listing?makeCode=KIA&numRecords=1&sortBy=mileageDESC`,
    );
    const { listings } = (await response.json()) as { listings: { id: string; title: string }[] };
    const { id, title } = listings[0]!;
    await removeListing(id, Date.now() - 3 * 86_400_000);
    try {
      // The API follows the stock within a second.
      await browser.waitUntil(
        async () => (await fetch(`${apiOrigin()}/rest/lsc/listing/${id}`)).status === 404,
      );
      await browser.execute((saved) => localStorage.setItem('savedListings', JSON.stringify([saved])), id);
      await browser.url(`${shellOrigin()}/account/saved-vehicles`);
      await browser.$('p=No longer for sale').waitForDisplayed();
      const text = await browser.$('main li').getText();
      assert.match(text, /Last listed for \$\d/);
      assert.ok(
        title.startsWith((await browser.$('main li h2 a').getText()).split(/[\n,]/)[0]!),
        `${text} of ${title}`,
      );
      assert.equal(await browser.$('main li img').isDisplayed(), true);
    } finally {
      await removeListing(id, null);
    }
  });

  it('say what is missing: storage or scripts', async () => {
    const blocked = await addInitScript(() => {
      Object.defineProperty(window, 'localStorage', {
        get() {
          throw new DOMException('blocked', 'SecurityError');
        },
      });
    });
    try {
      await browser.url(`${shellOrigin()}/account/saved-vehicles`);
      await browser.$('p*=Your browser blocks storage for this site').waitForDisplayed();
    } finally {
      await blocked.remove();
    }
    await browser.sendCommand('Emulation.setScriptExecutionDisabled', { value: true });
    try {
      await browser.url(`${shellOrigin()}/account/saved-vehicles`);
      await browser.$('p*=Turn on JavaScript, or sign in').waitForDisplayed();
      assert.equal(await browser.$('p*=Looking for vehicles').isDisplayed(), false);
      assert.equal(await browser.$('a=Sign in').isExisting(), true);
    } finally {
      await browser.sendCommand('Emulation.setScriptExecutionDisabled', { value: false });
    }
    const { html } = await getPage(`${shellOrigin()}/account/saved-vehicles`);
    await expectValidHtml(html);
  });
});

describe('saving a search', () => {
  beforeEach(startFreshVisit);

  const SAVE = 'button=Save Search';
  const INLINE = '[data-slot="toolbar"] [data-outlet="email-capture"]';
  const pressSave = (times = 1) => pressWords('Save Search', times);
  const fillTrap = (place: string, text: string) =>
    browser.execute(
      (trap, value) => {
        const field = document.querySelector<HTMLInputElement>(trap);
        if (field) field.value = value;
      },
      `${place} [name="website"]`,
      text,
    );
  const storedFor = async (table: 'alerts' | 'captures', email: string) =>
    (await storedRows(table)).filter((row) => row['email'] === email);
  async function subscribe(path: string, email: string): Promise<void> {
    await openResults(path, { slots: WITH_DIALOGS });
    await browser.$(SAVE).waitForExist();
    await pressSave();
    await browser.$('dialog[open] input[name="emailAddress"]').waitForDisplayed();
    await browser.$('dialog[open] input[name="emailAddress"]').setValue(email);
    await pressSendTwice();
  }

  // rows: A4-SAVE-01, A4-SAVE-04, A4-SAVE-06, A4-SAVE-07, A9-LIMIT-01, A8-ERR-01, A7-OTHER-06
  it('subscribes two searches by email once each and explains the limit at the third', async () => {
    const email = newAddress('alerts');
    await subscribe(F150_NEAR_CHICAGO, email);
    await browser.$('button=Subscribed!').waitForDisplayed();
    await subscribe(FORDS_NEAR_CHICAGO, email);
    await browser.$('button=Subscribed!').waitForDisplayed();
    await browser.pause(300);
    assert.equal((await emailsTo(email, 'alert-confirm')).length, 2);
    assert.equal((await storedFor('alerts', email)).length, 2);
    await subscribe('/cars-for-sale/all/toyota?searchRadius=50&zip=60601', email);
    await browser.$('dialog[open] [role="alert"]').waitForDisplayed();
    const text = await dialogText();
    assert.ok(text.includes('You have a maximum of 2 searches saved.'), text);
    assert.ok(!text.includes('Try again'), 'a third search is refused however often it is sent');
    const link = await browser.$('dialog[open] [role="alert"] a').getAttribute('href');
    assert.equal(
      link,
      `/account/sign-in?defaultScreen=signup&refUrl=${encodeURIComponent('/cars-for-sale/all/toyota?searchRadius=50&zip=60601')}`,
    );
    assert.equal((await emailsTo(email, 'alert-confirm')).length, 2);
    assert.equal((await storedFor('alerts', email)).length, 2);
  });

  it('keeps the entered email and allows a retry when the marketplace failed', async () => {
    const email = newAddress('retry');
    const clearFault = await failing('subscribeAlert', { status: 503, times: 1 });
    try {
      await subscribe(F150_NEAR_CHICAGO, email);
      await browser.$('dialog[open] [role="alert"]').waitForDisplayed();
      assert.equal(await browser.$('dialog[open] input[name="emailAddress"]').getValue(), email);
      await press('dialog[open] button[type="submit"]');
      await browser.$('button=Subscribed!').waitForDisplayed();
    } finally {
      await clearFault();
    }
    assert.equal((await emailsTo(email, 'alert-confirm')).length, 1);
    assert.equal((await storedFor('alerts', email)).length, 1);
  });

  // rows: A4-SAVE-02, A2-UI-14
  it('accepts an email in place of the button once, and ignores bots that fill the hidden field', async () => {
    await browser.setCookies({ name: 'flags', value: 'subscribeAlerts=false', path: '/' });
    await openResults(F150_NEAR_CHICAGO, { slots: WITH_DIALOGS });
    await pressSave();
    await browser.$(`${INLINE} [name="emailAddress"]`).waitForDisplayed();
    assert.equal(await browser.$(SAVE).isExisting(), false);
    assert.equal(await browser.$(`${INLINE} [name="emailAddress"]`).isFocused(), true);
    const email = newAddress('inline');
    await browser.$(`${INLINE} [name="emailAddress"]`).setValue(email);
    await fillTrap(INLINE, 'https://spam.example');
    await press(`${INLINE} button[type="submit"]`);
    await browser.$('button=Subscribed!').waitForDisplayed();
    assert.deepEqual([await storedFor('alerts', email), await storedFor('captures', email)], [[], []]);
    await fillTrap(INLINE, '');
    await browser.$(`${INLINE} [name="emailAddress"]`).setValue(`${email} `);
    const clearFault = await failing('subscribeAlert', { status: 503, times: 1 });
    await press(`${INLINE} button[type="submit"]`);
    await browser.$(`${INLINE} [role="alert"]`).waitForDisplayed();
    await clearFault();
    await press(`${INLINE} button[type="submit"]`);
    await press(`${INLINE} button[type="submit"]`);
    await browser.$('button=Subscribed!').waitForDisplayed();
    await browser.pause(300);
    assert.deepEqual(
      [(await storedFor('alerts', email)).length, (await storedFor('captures', email)).length],
      [1, 0],
    );
  });

  it('offers email sign-up in and below the grid when few vehicles match', async () => {
    await openResults(`${F150_NEAR_CHICAGO}&maxPrice=20000`, { slots: ['toolbar', 'results'] });
    const inTile = browser.$('[data-tile="capture"]');
    const below = browser.$('//*[@data-slot="results"]/section/*[@data-outlet="email-capture"]');
    const email = newAddress('tile');
    for (const place of [below, inTile])
      // Repeated, because blocks above load when they come near.
      await browser.waitUntil(
        async () => {
          await place.scrollIntoView({ block: 'center' });
          return place.$('[name="emailAddress"]').isDisplayed();
        },
        { interval: 500 },
      );
    await inTile.$('[name="emailAddress"]').setValue(email);
    await browser.keys('Enter');
    await inTile.$('[data-alert="success"]').waitForDisplayed();
    assert.equal((await storedFor('alerts', email)).length, 1);
  });

  // rows: A4-SAVE-03, A7-BOOK-03, A1-SCOPE-03
  it('saves a search in the account, where it can be opened, renamed, shared and deleted', async () => {
    await browser.url(
      `${shellOrigin()}/account/sign-in?defaultScreen=signup&refUrl=${encodeURIComponent(F150_NEAR_CHICAGO)}`,
    );
    const title = `My truck ${Date.now()}`;
    await signUp();
    await waitForSlots('filters', 'results', 'leads');
    await press(HEART);
    await browser.waitUntil(async () => (await pressedCount()) === 1);
    await browser.$(SAVE).waitForExist();
    await pressSave(2);
    await browser.$('p*=Saved as').waitForDisplayed();
    await browser.url(`${shellOrigin()}/account/saved-searches`);
    assert.equal(await browser.$$('main li').length, 1);
    for (const path of ['/account/saved-searches', '/account/saved-vehicles']) {
      const html = await browser.execute(async (url) => (await fetch(url)).text(), path);
      assert.match(html, /<main.*<li/s);
      await expectValidHtml(html);
    }
    const chosen = () => browser.$$('main li button[aria-pressed="true"]').map((button) => button.getText());
    assert.deepEqual(await chosen(), ['Off']);
    await browser.$('button=At once').click();
    await browser.$('p*=We’ll email you new matches').waitForDisplayed();
    assert.deepEqual(await chosen(), ['At once']);
    await browser.$('button=Daily').click();
    await browser.waitUntil(async () => (await chosen()).join() === 'Daily');
    await expectNoAxeViolations();
    await browser.$('button=Off').click();
    await browser.waitUntil(async () => (await chosen()).join() === 'Off');
    await browser.$('summary').click();
    await browser.$('input[name="title"]').setValue(title);
    await browser.$('button=Save name').click();
    await browser.$('p=Search renamed.').waitForDisplayed();
    await browser.$(`a=${title}`).click();
    await browser.waitUntil(async () => (await browser.getUrl()).includes('/ford/f150'));
    const bookmark = (await storedRows('bookmarks')).find((row) => row['title'] === title)?.['bookmark_id'];
    const shared = `${shellOrigin()}/cars-for-sale/all-cars?bookmarkId=${String(bookmark)}`;
    await browser.url(shared);
    await browser.waitUntil(async () => (await browser.getUrl()).includes('/ford/f150'));
    await browser.url(`${shellOrigin()}/account/saved-searches`);
    await browser.$('button*=Delete').click();
    await browser.$('p=Search deleted.').waitForDisplayed();
    assert.equal(await browser.$$('main li').length, 0);
    await browser.url(shared);
    await browser.$('p=Bookmark not found').waitForDisplayed();
  });
});
