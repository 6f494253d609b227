import assert from 'node:assert/strict';
import { browser } from '@wdio/globals';
import { beforeEach, describe, it } from 'mocha';
import { confirmAddress } from './confirmAddress.ts';
import { failing, mailsTo } from './marketplaceStore.ts';
import { F150_NEAR_CHICAGO, FORDS_NEAR_CHICAGO, shellOrigin } from './origins.ts';
import { openResults, waitForSlots } from './resultsPage.ts';
import { becomeNewVisitor } from './visitor.ts';

const WITH_DIALOGS = ['toolbar', 'filters', 'results', 'leads'];
const newAddress = (name: string) => `${name}.${Date.now()}@example.com`;
const press = (selector: string, at = 0) =>
  browser.execute(
    (wanted: string, index: number) => document.querySelectorAll<HTMLElement>(wanted)[index]?.click(),
    selector,
    at,
  );
const HEART = '[data-tile] article button[aria-label^="Save "]';
const heartsPressed = () =>
  browser.execute(
    (hearts: string) =>
      [...document.querySelectorAll(hearts)].map((heart) => heart.getAttribute('aria-pressed') === 'true'),
    HEART,
  );
const pressedCount = async () => (await heartsPressed()).filter(Boolean).length;
const keptInBrowser = () =>
  browser.execute(() => JSON.parse(localStorage.getItem('savedListings') ?? '[]') as string[]);
const dialogText = () => browser.execute(() => document.querySelector('dialog[open]')?.textContent ?? '');

/** Creates an account on the page that asks for it, and comes back. */
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
  beforeEach(becomeNewVisitor);

  it('keeps three in the browser, asks for an account at the fourth, and takes all into it [A4-LISTSAVE-05, A4-LISTSAVE-08, A4-LISTSAVE-09, A6-ROLE-02]', async () => {
    await openResults(FORDS_NEAR_CHICAGO, { slots: WITH_DIALOGS });
    for (const at of [0, 1, 2]) await press(HEART, at);
    await browser.waitUntil(async () => (await keptInBrowser()).length === 3);
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
    await browser.waitUntil(async () => (await keptInBrowser()).length === 0);
    await browser.url(`${shellOrigin()}/account/saved-vehicles`);
    assert.equal(await browser.$$('.fp-card').length, 4);
    await press('.fp-card form button');
    await browser.$('p=The vehicle is no longer saved.').waitForDisplayed();
    assert.equal(await browser.$$('.fp-card').length, 3);
  });

  it('is undone from its message', async () => {
    await openResults(FORDS_NEAR_CHICAGO, { slots: WITH_DIALOGS });
    await press(HEART, 0);
    await browser.$('button=Undo').waitForDisplayed();
    assert.equal(await pressedCount(), 1);
    await browser.$('button=Undo').click();
    assert.equal(await pressedCount(), 0);
    assert.deepEqual(await keptInBrowser(), []);
  });

  it('is taken back, with a word, when the account cannot be told', async () => {
    await browser.url(
      `${shellOrigin()}/account/sign-in?defaultScreen=signup&refUrl=${encodeURIComponent(FORDS_NEAR_CHICAGO)}`,
    );
    await signUp();
    await waitForSlots('results', 'leads');
    const mend = await failing('saveListing', { status: 503, times: 1 });
    try {
      await press(HEART, 0);
      await browser.$('p=This vehicle was not saved.').waitForDisplayed();
      assert.equal(await pressedCount(), 0);
      await browser.$('button=Try again').click();
      await browser.waitUntil(async () => (await pressedCount()) === 1);
    } finally {
      await mend();
    }
    await browser.url(`${shellOrigin()}/account/saved-vehicles`);
    assert.equal(await browser.$$('.fp-card').length, 1);
  });
});

