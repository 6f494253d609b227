import { PRICE_BUCKET } from './documents.ts';
import type { Histogram } from './listingIndex.ts';

const MAX_BARS = 40;
/** Widths of a bar, in buckets. */
const WIDTHS = [1, 2, 4, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10_000];
/** Interquartile ranges beyond the quartiles in which prices are usual: Tukey's outer fences. */
const FENCE = 3;

type BucketCounts = readonly (readonly [bucket: number, count: number])[];

/** The bucket below which a share of all listings are; buckets ascend. */
function quantile(used: BucketCounts, share: number): number {
  const rank = Math.floor(share * (used.reduce((sum, [, count]) => sum + count, 0) - 1));
  let below = 0;
  for (const [bucket, count] of used) {
    below += count;
    if (below > rank) return bucket;
  }
  return 0;
}

/**
 * Bars of one round width, at most 40, over the usual prices of the counted listings. One price beyond them, such as a
 * placeholder of $9,999,999, would leave a single bar for all others, so the outermost bars are open.
 */
export function priceHistogram(counts: ReadonlyMap<string, number>): Histogram | undefined {
  const used: BucketCounts = [...counts]
    .filter(([, count]) => count > 0)
    .map(([bucket, count]) => [Number(bucket), count] as const)
    .sort(([a], [b]) => a - b);
  const [first, last] = [used[0], used.at(-1)];
  if (!first || !last) return undefined;
  const [lower, upper] = [quantile(used, 0.25), quantile(used, 0.75)];
  const reach = FENCE * (upper - lower);
  const lowest = Math.max(first[0], lower - reach);
  const highest = Math.min(last[0], upper + reach);
  const width =
    WIDTHS.find((one) => Math.floor(highest / one) - Math.floor(lowest / one) < MAX_BARS) ?? 100_000;
  const start = Math.floor(lowest / width);
  const end = Math.floor(highest / width);
  const bars = new Array<number>(end - start + 1).fill(0);
  for (const [bucket, count] of used)
    bars[Math.min(end, Math.max(start, Math.floor(bucket / width))) - start]! += count;
  return {
    min: start * width * PRICE_BUCKET,
    step: width * PRICE_BUCKET,
    counts: bars,
    isOpenStart: Math.floor(first[0] / width) < start,
    isOpenEnd: Math.floor(last[0] / width) > end,
  };
}
