import assert from 'node:assert/strict';
import { browser } from '@wdio/globals';
import { beforeEach, describe, it } from 'mocha';
import { allowConsoleErrors } from './consoleErrors.ts';
import {
  failing,
  leadsFrom,
  mailsTo,
  problemsLogged,
  reportsSaying,
  takeLastName,
} from './marketplaceStore.ts';
import { F150_NEAR_CHICAGO, FORDS_NEAR_CHICAGO, shellOrigin } from './origins.ts';
import { openResults, waitForSlots } from './resultsPage.ts';
import { becomeNewVisitor } from './visitor.ts';

const WITH_DIALOGS = ['toolbar', 'filters', 'results', 'leads'];
/** ms; a queued lead is tried again every few seconds. */
const DELIVERED_WITHIN = 40_000;

const press = (selector: string) =>
  browser.execute((wanted: string) => document.querySelector<HTMLElement>(wanted)?.click(), selector);
const newAddress = (name: string) => `${name}.${Date.now()}@example.com`;

/** Opens the results with a clean browser, and the dialog of the first card's control; answers the card's listing. */
async function openDialog(control: string, path = F150_NEAR_CHICAGO): Promise<string> {
  await openResults(path, { slots: WITH_DIALOGS });
  const button = browser.$(`[data-tile] article ${control}`);
  await button.scrollIntoView({ block: 'center' });
  const listingId = await browser.execute(
    (opener) =>
      opener.closest('article')?.querySelector<HTMLAnchorElement>('h3 a')?.pathname.split('/').at(-1),
    await button.getElement(),
  );
  await button.click();
  return listingId ?? '';
}
const EMAIL = 'button[aria-label^="Email Seller"]';

async function fill(fields: Readonly<Record<string, string>>): Promise<void> {
  for (const [name, value] of Object.entries(fields))
    await browser.$(`dialog[open] [name="${name}"]`).setValue(value);
}
const fillContact = (fromEmailAddress: string) =>
  fill({ firstName: 'Ada', lastName: 'Byron', fromEmailAddress, phoneNumber: '3125550100' });
const pressSendTwice = () =>
  browser.execute(() => {
    const send = document.querySelector<HTMLButtonElement>('dialog[open] button[type="submit"]');
    send?.click();
    send?.click();
  });

/** What a message says that is sent without a form. */
const ONE_CLICK = 'Please confirm vehicle availability.';

