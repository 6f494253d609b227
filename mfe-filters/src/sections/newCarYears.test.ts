import { describe, it, expect } from '@jest/globals';
import { newCarYears } from './newCarYears.ts';

describe('years of new cars', () => {
  // rows: A5-RULE-09, A9-LIMIT-11
  it('offer four model years of new cars from two years back', () => {
    expect(newCarYears(2024)).toEqual([2025, 2024, 2023, 2022]);
  });
});
