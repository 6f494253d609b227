import assert from 'node:assert/strict';
import { browser } from '@wdio/globals';
import { describe, it } from 'mocha';
import { FORDS_NEAR_CHICAGO } from '@forecourt/harness/serverHtml';
import { openResults, shownPath, waitForPath } from './resultsPage.ts';

const PANEL = 'form[aria-label="Filters"]';
const field = (name: string) => browser.$(`${PANEL} input[name="${name}"]`);
const panelText = () => browser.$(PANEL).getText();

/** Replaces the text of a field key by key, as a shopper does, and commits it with Enter. */
async function type(name: string, text: string): Promise<void> {
  const input = field(name);
  await input.scrollIntoView({ block: 'center' });
  await input.click();
  await browser.keys(['Control', 'a']);
  for (const key of text) await browser.keys(key);
  await browser.keys('Enter');
}

/** What a committed price leads to: the path, the shown text and the message. */
async function typedPrice(text: string): Promise<{ path: string; shown: string }> {
  await type('maxPrice', text);
  await browser.pause(300);
  return { path: await shownPath(), shown: await field('maxPrice').getValue() };
}

const HINT = 'Whole dollars only, such as 20,000';

describe('a price typed key by key', () => {
  for (const refused of ['20000.00', '100.50', '12a', '0100', '1e5', '-5'])
    // rows: B5-PINPUT-01, B5-PINPUT-03, B5-PINPUT-04
    it(`is refused when it is ${refused}, and searches for no other price`, async () => {
      await openResults(FORDS_NEAR_CHICAGO);
      const { path } = await typedPrice(refused);
      assert.equal(path, FORDS_NEAR_CHICAGO);
      assert.ok((await panelText()).includes(HINT));
      assert.equal(await field('maxPrice').getAttribute('aria-invalid'), 'true');
    });

  // rows: B5-PINPUT-01, B5-PINPUT-02, B5-PINPUT-05
  it('searches on Enter with digits, commas and a dollar sign, ten characters at most', async () => {
    await openResults(FORDS_NEAR_CHICAGO);
    await type('maxPrice', '$12,000');
    await waitForPath((path) => path.includes('maxPrice=12000'));
    await type('maxPrice', '123456789012');
    await waitForPath((path) => path.includes('maxPrice=1234567890') || path.includes('maxPrice=999999999'));
    assert.ok((await field('maxPrice').getValue()).length <= 10);
  });

  for (const [min, max, message] of [
    ['10000', '10000', 'Min and Max price cannot be the same.'],
    ['20000', '10000', 'Max price must be greater than Min price.'],
    ['', '0', 'Max price must be greater than 0.'],
  ] as const)
    // rows: B5-PRICE-01, B5-PRICE-02, B5-PRICE-03, B5-PRICE-04
    it(`is cleared with “${message}”`, async () => {
      await openResults(FORDS_NEAR_CHICAGO);
      if (min) {
        await type('minPrice', min);
        await waitForPath((path) => path.includes(`minPrice=${min}`));
      }
      const before = await shownPath();
      const { path, shown } = await typedPrice(max);
      assert.deepEqual({ path, shown }, { path: before, shown: '' });
      assert.ok((await panelText()).includes(message));
    });
});

describe('a ZIP Code typed key by key', () => {
  for (const wrong of ['3030', '00000'])
    // rows: B5-ZIP-01, B5-ZIP-02, B5-ZIP-03
    it(`is refused when it is ${wrong}`, async () => {
      await openResults(FORDS_NEAR_CHICAGO);
      await type('zip', wrong);
      await browser.waitUntil(async () => (await panelText()).includes('Enter a valid ZIP Code'));
      assert.equal(await shownPath(), FORDS_NEAR_CHICAGO);
    });

  // rows: B5-ZIP-02
  it('searches there when a place has it', async () => {
    await openResults(FORDS_NEAR_CHICAGO);
    await type('zip', '30303');
    await waitForPath((path) => path.includes('zip=30303'));
  });
});
