import { monthlyPayment } from '@forecourt/search/payments';
import { BODY_STYLES, FUEL_GROUPS, LISTING_TYPE_LABELS } from '@forecourt/upstream/codes';
import { type StockListing, type StockOwner, derivedPrice, combinedMpg } from '../domain/stock.ts';
import { paidTierOf } from '../search/listingIndex/documents.ts';
import {
  FACET_NAMES,
  type FacetName,
  type ListingQuery,
  MULTI_FACETS,
  type NumericRange,
  SINGLE_FACETS,
} from '../search/listingIndex/listingIndex.ts';
import { distanceMiles } from '../domain/places/index.ts';

/** The simplest implementation of the search: applies every filter to every listing. The index must agree with it. */
export interface Stock {
  readonly listings: readonly StockListing[];
  /** Current and former listings: a model still belongs to its make after its last vehicle is sold. */
  readonly known?: readonly StockListing[];
  readonly owners: ReadonlyMap<string, StockOwner>;
}

const facetValues = (name: FacetName, listing: StockListing, owner: StockOwner): readonly string[] => {
  if (name in MULTI_FACETS) return MULTI_FACETS[name as keyof typeof MULTI_FACETS](listing, owner);
  const value = SINGLE_FACETS[name as keyof typeof SINGLE_FACETS](listing, owner);
  return value === undefined ? [] : [value];
};

const within = (value: number | undefined, range: NumericRange | undefined): boolean =>
  range === undefined ||
  (value !== undefined && value >= (range.min ?? 0) && value <= (range.max ?? Infinity));

/** The models of makes, and the trims of models, that are in a stock: a scan for every listing would be quadratic. */
function vehiclesOf(stock: Stock) {
  const models = new Set<string>();
  const trims = new Set<string>();
  for (const { make, model, trim } of stock.known ?? stock.listings) {
    models.add(`${make.code}/${model.code}`);
    if (!trim) continue;
    trims.add(`${model.code}/${trim.code}`);
    trims.add(`${make.code}/${model.code}/${trim.code}`);
  }
  return {
    hasModel: (make: string, model: string) => models.has(`${make}/${model}`),
    hasTrim: (model: string, trim: string, make?: string) =>
      trims.has(make === undefined ? `${model}/${trim}` : `${make}/${model}/${trim}`),
  };
}
type Vehicles = ReturnType<typeof vehiclesOf>;

/** Make groups, reimplemented from the doc comment of VehicleTree. */
function admitsVehicle(query: ListingQuery, listing: StockListing, { hasModel, hasTrim }: Vehicles): boolean {
  const { makes, models, trims } = query.vehicle ?? { makes: [], models: [], trims: [] };
  const make = listing.make.code;
  const model = listing.model.code;
  if (makes.length > 0 && !makes.includes(make)) return false;
  if (models.length > 0) {
    const homeless = models.filter((code) => !makes.some((chosen) => hasModel(chosen, code)));
    const ownCodes = models.filter((code) => hasModel(make, code));
    const narrowed = makes.length === 0 || ownCodes.length > 0 || (makes[0] === make && homeless.length > 0);
    if (narrowed && !ownCodes.includes(model)) return false;
  }
  if (trims.length > 0) {
    const homeless = trims.filter((code) => !models.some((chosen) => hasTrim(chosen, code)));
    const isNamed = models.length === 0 || models.includes(model);
    // Two makes may use one model code: each has its own trims.
    const ownCodes = trims.filter((code) => isNamed && hasTrim(model, code, make));
    const narrowed =
      models.length === 0 ||
      ownCodes.length > 0 ||
      homeless.some((code) => {
        const parentModel = code.split('|')[0]!;
        return model === (models.includes(parentModel) ? parentModel : models[0]);
      });
    if (narrowed && !ownCodes.includes(listing.trim?.code ?? '')) return false;
  }
  return true;
}

const split = (text: string): string[] =>
  text
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter(Boolean);

const vehicleWords = ({ make, model, trim }: StockListing): string[] =>
  split(`${make.name} ${model.name} ${trim?.name ?? ''}`);

const wordsOf = (listing: StockListing): string[] => [
  ...vehicleWords(listing),
  String(listing.year),
  ...split(listing.bodyStyle ? BODY_STYLES[listing.bodyStyle].label : ''),
  ...split(listing.fuel ? FUEL_GROUPS[listing.fuel] : ''),
  ...split(LISTING_TYPE_LABELS[listing.listingType]),
  ...split(listing.extColor ?? ''),
];

/** A word begins with the keyword or, of a plural, with its singular; a year is the whole word. */
const startsWith = (keyword: string) => (word: string) => {
  if (/^\d{4}$/.test(word)) return word === keyword;
  const singular = keyword.length > 3 && keyword.endsWith('s') ? keyword.slice(0, -1) : keyword;
  return word.startsWith(keyword) || word.startsWith(singular);
};

/** The formula of relevance.ts, part by part, each rounded to a hundred-millionth. `today` in days since 1970. */
function relevanceOf(listing: StockListing, query: ListingQuery, stock: Stock, today: number): number {
  const rounded = (share: number) => Math.round(share * 1e8);
  const miles = query.center && distanceMiles(query.center, stock.owners.get(listing.ownerId)!);
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
  const vehicleMatches = keywords.filter((keyword) => vehicleWords(listing).some(startsWith(keyword))).length;
  return (
    (miles === undefined || miles > 500 ? 0 : rounded(0.35 * Math.exp(-miles / 50))) +
    rounded(0.25 * price + 0.2 * (stated / 8)) +
    rounded(0.2 * Math.exp(-days / 30)) +
    (keywords.length > 0 ? rounded(0.5 * (vehicleMatches / keywords.length)) : 0)
  );
}

