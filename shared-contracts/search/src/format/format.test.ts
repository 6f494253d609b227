import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import {
  formatCount,
  formatDate,
  formatDollars,
  formatNumber,
  formatPercent,
  formatPlace,
} from './format.ts';

describe('formatted values', () => {
  it('writes numbers and dollars as Intl does', () => {
    const numbers = new Intl.NumberFormat('en-US');
    const dollars = new Intl.NumberFormat('en-US', {
      style: 'currency',
      currency: 'USD',
      maximumFractionDigits: 0,
    });
    const value = fc.oneof(fc.integer({ min: -10, max: 2_000_000 }), fc.maxSafeInteger(), fc.double());
    fc.assert(
      fc.property(value, (number) => {
        expect(formatNumber(number)).toBe(numbers.format(number));
        expect(formatDollars(number)).toBe(dollars.format(number));
      }),
    );
  });

  it('follows the plural, percent and date rules of US English', () => {
    expect([0, 1, 1200].map((count) => formatCount(count, 'Match', 'Matches'))).toEqual([
      '0 Matches',
      '1 Match',
      '1,200 Matches',
    ]);
    expect([0.1, 0.0699].map(formatPercent)).toEqual(['10%', '6.99%']);
    expect(formatDate('2026-06-05')).toBe('June 5, 2026');
  });

  it('names a place by what is known of it', () => {
    expect(formatPlace({ city: 'Chicago', state: 'IL' })).toBe('Chicago, IL');
    expect(formatPlace({ city: '', state: 'IL' })).toBe('IL');
    expect([formatPlace({}), formatPlace(undefined)]).toEqual([undefined, undefined]);
  });
});
