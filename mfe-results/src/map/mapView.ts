import { useEffect, useState } from 'react';
import {
  changeFilters,
  type SearchCriteria,
  withoutParams,
  withValues,
  type readMapArea,
} from '@forecourt/search/criteria';
import { toSearchQuery } from '@forecourt/search/query';
import type { RootState } from '@forecourt/search/state';
import { useEmit, useSlotEnvironment, usePageState } from '@forecourt/slots';
import type { CallResponses } from '@forecourt/upstream/calls';

export type SellerMapData = NonNullable<CallResponses['sellerMap']>;
export type Cluster = SellerMapData['clusters'][number];
/** The part of the map that is seen; degrees. */
export type MapView = NonNullable<ReturnType<typeof readMapArea>>;

/** Degrees of longitude; about 10 miles. */
const MIN_WIDTH = 0.2;
const MAX_WIDTH = 90;

/** Shares of the map's width and height from its upper left corner. */
export const positionOf = (
  { south, west, north, east }: MapView,
  { latitude, longitude }: { readonly latitude: number; readonly longitude: number },
): { readonly left: number; readonly top: number } => ({
  left: (longitude - west) / (east - west),
  top: (north - latitude) / (north - south),
});

/** The view moved by shares of its width and height, to the east and to the south. */
export function moved({ south, west, north, east }: MapView, right: number, down: number): MapView {
  const [across, along] = [(east - west) * right, (north - south) * down];
  return { south: south - along, west: west + across, north: north - along, east: east + across };
}

/** The view with its sides multiplied, around its middle. */
export function zoomed({ south, west, north, east }: MapView, factor: number): MapView {
  const [latitude, longitude] = [(south + north) / 2, (west + east) / 2];
  const width = Math.min(MAX_WIDTH, Math.max(MIN_WIDTH, (east - west) * factor));
  const height = (north - south) * (width / (east - west));
  return {
    south: latitude - height / 2,
    west: longitude - width / 2,
    north: latitude + height / 2,
    east: longitude + width / 2,
  };
}

/** Half of a circle's sides and of a line of text, and half of a letter, as shares of a map of 366 × 275 px. */
const CIRCLE = { x: 0.055, y: 0.073 };
const TEXT_Y = 0.025;
const LETTER_X = 0.0085;
/** From the middle of a circle to that of a name above or below it. */
const BESIDE = CIRCLE.y + TEXT_Y + 0.002;

interface Box {
  readonly x: number;
  readonly y: number;
  readonly halfX: number;
  readonly halfY: number;
}

const isOver = (one: Box, other: Box): boolean =>
  Math.abs(one.x - other.x) < one.halfX + other.halfX && Math.abs(one.y - other.y) < one.halfY + other.halfY;
const isWhole = ({ x, y, halfX, halfY }: Box): boolean =>
  x >= halfX && x <= 1 - halfX && y >= halfY && y <= 1 - halfY;

export interface PlaceName {
  readonly name: string;
  readonly left: number;
  readonly top: number;
}

const boxOfName = (name: string, x: number, y: number): Box => ({
  x,
  y,
  halfX: (name.length + 1) * LETTER_X,
  halfY: TEXT_Y,
});

/** Names of cities at their place, or below or above a circle there; those without room are left out. */
export function placeNames(
  view: MapView,
  { places, clusters }: Pick<SellerMapData, 'places' | 'clusters'>,
): readonly PlaceName[] {
  const circles = clusters.map((cluster): Box => {
    const { left, top } = positionOf(view, cluster);
    return { x: left, y: top, halfX: CIRCLE.x, halfY: CIRCLE.y };
  });
  const occupiedCircles = [...circles];
  return places.flatMap((place): PlaceName[] => {
    const { left, top } = positionOf(view, place);
    const box = boxOfName(place.name, left, top);
    const circle = circles.find((other) => isOver(box, other));
    const boxes = circle
      ? [circle.y + BESIDE, circle.y - BESIDE].map((y) => ({ ...box, x: circle.x, y }))
      : [box];
    const free = boxes.find((one) => isWhole(one) && !occupiedCircles.some((other) => isOver(one, other)));
    if (!free) return [];
    occupiedCircles.push(free);
    return [{ name: place.name, left: free.x, top: free.y }];
  });
}

/** A road of the view: where its sign may stand, as shares of the map, and its visible length as a share of the map's width. */
export interface RoadCourse {
  readonly number: string;
  readonly length: number;
  readonly places: readonly { readonly left: number; readonly top: number }[];
}

/** Half of a sign's sides, as shares of a map of 366 × 275 px. */
const SIGN = { halfX: 0.04, halfY: 0.036 };
/** A shorter part of a road has no sign. */
const LEAST_SIGNED_LENGTH = 0.2;
const MAX_SIGNS = 12;

