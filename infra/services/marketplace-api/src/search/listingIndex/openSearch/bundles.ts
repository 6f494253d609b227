import type { StockListing, StockOwner } from '../../../domain/stock.ts';
import { codesOf, type FacetName } from '../listingIndex.ts';
import { type Bucket, term } from './vocabulary.ts';

/**
 * Filters whose codes are counted together: few combinations occur, and one value of each listing is read instead of one
 * for each filter.
 */
const TOGETHER: Readonly<Record<string, readonly FacetName[]>> = {
  body: [
    'vehicleStyleCode',
    'bodyStyleSubtypeCode',
    'suvSubtypeCode',
    'vanSubtypeCode',
    'sedanSubtypeCode',
    'truckBedLength',
    'doorCode',
    'seatCount',
  ],
  engine: ['fuelTypeGroup', 'engineCode', 'engineDisplacement', 'transmissionCode', 'driveGroup'],
  colors: ['extColorSimple', 'intColorSimple'],
  offer: ['listingType', 'sellerType', 'dealType', 'vehicleExchange', 'vehicleUseType'],
  services: ['vehicleHistoryType', 'homeServices'],
};
const bundleOfFacet = new Map<string, string>(
  Object.entries(TOGETHER).flatMap(([bundle, names]) => names.map((name) => [name, bundle] as const)),
);

/** The bundle that a filter's codes are in; undefined if they are counted alone. */
export const bundleOf = (name: FacetName): string | undefined => bundleOfFacet.get(name);

export const BUNDLES: readonly string[] = Object.keys(TOGETHER);

/** Name of a bundle's field. */
export const bundleField = (bundle: string): string => `bundles.${bundle}`;

const BETWEEN_ENTRIES = '\u{1F}';
const AFTER_NAME = '=';

/** A listing's value of each bundle: its codes in the order of the filters. */
export const bundlesOfListing = (listing: StockListing, owner: StockOwner) =>
  Object.fromEntries(
    Object.entries(TOGETHER).map(([bundle, names]) => {
      const entries = names.flatMap((name) =>
        [...new Set(codesOf(name, listing, owner).map(term))].sort().map((code) => name + AFTER_NAME + code),
      );
      return [bundle, entries.join(BETWEEN_ENTRIES)];
    }),
  );

/** Counts of a filter's terms from those of its bundle. */
export function termCounts(name: FacetName, buckets: readonly Bucket[]): Bucket[] {
  const counts = new Map<string, number>();
  const start = name + AFTER_NAME;
  for (const { key, doc_count: count } of buckets)
    for (const entry of String(key).split(BETWEEN_ENTRIES))
      if (entry.startsWith(start)) {
        const code = entry.slice(start.length);
        counts.set(code, (counts.get(code) ?? 0) + count);
      }
  return [...counts].map(([key, doc_count]) => ({ key, doc_count }));
}
