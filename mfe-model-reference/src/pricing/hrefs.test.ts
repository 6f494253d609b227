import { expect, it } from '@jest/globals';
import { decodeUrl, EMPTY_SLUG_REFERENCE, type FilterValues } from '@forecourt/shared-contracts/criteria';
import { F150, stateOf } from '../sampleData.ts';
import { countedHref } from './hrefs.ts';
import { trimRows, yearRows } from './priceRows.ts';

const [year] = yearRows([
  { value: '2027', label: '2027', link: '/cars-for-sale/all/2027/ford/f150', count: 8 },
]);
const [trim] = trimRows([
  { value: 'F150|XLT', label: 'XLT', link: '/cars-for-sale/all/ford/f150/xlt', count: 3 },
]);
const criteriaOf = (filters: FilterValues) => stateOf(filters).search.criteria;
const AREA = { zip: '60601', radius: 50 };

function filtersOf(href: string): FilterValues {
  const [path = '', query = ''] = href.split('?');
  const decoded = decodeUrl(path, query, EMPTY_SLUG_REFERENCE);
  if (decoded.kind === 'notFound') throw new Error(`${href} is not found`);
  return decoded.criteria.filters;
}

it('leads a counted year and trim to the listings within the area that were counted', () => {
  const criteria = criteriaOf({ ...F150, zip: ['60601'], listingType: ['USED'] });
  const counted = { ...F150, zip: ['60601'], searchRadius: ['50'], listingType: ['USED'] };
  expect(filtersOf(countedHref(criteria, AREA, year!))).toEqual({
    ...counted,
    startYear: ['2027'],
    endYear: ['2027'],
  });
  expect(filtersOf(countedHref(criteria, AREA, trim!))).toEqual({ ...counted, trimCode: ['F150|XLT'] });
});

it('leads to nothing narrower than what was counted: prices and colours are not', () => {
  const criteria = criteriaOf({ ...F150, zip: ['60601'], extColorSimple: ['RED'], maxPrice: ['20000'] });
  expect(countedHref(criteria, AREA, year!)).toBe(
    countedHref(criteriaOf({ ...F150, zip: ['60601'] }), AREA, year!),
  );
});

it("centres on the visitor's own ZIP where the counts did", () => {
  expect(filtersOf(countedHref(criteriaOf(F150), AREA, year!))).toMatchObject({ zip: ['60601'] });
});

it("leads to the whole country where that was counted, without a place by the crawlers' address", () => {
  expect(filtersOf(countedHref(criteriaOf({ ...F150, state: ['IL'] }), null, year!))).toEqual({
    ...F150,
    searchRadius: ['0'],
    startYear: ['2027'],
    endYear: ['2027'],
  });
  expect(countedHref(criteriaOf(F150), null, year!)).toBe('/cars-for-sale/all/2027/ford/f150');
});
