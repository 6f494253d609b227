import type { StockListing, StockOwner } from '../domain/stock.ts';

type SingleValue = (listing: StockListing, owner: StockOwner) => string | undefined;
type ManyValues = (listing: StockListing, owner: StockOwner) => readonly string[];

const subtypeOf =
  (...styles: readonly string[]): SingleValue =>
  ({ bodyStyle, bodySubtype }) =>
    styles.includes(bodyStyle) ? bodySubtype : undefined;

/** Codes of the deal filter (AMB-085). */
const DEAL_TYPES: Record<string, string> = { Great: 'greatprice', Good: 'goodprice' };

/** Filters on codes with at most one value per listing, by parameter name. */
export const SINGLE_FACETS = {
  vehicleUseType: ({ isCommercial }) => (isCommercial ? 'COMMERCIAL' : 'PERSONAL'),
  vehicleExchange: ({ moneyBack }) => (moneyBack ? 'true' : undefined),
  listingType: ({ listingType }) => listingType,
  driveGroup: ({ drive }) => drive,
  vehicleStyleCode: ({ bodyStyle }) => bodyStyle,
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
export const MPG_STEPS = [20, 25, 30, 35, 40, 50, 75, 100] as const;
export const ELECTRIC_RANGE_STEPS = [100, 150, 200, 250, 300, 350, 400] as const;
/** Options of the distance filter in miles; 0 = nationwide (AMB-008). */
export const RADIUS_STEPS = [10, 25, 50, 75, 100] as const;
