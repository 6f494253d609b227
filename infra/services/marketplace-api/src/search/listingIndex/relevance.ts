import type { StockListing } from '../../domain/stock.ts';

/**
 * relevance = 0.35 · nearness + 0.25 · price + 0.20 · freshness + 0.20 · completeness
 *             + 0.50 · keyword
 *
 * nearness      e^(−miles / 50), 0 beyond 500 miles; 0 for all without a center
 * price         the asking price against the market: Great 1, Good 0.8, Fair 0.5,
 *               unrated 0.4, High 0.1
 * freshness     e^(−days listed / 30)
 * completeness  share of the important facts that the listing states
 * keyword       share of the words found in make, model and trim rather than
 *               in a label; only with a keyword
 *
 * Each part is 0 to 1; its weighted value is rounded to a hundred-millionth, so
 * that sums are integers. Payments have no influence: paid listings have their
 * own slots.
 */
export const RELEVANCE_WEIGHTS = {
  nearness: 0.35,
  price: 0.25,
  freshness: 0.2,
  completeness: 0.2,
  keyword: 0.5,
} as const;

/** Unit of relevance. */
export const RELEVANCE_UNIT = 1e-8;
const inUnits = (share: number): number => Math.round(share / RELEVANCE_UNIT);

/** Nearness drops to 1/e in this distance. */
export const NEARNESS_MILES = 50;
/** Beyond it nearness is 0; the curve is down to 0.00005. */
export const NEARNESS_LIMIT_MILES = 500;
const FRESHNESS_DAYS = 30;

const PRICE_SCORES = { Great: 1, Good: 0.8, Fair: 0.5, High: 0.1 } as const;
const UNRATED_PRICE_SCORE = 0.4;

const completeness = (listing: StockListing): number => {
  const stated = [
    listing.salePrice ?? listing.msrp ?? listing.incentive,
    listing.mileage,
    listing.trim,
    listing.extColor,
    listing.intColor,
    listing.transmission,
    listing.mpgCity ?? listing.electricRange,
    listing.features.length >= 5 || undefined,
  ];
  return stated.filter((value) => value !== undefined).length / stated.length;
};

/** The parts of relevance that depend on the listing alone, weighted, in units. */
export function listingQuality(listing: StockListing): number {
  const price = listing.dealIndicator ? PRICE_SCORES[listing.dealIndicator] : UNRATED_PRICE_SCORE;
  return inUnits(RELEVANCE_WEIGHTS.price * price + RELEVANCE_WEIGHTS.completeness * completeness(listing));
}

export const nearnessScore = (miles: number): number =>
  miles > NEARNESS_LIMIT_MILES ? 0 : inUnits(RELEVANCE_WEIGHTS.nearness * Math.exp(-miles / NEARNESS_MILES));

/** Freshness does not decrease beyond a year. */
export const FRESHNESS_LIMIT_DAYS = 365;

export const freshnessScore = (days: number): number =>
  inUnits(
    RELEVANCE_WEIGHTS.freshness *
      Math.exp(-Math.min(FRESHNESS_LIMIT_DAYS, Math.max(0, days)) / FRESHNESS_DAYS),
  );

/** `share` of the keywords found in make, model and trim. */
export const keywordScore = (share: number): number => inUnits(RELEVANCE_WEIGHTS.keyword * share);
