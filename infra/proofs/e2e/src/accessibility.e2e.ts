import assert from 'node:assert/strict';
import { browser } from '@wdio/globals';
import { describe, it } from 'mocha';
import { expectNoAxeViolations } from './pageChecks.ts';
import { F150_NEAR_CHICAGO } from '@forecourt/harness/serverHtml';
import { compareFirst, openResults, waitForSlots } from './resultsPage.ts';

const press = (selector: string) =>
  browser.execute((target) => {
    const button = document.querySelector<HTMLElement>(target);
    button?.scrollIntoView({ block: 'center' });
    button?.click();
  }, selector);

for (const width of [390, 1440]) {
  describe(`the page at ${width} px`, () => {
    const open = (path = F150_NEAR_CHICAGO) =>
      openResults(path, {
        width,
        height: 900,
        slots: ['hero', 'location-editor', 'showcase', 'toolbar', 'filters', 'results'],
      });

    it('has no axe violations on the page, including below the fold', async () => {
      await open();
      await browser.$('[data-slot="model-reference"]').scrollIntoView();
      await waitForSlots('model-reference');
      await expectNoAxeViolations();
    });

    it('has no axe violations when the email dialog is open', async () => {
      await open();
      await press('[data-tile] button[aria-label^="Email Seller"]:not(details *)');
      await browser.$('dialog[open] form').waitForDisplayed();
      await expectNoAxeViolations();
    });

    it('has no axe violations when the compare drawer and dialog are open', async () => {
      await open();
      await browser.execute(() => sessionStorage.clear());
      await open();
      await compareFirst(2);
      await expectNoAxeViolations();
      await browser.$('button=Compare now').click();
      await browser.$('dialog[open]').waitForDisplayed();
      await expectNoAxeViolations();
      await browser.execute(() => sessionStorage.clear());
    });

    it('has no axe violations on a page without results', async () => {
      await open('/cars-for-sale/all/ford/f150?maxPrice=1&searchRadius=50&zip=60601');
      await expectNoAxeViolations();
    });
  });
}

describe('the page at 390 px', () => {
  // rows: B2-PANEL-02, B2-PANEL-03, B2-TOOL-12
  it('opens the filters at 390 px in a dialog without axe violations', async () => {
    await openResults(F150_NEAR_CHICAGO, { width: 390, height: 844 });
    await browser.$('button[aria-haspopup="dialog"]').click();
    await browser.$('dialog[open] form').waitForDisplayed();
    assert.equal(await browser.$('dialog[open] h2').getText(), 'Filters');
    assert.match(await browser.$('dialog[open]').$('button*=See Results').getText(), /^See Results/);
    await expectNoAxeViolations();
  });

  it('does not scroll horizontally at 390 and 320 px', async () => {
    for (const width of [390, 320]) {
      await openResults(F150_NEAR_CHICAGO, { width, height: 844 });
      const overflow = await browser.execute(
        () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
      );
      assert.equal(overflow, 0, `${overflow} px too wide at ${width}`);
    }
  });
});
