import type { Body, Point } from './bodies.data.ts';

export type Point3 = readonly [x: number, y: number, z: number];

/** Rounds an outline: Catmull-Rom through its points. */
export function smooth(points: readonly Point[], steps = 4): Point[] {
  const at = (index: number): Point => points[Math.max(0, Math.min(points.length - 1, index))] ?? [0, 0];
  const curve: Point[] = [];
  for (let index = 0; index < points.length - 1; index += 1) {
    const [a, b, c, d] = [at(index - 1), at(index), at(index + 1), at(index + 2)];
    for (let step = 0; step < steps; step += 1) {
      const t = step / steps;
      curve.push([spline(a[0], b[0], c[0], d[0], t), spline(a[1], b[1], c[1], d[1], t)]);
    }
  }
  return [...curve, at(points.length - 1)];
}

function spline(a: number, b: number, c: number, d: number, t: number): number {
  return 0.5 * (2 * b + (c - a) * t + (2 * a - 5 * b + 4 * c - d) * t * t + (3 * b - a - 3 * c + d) * t ** 3);
}

/** Height of an outline at x, by straight lines between its points. */
export function heightAt(outline: readonly Point[], x: number): number {
  for (let index = 1; index < outline.length; index += 1) {
    const [left, right] = [outline[index - 1], outline[index]];
    if (left && right && x <= right[0] && x >= left[0]) {
      return left[1] + ((right[1] - left[1]) * (x - left[0])) / (right[0] - left[0] || 1);
    }
  }
  return outline.at(x < (outline[0]?.[0] ?? 0) ? 0 : -1)?.[1] ?? 0;
}

/** The height of the shoulder, where the windows begin. */
export function beltAt(body: Body, x: number): number {
  const [front, rear] = [body.cabin[0], body.cabin.at(-1)];
  return front && rear ? heightAt([front, rear], x) : 0;
}

/** The lower edge of the side: what clears the ground. */
export function sillAt(body: Body, x: number): number {
  const overhang = Math.min(x, body.length - x) < 0.5 ? 0.05 : 0;
  return body.wheelRadius * 0.72 + overhang;
}

/** Half of the width at a place of the side: narrower to the ends, to the roof and to the sill. */
export function halfWidth(body: Body, x: number, y: number): number {
  const fromEnd = Math.min(x, (body.length - x) * 1.25, 0.7) / 0.7;
  const plan = 1 - 0.2 * (1 - Math.max(0, fromEnd)) ** 2;
  const belt = beltAt(body, x);
  const roof = Math.max(...body.cabin.map((point) => point[1]));
  const above = y > belt ? 1 - (body.tumblehome * (y - belt)) / Math.max(0.3, roof - belt) : 1;
  const below = 1 - 0.05 * Math.max(0, (0.55 - y) / 0.4);
  return (body.width / 2) * plan * above * below;
}

export interface Camera {
  /** Degrees from the side view towards the nose; negative towards the tail. */
  readonly azimuth: number;
  /** Degrees above the horizon. */
  readonly elevation: number;
  /** Meters; the nearer, the stronger the perspective. */
  readonly distance: number;
}

export interface Projection {
  /** To the screen, in pixels. */
  readonly project: (point: Point3) => Point;
  /** Greater is farther away. */
  readonly depth: (point: Point3) => number;
}

export interface Frame {
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
}

type Flat = (point: Point3) => Point;

/** A camera's view before it is scaled to a frame. */
function viewOf(body: Body, camera: Camera): { flat: Flat; depth: Projection['depth'] } {
  const turn = (camera.azimuth * Math.PI) / 180;
  const tilt = (camera.elevation * Math.PI) / 180;
  const middle = body.length / 2;

  function toCamera([x, y, z]: Point3): Point3 {
    const across = (x - middle) * Math.cos(turn) + z * Math.sin(turn);
    const towards = -(x - middle) * Math.sin(turn) + z * Math.cos(turn);
    const height = (y - 0.8) * Math.cos(tilt) - towards * Math.sin(tilt);
    return [across, height, towards * Math.cos(tilt) + (y - 0.8) * Math.sin(tilt)];
  }
  return {
    flat: (point) => {
      const [across, height, towards] = toCamera(point);
      const scale = camera.distance / (camera.distance - towards);
      return [across * scale, -height * scale];
    },
    depth: (point) => -toCamera(point)[2],
  };
}

/** Bounding box of the body in a view. */
function extentOf(body: Body, flat: Flat): Frame {
  const outline = [
    ...body.nose,
    ...body.cabin,
    ...body.tail,
    ...body.axles.map((x): Point => [x, 0]),
  ].flatMap(([x, y]) => {
    const half = halfWidth(body, x, y);
    return [flat([x, y, half]), flat([x, y, -half])];
  });
  const [xs, ys] = [outline.map(([x]) => x), outline.map(([, y]) => y)];
  return { left: Math.min(...xs), right: Math.max(...xs), top: Math.min(...ys), bottom: Math.max(...ys) };
}

/** Bounding box of a body over all these views, symmetric about its center. */
export function extentOfTurn(body: Body, cameras: readonly Camera[]): Frame {
  const extents = cameras.map((camera) => extentOf(body, viewOf(body, camera).flat));
  const reach = Math.max(...extents.map(({ left, right }) => Math.max(-left, right)));
  return {
    left: -reach,
    right: reach,
    top: Math.min(...extents.map(({ top }) => top)),
    bottom: Math.max(...extents.map(({ bottom }) => bottom)),
  };
}

/**
 * A camera's view of a body, scaled to fit a frame and standing on its lower
 * edge. `extent`: the box to fit; default: the body in this view.
 */
export function createProjection(body: Body, camera: Camera, frame: Frame, extent?: Frame): Projection {
  const { flat, depth } = viewOf(body, camera);
  const { left, right, top, bottom } = extent ?? extentOf(body, flat);
  const scale = Math.min(
    (frame.right - frame.left) / (right - left),
    (frame.bottom - frame.top) / (bottom - top),
  );
  const shift = (frame.left + frame.right - (left + right) * scale) / 2;
  return {
    project: (point) => {
      const [x, y] = flat(point);
      return [x * scale + shift, frame.bottom + (y - bottom) * scale];
    },
    depth,
  };
}

/** The outline around points: the convex hull, by Andrew's monotone chain. */
export function hull(points: readonly Point[]): Point[] {
  const sorted = [...points].sort(([x, y], [otherX, otherY]) => x - otherX || y - otherY);
  const half = (walk: readonly Point[]): Point[] => {
    const chain: Point[] = [];
    for (const point of walk) {
      while (chain.length > 1 && !turnsLeft(chain.at(-2), chain.at(-1), point)) chain.pop();
      chain.push(point);
    }
    return chain.slice(0, -1);
  };
  return [...half(sorted), ...half(sorted.reverse())];
}

function turnsLeft(a: Point = [0, 0], b: Point = [0, 0], [x, y]: Point): boolean {
  return (b[0] - a[0]) * (y - a[1]) - (b[1] - a[1]) * (x - a[0]) > 0;
}
