import type { Body, Point } from './bodies.data.ts';
import {
  createProjection,
  halfWidth,
  sillAt,
  smooth,
  type Camera,
  type Frame,
  type Point3,
  type Projection,
} from './geometry.ts';

/** A body before a camera: what every part of the drawing needs. */
export interface Scene extends Projection {
  readonly body: Body;
  readonly paint: string;
  readonly nose: readonly Point[];
  readonly cabin: readonly Point[];
  readonly tail: readonly Point[];
  /** Indices into `cabin`. */
  readonly windshieldEnd: number;
  readonly rearWindowStart: number;
  readonly seesNose: boolean;
  readonly seesTail: boolean;
  /** From straight ahead or behind neither side shows. */
  readonly seesSide: boolean;
}

const CABIN_STEPS = 3;
const END_STEPS = 2;

export function createScene(body: Body, paint: string, camera: Camera, frame: Frame, extent?: Frame): Scene {
  const aboveSill = ([x, y]: Point): Point => [x, Math.max(y, sillAt(body, x))];
  return {
    ...createProjection(body, camera, frame, extent),
    body,
    paint,
    nose: smooth(body.nose.map(aboveSill), END_STEPS),
    cabin: smooth(body.cabin, CABIN_STEPS),
    // A bed's rails and gate have edges.
    tail: body.bed ? body.tail.map(aboveSill) : smooth(body.tail.map(aboveSill), END_STEPS),
    windshieldEnd: body.glass[0] * CABIN_STEPS,
    rearWindowStart: body.glass[1] * CABIN_STEPS,
    seesNose: camera.azimuth > 4,
    seesTail: camera.azimuth < -4,
    seesSide: camera.distance * Math.cos((camera.azimuth * Math.PI) / 180) > body.width / 2,
  };
}

/** A place on the near side (1) or the far side (-1), `out` meters off the surface. */
export function onSide(scene: Scene, [x, y]: Point, sign: 1 | -1 = 1, out = 0): Point {
  return scene.project([x, y, sign * (halfWidth(scene.body, x, y) + out)]);
}

/** The four corners of the surface between two places of the outline, across a share of the width. */
export function strip(scene: Scene, from: Point, to: Point, share = 1): Point[] {
  return band(scene, [from, to], share);
}

function path(points: readonly Point[]): string {
  let [lastX, lastY] = [0, 0];
  // Relative steps of tenths of a pixel: half the bytes of absolute ones.
  return points
    .map(([x, y], index) => {
      const [stepX, stepY] = [tenths(x) - lastX, tenths(y) - lastY];
      [lastX, lastY] = [lastX + stepX, lastY + stepY];
      const separator = index === 0 ? 'M' : index === 1 ? 'l' : stepX < 0 ? '' : ' ';
      return `${separator}${brief(stepX)}${stepY < 0 ? '' : ' '}${brief(stepY)}`;
    })
    .join('');
}

/** A strip over several places of the outline. */
export function band(scene: Scene, outline: readonly Point[], share = 1): Point[] {
  const edge = (sign: 1 | -1): Point3[] =>
    outline.map(([x, y]) => [x, y, sign * halfWidth(scene.body, x, y) * share]);
  return [...edge(1), ...edge(-1).reverse()].map(scene.project);
}

/** Transform of the unit circle into a plane, from its center and the images of its right and lowest points. */
export function affine(center: Point, right: Point, down: Point): string {
  const numbers = [right, down].flatMap(([x, y]) => [x - center[0], y - center[1]]);
  return `matrix(${[...numbers, ...center].map((value) => tenths(value) / 10).join(' ')})`;
}

/** Tenths as a number without its leading zero. */
const brief = (value: number): string => String(value / 10).replace(/^(-?)0\./, '$1.');
const tenths = (value: number): number => Math.round(value * 10);

/** A filled outline. */
export const shape = (points: readonly Point[], attributes: string): string => shapes([points], attributes);

/** Outlines of one look are one element: a browser's work for a picture grows with its elements. */
export const shapes = (outlines: readonly (readonly Point[])[], attributes: string): string =>
  outlines.length > 0
    ? `<path d="${outlines.map((points) => `${path(points)}Z`).join('')}" ${attributes}/>`
    : '';

export const line = (points: readonly Point[], stroke: string, width: number, opacity = 1): string =>
  lines([points], stroke, width, opacity);

/** Lines of one style. Uses stroke-opacity because element opacity needs its own compositing group. */
export function lines(
  runs: readonly (readonly Point[])[],
  stroke: string,
  width: number,
  opacity = 1,
): string {
  if (runs.length === 0) return '';
  const seeThrough = opacity < 1 ? ` stroke-opacity="${opacity}"` : '';
  // Two points enclose nothing.
  const hollow = runs.some(({ length }) => length > 2) ? ' fill="none"' : '';
  return `<path d="${runs.map(path).join('')}"${hollow} stroke="${stroke}" stroke-width="${width}"${seeThrough}/>`;
}

/** Evenly spaced numbers, both ends included. */
export function between(from: number, to: number, parts: number): number[] {
  return Array.from({ length: parts + 1 }, (_, index) => from + ((to - from) * index) / parts);
}
