import { describe, it, expect } from '@jest/globals';
import { mileageFaq } from './mileageFaq.ts';
import fc from 'fast-check';

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
    mileageMax: 100_000,
  });
  const stats = {
    stats: spread(48_000, 180_000),
    allCars: { ...spread(60_000, 240_000), minYear: 2001 },
    // The oldest year, the one with the most listings and the one with the highest mileage differ.
    facetStats: [facet('2025', 25, 9_000), facet('2018', 5, 90_500), facet('2016', 10, 80_000)],
  };

  // rows: A3-MILEAGE-01, B3-MILE-01
  it('compares the six figures of the model with all cars', () => {
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
  it('names the model year with the highest mileage, and the percentages', () => {
    expect(mileageFaq(stats)).toMatchObject({
      highestMileageName: '2018',
      highestMileageCount: 5,
      percentModel: 80,
      percentAllCar: 100,
      facetStatsCalculate: [
        { name: '2025', percent: 62.5 },
        { name: '2018', percent: 12.5 },
        { name: '2016', percent: 25 },
      ],
    });
  });

  it('names the first of the model years with the same highest mileage', () => {
    const facetStats = [facet('2018', 5, 90_500), facet('2016', 10, 90_500)];
    expect(mileageFaq({ ...stats, facetStats })).toMatchObject({ highestMileageName: '2018' });
  });

  it('returns shares that add up to a hundred for any counts', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1, max: 5_000 }), { minLength: 1, maxLength: 30 }), (counts) => {
        const facetStats = counts.map((count, at) => facet(String(2000 + at), count, 1_000 + at));
        const shares = mileageFaq({ ...stats, facetStats })!.facetStatsCalculate;
        expect(shares.reduce((sum, { percent }) => sum + percent, 0)).toBeCloseTo(100, -0.5);
      }),
    );
  });

  it('returns undefined without a counted mileage', () => {
    expect(mileageFaq({ facetStats: [] })).toBeUndefined();
    expect(mileageFaq({ stats: { ...spread(0, 0), count: 0 }, facetStats: [] })).toBeUndefined();
  });
});