describe('a message to a seller', () => {
  beforeEach(becomeNewVisitor);

  it('is stored once, with all that was typed, however often Send is pressed [A2-UI-05, A4-EMAIL-04, A7-OTHER-03]', async () => {
    const email = newAddress('ada');
    const listingId = await openDialog(EMAIL);
    await browser.$('dialog[open] form').waitForDisplayed();
    await fillContact(email);
    await pressSendTwice();
    await browser.$('dialog[open] [role="status"]').waitForDisplayed();
    // A second sending would be on its way now.
    await browser.pause(300);
    const stored = await leadsFrom(email);
    assert.equal(stored.length, 1);
    assert.equal(stored[0]?.listingId, listingId);
    assert.equal(stored[0]?.body['firstName'], 'Ada');
    assert.equal(stored[0]?.body['phoneNumber'], '3125550100');
  });

  it('is not sent without a name and an address, and says so at the field', async () => {
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

  it('gives the focus back to its button when the dialog closes, by Escape or Back, and keeps what was typed', async () => {
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

  it('is kept in the browser while the marketplace is down, survives a reload, and is delivered exactly once', async () => {
    const email = newAddress('queued');
    const mend = await failing('emailOwner', { status: 503 });
    try {
      await openDialog(EMAIL);
      await browser.$('dialog[open] form').waitForDisplayed();
      await fillContact(email);
      await pressSendTwice();
      await browser.$('dialog[open] [role="alert"]').waitForDisplayed();
      assert.equal(await browser.$('dialog[open] [name="firstName"]').getValue(), 'Ada');
      assert.deepEqual(await leadsFrom(email), []);
    } finally {
      await mend();
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

  it('is stored once when only its answer was too late, and Try again is pressed', async () => {
    const email = newAddress('late');
    // Longer than the gateway waits: the marketplace stores it all the same.
    const mend = await failing('emailOwner', { delayMs: 6_000, times: 1 });
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
      await mend();
    }
  });

  it('takes one click once the visitor has agreed to that, the form when that fails, and the missing details when some are [A4-EMAIL-01, A4-EMAIL-02, A4-EMAIL-03, A2-UI-06]', async () => {
    const email = newAddress('oneclick');
    await openDialog(EMAIL, FORDS_NEAR_CHICAGO);
    await browser.$('dialog[open] form').waitForDisplayed();
    await fillContact(email);
    await press('dialog[open] [name="isOneClickOptedIn"]');
    await press('dialog[open] button[type="submit"]');
    await browser.$('dialog[open] [role="status"]').waitForDisplayed();
    await browser.keys('Escape');
    await browser.$('dialog[open]').waitForExist({ reverse: true });
    // Other listings: a seller who was written to is not written to again.
    const clickAnother = (fromEnd: number) =>
      browser.execute(
        (selector, at) => [...document.querySelectorAll<HTMLElement>(selector)].at(at)?.click(),
        `[data-tile="listing"] article ${EMAIL}`,
        fromEnd,
      );
    const storedBecome = (count: number) =>
      browser.waitUntil(async () => (await leadsFrom(email)).length === count, {
        timeoutMsg: `there are not ${count} messages in the store`,
      });
    await clickAnother(-1);
    await storedBecome(2);
    assert.equal(await browser.$('dialog[open]').isExisting(), false);
    const comments = (await leadsFrom(email)).map(({ body }) => body['comments']);
    assert.ok(comments.includes(ONE_CLICK));

    const mend = await failing('emailOwner', { status: 503, times: 1 });
    try {
      await clickAnother(-2);
      await browser.$('dialog[open] form').waitForDisplayed();
      assert.equal(await browser.$('dialog[open] [name="comments"]').getValue(), ONE_CLICK);
      await press('dialog[open] button[type="submit"]');
      await browser.$('dialog[open] [role="status"]').waitForDisplayed();
    } finally {
      await mend();
    }
    await storedBecome(3);
    await browser.keys('Escape');

    takeLastName(email);
    await browser.execute(() => sessionStorage.removeItem('leadDrafts'));
    await browser.refresh();
    await waitForSlots(...WITH_DIALOGS);
    await clickAnother(-3);
    await browser.$('h2=Complete your details').waitForDisplayed();
    await fill({ lastName: 'King' });
    await pressSendTwice();
    await storedBecome(4);
    await clickAnother(-4);
    await storedBecome(5);
    assert.ok((await leadsFrom(email)).some(({ body }) => body['lastName'] === 'King'));
  });
});

describe('an offer to a private seller', () => {
  beforeEach(becomeNewVisitor);

  const PRIVATE = '/cars-for-sale/all/ford?searchRadius=0&sellerType=p&zip=60601';
  const OFFER = 'button[aria-label^="Make Offer"]';
  const fields = (action: string) =>
    browser.execute((then: string) => {
      const root = document.querySelector('make-offer-modal')?.shadowRoot;
      const input = (name: string) => root?.querySelector<HTMLInputElement>(`[name="${name}"]`);
      if (then === 'send') root?.querySelector<HTMLButtonElement>('button[type="submit"]')?.click();
      return {
        isOpen: root?.querySelector('dialog')?.open ?? false,
        error: root?.getElementById('offerAmount-error')?.textContent ?? '',
        status: root?.querySelector('[role="status"]')?.textContent ?? '',
        hasFocus: root?.activeElement === input('offerAmount'),
      };
    }, action);

  it('is asked for by the element of a script that is loaded once, checked, and stored once [A4-FLOW-08, A4-FLOW-09, A7-OFFER-01]', async () => {
    const email = newAddress('offer');
    const listingId = await openDialog(OFFER, PRIVATE);
    await browser.waitUntil(async () => (await fields('read')).isOpen, { timeoutMsg: 'no offer dialog' });
    await fields('send');
    await browser.waitUntil(async () => (await fields('read')).error === 'Enter your offer');
    assert.ok((await fields('read')).hasFocus);
    await browser.execute(
      (values: Record<string, string>) => {
        const root = document.querySelector('make-offer-modal')?.shadowRoot;
        for (const [name, value] of Object.entries(values)) {
          const input = root?.querySelector<HTMLInputElement>(`[name="${name}"]`);
          if (!input) continue;
          input.value = value;
          input.dispatchEvent(new InputEvent('input', { bubbles: true, composed: true }));
        }
      },
      { offerAmount: '$9,500', firstName: 'Ada', lastName: 'Byron', fromEmailAddress: email },
    );
    const mend = await failing('makeOffer', { status: 503, times: 1 });
    await fields('send');
    await browser.waitUntil(async () => /was not sent/.test((await fields('read')).status), {
      timeoutMsg: 'nobody said that the offer was not sent',
    });
    await mend();
    await fields('send');
    await fields('send');
    await browser.waitUntil(async () => /was sent/.test((await fields('read')).status), {
      timeoutMsg: 'the offer was not sent',
    });
    await browser.pause(300);
    const stored = await leadsFrom(email);
    assert.deepEqual(
      stored.map(({ kind, body }) => [kind, body['offerAmount']]),
      [['make-offer', 9500]],
    );
    assert.equal(stored[0]?.listingId, listingId);
    await browser.keys('Escape');
    await browser.waitUntil(async () => !(await browser.$('make-offer-modal').isExisting()));
    await press(`[data-tile] article ${OFFER}`);
    await browser.waitUntil(async () => (await fields('read')).isOpen);
    const scripts = await browser.execute(
      () => [...document.querySelectorAll('script[src*="make-offer"]')].length,
    );
    assert.equal(scripts, 1);
  });

  it('opens no dialog when the script cannot be had, says and logs so, and lets try again [A8-ERR-09]', async () => {
    allowConsoleErrors(/make-offer/, /ERR_BLOCKED_BY_CLIENT/);
    const logged = problemsLogged('MAKE_OFFER_SCRIPT');
    await openResults(PRIVATE, { slots: WITH_DIALOGS });
    const block = (urls: readonly string[]) => browser.sendCommand('Network.setBlockedURLs', { urls });
    await browser.sendCommand('Network.enable', {});
    try {
      await block(['*/make-offer.js']);
      await press(`[data-tile] article ${OFFER}`);
      await browser.$('p=Offers cannot be made right now.').waitForDisplayed();
      assert.equal(await browser.$('dialog[open]').isExisting(), false);
      await block([]);
      await browser.$('button=Try again').click();
      await browser.waitUntil(async () => (await fields('read')).isOpen);
    } finally {
      await browser.sendCommand('Network.disable', {});
    }
    // What browsers report is sent when the page is left.
    await browser.url(`${shellOrigin()}/health/live`);
    await browser.waitUntil(() => problemsLogged('MAKE_OFFER_SCRIPT') === logged + 1);
  });
});

describe('sharing and reporting', () => {
  beforeEach(becomeNewVisitor);

  it('hands the link of a listing to the device’s own sheet, and mails it once, also when the first sending failed [A2-UI-07, A1-SCOPE-07]', async () => {
    const to = newAddress('friend');
    await openResults(F150_NEAR_CHICAGO, { slots: WITH_DIALOGS });
    await browser.execute(() => {
      // A browser without a window has no sheet; this one stands in for it.
      const share = async (data: ShareData) => void document.body.setAttribute('data-shared', data.url ?? '');
      Object.defineProperty(navigator, 'share', { configurable: true, value: share });
    });
    await press('[data-tile] article button[aria-label^="Share"]');
    await browser.$('dialog[open] form').waitForDisplayed();
    await browser.$('button=Share…').click();
    const link = await browser.$('dialog[open] input[readonly]').getValue();
    assert.match(link, /\/cars-for-sale\/vehicle\/\d+$/);
    assert.equal(await browser.$('body').getAttribute('data-shared'), link);
    await fill({ toEmail: to, fromEmail: 'ada@example.com', message: 'Look at this one' });
    const mend = await failing('shareListing', { status: 503, times: 1 });
    await pressSendTwice();
    await browser.$('dialog[open] [role="alert"]').waitForDisplayed();
    await mend();
    await pressSendTwice();
    await browser.$(`span=Sent to ${to}.`).waitForDisplayed();
    await browser.pause(300);
    assert.equal((await mailsTo(to, 'share')).length, 1);
  });

  it('stores a report once, also when the first sending failed [A2-UI-08, A1-SCOPE-08]', async () => {
    const words = `Too cheap ${Date.now()}`;
    const mend = await failing('reportListing', { status: 503, times: 1 });
    try {
      await openDialog('button[aria-label^="Report"]');
      await browser.$('dialog[open] form').waitForDisplayed();
      await browser.$('dialog[open] select').selectByAttribute('value', 'SCAM');
      await fill({ comments: words });
      await press('dialog[open] button[type="submit"]');
      await browser.$('dialog[open] [role="alert"]').waitForDisplayed();
      await press('dialog[open] button[type="submit"]');
      await browser.$('dialog[open] [role="status"]').waitForDisplayed();
      await browser.pause(300);
      assert.deepEqual(
        (await reportsSaying(words)).map(({ reason }) => reason),
        ['SCAM'],
      );
    } finally {
      await mend();
    }
  });
});

describe('the lead widget', () => {
  beforeEach(becomeNewVisitor);

  it('sends one message to the nearest dealer, also when the first sending failed [B2-BOTTOM-08]', async () => {
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
    const mend = await failing('emailOwner', { status: 503, times: 1 });
    await press('#slot-lead-widget button[type="submit"]');
    await browser.$('#slot-lead-widget [role="alert"]').waitForDisplayed();
    await mend();
    await press('#slot-lead-widget button[type="submit"]');
    await press('#slot-lead-widget button[type="submit"]');
    await browser.$('#slot-lead-widget [role="status"]').waitForDisplayed();
    await browser.pause(300);
    assert.equal((await leadsFrom(email)).length, 1);
  });
});
