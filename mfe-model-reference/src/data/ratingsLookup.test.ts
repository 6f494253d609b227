import { describe, it, expect } from '@jest/globals';
import { asksForRatings } from './loadReference.ts';
import { singleYear } from '@forecourt/shared-contracts/criteria';

const CAMRY = { makeCode: ['TOYOTA'], modelCode: ['CAMRY'], startYear: ['2020'], endYear: ['2020'] };

describe('the lookup of consumer ratings', () => {
  // rows: B5-RATING-01
  it('runs for one make, model and year without a trim', () => {
    expect(asksForRatings(CAMRY)).toBe(true);
    expect(asksForRatings({ ...CAMRY, modelCode: ['CAMRY', 'COROLLA'] })).toBe(false);
    expect(asksForRatings({ ...CAMRY, makeCode: ['TOYOTA', 'FORD'] })).toBe(false);
    expect(asksForRatings({ ...CAMRY, endYear: ['2021'] })).toBe(false);
    expect(asksForRatings({ ...CAMRY, endYear: undefined })).toBe(false);
    expect(asksForRatings({ ...CAMRY, trimCode: ['CAMRY|XSE'] })).toBe(false);
    expect(singleYear(CAMRY)).toBe('2020');
    expect(singleYear({})).toBeUndefined();
  });

  // rows: B5-RATING-02
  it.each(['NEW', 'CERTIFIED'])('does not run with listing type %s', (listingType) => {
    expect(asksForRatings({ ...CAMRY, listingType: [listingType] })).toBe(false);
    expect(asksForRatings({ ...CAMRY, listingType: ['USED', listingType] })).toBe(false);
    expect(asksForRatings({ ...CAMRY, listingType: ['USED'] })).toBe(true);
  });

  // rows: B5-RATING-03
  it('does not run for private sellers', () => {
    expect(asksForRatings({ ...CAMRY, sellerType: ['p'] })).toBe(false);
    expect(asksForRatings({ ...CAMRY, sellerType: ['d'] })).toBe(true);
  });

  // rows: B5-RATING-04
  it.each(['vehicleStyleCode', 'driveGroup', 'engineCode', 'fuelTypeGroup'] as const)(
    'does not run with a single %s, and runs with two',
    (param) => {
      expect(asksForRatings({ ...CAMRY, [param]: ['A'] })).toBe(false);
      expect(asksForRatings({ ...CAMRY, [param]: ['A', 'B'] })).toBe(true);
    },
  );

  // rows: B5-RATING-05
  it('does not run with one price bound alone', () => {
    expect(asksForRatings({ ...CAMRY, minPrice: ['10000'] })).toBe(false);
    expect(asksForRatings({ ...CAMRY, maxPrice: ['20000'] })).toBe(false);
    expect(asksForRatings({ ...CAMRY, minPrice: ['10000'], maxPrice: ['20000'] })).toBe(true);
  });

  // rows: B5-RATING-06
  it('does not run with a fuel-economy range', () => {
    expect(asksForRatings({ ...CAMRY, mpgRange: ['30-MPG'] })).toBe(false);
  });
});
