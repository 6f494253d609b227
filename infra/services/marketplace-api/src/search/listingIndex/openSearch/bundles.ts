import type { StockListing, StockOwner } from '../../../domain/stock.ts';
import { codesOf, type FacetName } from '../listingIndex.ts';
import { STEPPED, type SteppedName, stepOf } from '../numberSteps.ts';
import { type Bucket, term } from './vocabulary.ts';

/** What is counted by codes. */
export type CountedName = FacetName | 'year' | SteppedName;

/**
 * Filters whose codes are counted together: few combinations occur, and one value of each listing is read instead of one
 * for each filter.
 */
const TOGETHER = {
  body: [
    'vehicleStyleCode',
    'bodyStyleSubtypeCode',
    'suvSubtypeCode',
    'vanSubtypeCode',
    'sedanSubtypeCode',
    'truckBedLength',
    'doorCode',
    'seatCount',
    'seriesCode',
    'packages',
  ],
  engine: ['fuelTypeGroup', 'engineCode', 'engineDisplacement', 'transmissionCode', 'driveGroup'],
  colors: ['extColorSimple', 'intColorSimple'],
  offer: ['listingType', 'sellerType', 'dealType', 'vehicleExchange', 'vehicleUseType', 'year'],
  services: ['vehicleHistoryType', 'homeServices'],
  /** At most 1,000 combinations. */
  numbers: STEPPED,
} satisfies Record<string, readonly CountedName[]>;
export type Bundle = keyof typeof TOGETHER;

export const BUNDLES = Object.keys(TOGETHER) as Bundle[];
const namesIn = (bundle: Bundle): readonly CountedName[] => TOGETHER[bundle];
const bundleOfName = new Map(
  BUNDLES.flatMap((bundle) => namesIn(bundle).map((name) => [name, bundle] as const)),
);

/** The bundle that the codes are in; undefined if they are counted alone. */
export const bundleOf = (name: CountedName): Bundle | undefined => bundleOfName.get(name);

/** Name of a bundle's field. */
export const bundleField = (bundle: Bundle): string => `bundles.${bundle}`;

const BETWEEN_ENTRIES = '\u{1F}';
const AFTER_NAME = '=';

const isStepped = (name: CountedName): name is SteppedName => (STEPPED as readonly string[]).includes(name);

function codes(name: CountedName, listing: StockListing, owner: StockOwner): readonly string[] {
  if (name === 'year') return [String(listing.year)];
  return isStepped(name) ? [stepOf(name, listing) ?? []].flat() : codesOf(name, listing, owner);
}

/** A listing's value of each bundle: its codes in the order of the filters. */
export const bundlesOfListing = (listing: StockListing, owner: StockOwner) =>
  Object.fromEntries(
    BUNDLES.map((bundle) => {
      const entries = namesIn(bundle).flatMap((name) =>
        [...new Set(codes(name, listing, owner).map(term))].sort().map((code) => name + AFTER_NAME + code),
      );
      return [bundle, entries.join(BETWEEN_ENTRIES)];
    }),
  );

/** Counts of the terms of each filter from those of its bundle. */
export function termCounts(buckets: readonly Bucket[]): Map<string, Map<string, number>> {
  const counts = new Map<string, Map<string, number>>();
  for (const { key, doc_count: count } of buckets)
    for (const entry of String(key).split(BETWEEN_ENTRIES)) {
      const at = entry.indexOf(AFTER_NAME);
      const name = entry.slice(0, at);
      let ofName = counts.get(name);
      if (!ofName) counts.set(name, (ofName = new Map<string, number>()));
      const code = entry.slice(at + 1);
      ofName.set(code, (ofName.get(code) ?? 0) + count);
    }
  return counts;
}
