import type { SearchCriteria } from '@forecourt/search/criteria';
import { toApiQuery } from '@forecourt/search/query';
import type { LoadContext } from '@forecourt/slots';
import type { Filter, Listing } from '@forecourt/upstream/entities';
import { orElse } from './orElse.ts';
import { modelCriteria } from './returnToSearch.ts';

/** Comparable listings are at most this many model years older or newer. */
export const YEARS_AROUND = 1;
/** Minimum number of listings for a meaningful comparison. */
export const MARKET_MINIMUM = 10;

/** Criteria for comparable vehicles: same model, similar age, and new with new only. */
function comparableCriteria({ year, makeCode, modelCode, listingType }: Listing): SearchCriteria {
  const criteria = modelCriteria(makeCode, modelCode);
  return {
    ...criteria,
    filters: {
      ...criteria.filters,
      startYear: [String(year - YEARS_AROUND)],
      endYear: [String(year + YEARS_AROUND)],
      listingType: listingType === 'NEW' ? ['NEW'] : ['USED', 'CERTIFIED', '3P_CERT'],
    },
  };
}

/** Filters of the search for comparable vehicles: its price histogram and feature labels are used. */
export async function loadMarketFilters(listing: Listing, { state, call }: LoadContext) {
  const query = toApiQuery(comparableCriteria(listing), { brand: state.session.brand });
  query.set('numRecords', '1');
  return (await orElse(call('filterPreview', Object.fromEntries(query)), undefined))?.filters;
}

export interface MarketPosition {
  /** Number of compared listings, including this one. */
  readonly total: number;
  /** Share of them with a higher price, in whole percent. */
  readonly dearerPercent: number;
  /** US dollars, from the start of the first bar to the end of the last. */
  readonly min: number;
  readonly max: number;
  /** The first bar also counts listings below it; the last, those above it. */
  readonly isOpenStart?: boolean;
  readonly isOpenEnd?: boolean;
  /** Listing counts by price; every bar covers the same price range. */
  readonly bars: readonly number[];
  /** Index of the bar that holds this listing. */
  readonly own: number;
}

/** Shares of comparable listings with a higher price, in percent, from which a label holds. */
const MARKET_LABELS = [
  [85, 'Well below market'],
  [60, 'Below market'],
  [40, 'Around market'],
  [15, 'Above market'],
  [0, 'Well above market'],
] as const;

/** 'Below market': where the price stands among comparable listings. */
export const marketLabel = ({ dearerPercent }: Pick<MarketPosition, 'dearerPercent'>): string =>
  MARKET_LABELS.find(([least]) => dearerPercent >= least)![1];

/**
 * Position of a price (US dollars) among comparable listings, from the price histogram of their search. Half
 * of the listings in the same bar count as more expensive. Undefined without a price or with too few
 * listings.
 */
export function marketPosition(
  price: number | undefined,
  filters: readonly Filter[] | undefined,
): MarketPosition | undefined {
  const histogram = filters?.find(({ name }) => name === 'priceRange')?.histogram;
  if (price === undefined || !histogram) return undefined;
  const { min, step, counts, isOpenStart, isOpenEnd } = histogram;
  const first = counts.findIndex((count) => count > 0);
  const last = counts.findLastIndex((count) => count > 0);
  const total = counts.reduce((sum, count) => sum + count, 0);
  if (total < MARKET_MINIMUM || first === -1) return undefined;
  const bar = Math.min(last, Math.max(first, Math.floor((price - min) / step)));
  const pricierCount = counts.slice(bar + 1).reduce((sum, count) => sum + count, 0);
  return {
    total,
    dearerPercent: Math.round(((pricierCount + (counts[bar] ?? 0) / 2) / total) * 100),
    min: min + first * step,
    max: min + (last + 1) * step,
    ...(isOpenStart && { isOpenStart }),
    ...(isOpenEnd && { isOpenEnd }),
    bars: counts.slice(first, last + 1),
    own: bar - first,
  };
}