/** Numbers of roads where nothing else stands; the longest come first. */
export function roadSigns(
  view: MapView,
  { clusters }: Pick<SellerMapData, 'clusters'>,
  { courses, names }: { readonly courses: readonly RoadCourse[]; readonly names: readonly PlaceName[] },
): readonly PlaceName[] {
  const occupied: Box[] = [
    ...clusters.map((cluster) => {
      const { left, top } = positionOf(view, cluster);
      return { x: left, y: top, halfX: CIRCLE.x, halfY: CIRCLE.y };
    }),
    ...names.map(({ name, left, top }) => boxOfName(name, left, top)),
  ];
  const signs: PlaceName[] = [];
  for (const { number, length, places } of courses) {
    if (signs.length === MAX_SIGNS || length < LEAST_SIGNED_LENGTH) break;
    if (signs.some(({ name }) => name === number)) continue;
    const free = places
      .map(({ left, top }): Box => ({ x: left, y: top, ...SIGN }))
      .find((box) => isWhole(box) && !occupied.some((other) => isOver(box, other)));
    if (!free) continue;
    occupied.push(free);
    signs.push({ name: number, left: free.x, top: free.y });
  }
  return signs;
}

/** A search of a part of the map, which replaces any other limit by place. */
export const searchOfArea = (criteria: SearchCriteria, area: string): SearchCriteria =>
  changeFilters(
    criteria,
    withValues(
      withoutParams(criteria.filters, ['searchRadius', 'city', 'state', 'marketExtension']),
      'area',
      [area],
    ),
  );

/** The search anywhere in the country. */
export const searchOfCountry = (criteria: SearchCriteria): SearchCriteria =>
  changeFilters(
    criteria,
    withValues(
      withoutParams(criteria.filters, ['area', 'city', 'state', 'marketExtension']),
      'searchRadius',
      ['0'],
    ),
  );

/** The search of one dealer's vehicles, wherever it is. */
export const searchOfSeller = (criteria: SearchCriteria, id: string): SearchCriteria => ({
  ...searchOfCountry(criteria),
  isSponsorship: true,
  showcaseOwnerId: id,
});

/** The search with the list alone. */
export function searchOfList({ view: _, ...criteria }: SearchCriteria): SearchCriteria {
  return criteria;
}

/** A round number of miles and its share of the map's width, at most a third. */
export function scaleOf({ south, west, north, east }: MapView): {
  readonly miles: number;
  readonly share: number;
} {
  const latitude = ((south + north) / 2) * (Math.PI / 180);
  const width = (east - west) * MILES_PER_DEGREE * Math.cos(latitude);
  const miles = SCALES.findLast((scale) => scale <= width / 3) ?? SCALES[0];
  return { miles, share: miles / width };
}

const MILES_PER_DEGREE = 69.17;
const SCALES = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000] as const;

/** Degrees of longitude; about 55 miles. */
const PRICED_WIDTH = 1;

/** '$19K': the lowest price of a circle that stands for one seller, in a view of a town and what is around it. */
export function pinText({ east, west }: MapView, { sellers, lowestPrice }: Cluster): string | undefined {
  if (east - west > PRICED_WIDTH || sellers > 1 || lowestPrice === undefined) return undefined;
  return lowestPrice < 1000 ? `$${lowestPrice}` : `$${Math.round(lowestPrice / 1000)}K`;
}

/** '940', '1.2K' and '58K' for circles. */
export function shortCount(count: number): string {
  if (count < 1000) return String(count);
  const thousands = count / 1000;
  return `${thousands < 10 ? Math.floor(thousands * 10) / 10 : Math.floor(thousands)}K`;
}

/** The search as parameters of the map's call; its order and page don't matter. */
export function mapQuery({ search, session }: RootState): string {
  const { criteria } = search;
  const params = toSearchQuery(criteria, {
    brand: session.brand,
    ...(session.visitorZip && { visitorZip: session.visitorZip }),
  });
  if (criteria.isSponsorship && criteria.showcaseOwnerId) {
    params.set('isSponsorship', 'true');
    params.set('showcaseOwnerId', criteria.showcaseOwnerId);
  }
  return params.toString();
}

/** Parameters of a call. */
export const paramsOf = (query: string): Record<string, string> =>
  Object.fromEntries(new URLSearchParams(query));

/** ms that a moved map rests before its sellers are requested. */
const REST_MS = 200;

/**
 * The sellers of the part of the map that is seen. A moved map shows those that it has until it rests; one that
 * can't be loaded keeps them. `view` is undefined for the search's own view, whose sellers are `data`.
 */
export function useSellers(data: SellerMapData, view: string | undefined): SellerMapData {
  const { call } = useSlotEnvironment();
  const emit = useEmit();
  const query = usePageState(mapQuery);
  const [loadedData, setLoaded] = useState(data);
  useEffect(() => {
    if (view === undefined) return undefined;
    const controller = new AbortController();
    const { signal } = controller;
    const load = async () => {
      try {
        const sellers = await call('sellerMap', { ...paramsOf(query), mapView: view }, { signal });
        if (sellers && !signal.aborted) setLoaded(sellers);
      } catch (error) {
        if (!signal.aborted) emit('problem.reported', { code: 'MAP_NOT_LOADED', message: String(error) });
      }
    };
    const timer = setTimeout(() => void load(), REST_MS);
    return () => {
      clearTimeout(timer);
      controller.abort();
    };
  }, [call, emit, query, view]);
  return view === undefined ? data : loadedData;
}
