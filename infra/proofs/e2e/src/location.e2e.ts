import assert from 'node:assert/strict';
import { browser } from '@wdio/globals';
import { after, describe, it } from 'mocha';
import { openResults, shownCount, waitForCount, waitForPath } from './resultsPage.ts';

const editor = () => browser.$('[data-slot="location-editor"]');
const shownPlace = () => editor().$('summary').getText();

describe('the search location', () => {
  // Other tests start without a ZIP cookie.
  after(() => browser.deleteCookies(['zip']));

  // rows: B4-CLEAR-01
  it('keeps the location chosen in the hero after clearing filters and on the next visit', async () => {
    await openResults('/cars-for-sale/all/ford', { slots: ['toolbar', 'results', 'location-editor'] });
    const nationwide = await shownCount();
    assert.equal(await shownPlace(), 'Nationwide');
    await editor().$('summary').click();
    await editor().$('input[name="zip"]').setValue('60601');
    await editor().$('button=Save').click();
    await waitForPath((path) => path.includes('zip=60601'));
    const fords = await waitForCount((count) => count < nationwide);
    assert.match(await shownPlace(), /^Chicago, IL ·\s50 miles$/);

    await browser.$('a*=Clear Filters').click();
    await waitForPath('/cars-for-sale/all-cars?searchRadius=50');
    const all = await waitForCount((count) => count !== fords);
    assert.ok(all > fords && all < nationwide, `${all}`);
    assert.match(await shownPlace(), /^Chicago, IL ·\s50 miles$/);

    await openResults('/cars-for-sale/all-cars?searchRadius=50', { slots: ['results', 'location-editor'] });
    assert.equal(await shownCount(), all);
  });
});
