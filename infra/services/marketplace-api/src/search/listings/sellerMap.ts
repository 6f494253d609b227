import { readMapArea, writeMapArea } from '@forecourt/search/criteria';
import type { CallResponses } from '@forecourt/upstream/calls';
import type { ListingIndex, ListingQuery, SellerCount } from '../listingIndex/listingIndex.ts';
import type { PlaceFinder } from '../../domain/places/index.ts';
import { areaAround, clustersOf, countOf } from './mapClusters.ts';
import { type GeoArea, type GeoPoint, isInArea } from '../../domain/places/index.ts';

type SellerMap = NonNullable<CallResponses['sellerMap']>;

/** The contiguous states: the view of a search without a place. */
const CONTIGUOUS_STATES: GeoArea = { south: 24, west: -125.5, north: 50, east: -66 };
/** Width of the map to its height. */
const ASPECT = 4 / 3;
/** Degrees of longitude, about 16 miles: less shows nothing but one seller. */
const MIN_WIDTH = 0.3;
/** Share of the view that stays free around what it shows. */
const MARGIN = 0.06;
/** Views are rounded to hundredths of a degree, and moved to where degrees of longitude are a little longer. */
const RATIO_TOLERANCE = 0.05;
/** Sellers that are named. */
const MAX_SELLERS = 6;
const MILES_PER_DEGREE = 69.1;

/** The square around a circle; miles. */
function areaWithin({ latitude, longitude }: GeoPoint, miles: number): GeoArea {
  const height = miles / MILES_PER_DEGREE;
  const width = height / Math.cos((latitude * Math.PI) / 180);
  return {
    south: latitude - height,
    north: latitude + height,
    west: longitude - width,
    east: longitude + width,
  };
}

/** A view of the map's proportions around an area, in hundredths of a degree. */
export function viewOf({ south, west, north, east }: GeoArea): GeoArea {
  const [latitude, longitude] = [(south + north) / 2, (west + east) / 2];
  // Degrees of longitude are shorter the farther they are from the equator.
  const ratio = ASPECT / Math.cos((latitude * Math.PI) / 180);
  const wanted = Math.max(east - west, (north - south) * ratio);
  // A searched view stays as it is.
  const isView = Math.abs((north - south) * ratio - (east - west)) < (east - west) * RATIO_TOLERANCE;
  const width = Math.max(MIN_WIDTH, isView ? wanted : wanted * (1 + 2 * MARGIN));
  const height = width / ratio;
  const view = {
    south: latitude - height / 2,
    west: longitude - width / 2,
    north: latitude + height / 2,
    east: longitude + width / 2,
  };
  return readMapArea(writeMapArea(view)) ?? CONTIGUOUS_STATES;
}

const overlap = (one: GeoArea, other: GeoArea): GeoArea | undefined => {
  const area = {
    south: Math.max(one.south, other.south),
    west: Math.max(one.west, other.west),
    north: Math.min(one.north, other.north),
    east: Math.min(one.east, other.east),
  };
  return area.south < area.north && area.west < area.east ? area : undefined;
};

/** The searched part of the view, and the strips around it. */
function partsOf(view: GeoArea, area: GeoArea | undefined) {
  const inside = area ? overlap(view, area) : view;
  if (!inside) return [{ cell: view, isInside: false }];
  const strips = [
    { ...view, south: inside.north },
    { ...view, north: inside.south },
    { ...inside, west: view.west, east: inside.west },
    { ...inside, west: inside.east, east: view.east },
  ].filter(({ south, west, north, east }) => south < north && west < east);
  return [{ cell: inside, isInside: true }, ...strips.map((cell) => ({ cell, isInside: false }))];
}

interface MapRequest {
  readonly view: GeoArea;
  /** The searched part of the map, if it is one. */
  readonly area: GeoArea | undefined;
  /** The shopper looks elsewhere: what is counted is the view. */
  readonly isMoved?: boolean;
}

/**
 * The map of a search: clusters of the sellers in the view, and those with most vehicles by name. Private sellers are
 * counted and not named. The numbers are those of the searched area, by default of the view.
 */
export function mapOfSellers(
  sellers: readonly SellerCount[],
  { view, area, isMoved = false }: MapRequest,
): Omit<SellerMap, 'places'> {
  const searched = sellers.filter(({ owner }) => isInArea((!isMoved && area) || view, owner));
  const dealers = searched.filter(({ owner }) => owner.sellerType !== 'p');
  const largest = dealers.toSorted((a, b) => b.count - a.count || (a.owner.name < b.owner.name ? -1 : 1));
  return {
    view: writeMapArea(view),
    count: countOf(searched),
    sellerCount: searched.length,
    totalCount: countOf(sellers),
    clusters: clustersOf(partsOf(view, area), sellers, view),
    sellers: largest.slice(0, MAX_SELLERS).map(({ owner, count }) => ({
      id: owner.id,
      name: owner.name,
      place: `${owner.city}, ${owner.state}`,
      count,
    })),
  };
}

/** The view of a search: its area, the circle around its place, the sellers of its state or city, or the contiguous states. */
export function defaultView(
  { area, center, radius }: ListingQuery,
  inPlace: readonly SellerCount[],
): GeoArea {
  if (area) return viewOf(area);
  if (center && radius) return viewOf(areaWithin(center, radius));
  return viewOf(areaAround(inPlace.map(({ owner }) => owner)) ?? CONTIGUOUS_STATES);
}

/**
 * Sellers of a search by place; `view` is where the shopper looks. Every other limit by place is dropped: who searches a
 * part of the map leaves the earlier place, so that each count is the number of results of that search.
 */
export async function sellerMapOf(
  { index, places }: { readonly index: ListingIndex; readonly places: PlaceFinder },
  query: ListingQuery,
  moved: GeoArea | undefined,
): Promise<SellerMap> {
  const { area, state, city } = query;
  const anywhere = { ...query, area: undefined, radius: undefined, state: undefined, city: undefined };
  const sellers = await index.sellers({ ...anywhere, extendedDelivery: false });
  const isInPlace = state !== undefined || city !== undefined;
  const view = moved ?? defaultView(query, isInPlace ? await index.sellers(query) : []);
  const isMoved = moved !== undefined;
  return { ...mapOfSellers(sellers, { view, area, isMoved }), places: places.largestIn(view) };
}
