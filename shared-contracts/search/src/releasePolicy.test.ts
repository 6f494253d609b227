import { expect, it } from '@jest/globals';
import search from '@forecourt/search/package.json' with { type: 'json' };
import { PAGE_SLOTS } from './releasePolicy.ts';

it('lists the page slots that builds read from package.json', () => {
  expect(PAGE_SLOTS).toEqual(search.forecourt.pageSlots);
});
