import assert from 'node:assert/strict';
import { browser } from '@wdio/globals';
import { beforeEach, describe, it } from 'mocha';
import { allowConsoleErrors } from './consoleErrors.ts';
import {
  WITH_DIALOGS,
  confirmAddress,
  fill,
  newAddress,
  openDialog,
  press,
  pressInMenu,
  pressSendTwice,
  openResults,
  startFreshVisit,
  waitForSlots,
} from './resultsPage.ts';
import { emailsTo, failing, leadsFrom, problemsLogged, reportsWithComments } from './marketplaceStore.ts';
import { F150_NEAR_CHICAGO } from '@forecourt/harness/serverHtml';
import { shellOrigin } from './sharedStack.ts';

describe('an offer to a private seller', () => {
  beforeEach(startFreshVisit);

  const PRIVATE = '/cars-for-sale/all/ford?searchRadius=0&sellerType=p&zip=60601';
  const OFFER = 'button[aria-label^="Make Offer"]';
  const fields = (action: string) =>
    browser.execute((then: string) => {
      const root = document.querySelector('make-offer-modal')?.shadowRoot;
      const input = (name: string) => root?.querySelector<HTMLInputElement>(`[name="${name}"]`);
      if (then === 'send') root?.querySelector<HTMLButtonElement>('button[type="submit"]')?.click();
      return {
        isOpen: root?.querySelector('dialog')?.open ?? false,
        problem: root?.getElementById('offerAmount-error')?.textContent ?? '',
        status: root?.querySelector('[role="status"]')?.textContent ?? '',
        hasFocus: root?.activeElement === input('offerAmount'),
      };
    }, action);

  // rows: A4-FLOW-08, A4-FLOW-09, A7-OFFER-01
  it('loads the offer element once, validates an offer to a private seller, and stores it once', async () => {
    const email = newAddress('offer');
    const listingId = await openDialog(OFFER, PRIVATE);
    await browser.waitUntil(async () => (await fields('read')).isOpen, { timeoutMsg: 'no offer dialog' });
    await fields('send');
    await browser.waitUntil(async () => (await fields('read')).problem === 'Enter your offer');
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
    const clearFault = await failing('makeOffer', { status: 503, times: 1 });
    await fields('send');
    await browser.waitUntil(async () => /was not sent/.test((await fields('read')).status), {
      timeoutMsg: 'no message says that the offer was not sent',
    });
    await clearFault();
    await fields('send');
    await fields('send');
    await browser.waitUntil(async () => /was sent/.test((await fields('read')).status), {
      timeoutMsg: 'the offer was not sent',
    });
    await browser.pause(300);
    const leads = await leadsFrom(email);
    assert.deepEqual(
      leads.map(({ kind, body }) => [kind, body['offerAmount']]),
      [['make-offer', 9500]],
    );
    assert.equal(leads[0]?.listingId, listingId);
    await browser.keys('Escape');
    await browser.waitUntil(async () => !(await browser.$('make-offer-modal').isExisting()));
    await press(`[data-tile] article ${OFFER}`);
    await browser.waitUntil(async () => (await fields('read')).isOpen);
    const scripts = await browser.execute(
      () => [...document.querySelectorAll('script[src*="make-offer"]')].length,
    );
    assert.equal(scripts, 1);
  });

  // rows: A8-ERR-09
  it('explains and logs a missing offer script, opens no dialog, and allows a retry', async () => {
    allowConsoleErrors(/make-offer/, /ERR_BLOCKED_BY_CLIENT/);
    const logged = problemsLogged('MAKE_OFFER_SCRIPT');
    await openResults(PRIVATE, { slots: WITH_DIALOGS });
    const block = (urls: readonly string[]) => browser.sendCommand('Network.setBlockedURLs', { urls });
    await browser.sendCommand('Network.enable', {});
    try {
      await block(['*/make-offer.js']);
      await press(`[data-tile] article ${OFFER}`);
      await browser.$('p=We can’t load the offer form right now.').waitForDisplayed();
      assert.equal(await browser.$('dialog[open]').isExisting(), false);
      await block([]);
      await browser.$('button=Try again').click();
      await browser.waitUntil(async () => (await fields('read')).isOpen);
    } finally {
      await browser.sendCommand('Network.disable', {});
    }
    // Browser reports are sent on page hide.
    await browser.url(`${shellOrigin()}/health/live`);
    await browser.waitUntil(() => problemsLogged('MAKE_OFFER_SCRIPT') === logged + 1);
  });
});

