import type { SearchCriteria, readPaymentLimit } from '@forecourt/search/criteria';
import type { Named, SpotlightTier, StockListing, StockOwner } from '../../domain/stock.ts';
import type { StockIndex } from '../../inventory/index.ts';
import type { ValueCounts } from './facetColumn.ts';
import type { GeoArea, GeoPoint } from '../../domain/places/index.ts';
import type { UsualPrices } from './usualPrices.ts';
import type { VehicleCount, VehicleNode, VehicleSelection } from './vehicleTree.ts';

type SingleValue = (listing: StockListing, owner: StockOwner) => string | undefined;
type ManyValues = (listing: StockListing, owner: StockOwner) => readonly string[];

const subtypeOf =
  (...styles: readonly string[]): SingleValue =>
  ({ bodyStyle, bodySubtype }) =>
    bodyStyle !== undefined && styles.includes(bodyStyle) ? bodySubtype : undefined;

/** Codes of the deal filter. */
const DEAL_TYPES: Record<string, string> = { Great: 'greatprice', Good: 'goodprice' };

/** Filters on codes with at most one value per listing, by parameter name. */
export const SINGLE_FACETS = {
  vehicleUseType: ({ isCommercial }) => (isCommercial ? 'COMMERCIAL' : 'PERSONAL'),
  vehicleExchange: ({ moneyBack }) => (moneyBack ? 'true' : undefined),
  listingType: ({ listingType }) => listingType,
  driveGroup: ({ drive }) => drive,
  vehicleStyleCode: ({ bodyStyle }) => bodyStyle,
  seatCount: ({ seats }) => (seats === undefined ? undefined : String(seats)),
  fuelTypeGroup: ({ fuel }) => fuel,
  seriesCode: ({ series }) => series?.code,
  extColorSimple: ({ extColor }) => extColor,
  intColorSimple: ({ intColor }) => intColor,
  transmissionCode: ({ transmission }) => transmission,
  engineDisplacement: ({ engineDisplacement }) => engineDisplacement,
  engineCode: ({ engineCode }) => engineCode,
  dealType: ({ dealIndicator }) => dealIndicator && DEAL_TYPES[dealIndicator],
  doorCode: ({ doors }) => (doors === undefined ? undefined : String(doors)),
  sellerType: (_, { sellerType }) => sellerType,
  truckBedLength: ({ truckBedLength }) => truckBedLength,
  bodyStyleSubtypeCode: subtypeOf('TRUCKS'),
  suvSubtypeCode: subtypeOf('SUVCROSS', 'SUV'),
  vanSubtypeCode: subtypeOf('VANMV', 'VANS'),
  sedanSubtypeCode: subtypeOf('SEDAN'),
} satisfies Record<string, SingleValue>;

/** Filters on codes of which a listing can have several. */
export const MULTI_FACETS = {
  packages: ({ packages }) => packages,
  vehicleHistoryType: ({ history }) => history,
  homeServices: (_, { homeServices }) => homeServices,
  featureCode: ({ features }) => features,
} satisfies Record<string, ManyValues>;

export type SingleFacet = keyof typeof SINGLE_FACETS;
export type MultiFacet = keyof typeof MULTI_FACETS;
export type FacetName = SingleFacet | MultiFacet;

export const SINGLE_FACET_NAMES = Object.keys(SINGLE_FACETS) as SingleFacet[];
export const MULTI_FACET_NAMES = Object.keys(MULTI_FACETS) as MultiFacet[];
export const FACET_NAMES: readonly FacetName[] = [...SINGLE_FACET_NAMES, ...MULTI_FACET_NAMES];

/** A listing's codes for a filter. */
export function codesOf(name: FacetName, listing: StockListing, owner: StockOwner): readonly string[] {
  if (Object.hasOwn(MULTI_FACETS, name)) return MULTI_FACETS[name as MultiFacet](listing, owner);
  return [SINGLE_FACETS[name as SingleFacet](listing, owner) ?? []].flat();
}

