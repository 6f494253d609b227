import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { priceChart, trimRows, yearRows } from './priceRows.ts';

const link = (value: string, label = value) => ({
  value,
  label,
  link: `/cars-for-sale/all/${value}`,
  count: 3,
});
const years = fc.uniqueArray(fc.integer({ min: 1981, max: 2027 }), { maxLength: 40 });

describe('the rows of the price lists', () => {
  // rows: B5-LIST-01
  it('keep four years as given and cut more to the eleven latest', () => {
    const few = ['2019', '2022', '2020', '2021'];
    expect(yearRows(few.map((year) => link(year))).map(({ key }) => key)).toEqual(few);
    fc.assert(
      fc.property(years, (given) => {
        fc.pre(given.length >= 5);
        const latest = [...given].sort((a, b) => b - a).slice(0, 11);
        expect(yearRows(given.map((year) => link(String(year)))).map(({ key }) => Number(key))).toEqual(
          latest,
        );
      }),
    );
  });

  // rows: B5-LIST-02
  it('cut a trim name of more than 30 characters to 30 and an ellipsis, and keep the whole beside it', () => {
    const exact = 'x'.repeat(30);
    const [kept, cut] = trimRows([link('a', exact), link('b', `${exact}y`)]);
    expect(kept).toEqual(expect.objectContaining({ name: exact }));
    expect(kept).not.toHaveProperty('fullName');
    expect(cut).toEqual(expect.objectContaining({ name: `${exact}...`, fullName: `${exact}y` }));
  });

  // rows: B9-TRIMS-02
  it('have at most eleven entries', () => {
    const twenty = Array.from({ length: 20 }, (_, at) => link(String(2005 + at)));
    expect(yearRows(twenty)).toHaveLength(11);
    expect(trimRows(twenty)).toHaveLength(11);
  });
});

describe('the price chart', () => {
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

  it('places every price on the scale, in its order', () => {
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

  it('leaves out rows without an average, and needs two to compare', () => {
    const known = { key: 'a', name: 'a', link: '/', own: {}, count: 1, average: 10_000 };
    const unknown = { key: 'b', name: 'b', link: '/', own: {}, count: 1, starting: 5_000 };
    expect(priceChart([known, unknown])).toBeUndefined();
    expect(priceChart([])).toBeUndefined();
    expect(priceChart([known, { ...known, key: 'c' }, unknown])!.lines).toHaveLength(2);
  });
});
