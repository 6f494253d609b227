import type { CallResponses } from '@forecourt/upstream/calls';

/** miles a year in the fuel-economy text. */
export const AVERAGE_MILES_PER_YEAR = 15_000;

type MileageStats = CallResponses['mileageStats'];

/** Figures of the FAQs about a model's mileage. Miles, whole numbers. */
export interface MileageFaq {
  readonly minYear: number;
  /** Average of the model minus the average of all cars. */
  readonly difference: number;
  /** The same for the highest mileage. */
  readonly maxDifference: number;
  readonly averageMiles: number;
  readonly mileageMax: number;
  readonly mileagePerYearMean: number;
  /** The model year with the highest average mileage, and its listings. */
  readonly highestMileageName: string;
  readonly highestMileageCount: number;
  /** Miles a year in percent of the usual 15,000: of the model, and of all cars. */
  readonly percentModel: number;
  readonly percentAllCar: number;
  /** Share of the listings by model year. */
  readonly facetStatsCalculate: readonly { readonly name: string; readonly percent: number }[];
}

const percentOfUsual = (milesPerYear: number) => Math.round((milesPerYear / AVERAGE_MILES_PER_YEAR) * 100);

/** The FAQ's figures; undefined when no listing of the model has a counted mileage. */
export function mileageFaq({ stats, allCars, facetStats }: MileageStats): MileageFaq | undefined {
  const [first, ...otherFacets] = facetStats;
  if (!stats || stats.count === 0 || !first) return undefined;
  const highest = otherFacets.reduce(
    (top, facet) => (facet.mileageMean > top.mileageMean ? facet : top),
    first,
  );
  const total = facetStats.reduce((sum, { count }) => sum + count, 0);
  // Without data about all cars, the difference is 0.
  const all = allCars ?? stats;
  return {
    minYear: stats.minYear,
    difference: Math.round(stats.mileageMean - all.mileageMean),
    maxDifference: Math.round(stats.mileageMax - all.mileageMax),
    averageMiles: Math.round(stats.mileageMean),
    mileageMax: Math.round(stats.mileageMax),
    mileagePerYearMean: Math.round(stats.mileagePerYearMean),
    highestMileageName: highest.name,
    highestMileageCount: highest.count,
    percentModel: percentOfUsual(stats.mileagePerYearMean),
    percentAllCar: percentOfUsual(all.mileagePerYearMean),
    facetStatsCalculate: facetStats.map(({ name, count }) => ({
      name,
      percent: total === 0 ? 0 : Math.round((count / total) * 1000) / 10,
    })),
  };
}
