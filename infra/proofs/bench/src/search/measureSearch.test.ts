import { describe, expect, it } from '@jest/globals';
import { differentSearches, searchMix, timedSearches, wideMix } from './measureSearch.ts';

describe('searchMix', () => {
  it('generates the same searches at each run', () => {
    expect(searchMix(50)).toEqual(searchMix(50));
    expect(searchMix(50, 2)).not.toEqual(searchMix(50));
  });

  it('mixes places, vehicles, filters and orders', () => {
    const queries = searchMix(200).map((query) => new URLSearchParams(query));
    const share = (name: string) => queries.filter((query) => query.has(name)).length / queries.length;
    expect(share('sortBy')).toBe(1);
    for (const name of [
      'zip',
      'makeCode',
      'modelCode',
      'maxPrice',
      'listingType',
      'featureCode',
      'firstRecord',
    ]) {
      expect(share(name)).toBeGreaterThan(0.03);
      expect(share(name)).toBeLessThan(0.95);
    }
  });
});

it('times no search that was made before, whatever its order and page', () => {
  const { warmUp, timed } = timedSearches(200);
  expect([warmUp.length, timed.length]).toEqual([600, 200]);
  const criteria = [...warmUp, ...timed].map((text) =>
    [...new URLSearchParams(text)].filter(([name]) => !['sortBy', 'firstRecord'].includes(name)).join('&'),
  );
  expect(new Set(criteria).size).toBe(800);
  expect(differentSearches(50)).toEqual(differentSearches(50));
});

it('adds every rarer filter to some searches of the wide mix, the same at each run', () => {
  expect(wideMix(50)).toEqual(wideMix(50));
  const names = new Set(wideMix(500).flatMap((query) => [...new URLSearchParams(query).keys()]));
  const rare = ['keyword', 'monthlyPayment', 'mpgRange', 'electricMileRange', 'marketExtension', 'state'];
  expect(rare.filter((name) => !names.has(name))).toEqual([]);
});