/** Options of the threshold filters: miles at most, miles a gallon and electric miles at least. */
export const MILEAGE_STEPS = [15_000, 30_000, 45_000, 60_000, 75_000, 100_000, 150_000, 200_000] as const;
/** Options of the payment filter, USD a month. */
export const PAYMENT_STEPS = [200, 300, 400, 500, 600, 800, 1000] as const;
export const MPG_STEPS = [20, 25, 30, 35, 40, 50, 75, 100] as const;
export const ELECTRIC_RANGE_STEPS = [100, 150, 200, 250, 300, 350, 400] as const;
/** Options of the distance filter in miles; 0 = nationwide. */
export const RADIUS_STEPS = [10, 25, 50, 75, 100] as const;

/** Paid placements: a spotlight tier, or one of the grid's boost slots. */
export type PaidTier = SpotlightTier | 'boost';

export interface NumericRange {
  readonly min?: number;
  readonly max?: number;
}

/**
 * A validated search in codes and numbers.
 * Filters combine with "and", values of one filter with "or". A code that no
 * listing has matches nothing. A listing without a price (or mileage, fuel
 * economy, electric range) does not match a filter on it.
 */
export interface ListingQuery {
  readonly facets?: Readonly<Partial<Record<FacetName, readonly string[]>>>;
  readonly vehicle?: VehicleSelection;
  readonly year?: NumericRange;
  /** Whole US dollars of the derived price. */
  readonly price?: NumericRange;
  /** Highest monthly payment, and the terms of the loan. */
  readonly payment?: ReturnType<typeof readPaymentLimit>;
  readonly maxMileage?: number;
  /** Combined miles a gallon. */
  readonly minMpg?: number;
  /** Miles; 'UNSPECIFIED' = electric and plug-in vehicles of unknown range. */
  readonly electricRange?: number | 'UNSPECIFIED';
  readonly center?: GeoPoint;
  /** Miles around `center`; 0 or absent = nationwide. */
  readonly radius?: number;
  /** Adds listings delivered from outside the radius. */
  readonly extendedDelivery?: boolean;
  readonly state?: string;
  readonly city?: string;
  readonly area?: GeoArea;
  /** Lower-case words that must all match make, model, trim, year or a label. */
  readonly keywords?: readonly string[];
  readonly ownerIds?: readonly string[];
  readonly ids?: readonly string[];
  readonly excludedIds?: readonly string[];
  readonly paidTier?: PaidTier;
}

export interface PageRequest {
  readonly sort: SearchCriteria['sortBy'];
  /** Zero-based offset of the first hit; clamped to the last page. */
  readonly first: number;
  /** Hits of a page, at least 1. */
  readonly size: number;
  /** Offsets are floored to multiples of this; `size` by default. */
  readonly step?: number;
}

/** Of searches for their counts. */
export const ONE_HIT: PageRequest = { sort: 'yearDESC', first: 0, size: 1 };

export interface Hit {
  readonly id: string;
  /** Miles from the center; missing without one. */
  readonly distance?: number;
}

/** Filters that can be dropped; dropping `model` also drops `trim`, dropping `make` both. */
export type DroppableFilter =
  | FacetName
  | 'make'
  | 'model'
  | 'trim'
  | 'year'
  | 'price'
  | 'monthlyPayment'
  | 'mileage'
  | 'mpg'
  | 'electricRange'
  | 'location'
  | 'area'
  | 'keyword';

export interface Histogram {
  readonly min: number;
  readonly step: number;
  readonly counts: readonly number[];
  /** The first bar also counts all below it. */
  readonly isOpenStart: boolean;
  /** The last bar also counts all above it. */
  readonly isOpenEnd: boolean;
}

