import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { PRICE_STEP, type StepPrices, usualPrices } from './usualPrices.ts';

/** As both engines collect them. */
function stepsOf(prices: readonly number[]): StepPrices[] {
  const steps = new Map<number, number[]>();
  for (const price of prices) {
    const step = Math.floor(price / PRICE_STEP);
    steps.set(step, [...(steps.get(step) ?? []), price]);
  }
  return [...steps.values()].map((step) => ({
    count: step.length,
    sum: step.reduce((sum, price) => sum + price, 0),
    min: Math.min(...step),
    max: Math.max(...step),
  }));
}

describe('what a group usually costs', () => {
  it('is unknown without a price', () => {
    expect(usualPrices([])).toBeUndefined();
  });

  it('is the average of all prices that can be compared', () => {
    expect(usualPrices(stepsOf([20_000, 21_500, 30_000]))).toEqual({
      priced: 3,
      average: 23_833,
      lowest: 20_000,
      highest: 30_000,
    });
  });

  it.each([
    ['$9,999,999', 9_999_999],
    ['$999,999', 999_999],
    ['$1', 1],
    ['$0', 0],
  ])('does not change by a placeholder of %s, also among few', (_, placeholder) => {
    const prices = [19_500, 20_100, 21_900];
    expect(usualPrices(stepsOf([...prices, placeholder]))).toEqual(usualPrices(stepsOf(prices)));
  });

  it('keeps an old car in the span of its trim, but not in the average', () => {
    expect(usualPrices(stepsOf([3_900, 24_000, 25_000, 26_000]))).toEqual({
      priced: 3,
      average: 25_000,
      lowest: 3_900,
      highest: 26_000,
    });
  });

  it('is moved by one listing of twenty by less than a fifth, whatever its price', () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 18_000, max: 26_000 }), { minLength: 19, maxLength: 60 }),
        fc.integer({ min: 0, max: 2_000_000_000 }),
        (prices, odd) => {
          const without = usualPrices(stepsOf(prices))!;
          const withOdd = usualPrices(stepsOf([...prices, odd]))!;
          expect(Math.abs(withOdd.average - without.average)).toBeLessThan(without.average / 5);
        },
      ),
    );
  });
});
