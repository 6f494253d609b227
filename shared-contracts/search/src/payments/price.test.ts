import { describe, expect, it } from '@jest/globals';
import { derivedPrice } from './price.ts';

describe('prices of a listing', () => {
  it('derives the price from incentive, then sale price, then MSRP', () => {
    expect(derivedPrice({ incentive: 1, salePrice: 2, msrp: 3 })).toBe(1);
    expect(derivedPrice({ salePrice: 2, msrp: 3 })).toBe(2);
    expect(derivedPrice({ msrp: 3 })).toBe(3);
    expect(derivedPrice({})).toBeUndefined();
  });
});
