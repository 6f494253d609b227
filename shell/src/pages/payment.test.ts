import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { readPaymentChoice, TERMS } from './payment.ts';
import { marketPosition } from './vehicle/market.ts';

const read = (query: string, price = 20_000) => readPaymentChoice(new URLSearchParams(query), price);

describe('the choice of a payment', () => {
  it('is the usual terms when nothing else is asked for', () => {
    expect(read('')).toEqual({ down: 2000, termMonths: 72, aprPercent: 6.99 });
  });

  it('is what the form says, as people write it', () => {
    expect(read('down=$5,000').down).toBe(5000);
    expect(read('term=48&apr=3.5 %')).toMatchObject({ termMonths: 48, aprPercent: 3.5 });
  });

  it('stays within what can be, whatever is sent', () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), fc.string(), fc.nat(1_000_000), (down, term, apr, price) => {
        const choice = readPaymentChoice(new URLSearchParams({ down, term, apr }), price);
        expect(choice.down).toBeGreaterThanOrEqual(0);
        expect(choice.down).toBeLessThanOrEqual(price);
        expect(TERMS as readonly number[]).toContain(choice.termMonths);
        expect(choice.aprPercent).toBeGreaterThanOrEqual(0);
        expect(choice.aprPercent).toBeLessThanOrEqual(30);
      }),
    );
  });
});

describe('the place of a price on the market', () => {
  const answer = (counts: number[], min = 10_000, step = 1000) => ({
    totalResultCount: counts.reduce((sum, count) => sum + count, 0),
    filters: [
      {
        name: 'priceRange',
        label: 'Price',
        collapsed: true,
        value: '',
        options: [],
        histogram: { min, max: min + step * counts.length, step, counts },
      },
    ],
  });

  it('is the share of listings that cost more, half of its own bar among them', () => {
    expect(marketPosition(11_500, answer([2, 4, 4]))).toEqual({
      total: 10,
      dearerPercent: 60,
      min: 10_000,
      max: 13_000,
      bars: [2, 4, 4],
      own: 1,
    });
  });

  it('cuts empty bars at both ends, and puts a price beyond them to the last one', () => {
    expect(marketPosition(99_000, answer([0, 3, 3, 0]))).toMatchObject({
      min: 11_000,
      max: 13_000,
      bars: [3, 3],
      own: 1,
    });
  });

  it('is not told without a price, an answer, or a market', () => {
    expect(marketPosition(undefined, answer([9]))).toBeUndefined();
    expect(marketPosition(10_000, undefined)).toBeUndefined();
    expect(marketPosition(10_000, answer([4]))).toBeUndefined();
  });
});