/** Each filter's counts ignore that filter's own selection. */
export interface FacetCounts {
  readonly facets: Readonly<Record<FacetName, ValueCounts>>;
  readonly makes: readonly VehicleCount[];
  readonly models: readonly VehicleCount[];
  readonly trims: readonly VehicleCount[];
  /** Listings of each model year, ignoring both bounds; years ascending. */
  readonly years: readonly { readonly year: number; readonly count: number }[];
  /** Dollars, ignoring both bounds; missing when no listing has a price. */
  readonly priceHistogram?: Histogram;
  /** Listings with at most this payment by the search's terms, by threshold. */
  readonly monthlyPayment: ReadonlyMap<number, number>;
  /** Listings with at most as many miles, by threshold. */
  readonly mileage: ReadonlyMap<number, number>;
  /** Listings with at least as much, by threshold. */
  readonly mpg: ReadonlyMap<number, number>;
  readonly electricRange: ReadonlyMap<number | 'UNSPECIFIED', number>;
  /** Listings by radius in miles (0 = nationwide) and with extended delivery at the chosen radius. */
  readonly radius: ReadonlyMap<number, number>;
  readonly extendedDelivery: number;
  /** Total when the filter is dropped, for each filter in use. */
  readonly totalWithout: ReadonlyMap<DroppableFilter, number>;
}

export interface SearchHits {
  readonly total: number;
  /** Offset at which `hits` begin, after clamping to the last page. */
  readonly first: number;
  readonly hits: readonly Hit[];
  readonly stats: {
    readonly price?: { readonly min: number; readonly max: number };
    readonly year?: { readonly min: number; readonly max: number };
  };
  readonly counts?: FacetCounts;
}

export interface MileageSpread {
  readonly count: number;
  /** Miles. */
  readonly min: number;
  readonly max: number;
  readonly mean: number;
}

export interface MileageStats extends MileageSpread {
  /** Mean miles for each year of age; a car of this year counts as one year old. */
  readonly perYearMean: number;
  readonly minYear: number;
  readonly maxYear: number;
  /** Newest year first. */
  readonly years: readonly (MileageSpread & { readonly year: number })[];
}

export interface PriceGroup {
  readonly key: string;
  readonly name: string;
  readonly count: number;
  /** What its listings usually cost; missing without a price. */
  readonly prices?: UsualPrices;
}

export interface SellerCount {
  readonly owner: StockOwner;
  /** At least 1. */
  readonly count: number;
  /** Whole US dollars; undefined if none of them has a price. */
  readonly lowestPrice?: number | undefined;
}

/**
 * What an engine in this process returns at once and a remote one later. A call to the embedded index leaves the
 * current turn of the event loop only if its caller does.
 */
export type Awaitable<T> = T | Promise<T>;

/** Port of the search engine; the embedded columnar index is the default adapter. */
export interface ListingIndex extends StockIndex {
  /** Incremented by each change, for cache validation. */
  readonly version: number;
  search(
    query: ListingQuery,
    page: PageRequest,
    options?: { readonly counts?: boolean },
  ): Awaitable<SearchHits>;
  count(query: ListingQuery): Awaitable<number>;
  /** Matching listings by model year or trim, with their prices. */
  groupPrices(query: ListingQuery, by: 'year' | 'trim'): Awaitable<PriceGroup[]>;
  /** Over matching listings with more than 0 and less than `below` miles; undefined without any. */
  mileageStats(query: ListingQuery, below: number): Awaitable<MileageStats | undefined>;
  /** Matching listings of each of the owners. */
  countByOwner(query: ListingQuery, ownerIds: readonly string[]): Awaitable<ReadonlyMap<string, number>>;
  /** Every owner of matching listings with their number, in any order. */
  sellers(query: ListingQuery): Awaitable<readonly SellerCount[]>;
  /** Every make, model and trim that listings have or had. */
  readonly vehicleNodes: readonly VehicleNode[];
  /** `vehicleNodes` with their live listings. */
  vehicles(): Awaitable<(VehicleNode & { readonly count: number })[]>;
  /** Names of the first make, model and trim of a selection, as far as they belong together. */
  names(selection: VehicleSelection): {
    readonly make?: Named;
    readonly model?: Named;
    readonly trim?: Named;
  };
  /** Ends connections. */
  close(): Awaitable<void>;
}
