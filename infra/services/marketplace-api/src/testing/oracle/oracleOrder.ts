import { monthlyPayment } from '@forecourt/search/payments';
import { derivedPrice } from '../../domain/stock.ts';
import type { ListingQuery } from '../../search/listingIndex/listingIndex.ts';
import type { MilesOf, Row } from './oracleFilters.ts';
import { hasWord } from './words.ts';

interface Order {
  readonly query: ListingQuery;
  readonly sort: string;
  /** Days since 1970. */
  readonly today: number;
  readonly milesOf: MilesOf;
}

export interface Ranked {
  readonly id: string;
  /** What is sorted by; listings without it are last. */
  readonly value: number | undefined;
}

/** The formula of relevance.ts, part by part, each rounded to a hundred-millionth. */
function relevanceOf(row: Row, { query, today, milesOf }: Order): number {
  const { listing, vehicle } = row;
  const rounded = (share: number) => Math.round(share * 1e8);
  const miles = milesOf?.(row);
  const price = { Great: 1, Good: 0.8, Fair: 0.5, High: 0.1, unrated: 0.4 }[
    listing.dealIndicator ?? 'unrated'
  ];
  const days = Math.min(365, Math.max(0, today - listing.listedOn));
  const stated = [
    derivedPrice(listing) !== undefined,
    listing.mileage !== undefined,
    listing.trim !== undefined,
    listing.extColor !== undefined,
    listing.intColor !== undefined,
    listing.transmission !== undefined,
    (listing.mpgCity ?? listing.electricRange) !== undefined,
    listing.features.length >= 5,
  ].filter(Boolean).length;
  const { keywords = [] } = query;
  const vehicleMatches = keywords.filter((keyword) => hasWord(keyword)(vehicle.text)).length;
  return (
    (miles === undefined || miles > 500 ? 0 : rounded(0.35 * Math.exp(-miles / 50))) +
    rounded(0.25 * price + 0.2 * (stated / 8)) +
    rounded(0.2 * Math.exp(-days / 30)) +
    (keywords.length > 0 ? rounded(0.5 * (vehicleMatches / keywords.length)) : 0)
  );
}

/** Orders by payment and, where payments are equal, by price. */
const paymentRank = (
  price: number | undefined,
  terms: NonNullable<ListingQuery['payment']>['terms'] | undefined,
): number | undefined => (price === undefined ? undefined : monthlyPayment(price, terms) * 1e9 + price);

function valueOf(row: Row, order: Order): number | undefined {
  const { listing } = row;
  const { sort, query, milesOf } = order;
  if (sort === 'relevance') return relevanceOf(row, order);
  if (sort.startsWith('derivedprice')) return derivedPrice(listing);
  if (sort.startsWith('monthlyPayment')) return paymentRank(derivedPrice(listing), query.payment?.terms);
  if (sort.startsWith('mileage')) return listing.mileage;
  if (sort.startsWith('year')) return listing.year;
  if (sort.startsWith('datelisted')) return listing.listedOn;
  return milesOf?.(row) ?? 0;
}

/** Order of a sort; listings without the value last, ties by id. */
export const comparator = (sort: string) => {
  const sign = sort === 'relevance' || sort.endsWith('DESC') ? -1 : 1;
  return ({ id, value: x }: Ranked, { id: otherId, value: y }: Ranked): number => {
    if (x === undefined || y === undefined) {
      if (x !== y) return x === undefined ? 1 : -1;
    } else if (x !== y) {
      return sign * (x - y);
    }
    return id < otherId ? -1 : 1;
  };
};

export const ranked = (rows: readonly Row[], order: Order): Ranked[] =>
  rows.map((row) => ({ id: row.listing.id, value: valueOf(row, order) })).sort(comparator(order.sort));
