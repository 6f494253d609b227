import { expect, it } from '@jest/globals';
import { buildCriteria } from '../testing/mountSearchSlot.ts';
import { searchHref } from './links.ts';

it('builds a URL with the codes in the query', () => {
  const href = searchHref(buildCriteria({ filters: { makeCode: ['FORD', 'HONDA'] }, sortBy: 'yearDESC' }));
  expect(href).toBe('/cars-for-sale/all-cars?makeCodeList=FORD,HONDA&sortBy=yearDESC');
});
