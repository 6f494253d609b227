import { monthlyPayment } from '@forecourt/search/payments';
import { combinedMpg, derivedPrice, type StockListing, type StockOwner } from '../../domain/stock.ts';
import {
  FACET_NAMES,
  type FacetName,
  type ListingQuery,
  MULTI_FACETS,
  type NumericRange,
  SINGLE_FACETS,
} from '../../search/listingIndex/listingIndex.ts';
import { oncePer } from './oncePer.ts';
import type { Vehicle, Vehicles } from './vehicles.ts';
import { hasWord, labelsOf } from './words.ts';

/** A listing with what belongs to it. */
export interface Row {
  readonly listing: StockListing;
  readonly owner: StockOwner;
  /** Position among the owners. */
  readonly ownerAt: number;
  readonly vehicle: Vehicle;
}

/** Miles from the search's center; undefined without one. */
export type MilesOf = ((row: Row) => number) | undefined;

type Predicate = (row: Row) => boolean;

const within = (value: number | undefined, range: NumericRange | undefined): boolean =>
  range === undefined ||
  (value !== undefined && value >= (range.min ?? 0) && value <= (range.max ?? Infinity));

const paidTierOf = ({ spotlightTier, isBoosted }: StockListing) =>
  spotlightTier ?? (isBoosted ? 'boost' : undefined);

/** Values of a code filter. */
export function codesOf(name: FacetName): (row: Row) => readonly string[] {
  if (name in MULTI_FACETS) {
    const valuesOf = MULTI_FACETS[name as keyof typeof MULTI_FACETS];
    return ({ listing, owner }) => valuesOf(listing, owner);
  }
  const valueOf = SINGLE_FACETS[name as keyof typeof SINGLE_FACETS];
  return ({ listing, owner }) => {
    const value = valueOf(listing, owner);
    return value === undefined ? [] : [value];
  };
}

/** Filters on amounts that have thresholds to select, and on places. Each returns undefined if the query doesn't use it. */
export const THRESHOLD_FILTERS = {
  monthlyPayment({ payment }) {
    if (!payment) return undefined;
    const isAffordable = oncePer((price: number) => monthlyPayment(price, payment.terms) <= payment.max);
    return ({ listing }) => {
      const price = derivedPrice(listing);
      return price !== undefined && isAffordable(price);
    };
  },
  mileage: ({ maxMileage }) =>
    maxMileage === undefined ? undefined : ({ listing }) => within(listing.mileage, { max: maxMileage }),
  mpg: ({ minMpg }) =>
    minMpg === undefined ? undefined : ({ listing }) => within(combinedMpg(listing), { min: minMpg }),
  electricRange({ electricRange }) {
    if (electricRange === undefined) return undefined;
    if (electricRange === 'UNSPECIFIED')
      return ({ listing }) =>
        listing.electricRange === undefined && ['ELE', 'PIH'].includes(listing.fuel ?? '');
    return ({ listing }) => within(listing.electricRange, { min: electricRange });
  },
  location({ radius, state, city, extendedDelivery = false }, milesOf) {
    const isInPlace: Predicate = milesOf
      ? (row) => !radius || milesOf(row) <= radius
      : ({ owner }) =>
          (state === undefined || owner.state === state) && (city === undefined || owner.city === city);
    return (row) => isInPlace(row) || (extendedDelivery && row.listing.extendedDelivery);
  },
} satisfies Record<string, (query: ListingQuery, milesOf: MilesOf) => Predicate | undefined>;

/** Every filter in use by the name under which it can be dropped. Those that take longest are last. */
export function filtersOf(
  query: ListingQuery,
  vehicles: Vehicles,
  milesOf: MilesOf,
): { readonly name: string; readonly passes: Predicate }[] {
  const filters: Record<string, Predicate | undefined> = {};
  const { area, year, price, vehicle: selection, keywords = [] } = query;
  if (year) filters.year = ({ listing }) => within(listing.year, year);
  if (price) filters.price = ({ listing }) => within(derivedPrice(listing), price);
  if (selection) {
    const admitted = vehicles.admitted(selection);
    filters.vehicle = ({ vehicle }) => admitted[vehicle.at]!;
  }
  for (const name of FACET_NAMES) {
    const selected = query.facets?.[name] ?? [];
    const codes = codesOf(name);
    if (selected.length > 0) filters[name] = (row) => codes(row).some((code) => selected.includes(code));
  }
  for (const [name, filter] of Object.entries(THRESHOLD_FILTERS)) filters[name] = filter(query, milesOf);
  if (area)
    filters.area = ({ owner: { latitude, longitude } }) =>
      latitude >= area.south && latitude < area.north && longitude >= area.west && longitude < area.east;
  const { ownerIds, ids, excludedIds, paidTier } = query;
  if (ownerIds ?? ids ?? excludedIds ?? paidTier)
    filters.scope = ({ listing }) =>
      (ownerIds?.includes(listing.ownerId) ?? true) &&
      (ids?.includes(listing.id) ?? true) &&
      !excludedIds?.includes(listing.id) &&
      (!paidTier || paidTierOf(listing) === paidTier);
  if (keywords.length > 0) {
    const isFound = keywords.map((keyword) => oncePer(hasWord(keyword)));
    filters.keyword = ({ listing, vehicle }) =>
      isFound.every((isIn) => isIn(vehicle.text) || labelsOf(listing).some(isIn));
  }
  return Object.entries(filters).flatMap(([name, passes]) => (passes ? [{ name, passes }] : []));
}
