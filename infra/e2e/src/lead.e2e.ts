import assert from 'node:assert/strict';
import { browser } from '@wdio/globals';
import { describe, it } from 'mocha';
import { apiOrigin, F150_NEAR_CHICAGO } from './origins.ts';
import { openResults } from './resultsPage.ts';

interface StoredLead {
  readonly listingId: string;
  readonly body: Readonly<Record<string, string>>;
}

/** Messages which the marketplace has stored from one address. */
async function leadsFrom(email: string): Promise<StoredLead[]> {
  const response = await fetch(`${apiOrigin()}/cars-for-sale/svc/leads`);
  const { leads } = (await response.json()) as { leads: StoredLead[] };
  return leads.filter(({ body }) => body['fromEmailAddress'] === email);
}

const emailButton = () => browser.$('[data-tile] button[aria-label^="Email Seller"]');

async function openDialog(): Promise<string> {
  await openResults(F150_NEAR_CHICAGO);
  const button = emailButton();
  await button.scrollIntoView({ block: 'center' });
  const listingId = await browser.execute(
    (control) =>
      control.closest('article')?.querySelector<HTMLAnchorElement>('h3 a')?.pathname.split('/').at(-1) ?? '',
    await button.getElement(),
  );
  await button.click();
  await browser.$('dialog[open] form').waitForDisplayed();
  return listingId;
}

async function fill(fields: Readonly<Record<string, string>>): Promise<void> {
  for (const [name, value] of Object.entries(fields))
    await browser.$(`dialog[open] [name="${name}"]`).setValue(value);
}

describe('a message to a seller', () => {
  it('is stored once, with all that was typed, however often Send is pressed [A2-UI-05, A4-EMAIL-04, A7-OTHER-03]', async () => {
    const email = `ada.${Date.now()}@example.com`;
    const listingId = await openDialog();
    await fill({ firstName: 'Ada', lastName: 'Byron', fromEmailAddress: email, phoneNumber: '3125550100' });
    await browser.execute(() => {
      const send = document.querySelector<HTMLButtonElement>('dialog[open] button[type="submit"]');
      send?.click();
      send?.click();
    });
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
    await openDialog();
    await browser.$('dialog[open] button[type="submit"]').click();
    const invalid = await browser.execute(() =>
      [...document.querySelectorAll<HTMLInputElement>('dialog[open] [aria-invalid="true"]')].map(
        ({ name }) => name,
      ),
    );
    assert.deepEqual(invalid, ['firstName', 'lastName', 'fromEmailAddress']);
    assert.equal(await browser.execute(() => (document.activeElement as HTMLInputElement).name), 'firstName');
  });

  it('gives the focus back to its button when the dialog closes, and keeps what was typed', async () => {
    await openDialog();
    await fill({ firstName: 'Grace' });
    await browser.keys('Escape');
    await browser.$('dialog[open]').waitForExist({ reverse: true });
    assert.match(
      await browser.execute(() => document.activeElement?.getAttribute('aria-label') ?? ''),
      /^Email Seller about/,
    );
    await emailButton().click();
    assert.equal(await browser.$('dialog[open] [name="firstName"]').getValue(), 'Grace');
  });
});
