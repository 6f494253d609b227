import type { DocumentSet } from './documentSet.ts';
import type { Documents } from './documents.ts';
import type { MileageStats } from './listingIndex.ts';

/** Sums over some mileages. */
class Spread {
  count = 0;
  private sum = 0;
  private min = Infinity;
  private max = 0;

  add(miles: number): void {
    this.count++;
    this.sum += miles;
    if (miles < this.min) this.min = miles;
    if (miles > this.max) this.max = miles;
  }

  result() {
    return { count: this.count, min: this.min, max: this.max, mean: Math.round(this.sum / this.count) };
  }
}

/**
 * Mileages of the documents with more than 0 and less than `below` miles
 * (A5-RULE-10), together and by model year..
 */
export function mileageStatsOf(
  { numbers: { mileage, year } }: Documents,
  { docs }: DocumentSet,
  below: number,
  currentYear: number,
): MileageStats | undefined {
  const all = new Spread();
  const byYear = new Map<number, Spread>();
  let perYear = 0;
  for (const doc of docs) {
    const miles = mileage[doc]!;
    if (miles <= 0 || miles >= below) continue;
    const built = year[doc]!;
    let spread = byYear.get(built);
    if (!spread) byYear.set(built, (spread = new Spread()));
    spread.add(miles);
    all.add(miles);
    perYear += miles / Math.max(1, currentYear - built);
  }
  if (all.count === 0) return undefined;
  const years = [...byYear].sort(([a], [b]) => b - a);
  return {
    ...all.result(),
    perYearMean: Math.round(perYear / all.count),
    minYear: years.at(-1)![0],
    maxYear: years[0]![0],
    years: years.map(([built, spread]) => ({ year: built, ...spread.result() })),
  };
}
