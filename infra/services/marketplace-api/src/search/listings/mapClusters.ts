import { writeMapArea } from '@forecourt/search/criteria';
import type { CallResponses } from '@forecourt/upstream/calls';
import type { SellerCount } from '../listingIndex/listingIndex.ts';
import { type GeoArea, type GeoPoint, isInArea } from '../../domain/places/index.ts';

type Cluster = NonNullable<CallResponses['sellerMap']>['clusters'][number];

/** Least sides of a cluster's cell as shares of the view: circles of 40 px don't overlap on a map of 366 × 275 px. */
const CELL = { width: 0.11, height: 0.146 } as const;
const STEPS_PER_DEGREE = 100;

const toDegrees = (steps: number): number => steps / STEPS_PER_DEGREE;

/** The last hundredth of a degree that is not beyond a coordinate, compared by the same division as in `isInArea`. */
function stepBefore(degrees: number): number {
  const steps = Math.floor(degrees * STEPS_PER_DEGREE);
  if (toDegrees(steps) > degrees) return steps - 1;
  return toDegrees(steps + 1) <= degrees ? steps + 1 : steps;
}

/** The smallest area in hundredths of a degree that contains the points; undefined without points. */
export function areaAround(points: readonly GeoPoint[]): GeoArea | undefined {
  if (points.length === 0) return undefined;
  let [south, west, north, east] = [Infinity, Infinity, -Infinity, -Infinity];
  for (const { latitude, longitude } of points) {
    south = Math.min(south, latitude);
    west = Math.min(west, longitude);
    north = Math.max(north, latitude);
    east = Math.max(east, longitude);
  }
  return {
    south: toDegrees(stepBefore(south)),
    west: toDegrees(stepBefore(west)),
    // The area excludes its northern and eastern edges.
    north: toDegrees(stepBefore(north) + 1),
    east: toDegrees(stepBefore(east) + 1),
  };
}

type Axis = 'latitude' | 'longitude';
const EDGES = { latitude: ['south', 'north'], longitude: ['west', 'east'] } as const;

/** Where a cell is cut: the widest gap between two sellers that leaves both parts large enough. */
function cutOf(cell: GeoArea, sellers: readonly SellerCount[], axis: Axis, least: number, span: number) {
  const [low, high] = EDGES[axis];
  const places = Float64Array.from(sellers, ({ owner }) => owner[axis]).sort();
  let best: { at: number; gap: number } | undefined;
  for (let i = 1; i < places.length; i++) {
    const [before, after] = [places[i - 1]!, places[i]!];
    const gap = (after - before) / span;
    if (gap === 0 || (best && gap <= best.gap)) continue;
    // The two may have no hundredth of a degree between them.
    const middle = stepBefore((before + after) / 2);
    const at = [middle, middle + 1].map(toDegrees).find((line) => line > before && line <= after);
    if (at !== undefined && at - cell[low] >= least && cell[high] - at >= least) best = { at, gap };
  }
  return best;
}

/** Cuts a cell until its parts are as small as circles may stand side by side; each part has a seller. */
function cellsOf(
  cell: GeoArea,
  sellers: readonly SellerCount[],
  view: GeoArea,
): { readonly cell: GeoArea; readonly sellers: readonly SellerCount[] }[] {
  if (sellers.length === 0) return [];
  const [width, height] = [view.east - view.west, view.north - view.south];
  const across = cutOf(cell, sellers, 'longitude', width * CELL.width, width);
  const along = cutOf(cell, sellers, 'latitude', height * CELL.height, height);
  if (!across && !along) return [{ cell, sellers }];
  const isAcross = across !== undefined && across.gap >= (along?.gap ?? 0);
  const axis: Axis = isAcross ? 'longitude' : 'latitude';
  const [low, high] = EDGES[axis];
  const { at } = (isAcross ? across : along)!;
  const [before, after] = [[] as SellerCount[], [] as SellerCount[]];
  for (const seller of sellers) (seller.owner[axis] < at ? before : after).push(seller);
  return [...cellsOf({ ...cell, [high]: at }, before, view), ...cellsOf({ ...cell, [low]: at }, after, view)];
}

/** A coordinate kept so far from its cell's edges that the circle stays inside; the middle of a narrower cell. */
const inset = (value: number, low: number, high: number, margin: number): number =>
  high - low <= 2 * margin ? (low + high) / 2 : Math.min(Math.max(value, low + margin), high - margin);

const roundTo = (degrees: number): number => Math.round(degrees * 10_000) / 10_000;
const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);
/** Vehicles of all the sellers. */
export const countOf = (sellers: readonly SellerCount[]): number => sum(sellers.map(({ count }) => count));

