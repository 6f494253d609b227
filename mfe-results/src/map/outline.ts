import { BORDERS, LAND } from './outline.data.ts';
import type { MapView } from './mapView.ts';

/** Units of the drawing; 4:3 as the map. */
export const DRAWING = { width: 1000, height: 750 } as const;
/** Units around the drawing in which lines are kept, so that no cut edge is seen. */
const MARGIN = 20;
/** Closer points are left out; units. */
const LEAST_STEP = 3;
const HUNDREDTHS = 100;

type Point = readonly [x: number, y: number];
type Line = readonly Point[];

/** Longitudes and latitudes of an encoded line. */
function decode(text: string): Line {
  const numbers = text.match(/-?\d+/g) ?? [];
  const line: Point[] = [];
  let [x, y] = [0, 0];
  for (let i = 0; i + 1 < numbers.length; i += 2) {
    x += Number(numbers[i]);
    y += Number(numbers[i + 1]);
    line.push([x / HUNDREDTHS, y / HUNDREDTHS]);
  }
  return line;
}

/** Converts degrees to units of the drawing. */
const projection =
  ({ south, west, north, east }: MapView) =>
  ([longitude, latitude]: Point): Point => [
    ((longitude - west) / (east - west)) * DRAWING.width,
    ((north - latitude) / (north - south)) * DRAWING.height,
  ];

type Side = { readonly isInside: (point: Point) => boolean; readonly cross: (a: Point, b: Point) => Point };

const at = (a: Point, b: Point, share: number): Point => [
  a[0] + (b[0] - a[0]) * share,
  a[1] + (b[1] - a[1]) * share,
];
const SIDES: readonly Side[] = [
  [0, -MARGIN, 1],
  [0, DRAWING.width + MARGIN, -1],
  [1, -MARGIN, 1],
  [1, DRAWING.height + MARGIN, -1],
].map(([axis, limit, sign]) => ({
  isInside: (point) => (point[axis as 0 | 1] - limit!) * sign! >= 0,
  cross: (a, b) => at(a, b, (limit! - a[axis as 0 | 1]) / (b[axis as 0 | 1] - a[axis as 0 | 1])),
}));

/** The part of a ring within the drawing (Sutherland and Hodgman, 1974). */
function clipRing(ring: Line): Line {
  let points = ring;
  for (const { isInside, cross } of SIDES) {
    const visiblePoints: Point[] = [];
    points.forEach((point, index) => {
      const before = points.at(index - 1)!;
      if (isInside(point) !== isInside(before)) visiblePoints.push(cross(before, point));
      if (isInside(point)) visiblePoints.push(point);
    });
    points = visiblePoints;
  }
  return points;
}

/** The parts of a line whose segments may touch the drawing. */
function clipLine(line: Line): Line[] {
  const parts: Point[][] = [];
  let isOpen = false;
  for (let i = 1; i < line.length; i += 1) {
    const [a, b] = [line[i - 1]!, line[i]!];
    // Both ends are beyond the same side.
    const isOutside = SIDES.some(({ isInside }) => !isInside(a) && !isInside(b));
    if (!isOutside) {
      if (!isOpen) parts.push([a]);
      parts.at(-1)!.push(b);
    }
    isOpen = !isOutside;
  }
  return parts;
}

/** An SVG path of whole units without points that are closer than a step. */
function pathOf(line: Line, end = ''): string {
  let path = '';
  let last: Point | undefined;
  line.forEach(([x, y], index) => {
    const point: Point = [Math.round(x), Math.round(y)];
    if (last && index < line.length - 1 && Math.hypot(point[0] - last[0], point[1] - last[1]) < LEAST_STEP)
      return;
    path += last ? `l${point[0] - last[0]} ${point[1] - last[1]}` : `M${point[0]} ${point[1]}`;
    last = point;
  });
  return path.replaceAll(' -', '-') + end;
}

/** Land and state borders of a view as SVG paths in units of the drawing. */
export function outlineOf(view: MapView): { readonly land: string; readonly borders: string } {
  const project = projection(view);
  const linesOf = (text: string) => text.split(';').map((line) => decode(line).map(project));
  return {
    land: linesOf(LAND)
      .map(clipRing)
      .filter(({ length }) => length > 2)
      .map((ring) => pathOf(ring, 'z'))
      .join(''),
    borders: linesOf(BORDERS)
      .flatMap(clipLine)
      .map((line) => pathOf(line))
      .join(''),
  };
}
