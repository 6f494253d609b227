import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { PRICE_BUCKET } from './documents.ts';
import { priceHistogram } from './priceHistogram.ts';

const countsOf = (prices: readonly number[]): Map<string, number> => {
  const counts = new Map<string, number>();
  for (const price of prices) {
    const bucket = String(Math.floor(price / PRICE_BUCKET));
    counts.set(bucket, (counts.get(bucket) ?? 0) + 1);
  }
  return counts;
};
const usual = Array.from({ length: 200 }, (_, at) => 12_000 + at * 200);

describe('the price histogram', () => {
  it('keeps its bars when one listing has a placeholder for a price', () => {
    const before = priceHistogram(countsOf(usual))!;
    const after = priceHistogram(countsOf([...usual, 9_999_999]))!;
    expect(before).toMatchObject({ min: 12_000, step: 1_000, isOpenStart: false, isOpenEnd: false });
    expect(after.step).toBeLessThanOrEqual(5_000);
    expect(after.min + after.step * after.counts.length).toBeLessThan(150_000);
    expect(after).toMatchObject({ isOpenEnd: true, isOpenStart: false });
    expect(after.counts.at(-1)).toBe(1);
  });

  it('opens its first bar for a price far below the others', () => {
    const dear = usual.map((price) => price + 200_000);
    expect(priceHistogram(countsOf([...dear, 500]))).toMatchObject({ isOpenStart: true, isOpenEnd: false });
  });

  it('counts every listing once, in at most 40 bars, whatever the prices are', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1, max: 10_000_000 })), (prices) => {
        const { counts } = priceHistogram(countsOf(prices)) ?? { counts: [] };
        expect(counts.reduce((sum, count) => sum + count, 0)).toBe(prices.length);
        expect(counts.length).toBeLessThanOrEqual(40);
      }),
    );
  });

  it('is missing without prices', () => {
    expect(priceHistogram(new Map([['7', 0]]))).toBeUndefined();
  });
});
