import { decodeUrl } from '@forecourt/search/decode';
import { describe, expect, it } from '@jest/globals';
import { EMPTY_SLUG_REFERENCE, type FilterValues } from '@forecourt/search/criteria';
import fc from 'fast-check';
import { priceChart, trimRows, yearRows, countedHref, shortTrimName, truncateYears } from './priceRows.ts';
import { F150, stateOf } from '../testing/sampleData.ts';

const link = (value: string, label = value) => ({
  value,
  label,
  link: `/cars-for-sale/all/${value}`,
  count: 3,
});
const years = fc.uniqueArray(fc.integer({ min: 1981, max: 2027 }), { maxLength: 40 });

describe('price rows', () => {
  // rows: B5-LIST-01
  it('keeps four years unchanged and cuts longer lists to the latest eleven', () => {
    const fewYears = ['2019', '2022', '2020', '2021'];
    expect(yearRows(fewYears.map((year) => link(year))).map(({ key }) => key)).toEqual(fewYears);
    fc.assert(
      fc.property(years, (input) => {
        fc.pre(input.length >= 5);
        const latest = [...input].sort((a, b) => b - a).slice(0, 11);
        expect(yearRows(input.map((year) => link(String(year)))).map(({ key }) => Number(key))).toEqual(
          latest,
        );
      }),
    );
  });

  // rows: B5-LIST-02
  it('truncates a trim name at 30 characters and keeps the full name', () => {
    const exact = 'x'.repeat(30);
    const [shortRow, truncatedRow] = trimRows([link('a', exact), link('b', `${exact}y`)]);
    expect(shortRow).toEqual(expect.objectContaining({ name: exact }));
    expect(shortRow).not.toHaveProperty('fullName');
    expect(truncatedRow).toEqual(expect.objectContaining({ name: `${exact}...`, fullName: `${exact}y` }));
  });

  // rows: B9-TRIMS-02
  it('lists at most eleven trims', () => {
    const twenty = Array.from({ length: 20 }, (_, at) => link(String(2005 + at)));
    expect(yearRows(twenty)).toHaveLength(11);
    expect(trimRows(twenty)).toHaveLength(11);
  });
});

describe('price chart', () => {
  const priced = fc
    .tuple(fc.nat(200_000), fc.nat(200_000), fc.nat(200_000))
    .map((prices) => prices.sort((a, b) => a - b))
    .map(([starting, average, top]) => ({ ...link('2020'), starting, average, top }));
  const row = ({ starting, average, top }: Record<string, unknown>, at: number) => ({
    key: String(at),
    name: String(at),
    link: '/',
    own: {},
    count: 1,
    starting: starting as number,
    average: average as number,
    top: top as number,
  });

  it('places every price on the scale in order', () => {
    fc.assert(
      fc.property(fc.array(priced, { minLength: 2, maxLength: 11 }), (entries) => {
        const chart = priceChart(entries.map(row))!;
        for (const { from, at, to } of chart.lines) {
          expect(from).toBeGreaterThanOrEqual(0);
          expect(at).toBeGreaterThanOrEqual(from);
          expect(to).toBeGreaterThanOrEqual(at);
          expect(to).toBeLessThanOrEqual(100);
        }
      }),
    );
  });

  it('omits rows without an average and requires at least two', () => {
    const pricedRow = { key: 'a', name: 'a', link: '/', own: {}, count: 1, average: 10_000 };
    const unknown = { key: 'b', name: 'b', link: '/', own: {}, count: 1, starting: 5_000 };
    expect(priceChart([pricedRow, unknown])).toBeUndefined();
    expect(priceChart([])).toBeUndefined();
    expect(priceChart([pricedRow, { ...pricedRow, key: 'c' }, unknown])!.lines).toHaveLength(2);
  });
});

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

it('links a year and a trim to the listings in the counted area', () => {
  const criteria = criteriaOf({ ...F150, zip: ['60601'], listingType: ['USED'] });
  const countedCriteria = { ...F150, zip: ['60601'], searchRadius: ['50'], listingType: ['USED'] };
  expect(filtersOf(countedHref(criteria, AREA, year!))).toEqual({
    ...countedCriteria,
    startYear: ['2027'],
    endYear: ['2027'],
  });
  expect(filtersOf(countedHref(criteria, AREA, trim!))).toEqual({
    ...countedCriteria,
    trimCode: ['F150|XLT'],
  });
});

it('omits prices and colors from the link, since the count ignores them', () => {
  const criteria = criteriaOf({ ...F150, zip: ['60601'], extColorSimple: ['RED'], maxPrice: ['20000'] });
  expect(countedHref(criteria, AREA, year!)).toBe(
    countedHref(criteriaOf({ ...F150, zip: ['60601'] }), AREA, year!),
  );
});

it("uses the visitor's ZIP code when the counts did", () => {
  expect(filtersOf(countedHref(criteriaOf(F150), AREA, year!))).toMatchObject({ zip: ['60601'] });
});

it('links nationwide when nationwide listings were counted, with the crawlable link without a place', () => {
  expect(filtersOf(countedHref(criteriaOf({ ...F150, state: ['IL'] }), null, year!))).toEqual({
    ...F150,
    searchRadius: ['0'],
    startYear: ['2027'],
    endYear: ['2027'],
  });
  expect(countedHref(criteriaOf(F150), null, year!)).toBe('/cars-for-sale/all/2027/ford/f150');
});

describe('model years and trim names', () => {
  // rows: B5-LIST-01, B9-TRIMS-02
  it('truncates five or more years to the latest eleven', () => {
    const years = (count: number) =>
      Array.from({ length: count }, (_, index) => ({ value: String(2000 + index) }));
    expect(truncateYears(years(4))).toEqual(years(4));
    expect(truncateYears(years(5)).map(({ value }) => value)).toEqual([
      '2004',
      '2003',
      '2002',
      '2001',
      '2000',
    ]);
    const top = truncateYears(years(15));
    expect([top.length, top[0]?.value, top.at(-1)?.value]).toEqual([11, '2014', '2004']);
  });

  // rows: B5-LIST-02
  it('truncates a trim name after 30 characters', () => {
    expect(shortTrimName('x'.repeat(30))).toBe('x'.repeat(30));
    expect(shortTrimName('x'.repeat(31))).toBe(`${'x'.repeat(30)}...`);
  });
});