function matches(
  query: ListingQuery,
  listing: StockListing,
  { stock, vehicles, facets }: { stock: Stock; vehicles: Vehicles; facets: readonly FacetName[] },
): boolean {
  const owner = stock.owners.get(listing.ownerId)!;
  const facetsMatch = facets.every((name) =>
    facetValues(name, listing, owner).some((value) => query.facets![name]!.includes(value)),
  );
  if (!facetsMatch || !admitsVehicle(query, listing, vehicles)) return false;
  if (!within(listing.year, query.year) || !within(derivedPrice(listing), query.price)) return false;
  const price = derivedPrice(listing);
  if (
    query.payment &&
    !(price !== undefined && monthlyPayment(price, query.payment.terms) <= query.payment.max)
  )
    return false;
  if (query.maxMileage !== undefined && !within(listing.mileage, { max: query.maxMileage })) return false;
  if (query.minMpg !== undefined && !within(combinedMpg(listing), { min: query.minMpg })) return false;
  if (query.electricRange === 'UNSPECIFIED') {
    if (listing.electricRange !== undefined || !['ELE', 'PIH'].includes(listing.fuel ?? '')) return false;
  } else if (
    query.electricRange !== undefined &&
    !within(listing.electricRange, { min: query.electricRange })
  ) {
    return false;
  }
  if (!(query.keywords ?? []).every((keyword) => wordsOf(listing).some(startsWith(keyword)))) return false;
  const delivered = query.extendedDelivery === true && listing.extendedDelivery;
  if (query.center) {
    if (query.radius && distanceMiles(query.center, owner) > query.radius && !delivered) return false;
  } else {
    const inPlace =
      (query.state === undefined || owner.state === query.state) &&
      (query.city === undefined || owner.city === query.city);
    if (!inPlace && !delivered) return false;
  }
  const { area } = query;
  if (area) {
    const { latitude, longitude } = owner;
    if (latitude < area.south || latitude >= area.north) return false;
    if (longitude < area.west || longitude >= area.east) return false;
  }
  if (query.ownerIds && !query.ownerIds.includes(listing.ownerId)) return false;
  if (query.ids && !query.ids.includes(listing.id)) return false;
  if (query.excludedIds?.includes(listing.id)) return false;
  return !query.paidTier || paidTierOf(listing) === query.paidTier;
}

export function found(query: ListingQuery, stock: Stock, vehicles = vehiclesOf(stock)): StockListing[] {
  const facets = FACET_NAMES.filter((name) => (query.facets?.[name]?.length ?? 0) > 0);
  return stock.listings.filter((listing) => matches(query, listing, { stock, vehicles, facets }));
}

/** For each value of each facet, how many listings have it of those that the other filters find; zeros are left out. */
export function facetCounts(query: ListingQuery, stock: Stock): Record<FacetName, Map<string, number>> {
  const vehicles = vehiclesOf(stock);
  const all = found(query, stock, vehicles);
  const countsOf = (name: FacetName): Map<string, number> => {
    const isChosen = (query.facets?.[name]?.length ?? 0) > 0;
    const others = isChosen
      ? found({ ...query, facets: { ...query.facets, [name]: [] } }, stock, vehicles)
      : all;
    const counts = new Map<string, number>();
    for (const listing of others)
      for (const value of new Set(facetValues(name, listing, stock.owners.get(listing.ownerId)!)))
        counts.set(value, (counts.get(value) ?? 0) + 1);
    return counts;
  };
  return Object.fromEntries(FACET_NAMES.map((name) => [name, countsOf(name)])) as Record<
    FacetName,
    Map<string, number>
  >;
}

/** Orders by payment and, where payments are equal, by price. */
const paymentRank = (
  price: number | undefined,
  terms: NonNullable<ListingQuery['payment']>['terms'] | undefined,
): number | undefined => (price === undefined ? undefined : monthlyPayment(price, terms) * 1e9 + price);

/** Order of a sort; listings without the value last, ties by id. `today` in days since 1970. */
export function comparator(sort: string, query: ListingQuery, stock: Stock, today: number) {
  const value = (listing: StockListing): number | undefined => {
    if (sort === 'relevance') return relevanceOf(listing, query, stock, today);
    if (sort.startsWith('derivedprice')) return derivedPrice(listing);
    if (sort.startsWith('monthlyPayment')) return paymentRank(derivedPrice(listing), query.payment?.terms);
    if (sort.startsWith('mileage')) return listing.mileage;
    if (sort.startsWith('year')) return listing.year;
    if (sort.startsWith('datelisted')) return listing.listedOn;
    return query.center ? distanceMiles(query.center, stock.owners.get(listing.ownerId)!) : 0;
  };
  const sign = sort === 'relevance' || sort.endsWith('DESC') ? -1 : 1;
  return (a: StockListing, b: StockListing): number => {
    const [x, y] = [value(a), value(b)];
    if (x === undefined || y === undefined) {
      if (x !== y) return x === undefined ? 1 : -1;
    } else if (x !== y) {
      return sign * (x - y);
    }
    return a.id < b.id ? -1 : 1;
  };
}
