import assert from 'node:assert/strict';
import { browser } from '@wdio/globals';
import { after, before, describe, it } from 'mocha';
import { expectNoOverflow, expectNoViolation, setColorScheme } from './axe.ts';
import { apiOrigin, F150_NEAR_CHICAGO, shellOrigin } from './origins.ts';
import { openResults, shownPath, waitForSlots } from './resultsPage.ts';
import { getPage } from './serverHtml.ts';
import { expectValidHtml } from './validHtml.ts';

const open = (path: string) => browser.url(shellOrigin() + path);

/** Ids of vehicles of dealers who take emails. */
async function someIds(count: number): Promise<string[]> {
  const answer = await fetch(
    `${apiOrigin()}/rest/lsc/listing?makeCode=FORD&modelCode=F150&sellerType=d&listingType=USED&numRecords=25`,
  );
  const { listings, owners } = (await answer.json()) as {
    listings: { id: string; ownerId: string; title: string }[];
    owners: { id: string; hideEmailForm?: boolean; dealerPreferredCTA?: string }[];
  };
  const takesEmail = new Set(owners.filter((owner) => !owner.hideEmailForm).map(({ id }) => id));
  return listings
    .filter(({ ownerId }) => takesEmail.has(ownerId))
    .slice(0, count)
    .map(({ id }) => id);
}

let ids: string[];
before(async () => {
  ids = await someIds(3);
  assert.equal(ids.length, 3);
});
const vehiclePath = () => `/cars-for-sale/vehicle/${ids[0]}`;
const comparePath = () => `/cars-for-sale/compare?listingIds=${ids.join(',')}`;
const BUILD_PATH = '/cars-for-sale/build-your-price?makeCode=FORD&modelCode=F150';

describe('the page of a vehicle', () => {
  it('opens from the results and leads back to them', async () => {
    await openResults(F150_NEAR_CHICAGO);
    const title = browser.$('[data-tile] article h3 a');
    await title.scrollIntoView({ block: 'center' });
    const name = (await title.getText()).replaceAll(/\s+/g, ' ');
    await title.click();
    await browser.waitUntil(async () => (await shownPath()).startsWith('/cars-for-sale/vehicle/'));
    assert.equal(await browser.$('h1').getText(), name);
    await browser.$('a=‹ Back to results').click();
    await browser.waitUntil(async () => (await shownPath()) === F150_NEAR_CHICAGO);
  });

  it('opens the dialogs of leads about its vehicle', async () => {
    await browser.setViewport({ width: 1440, height: 900 });
    await open(vehiclePath());
    await browser.$('button=Email Seller').click();
    await browser.$('dialog[open] form').waitForDisplayed();
    const title = await browser.$('h1').getText();
    assert.ok((await browser.$('dialog[open]').getText()).includes(title));
    await expectNoViolation();
    await browser.keys('Escape');
    await browser.$('dialog[open]').waitForExist({ reverse: true });
    assert.equal(await browser.execute(() => document.activeElement?.textContent), 'Email Seller');
  });

  it('moves its pictures by thumbnails, buttons and keys', async () => {
    await browser.setViewport({ width: 820, height: 900 });
    await open(vehiclePath());
    await waitForSlots('leads');
    const shown = () => browser.$('[data-picture]').getText();
    assert.equal(await shown(), '1');
    await browser.$('[aria-label="Next picture"]').click();
    await browser.waitUntil(async () => (await shown()) === '2');
    await browser.$('.fp-gallery-thumbs a[aria-label^="Picture 4"]').click();
    await browser.waitUntil(async () => (await shown()) === '4');
    await browser.execute(() => document.querySelector<HTMLElement>('.fp-gallery-pictures')?.focus());
    await browser.keys('Home');
    await browser.waitUntil(async () => (await shown()) === '1');
    await browser.waitUntil(async () =>
      browser.execute(() => document.querySelector('.fp-gallery-pictures')?.scrollLeft === 0),
    );
  });

  it('calculates a payment as it is typed', async () => {
    await open(vehiclePath());
    await waitForSlots('leads');
    const monthly = () => browser.$('[data-payment="monthly"]').getText();
    const before = await monthly();
    await browser.$('#pay-term').selectByAttribute('value', '36');
    await browser.waitUntil(async () => (await monthly()) !== before);
  });

  it('works without JavaScript: pictures scroll, numbers dial, payments are calculated by the server', async () => {
    await browser.sendCommand('Emulation.setScriptExecutionDisabled', { value: true });
    try {
      await open(vehiclePath());
      assert.equal(await browser.$('button=Email Seller').isDisplayed(), false);
      await browser.$('#pay-apr').setValue('0');
      await browser.$('button=Calculate').click();
      await browser.waitUntil(async () => (await shownPath()).includes('apr=0'));
      assert.match(await browser.$('[data-payment="detail"]').getText(), /at 0 % APR/);
    } finally {
      await browser.sendCommand('Emulation.setScriptExecutionDisabled', { value: false });
    }
  });

  // rows: B2-ALERT-01
  it('leads to the results with an alert when the vehicle is gone', async () => {
    await open('/cars-for-sale/vehicle/1-gone');
    await browser.waitUntil(async () => (await shownPath()).startsWith('/cars-for-sale/all-cars'));
    const text = await browser.$('main').getText();
    assert.match(text, /We're sorry, the vehicle you were looking for is no longer available\./);
  });
});

describe('the comparison', () => {
  it('marks what differs, and hides the rest on demand', async () => {
    await browser.setViewport({ width: 1440, height: 900 });
    await open(comparePath());
    const rows = () => browser.$$('.fp-compare tbody tr').filter((row) => row.isDisplayed());
    const all = (await rows()).length;
    const same = await browser.$$('.fp-compare tr.is-same').length;
    assert.ok(same > 0 && same < all, `${same} of ${all} rows are the same`);
    await browser.$('#only-different').click();
    assert.equal((await rows()).length, all - same);
  });

  it('lets vehicles be taken out, one by one', async () => {
    await open(comparePath());
    await browser.$('.fp-compare-remove').click();
    await browser.waitUntil(async () => (await browser.$$('.fp-compare th[scope="col"]').length) === 2);
  });
});

describe('the page that builds a price', () => {
  it('prices the trim that is chosen, at once', async () => {
    await browser.setViewport({ width: 1440, height: 900 });
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

describe("the shell's own pages", () => {
  after(() => setColorScheme(''));

  const paths = () => [
    vehiclePath(),
    comparePath(),
    '/cars-for-sale/compare',
    BUILD_PATH,
    '/cars-for-sale/build-your-price',
  ];
  // Colours depend on the scheme, the arrangement on the width.
  for (const [scheme, width] of [
    ['light', 320],
    ['light', 820],
    ['light', 1440],
    ['dark', 320],
  ] as const)
    it(`have nothing that axe finds and do not scroll sideways, ${scheme}, at ${width} px`, async () => {
      await setColorScheme(scheme);
      await browser.setViewport({ width, height: 900 });
      for (const path of paths()) {
        await open(path);
        await expectNoViolation();
        await expectNoOverflow();
      }
    });

  it('are valid HTML', async () => {
    for (const path of [vehiclePath(), comparePath(), BUILD_PATH, '/cars-for-sale/build-your-price'])
      await expectValidHtml((await getPage(shellOrigin() + path)).html);
  });
});
