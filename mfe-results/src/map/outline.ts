import { BORDERS, LAND } from './outline.data.ts';
import type { MapView, RoadCourse } from './mapView.ts';
import { INTERSTATES } from './roads.data.ts';

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

/** Degrees of longitude; in a smaller part of the country, roads that are some miles off would mislead. */
const LEAST_ROAD_VIEW = 1;

/** Shares of a course at which its sign may stand. */
const SIGN_PLACES = [0.5, 0.3, 0.7] as const;

const lengthOf = (line: Line): number =>
  line.reduce(
    (sum, [x, y], at) => (at === 0 ? 0 : sum + Math.hypot(x - line[at - 1]![0], y - line[at - 1]![1])),
    0,
  );

/** The place after a share of a line's length. */
function placeOn(line: Line, share: number): Point {
  let rest = lengthOf(line) * share;
  for (let i = 1; i < line.length; i += 1) {
    const [a, b] = [line[i - 1]!, line[i]!];
    const step = Math.hypot(b[0] - a[0], b[1] - a[1]);
    if (rest <= step) return at(a, b, step === 0 ? 0 : rest / step);
    rest -= step;
  }
  return line.at(-1)!;
}

/** The Interstates of a view: one SVG path in units of the drawing, and where their signs may stand, the longest first. */
export function roadsOf(view: MapView): { readonly path: string; readonly courses: readonly RoadCourse[] } {
  if (view.east - view.west < LEAST_ROAD_VIEW) return { path: '', courses: [] };
  const project = projection(view);
  const visible = INTERSTATES.flatMap(([number, course]) =>
    course
      .split(';')
      .flatMap((line) => clipLine(decode(line).map(project)))
      .map((line) => ({ number, line })),
  );
  const courses = visible
    .map(({ number, line }) => ({ number, line, length: lengthOf(line) }))
    .toSorted((a, b) => b.length - a.length)
    .map(({ number, line, length }): RoadCourse => ({
      number,
      length: length / DRAWING.width,
      places: SIGN_PLACES.map((share) => placeOn(line, share)).map(([x, y]) => ({
        left: x / DRAWING.width,
        top: y / DRAWING.height,
      })),
    }));
  return { path: visible.map(({ line }) => pathOf(line)).join(''), courses };
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
