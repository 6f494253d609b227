import assert from 'node:assert/strict';
import { browser } from '@wdio/globals';
import { beforeEach, describe, it } from 'mocha';
import { allowConsoleErrors } from './consoleErrors.ts';
import { failing, leadsFrom, mailsTo, reportsSaying } from './marketplaceStore.ts';
import { F150_NEAR_CHICAGO } from './origins.ts';
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

  it('takes one click once the visitor has agreed to that [A4-EMAIL-01, A4-EMAIL-02, A4-EMAIL-03]', async () => {
    const email = newAddress('oneclick');
    await openDialog(EMAIL);
    await browser.$('dialog[open] form').waitForDisplayed();
    await fillContact(email);
    await press('dialog[open] [name="isOneClickOptedIn"]');
    await press('dialog[open] button[type="submit"]');
    await browser.$('dialog[open] [role="status"]').waitForDisplayed();
    await browser.keys('Escape');
    await browser.$('dialog[open]').waitForExist({ reverse: true });
    // Another listing: a seller who was written to is not written to again.
    await browser.execute((selector) => {
      [...document.querySelectorAll<HTMLElement>(selector)].at(-1)?.click();
    }, `[data-tile] article ${EMAIL}`);
    await browser.waitUntil(async () => (await leadsFrom(email)).length === 2, {
      timeoutMsg: 'the one-click email was not stored',
    });
    assert.equal(await browser.$('dialog[open]').isExisting(), false);
    const comments = (await leadsFrom(email)).map(({ body }) => body['comments']);
    assert.ok(comments.includes('Please confirm vehicle availability.'));
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

  it('opens no dialog when the script cannot be had, and says so [A8-ERR-09]', async () => {
    allowConsoleErrors(/make-offer/, /404|503|502/, /Failed to load resource/);
    await openResults(PRIVATE, { slots: WITH_DIALOGS });
    const before = await browser.execute(() => {
      // The network as it is for somebody who is offline, for this one file.
      const append = document.head.append.bind(document.head);
      document.head.append = (...nodes) => {
        for (const node of nodes)
          if (node instanceof HTMLScriptElement && node.src.includes('make-offer'))
            setTimeout(() => node.dispatchEvent(new Event('error')));
          else append(node);
      };
      return document.querySelectorAll('dialog[open]').length;
    });
    assert.equal(before, 0);
    await press(`[data-tile] article ${OFFER}`);
    await browser.$('p=Offers cannot be made right now.').waitForDisplayed();
    assert.equal(await browser.$('dialog[open]').isExisting(), false);
  });
});

describe('sharing and reporting', () => {
  beforeEach(becomeNewVisitor);

  it('mails the link of a listing once [A2-UI-07, A1-SCOPE-07]', async () => {
    const to = newAddress('friend');
    await openDialog('button[aria-label^="Share"]');
    await browser.$('dialog[open] form').waitForDisplayed();
    await fill({ toEmail: to, fromEmail: 'ada@example.com', message: 'Look at this one' });
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

  it('sends one message to the nearest dealer [B2-BOTTOM-08]', async () => {
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
    await press('#slot-lead-widget button[type="submit"]');
    await press('#slot-lead-widget button[type="submit"]');
    await browser.$('#slot-lead-widget [role="status"]').waitForDisplayed();
    await browser.pause(300);
    assert.equal((await leadsFrom(email)).length, 1);
  });
});

describe('the assistant', () => {
  it('changes the search by a prompt [A2-UI-11, A1-SCOPE-11]', async () => {
    await openResults(F150_NEAR_CHICAGO, { slots: WITH_DIALOGS });
    await press('[aria-label="Open the shopping assistant"]');
    await browser.$('h2=Need help? Try these.').waitForDisplayed();
    await browser.$('button=Cars under $20,000').click();
    await browser.waitUntil(async () => (await browser.getUrl()).includes('maxPrice=20000'));
    assert.equal(await browser.$('dialog[open]').isExisting(), false);
  });
});