type Cell = ReturnType<typeof cellsOf>[number];

/** The middle of a cell's vehicles. */
function middleOf({ sellers }: Cell): GeoPoint {
  const total = countOf(sellers);
  const mean = (axis: Axis) => sum(sellers.map(({ owner, count }) => owner[axis] * count)) / total;
  return { latitude: mean('latitude'), longitude: mean('longitude') };
}

/** Rounds of pushing circles apart; more than a map needs. */
const MAX_PUSHES = 80;

/** Moves points until no two are closer than a circle's sides, each as little as may be, and keeps them in the view. */
function pushApart(points: readonly GeoPoint[], view: GeoArea, side: GeoPoint): GeoPoint[] {
  const placed = points.map(({ latitude, longitude }) => ({ latitude, longitude }));
  for (let round = 0, hasMoved = true; hasMoved && round < MAX_PUSHES; round++) {
    hasMoved = false;
    for (const [index, one] of placed.entries()) {
      one.latitude = inset(one.latitude, view.south, view.north, side.latitude / 2);
      one.longitude = inset(one.longitude, view.west, view.east, side.longitude / 2);
      for (const other of placed.slice(index + 1)) {
        const [along, across] = [other.latitude - one.latitude, other.longitude - one.longitude];
        const [overLatitude, overLongitude] = [
          side.latitude - Math.abs(along),
          side.longitude - Math.abs(across),
        ];
        if (overLatitude <= 0 || overLongitude <= 0) continue;
        hasMoved = true;
        const isAlong = overLatitude / side.latitude < overLongitude / side.longitude;
        const axis: Axis = isAlong ? 'latitude' : 'longitude';
        const push =
          ((isAlong ? overLatitude : overLongitude) / 2) * ((isAlong ? along : across) < 0 ? -1.01 : 1.01);
        one[axis] -= push;
        other[axis] += push;
      }
    }
  }
  return placed;
}

/** Circles stand in the middle of their vehicles, or beside it. Those that find no room keep to their cells, which never overlap. */
function placeCircles(cells: readonly Cell[], view: GeoArea): GeoPoint[] {
  const side = {
    longitude: (view.east - view.west) * CELL.width,
    latitude: (view.north - view.south) * CELL.height,
  };
  const isOver = (one: GeoPoint, other: GeoPoint) =>
    Math.abs(one.longitude - other.longitude) < side.longitude &&
    Math.abs(one.latitude - other.latitude) < side.latitude;
  const points = pushApart(cells.map(middleOf), view, side);
  const apart = cells.map(({ cell }, index) => ({
    latitude: inset(points[index]!.latitude, cell.south, cell.north, side.latitude / 2),
    longitude: inset(points[index]!.longitude, cell.west, cell.east, side.longitude / 2),
  }));
  for (let hasMoved = true; hasMoved;) {
    hasMoved = false;
    points.forEach((point, index) => {
      const isCrowded = points.some((other, at) => at !== index && isOver(point, other));
      if (!isCrowded || point === apart[index]) return;
      points[index] = apart[index]!;
      hasMoved = true;
    });
  }
  return points;
}

function clusterOf({ sellers }: Cell, { latitude, longitude }: GeoPoint, isInside: boolean): Cluster {
  const largest = sellers.reduce((most, seller) => (seller.count > most.count ? seller : most));
  const prices = sellers.flatMap(({ lowestPrice }) => lowestPrice ?? []);
  return {
    ...(prices.length > 0 && { lowestPrice: Math.min(...prices) }),
    area: writeMapArea(areaAround(sellers.map(({ owner }) => owner))!),
    latitude: roundTo(latitude),
    longitude: roundTo(longitude),
    count: countOf(sellers),
    sellers: sellers.length,
    place: `${largest.owner.city}, ${largest.owner.state}`,
    isInside,
  };
}

/** A part of the view, inside or outside the searched area. */
interface Part {
  readonly cell: GeoArea;
  readonly isInside: boolean;
}

/**
 * Groups the sellers in parts of the view that share none. No circle is over another, and a cluster's area contains its
 * sellers and no other, so that searching it finds as many vehicles as it counts.
 */
export function clustersOf(
  parts: readonly Part[],
  sellers: readonly SellerCount[],
  view: GeoArea,
): Cluster[] {
  const cells = parts.flatMap(({ cell, isInside }) =>
    cellsOf(
      cell,
      sellers.filter(({ owner }) => isInArea(cell, owner)),
      view,
    ).map((found) => ({ ...found, isInside })),
  );
  const points = placeCircles(cells, view);
  return cells.map((cell, index) => clusterOf(cell, points[index]!, cell.isInside));
}
