import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { isCountedMileage, mileageFaq } from './mileage.ts';
import { asksForRatings, singleYear } from './ratingsLookup.ts';
import { safetyValueText } from './safety.ts';
import { TRIM_SPEC_IDS, TRIM_SPECS } from './trimSpecs.ts';

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

describe('the specs of a trim', () => {
  // rows: B3-SPEC-04, B3-SPEC-05, B3-SPEC-06, B3-SPEC-07, B3-SPEC-08, B3-SPEC-09, B3-SPEC-10, B3-SPEC-11
  // rows: B3-SPEC-12
  it('are known by their ids', () => {
    expect(TRIM_SPEC_IDS.map((id) => [id, TRIM_SPECS[id]])).toEqual([
      [546, expect.stringMatching(/heated seats/i)],
      [561, expect.stringMatching(/leather/i)],
      [610, expect.stringMatching(/rearview camera/i)],
      [170, expect.stringMatching(/bluetooth/i)],
      [160, expect.stringMatching(/alarm/i)],
      [557, expect.stringMatching(/lane departure/i)],
      [236, expect.stringMatching(/navigation/i)],
      [615, expect.stringMatching(/remote start/i)],
      [578, expect.stringMatching(/sunroof/i)],
    ]);
    expect(Object.keys(TRIM_SPECS)).toHaveLength(TRIM_SPEC_IDS.length);
  });
});

// rows: B3-SAFETY-02
it('says that a safety feature is standard where its value is std', () => {
  expect(['std', 'STD', 'Optional', '5'].map(safetyValueText)).toEqual([
    'Standard',
    'Standard',
    'Optional',
    '5',
  ]);
});

describe('mileage statistics', () => {
  const spread = (mean: number, max: number) => ({
    count: 40,
    mileageMin: 10,
    mileageMax: max,
    mileageMean: mean,
    mileagePerYearMean: mean / 4,
    minYear: 2016,
    maxYear: 2025,
  });
  const facet = (name: string, count: number, mileageMean: number) => ({
    name,
    count,
    mileageMean,
    mileageMin: 1,
    mileageMax: mileageMean,
  });
  const stats = {
    stats: spread(48_000, 180_000),
    allCars: spread(60_000, 240_000),
    facetStats: [facet('2025', 10, 9_000), facet('2018', 25, 90_500), facet('2016', 5, 80_000)],
  };

  // rows: A5-RULE-10, A9-LIMIT-14
  it('count what is above 0 and below 250,000', () => {
    expect([0, 1, 249_999, 250_000].filter(isCountedMileage)).toEqual([1, 249_999]);
  });

  // rows: A3-MILEAGE-01, B3-MILE-01
  it('give the six figures of the model beside all cars', () => {
    expect(mileageFaq(stats)).toMatchObject({
      minYear: 2016,
      difference: -12_000,
      maxDifference: -60_000,
      averageMiles: 48_000,
      mileageMax: 180_000,
      mileagePerYearMean: 12_000,
    });
  });

  // rows: A3-MILEAGE-02, A3-MILEAGE-03, B3-MILE-02, B3-MILE-03
  it('name the model year with the highest mileage, and the percentages', () => {
    expect(mileageFaq(stats)).toMatchObject({
      highestMileageName: '2018',
      highestMileageCount: 25,
      percentModel: 80,
      percentAllCar: 100,
      facetStatsCalculate: [
        { name: '2025', percent: 25 },
        { name: '2018', percent: 62.5 },
        { name: '2016', percent: 12.5 },
      ],
    });
  });

  it('have shares that make a hundred, whatever the counts', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1, max: 5_000 }), { minLength: 1, maxLength: 30 }), (counts) => {
        const facetStats = counts.map((count, at) => facet(String(2000 + at), count, 1_000 + at));
        const shares = mileageFaq({ ...stats, facetStats })!.facetStatsCalculate;
        expect(shares.reduce((sum, { percent }) => sum + percent, 0)).toBeCloseTo(100, -0.5);
      }),
    );
  });

  it('are missing without a counted mileage', () => {
    expect(mileageFaq({ facetStats: [] })).toBeUndefined();
    expect(mileageFaq({ stats: { ...spread(0, 0), count: 0 }, facetStats: [] })).toBeUndefined();
  });
});
