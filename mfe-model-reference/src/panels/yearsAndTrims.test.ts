import { describe, it, expect } from '@jest/globals';
import { compareTrimYears } from '../data/loadReference.ts';
import { shortTrimName, truncateYears } from './priceRows.ts';

describe('model years and trim names', () => {
  // rows: B9-TRIMS-03
  it('compares the current and the next model year', () => {
    expect(compareTrimYears(2024)).toEqual([2024, 2025]);
  });

  // rows: B5-LIST-01, B9-TRIMS-02
  it('truncates five or more years to the latest eleven', () => {
    const years = (count: number) =>
      Array.from({ length: count }, (_, index) => ({ value: String(2000 + index) }));
    expect(truncateYears(years(4))).toEqual(years(4));
    expect(truncateYears(years(5)).map(({ value }) => value)).toEqual([
      '2004',
      '2003',
      '2002',
      '2001',
      '2000',
    ]);
    const top = truncateYears(years(15));
    expect([top.length, top[0]?.value, top.at(-1)?.value]).toEqual([11, '2014', '2004']);
  });

  // rows: B5-LIST-02
  it('truncates a trim name after 30 characters', () => {
    expect(shortTrimName('x'.repeat(30))).toBe('x'.repeat(30));
    expect(shortTrimName('x'.repeat(31))).toBe(`${'x'.repeat(30)}...`);
  });
});
