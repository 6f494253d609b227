import { describe, expect, it } from '@jest/globals';
import { mean, median, medianOf, quantile } from './statistics.ts';

describe('statistics', () => {
  it('accepts unsorted values without mutating them', () => {
    const values = [9, 1, 5];
    expect(median(values)).toBe(5);
    expect(values).toEqual([9, 1, 5]);
  });

  it('returns the maximum for percentile share 1', () => {
    expect(quantile([1, 2, 3], 1)).toBe(3);
  });

  it('returns NaN, not 0, without values', () => {
    expect(median([])).toBeNaN();
    expect(mean([])).toBeNaN();
  });

  it('takes the median of one field', () => {
    expect(medianOf([{ ms: 3 }, { ms: 1 }, { ms: 2 }], ({ ms }) => ms)).toBe(2);
  });
});
