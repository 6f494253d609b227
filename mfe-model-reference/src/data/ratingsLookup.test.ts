import { describe, it, expect } from '@jest/globals';
import { shouldLoadRatings } from './loadReference.ts';
import { singleYear } from '@forecourt/shared-contracts/criteria';

const CAMRY = { makeCode: ['TOYOTA'], modelCode: ['CAMRY'], startYear: ['2020'], endYear: ['2020'] };

describe('the lookup of consumer ratings', () => {
  // rows: B5-RATING-01
  it('loads ratings for one make, model and year without a trim', () => {
    expect(shouldLoadRatings(CAMRY)).toBe(true);
    expect(shouldLoadRatings({ ...CAMRY, modelCode: ['CAMRY', 'COROLLA'] })).toBe(false);
    expect(shouldLoadRatings({ ...CAMRY, makeCode: ['TOYOTA', 'FORD'] })).toBe(false);
    expect(shouldLoadRatings({ ...CAMRY, endYear: ['2021'] })).toBe(false);
    expect(shouldLoadRatings({ ...CAMRY, endYear: undefined })).toBe(false);
    expect(shouldLoadRatings({ ...CAMRY, trimCode: ['CAMRY|XSE'] })).toBe(false);
    expect(singleYear(CAMRY)).toBe('2020');
    expect(singleYear({})).toBeUndefined();
  });

  // rows: B5-RATING-02
  it.each(['NEW', 'CERTIFIED'])('loads no ratings with listing type %s', (listingType) => {
    expect(shouldLoadRatings({ ...CAMRY, listingType: [listingType] })).toBe(false);
    expect(shouldLoadRatings({ ...CAMRY, listingType: ['USED', listingType] })).toBe(false);
    expect(shouldLoadRatings({ ...CAMRY, listingType: ['USED'] })).toBe(true);
  });

  // rows: B5-RATING-03
  it('loads no ratings for private sellers', () => {
    expect(shouldLoadRatings({ ...CAMRY, sellerType: ['p'] })).toBe(false);
    expect(shouldLoadRatings({ ...CAMRY, sellerType: ['d'] })).toBe(true);
  });

  // rows: B5-RATING-04
  it.each(['vehicleStyleCode', 'driveGroup', 'engineCode', 'fuelTypeGroup'] as const)(
    'loads no ratings with a single %s, but with two',
    (param) => {
      expect(shouldLoadRatings({ ...CAMRY, [param]: ['A'] })).toBe(false);
      expect(shouldLoadRatings({ ...CAMRY, [param]: ['A', 'B'] })).toBe(true);
    },
  );

  // rows: B5-RATING-05
  it('loads no ratings with only one price bound', () => {
    expect(shouldLoadRatings({ ...CAMRY, minPrice: ['10000'] })).toBe(false);
    expect(shouldLoadRatings({ ...CAMRY, maxPrice: ['20000'] })).toBe(false);
    expect(shouldLoadRatings({ ...CAMRY, minPrice: ['10000'], maxPrice: ['20000'] })).toBe(true);
  });

  // rows: B5-RATING-06
  it('loads no ratings with a fuel-economy range', () => {
    expect(shouldLoadRatings({ ...CAMRY, mpgRange: ['30-MPG'] })).toBe(false);
  });
});
