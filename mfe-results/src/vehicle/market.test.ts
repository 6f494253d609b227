import { describe, expect, it } from '@jest/globals';
import { marketPosition } from './market.ts';

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
    expect(marketPosition(99_000, filtersWith([0, 3, 3, 0]))).toMatchObject({
      min: 11_000,
      max: 13_000,
      bars: [3, 3],
      own: 1,
    });
  });

  it('returns undefined without a price, a histogram, or enough listings', () => {
    expect(marketPosition(undefined, filtersWith([9]))).toBeUndefined();
    expect(marketPosition(10_000, undefined)).toBeUndefined();
    expect(marketPosition(10_000, filtersWith([4]))).toBeUndefined();
  });
});
