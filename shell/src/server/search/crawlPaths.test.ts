import { crawlPathsOf } from './crawlPaths.ts';
import { decodeQuery } from '@forecourt/shared-contracts/criteria';
import { createLabels } from '@forecourt/shared-contracts/catalog';
import { normalizeUrl } from '@forecourt/shared-contracts/url';
import { testReference } from '@forecourt/shared-contracts/testing';
import { describe, it, expect } from '@jest/globals';
import { canonicalLinkOf } from '../../both/pageTexts.ts';

const option = (value: string, label: string, count?: number) => ({
  value,
  label,
  count,
  selected: false,
  disabled: false,
});

const filters = [
  {
    name: 'makeCode',
    options: [option('BMW', 'BMW', 5), option('FORD', 'Ford', 9), option('ODD', 'Odd', 0)],
  },
  { name: 'modelCode', options: [option('ESCAPE', 'Escape', 2), option('F150', 'F150', 7)] },
  {
    name: 'yearRange',
    options: [option('2021', '2021', 3), option('2019', '2019', 4), option('2001', '2001')],
  },
  { name: 'trimCode', options: [option('F150|XL', 'XL', 1), option('F150|XLT', 'XLT', 6)] },
];

const paths = (query: string) =>
  crawlPathsOf(decodeQuery(query), {
    filters,
    reference: testReference,
    labelOf: createLabels({ filters, reference: testReference }),
  });

const links = (query: string) => paths(query).map(({ label, href }) => [label, href]);

describe('links to narrower searches', () => {
  it('list makes with vehicles, most frequent first', () => {
    expect(links('zip=60601&maxPrice=20000&utm_source=x')).toEqual([
      ['Ford', '/cars-for-sale/all/ford'],
      ['BMW', '/cars-for-sale/all/bmw'],
    ]);
  });

  it('list the models of one make in its condition', () => {
    expect(links('makeCode=FORD&listingType=USED&sortBy=yearASC&firstRecord=30')).toEqual([
      ['Ford F150', '/cars-for-sale/used/ford/f150'],
      ['Ford Escape', '/cars-for-sale/used/ford/escape'],
    ]);
  });

  it('list the years and trims of one model', () => {
    expect(links('makeCode=FORD&modelCode=F150&extColorSimple=RED')).toEqual([
      ['2019 Ford F150', '/cars-for-sale/all/2019/ford/f150'],
      ['2021 Ford F150', '/cars-for-sale/all/2021/ford/f150'],
      ['Ford F150 XLT', '/cars-for-sale/all/ford/f150/xlt'],
      ['Ford F150 XL', '/cars-for-sale/all/ford/f150/xl'],
    ]);
  });

  it('are empty for several makes or models, or a model alone', () => {
    expect(paths('makeCodeList=FORD,BMW')).toEqual([]);
    expect(paths('makeCode=FORD&modelCodeList=F150,ESCAPE')).toEqual([]);
    expect(paths('modelCode=F150')).toEqual([]);
  });

  it('lead without a redirect to canonical pages', () => {
    for (const query of ['', 'makeCode=FORD', 'makeCode=FORD&modelCode=F150&listingType=NEW'])
      for (const { href } of paths(query)) {
        const result = normalizeUrl(href, testReference);
        expect(result).toMatchObject({ kind: 'search', needsRedirect: false });
        if (result.kind === 'search') expect(canonicalLinkOf(result.criteria, testReference)).toBe(href);
      }
  });
});
