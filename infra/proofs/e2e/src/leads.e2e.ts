import assert from 'node:assert/strict';
import { browser } from '@wdio/globals';
import { beforeEach, describe, it } from 'mocha';
import {
  EMAIL,
  WITH_DIALOGS,
  fill,
  newAddress,
  openDialog,
  press,
  pressSendTwice,
  openResults,
  startFreshVisit,
  waitForSlots,
} from './resultsPage.ts';
import { failing, leadsFrom, storedRows, takeLastName } from './marketplaceStore.ts';
import { F150_NEAR_CHICAGO, FORDS_NEAR_CHICAGO } from '@forecourt/harness/serverHtml';

/** Milliseconds; a queued lead is retried every few seconds. */
const DELIVERED_WITHIN = 40_000;
const fillContact = (fromEmailAddress: string) =>
  fill({ firstName: 'Ada', lastName: 'Byron', fromEmailAddress, phoneNumber: '3125550100' });
/** The message of a one-click email. */
const ONE_CLICK = 'Please confirm vehicle availability.';

describe('a message to a seller', () => {
  beforeEach(startFreshVisit);

  // rows: A2-UI-05, A4-EMAIL-04, A7-OTHER-03
  it('stores a message once with all its fields, however often Send is pressed', async () => {
    const email = newAddress('ada');
    const listingId = await openDialog(EMAIL);
    await browser.$('dialog[open] form').waitForDisplayed();
    await fillContact(email);
    await pressSendTwice();
    await browser.$('dialog[open] [role="status"]').waitForDisplayed();
    // A duplicate would be in flight now.
    await browser.pause(300);
    const leads = await leadsFrom(email);
    assert.equal(leads.length, 1);
    assert.equal(leads[0]?.listingId, listingId);
    assert.equal(leads[0]?.body['firstName'], 'Ada');
    assert.equal(leads[0]?.body['phoneNumber'], '3125550100');
  });

  it('does not send a message without name and email, and shows an error at the field', async () => {
    await openDialog(EMAIL);
    await browser.$('dialog[open] form').waitForDisplayed();
    await browser.$('dialog[open] button[type="submit"]').click();
    await browser.$('dialog[open] [aria-invalid="true"]').waitForExist();
    const invalid = await browser.execute(() =>
      [...document.querySelectorAll<HTMLInputElement>('dialog[open] [aria-invalid="true"]')].map(
        ({ name }) => name,
      ),
    );
    assert.deepEqual(invalid, ['firstName', 'lastName', 'fromEmailAddress']);
    assert.equal(await browser.execute(() => (document.activeElement as HTMLInputElement).name), 'firstName');
  });

  it('restores focus to the button after Escape or Back and keeps the draft of the message', async () => {
    await openDialog(EMAIL);
    await browser.$('dialog[open] form').waitForDisplayed();
    await fill({ firstName: 'Grace' });
    await browser.keys('Escape');
    await browser.$('dialog[open]').waitForExist({ reverse: true });
    assert.match(
      await browser.execute(() => document.activeElement?.getAttribute('aria-label') ?? ''),
      /^Email Seller about/,
    );
    await browser.$(`[data-tile] article ${EMAIL}`).click();
    await browser.$('dialog[open] form').waitForDisplayed();
    assert.equal(await browser.$('dialog[open] [name="firstName"]').getValue(), 'Grace');
    const url = await browser.getUrl();
    await browser.back();
    await browser.$('dialog[open]').waitForExist({ reverse: true });
    assert.equal(await browser.getUrl(), url);
  });

  it('queues a message while the marketplace is down, keeps it across a reload, and delivers it exactly once', async () => {
    const email = newAddress('queued');
    const clearFault = await failing('emailOwner', { status: 503 });
    try {
      await openDialog(EMAIL);
      await browser.$('dialog[open] form').waitForDisplayed();
      await fillContact(email);
      await pressSendTwice();
      await browser.$('dialog[open] [role="alert"]').waitForDisplayed();
      assert.equal(await browser.$('dialog[open] [name="firstName"]').getValue(), 'Ada');
      assert.deepEqual(await leadsFrom(email), []);
    } finally {
      await clearFault();
    }
    await browser.refresh();
    await waitForSlots(...WITH_DIALOGS);
    await browser.waitUntil(async () => (await leadsFrom(email)).length > 0, {
      timeout: DELIVERED_WITHIN,
      timeoutMsg: 'the queued message was not delivered',
    });
    await browser.pause(6_000);
    assert.equal((await leadsFrom(email)).length, 1);
    assert.equal(await browser.execute(() => localStorage.getItem('leadOutbox')), '[]');
  });

  it('stores a message once when only the response was lost and Try again is pressed', async () => {
    const email = newAddress('late');
    // Longer than the gateway's timeout: the marketplace still stores it.
    const clearFault = await failing('emailOwner', { delayMs: 6_000, times: 1 });
    try {
      await openDialog(EMAIL);
      await browser.$('dialog[open] form').waitForDisplayed();
      await fillContact(email);
      await press('dialog[open] button[type="submit"]');
      await browser.$('dialog[open] [role="alert"]').waitForDisplayed({ timeout: 15_000 });
      await press('dialog[open] button[type="submit"]');
      await browser.$('dialog[open] [role="status"]').waitForDisplayed();
      await browser.pause(2_500);
      assert.equal((await leadsFrom(email)).length, 1);
    } finally {
      await clearFault();
    }
  });

  // rows: A4-EMAIL-01, A4-EMAIL-02, A4-EMAIL-03, A2-UI-06
  it('sends a message with one click after consent, and falls back to the form on failure or missing details', async () => {
    const email = newAddress('oneclick');
    // The profile lacks details after this message, so the next click opens the form.
    const storedUnder = (name: string) =>
      browser.waitUntil(async () =>
        (await storedRows('profiles')).some(({ body }) => {
          const profile = JSON.parse(String(body)) as { email: string; lastName: string };
          return profile.email === email && profile.lastName === name;
        }),
      );
    await openDialog(EMAIL, FORDS_NEAR_CHICAGO);
    await browser.$('dialog[open] form').waitForDisplayed();
    await fillContact(email);
    await press('dialog[open] [name="isOneClickOptedIn"]');
    await press('dialog[open] button[type="submit"]');
    await browser.$('dialog[open] [role="status"]').waitForDisplayed();
    await storedUnder('Byron');
    await browser.keys('Escape');
    await browser.$('dialog[open]').waitForExist({ reverse: true });
    // Other listings, because contacted sellers are not contacted again.
    const clickAnother = (fromEnd: number) =>
      browser.execute(
        (selector, at) => [...document.querySelectorAll<HTMLElement>(selector)].at(at)?.click(),
        '[data-tile="listing"] article button[aria-label^="Send 1-Click Email "]',
        fromEnd,
      );
    const storedBecome = (count: number) =>
      browser.waitUntil(async () => (await leadsFrom(email)).length === count, {
        timeoutMsg: `there are not ${count} messages in the store`,
      });
    await clickAnother(-1);
    await browser.$('button=Undo').click();
    await browser.$('p*=was not sent').waitForDisplayed();
    await clickAnother(-1);
    await storedBecome(2);
    assert.equal(await browser.$('dialog[open]').isExisting(), false);
    const comments = (await leadsFrom(email)).map(({ body }) => body['comments']);
    assert.ok(comments.includes(ONE_CLICK));

    const clearFault = await failing('emailOwner', { status: 503, times: 1 });
    try {
      await clickAnother(-2);
      await browser.$('dialog[open] form').waitForDisplayed();
      assert.equal(await browser.$('dialog[open] [name="comments"]').getValue(), ONE_CLICK);
      await press('dialog[open] button[type="submit"]');
      await browser.$('dialog[open] [role="status"]').waitForDisplayed();
    } finally {
      await clearFault();
    }
    await storedBecome(3);
    await browser.keys('Escape');

    await takeLastName(email);
    await browser.execute(() => sessionStorage.removeItem('leadDrafts'));
    await browser.refresh();
    await waitForSlots(...WITH_DIALOGS);
    await clickAnother(-3);
    await browser.$('h2=Complete your details').waitForDisplayed();
    await fill({ lastName: 'King' });
    await pressSendTwice();
    await storedBecome(4);
    await storedUnder('King');
    await browser.keys('Escape');
    await clickAnother(-4);
    await storedBecome(5);
    assert.ok((await leadsFrom(email)).some(({ body }) => body['lastName'] === 'King'));
  });
});

describe('the lead widget', () => {
  beforeEach(startFreshVisit);

  // rows: B2-BOTTOM-08
  it('sends one message from the lead widget to the nearest dealer, also after a failed first attempt', async () => {
    const email = newAddress('widget');
    await openResults(F150_NEAR_CHICAGO);
    await browser.execute(() => document.querySelector('#slot-lead-widget')?.scrollIntoView());
    await waitForSlots('lead-widget');
    for (const [name, value] of Object.entries({
      firstName: 'Ada',
      lastName: 'Byron',
      fromEmailAddress: email,
    }))
      await browser.$(`#slot-lead-widget [name="${name}"]`).setValue(value);
    const clearFault = await failing('emailOwner', { status: 503, times: 1 });
    await press('#slot-lead-widget button[type="submit"]');
    await browser.$('#slot-lead-widget [role="alert"]').waitForDisplayed();
    await clearFault();
    await press('#slot-lead-widget button[type="submit"]');
    await press('#slot-lead-widget button[type="submit"]');
    await browser.$('#slot-lead-widget [role="status"]').waitForDisplayed();
    await browser.pause(300);
    assert.equal((await leadsFrom(email)).length, 1);
  });
});