describe('saving a search', () => {
  beforeEach(becomeNewVisitor);

  const SAVE = 'button=Save Search';
  async function subscribe(path: string, email: string): Promise<void> {
    await openResults(path, { slots: WITH_DIALOGS });
    await browser.$(SAVE).waitForExist();
    await browser.execute(() => {
      [...document.querySelectorAll('button')]
        .find(({ textContent }) => textContent === 'Save Search')
        ?.click();
    });
    await browser.$('dialog[open] input[name="emailAddress"]').waitForDisplayed();
    await browser.$('dialog[open] input[name="emailAddress"]').setValue(email);
    await browser.execute(() => {
      const send = document.querySelector<HTMLButtonElement>('dialog[open] button[type="submit"]');
      send?.click();
      send?.click();
    });
  }

  it('subscribes two searches by email, each once, and says the limit at the third [A4-SAVE-01, A4-SAVE-04, A4-SAVE-06, A4-SAVE-07, A9-LIMIT-01, A8-ERR-01, A7-OTHER-06]', async () => {
    const email = newAddress('alerts');
    await subscribe(F150_NEAR_CHICAGO, email);
    await browser.$('button=Subscribed!').waitForDisplayed();
    await subscribe(FORDS_NEAR_CHICAGO, email);
    await browser.$('button=Subscribed!').waitForDisplayed();
    await browser.pause(300);
    assert.equal((await mailsTo(email, 'alert-welcome')).length, 2);
    await subscribe('/cars-for-sale/all/toyota?searchRadius=50&zip=60601', email);
    await browser.$('dialog[open] [role="alert"]').waitForDisplayed();
    const said = await dialogText();
    assert.ok(said.includes('You have a maximum of 2 searches saved.'), said);
    const link = await browser.$('dialog[open] [role="alert"] a').getAttribute('href');
    assert.equal(
      link,
      `/account/sign-in?defaultScreen=signup&refUrl=${encodeURIComponent('/cars-for-sale/all/toyota?searchRadius=50&zip=60601')}`,
    );
    assert.equal((await mailsTo(email, 'alert-welcome')).length, 2);
  });

  it('keeps the address and lets it be sent again when the marketplace failed', async () => {
    const email = newAddress('retry');
    const mend = await failing('subscribeAlert', { status: 503, times: 1 });
    try {
      await subscribe(F150_NEAR_CHICAGO, email);
      await browser.$('dialog[open] [role="alert"]').waitForDisplayed();
      assert.equal(await browser.$('dialog[open] input[name="emailAddress"]').getValue(), email);
      await press('dialog[open] button[type="submit"]');
      await browser.$('button=Subscribed!').waitForDisplayed();
    } finally {
      await mend();
    }
    assert.equal((await mailsTo(email, 'alert-welcome')).length, 1);
  });

  it('is kept in the account of who is signed in, and can be opened, renamed and deleted there [A4-SAVE-03, A7-BOOK-03, A1-SCOPE-03]', async () => {
    await browser.url(
      `${shellOrigin()}/account/sign-in?defaultScreen=signup&refUrl=${encodeURIComponent(F150_NEAR_CHICAGO)}`,
    );
    await signUp();
    await waitForSlots('filters', 'leads');
    await browser.$(SAVE).waitForExist();
    await browser.execute(() => {
      const save = [...document.querySelectorAll('button')].find(
        ({ textContent }) => textContent === 'Save Search',
      );
      save?.click();
      save?.click();
    });
    await browser.$('p*=Saved as').waitForDisplayed();
    await browser.url(`${shellOrigin()}/account/saved-searches`);
    assert.equal(await browser.$$('.fp-saved-item').length, 1);
    await browser.$('summary').click();
    await browser.$('input[name="title"]').setValue('My truck');
    await browser.$('button=Save name').click();
    await browser.$('p=The search has its new name.').waitForDisplayed();
    await browser.$('a=My truck').click();
    await browser.waitUntil(async () => (await browser.getUrl()).includes('/ford/f150'));
    await browser.url(`${shellOrigin()}/account/saved-searches`);
    await browser.$('button*=Delete').click();
    await browser.$('p=The search is deleted.').waitForDisplayed();
    assert.equal(await browser.$$('.fp-saved-item').length, 0);
  });
});

describe('the notification prompt', () => {
  beforeEach(becomeNewVisitor);

  it('shows once to who looked at a vehicle and searches for a model [A1-NOTIF-01, A4-NOTIF-01, A4-NOTIF-04]', async () => {
    await browser.execute(() =>
      localStorage.setItem('recentInventory', JSON.stringify([{ listingId: '1', viewedAt: Date.now() }])),
    );
    await openResults(F150_NEAR_CHICAGO, { slots: WITH_DIALOGS });
    await browser.$('h2=Hear of new matches first').waitForDisplayed();
    await browser.$('button=Not now').click();
    await openResults(F150_NEAR_CHICAGO, { slots: WITH_DIALOGS });
    await browser.pause(2_000);
    assert.equal(await browser.$('h2=Hear of new matches first').isExisting(), false);
  });
});

describe('the wallet', () => {
  beforeEach(becomeNewVisitor);

  it('keeps the terms for the next page, and a deal in the marketplace [A2-UI-10, B7-DEAL-01]', async () => {
    await openResults(F150_NEAR_CHICAGO, { slots: WITH_DIALOGS });
    await press('[aria-label="Open the shopping assistant"]');
    await browser.$('button=Estimate my monthly payment').click();
    await browser.$('dialog[open] [name="monthlyBudget"]').waitForDisplayed();
    await browser.$('dialog[open] [name="monthlyBudget"]').setValue('450');
    await browser.$('button=Show payments').click();
    await browser.$('dialog[open]').waitForExist({ reverse: true });
    await browser.refresh();
    await waitForSlots('leads');
    await press('[aria-label="Open the shopping assistant"]');
    await browser.$('button=Estimate my monthly payment').click();
    await browser.$('dialog[open] [name="monthlyBudget"]').waitForDisplayed();
    assert.equal(await browser.$('dialog[open] [name="monthlyBudget"]').getValue(), '450');
  });
});
