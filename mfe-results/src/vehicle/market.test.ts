import { describe, expect, it } from '@jest/globals';
import { marketLabel, marketPosition } from './market.ts';

describe('marketPosition', () => {
  const filtersWith = (counts: number[], min = 10_000, step = 1000) => [
    {
      name: 'priceRange',
      label: 'Price',
      collapsed: true,
      value: '',
      options: [],
      histogram: { min, max: min + step * counts.length, step, counts },
    },
  ];

  it('counts listings above, and half of those in the same bar, as more expensive', () => {
    expect(marketPosition(11_500, filtersWith([2, 4, 4]))).toEqual({
      total: 10,
      dearerPercent: 60,
      min: 10_000,
      max: 13_000,
      bars: [2, 4, 4],
      own: 1,
    });
  });

  it('drops empty bars at both ends and clamps a price beyond them', () => {
    expect(marketPosition(99_000, filtersWith([0, 6, 6, 0]))).toMatchObject({
      min: 11_000,
      max: 13_000,
      bars: [6, 6],
      own: 1,
    });
  });

  it('says which of its ends are open', () => {
    const [open] = filtersWith([6, 6]);
    const filters = [{ ...open!, histogram: { ...open!.histogram!, isOpenEnd: true } }];
    expect(marketPosition(10_500, filters)).toMatchObject({ max: 12_000, isOpenEnd: true });
    expect(marketPosition(10_500, filtersWith([6, 6]))).not.toHaveProperty('isOpenEnd');
  });

  it('returns undefined without a price, a histogram, or enough listings', () => {
    expect(marketPosition(undefined, filtersWith([19]))).toBeUndefined();
    expect(marketPosition(10_000, undefined)).toBeUndefined();
    expect(marketPosition(10_000, filtersWith([9]))).toBeUndefined();
  });

  it.each([
    [100, 'Well below market'],
    [84, 'Below market'],
    [50, 'Around market'],
    [39, 'Above market'],
    [0, 'Well above market'],
  ])('labels a price below that of %i %% of comparable listings "%s"', (dearerPercent, label) => {
    expect(marketLabel({ dearerPercent })).toBe(label);
  });
});
