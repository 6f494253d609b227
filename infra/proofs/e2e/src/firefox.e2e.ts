import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { browserPath, hydrated, inFreshBrowser, type Page } from '@forecourt/harness/browser';
import { describe, it } from 'mocha';
import { EMAIL, hasLaterStyles } from './resultsPage.ts';
import { FORDS_NEAR_CHICAGO } from '@forecourt/harness/serverHtml';
import { shellOrigin } from './sharedStack.ts';

const FIRST_SLOTS = ['toolbar', 'filters', 'results', 'leads'];
const KEYWORD = 'input[name="keyword"]';
const USED = '[data-slot="filters"] input[name="listingType"][value="USED"]';
const HEART = '[data-tile] article button[aria-label^="Save "]';
const MENU = '[data-tile="listing"] article details:not([open]) > summary';
const COMPARE =
  '::-p-xpath(//*[@data-tile]//details[@open]//button[starts-with(normalize-space(), "Compare ")])';

/** The number of matches, once they are those of the URL: the list is idle two frames after the URL has changed. */
async function shownMatches(page: Page, isExpected: (url: URL) => boolean): Promise<number> {
  for (;;) {
    const { url, isIdle, count } = await page.evaluate(async () => {
      const { href } = window.location;
      for (let frame = 0; frame < 2; frame += 1) await new Promise(requestAnimationFrame);
      return {
        url: href,
        isIdle: document.querySelector('#listings[aria-busy="false"]') !== null,
        count: Number(document.getElementById('results-heading')?.textContent.replaceAll(/\D/g, '')),
      };
    });
    if (isExpected(new URL(url)) && isIdle) return count;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

async function press(page: Page, selector: string): Promise<void> {
  const control = await page.waitForSelector(selector);
  assert.ok(control, `the page has no ${selector}`);
  await control.scrollIntoView();
  await control.click();
}

/** What the page reports: script errors, refused resources and broken policies. */
function errorsOf(page: Page): readonly string[] {
  const errors: string[] = [];
  page.on('console', (message) => message.type() === 'error' && errors.push(message.text()));
  page.on('pageerror', (error) => errors.push(String(error)));
  return errors;
}

describe('the results page in Firefox', () => {
  it('searches, filters, goes back, asks a seller, saves and compares', async function () {
    if (!existsSync(browserPath('firefox'))) return this.skip();
    await inFreshBrowser(async (page) => {
      const errors = errorsOf(page);
      await page.setViewport({ width: 1440, height: 900 });
      await page.goto(shellOrigin() + FORDS_NEAR_CHICAGO);
      await Promise.all(FIRST_SLOTS.map((slot) => hydrated(page, slot)));
      const all = await shownMatches(page, () => true);
      await page.waitForFunction(hasLaterStyles);

      await press(page, USED);
      const used = await shownMatches(page, ({ pathname }) => pathname.includes('/used'));
      assert.ok(used > 0 && used < all, `${used} of ${all} are used`);
      await page.goBack();
      assert.equal(await shownMatches(page, ({ pathname }) => !pathname.includes('/used')), all);
      assert.equal(await page.$eval(USED, (box) => (box as HTMLInputElement).checked), false);

      await page.type(KEYWORD, 'tow');
      await page.keyboard.press('Enter');
      const found = await shownMatches(page, ({ searchParams }) => searchParams.get('keyword') === 'tow');
      assert.notEqual(found, all);
      await page.goBack();
      assert.equal(await shownMatches(page, ({ searchParams }) => !searchParams.has('keyword')), all);

      await press(page, EMAIL);
      await page.waitForSelector('dialog[open] [name="fromEmailAddress"]');
      await page.keyboard.press('Escape');
      await page.waitForSelector('dialog[open]', { hidden: true });
      await page.waitForFunction((button) => document.activeElement?.matches(button), {}, EMAIL);

      await press(page, HEART);
      await page.waitForSelector('[data-tile] article button[aria-pressed="true"]');
      // The opened menu is closed by the next one.
      for (let count = 0; count < 2; count += 1) {
        await press(page, MENU);
        await press(page, COMPARE);
      }
      await press(page, '::-p-xpath(//aside[@aria-label="Compare vehicles"]//button[.="Compare now"])');
      await page.waitForSelector('dialog[open] table');
      assert.deepEqual(errors, []);
    }, 'firefox');
  });
});
