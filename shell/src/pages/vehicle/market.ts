import type { Filter, Listing } from '@forecourt/shared-contracts/entities';
import type { SearchCriteria } from '@forecourt/shared-contracts/criteria';

/** Years to either side that still count as the same car. */
const YEARS_AROUND = 1;
/** Fewer than these are no market. */
export const MARKET_MINIMUM = 5;

/** Vehicles which a shopper would compare a listing with: same model, about as old, new or used alike. */
export function comparableCriteria(listing: Listing): SearchCriteria {
  const { year, makeCode, modelCode, listingType } = listing;
  return {
    filters: {
      makeCode: [makeCode],
      modelCode: [modelCode],
      startYear: [String(year - YEARS_AROUND)],
      endYear: [String(year + YEARS_AROUND)],
      listingType: listingType === 'NEW' ? ['NEW'] : ['USED', 'CERTIFIED', '3P_CERT'],
    },
    sortBy: 'relevance',
    firstRecord: 0,
    numRecords: 30,
    unknown: [],
  };
}

export interface MarketPosition {
  /** Listings compared, this one included. */
  readonly total: number;
  /** Whole percent of them that cost more. */
  readonly dearerPercent: number;
  /** US dollars from the first bar's start to the last one's end. */
  readonly min: number;
  readonly max: number;
  /** Listings by price, equal widths. */
  readonly bars: readonly number[];
  /** The bar in which this listing is. */
  readonly own: number;
}

/**
 * Where a price (US dollars) stands among comparable listings, by the histogram
 * of the search. Half of those in its own bar count as dearer. Undefined
 * without a price, or where there are too few to compare.
 */
export function marketPosition(
  price: number | undefined,
  answer: { readonly totalResultCount: number; readonly filters: readonly Filter[] } | undefined,
): MarketPosition | undefined {
  const histogram = answer?.filters.find(({ name }) => name === 'priceRange')?.histogram;
  if (price === undefined || !histogram) return undefined;
  const { min, step, counts } = histogram;
  const first = counts.findIndex((count) => count > 0);
  const last = counts.findLastIndex((count) => count > 0);
  const priced = counts.reduce((sum, count) => sum + count, 0);
  if (priced < MARKET_MINIMUM || first === -1) return undefined;
  const bar = Math.min(last, Math.max(first, Math.floor((price - min) / step)));
  const above = counts.slice(bar + 1).reduce((sum, count) => sum + count, 0);
  return {
    total: priced,
    dearerPercent: Math.round(((above + (counts[bar] ?? 0) / 2) / priced) * 100),
    min: min + first * step,
    max: min + (last + 1) * step,
    bars: counts.slice(first, last + 1),
    own: bar - first,
  };
}
