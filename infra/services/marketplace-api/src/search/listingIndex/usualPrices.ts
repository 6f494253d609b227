/** Dollars of the steps in which both engines collect the prices of a group, so that they say the same. */
export const PRICE_STEP = 1000;

/** The prices of a group that share a step; dollars. */
export interface StepPrices {
  count: number;
  sum: number;
  min: number;
  max: number;
}

/** Beyond this factor from the median, a price tells nothing about what the others are worth. */
const COMPARABLE_FACTOR = 4;
/** Beyond this factor, it is no price: a placeholder like $1 or $9,999,999. */
const CREDIBLE_FACTOR = 20;

export interface UsualPrices {
  /** Number of the averaged prices. */
  readonly priced: number;
  /** Dollars. */
  readonly average: number;
  /** The lowest and the highest credible price. */
  readonly lowest: number;
  readonly highest: number;
}

/**
 * What a group usually costs: one price of $9,999,999 must not move the average that hundreds of other listings are compared
 * with.
 *
 * @param steps in any order; a step without prices is left out
 * @returns undefined without a price
 */
export function usualPrices(steps: Iterable<Readonly<StepPrices>>): UsualPrices | undefined {
  const ordered = [...steps].sort((one, other) => one.min - other.min);
  const total = ordered.reduce((sum, { count }) => sum + count, 0);
  let below = 0;
  const middle = ordered.find(({ count }) => (below += count) >= total / 2);
  if (!middle) return undefined;
  const median = middle.sum / middle.count;
  const within = (factor: number) =>
    ordered.filter(({ min, max }) => max * factor >= median && min <= median * factor);
  const comparable = within(COMPARABLE_FACTOR);
  const credible = within(CREDIBLE_FACTOR);
  const priced = comparable.reduce((sum, { count }) => sum + count, 0);
  return {
    priced,
    average: Math.round(comparable.reduce((all, { sum }) => all + sum, 0) / priced),
    lowest: credible[0]!.min,
    highest: Math.max(...credible.map(({ max }) => max)),
  };
}
