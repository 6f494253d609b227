import { combinedMpg, plugsInWithoutRange, type StockListing } from '../../domain/stock.ts';
import { ELECTRIC_RANGE_STEPS, MILEAGE_STEPS, MPG_STEPS } from './listingIndex.ts';

/** Filters with thresholds, whose options are counted from the listings of each step. */
export const STEPPED = ['mileage', 'mpg', 'electricRange'] as const;
export type SteppedName = (typeof STEPPED)[number];

const lowestAtLeast = (steps: readonly number[], value: number | undefined): number | undefined =>
  value === undefined ? undefined : steps.find((step) => value <= step);

const highestAtMost = (steps: readonly number[], value: number | undefined): number | undefined =>
  value === undefined ? undefined : steps.findLast((step) => step <= value);

/** The step of each filter that a listing is in; undefined beyond the last one, and without the number. */
export function stepOf(name: SteppedName, listing: StockListing): string | undefined {
  const step = () => {
    switch (name) {
      case 'mileage':
        return lowestAtLeast(MILEAGE_STEPS, listing.mileage);
      case 'mpg':
        return highestAtMost(MPG_STEPS, combinedMpg(listing));
      case 'electricRange':
        return plugsInWithoutRange(listing)
          ? 'UNSPECIFIED'
          : highestAtMost(ELECTRIC_RANGE_STEPS, listing.electricRange);
    }
  };
  return step()?.toString();
}

type StepCounts = ReadonlyMap<string, number>;

/** Listings at or below each step. */
function atMost(steps: readonly number[], counts: StepCounts): Map<number, number> {
  let total = 0;
  return new Map(steps.map((step) => [step, (total += counts.get(String(step)) ?? 0)]));
}

/** Listings at or above each step. */
function atLeast(steps: readonly number[], counts: StepCounts): Map<number, number> {
  let total = 0;
  const falling = steps.toReversed().map((step) => [step, (total += counts.get(String(step)) ?? 0)] as const);
  return new Map(falling.toReversed());
}

/** Counts of all options from the listings of each step. */
export function thresholdCounts(countsOf: (name: SteppedName) => StepCounts) {
  const ranges = countsOf('electricRange');
  const electricRange = new Map<number | 'UNSPECIFIED', number>(atLeast(ELECTRIC_RANGE_STEPS, ranges));
  electricRange.set('UNSPECIFIED', ranges.get('UNSPECIFIED') ?? 0);
  return {
    mileage: atMost(MILEAGE_STEPS, countsOf('mileage')),
    mpg: atLeast(MPG_STEPS, countsOf('mpg')),
    electricRange,
  };
}