describe('sharing and reporting', () => {
  beforeEach(startFreshVisit);

  // rows: A2-UI-07, A1-SCOPE-07
  it('shares through the device’s share sheet and emails a listing once for an account, also after a failed first attempt', async () => {
    const to = newAddress('friend');
    await openResults(F150_NEAR_CHICAGO, { slots: WITH_DIALOGS });
    await browser.execute(() => {
      // A headless browser has no share sheet; this replaces it.
      const share = async (data: ShareData) => void document.body.setAttribute('data-shared', data.url ?? '');
      Object.defineProperty(navigator, 'share', { configurable: true, value: share });
    });
    await pressInMenu('Share');
    await browser.$('button=Share…').waitForDisplayed();
    await browser.$('button=Share…').click();
    const link = await browser.$('dialog[open] input[readonly]').getValue();
    assert.match(link, /\/cars-for-sale\/vehicle\/\d+$/);
    assert.equal(await browser.$('body').getAttribute('data-shared'), link);
    // Only an account, whose address is confirmed, can make the site write to somebody.
    const mail = (await browser.$('a=Open your email app').getAttribute('href')) ?? '';
    assert.match(mail, /^mailto:\?subject=.*%2Fvehicle%2F\d+$/);
    await browser.$('a=sign in').click();
    await browser.$('a=Create a free account').click();
    const from = newAddress('sender');
    for (const [name, value] of Object.entries({
      name: 'Ada Byron',
      email: from,
      password: 'four words about cars',
    }))
      await browser.$(`input[name="${name}"]`).setValue(value);
    await browser.$('button=Create account').click();
    await confirmAddress(from);
    await waitForSlots(...WITH_DIALOGS);
    await pressInMenu('Share');
    await browser.$('dialog[open] form').waitForDisplayed();
    await fill({ toEmail: to });
    const clearFault = await failing('shareListing', { status: 503, times: 1 });
    await pressSendTwice();
    await browser.$('dialog[open] [role="alert"]').waitForDisplayed();
    await clearFault();
    await pressSendTwice();
    await browser.$(`span=Sent to ${to}.`).waitForDisplayed();
    await browser.pause(300);
    assert.equal((await emailsTo(to, 'share')).length, 1);
  });

  // rows: A2-UI-08, A1-SCOPE-08
  it('stores a report once, also after a failed first attempt', async () => {
    const words = `Too cheap ${Date.now()}`;
    const clearFault = await failing('reportListing', { status: 503, times: 1 });
    try {
      await openResults(F150_NEAR_CHICAGO, { slots: WITH_DIALOGS });
      await pressInMenu('Report');
      await browser.$('dialog[open] form').waitForDisplayed();
      await browser.$('dialog[open] select').selectByAttribute('value', 'SCAM');
      await fill({ comments: words });
      await press('dialog[open] button[type="submit"]');
      await browser.$('dialog[open] [role="alert"]').waitForDisplayed();
      await press('dialog[open] button[type="submit"]');
      await browser.$('dialog[open] [role="status"]').waitForDisplayed();
      await browser.pause(300);
      assert.deepEqual(
        (await reportsWithComments(words)).map(({ reason }) => reason),
        ['SCAM'],
      );
    } finally {
      await clearFault();
    }
  });
});
