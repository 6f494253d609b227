import type { Point, Body } from './bodies.data.ts';
import type { Look } from './look.ts';
import { affine, type Scene } from './scene.ts';

/** Mixes two colors of the form '#rrggbb'; 0 is the first, 1 the second. */
export function mix(from: string, to: string, share: number): string {
  const channel = (at: number): string => {
    const a = parseInt(from.slice(at, at + 2), 16);
    const b = parseInt(to.slice(at, at + 2), 16);
    return Math.round(a + (b - a) * Math.max(0, Math.min(1, share)))
      .toString(16)
      .padStart(2, '0');
  };
  return `#${channel(1)}${channel(3)}${channel(5)}`;
}

/** Lightens (above 0) or darkens (below 0) a paint. */
export function lit(paint: string, light: number): string {
  return light >= 0 ? mix(paint, '#ffffff', light) : mix(paint, '#0b0d12', -light);
}

/** Perceived lightness, 0 to 1. */
function lightness(paint: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => parseInt(paint.slice(at, at + 2), 16) / 255);
  return 0.299 * red + 0.587 * green + 0.114 * blue;
}

/** The outer face of a wheel, in a circle of radius 1: tire, rim, spokes and hub. */
function wheelFace(spokes: number, rim = 'url(#r)'): string {
  return (
    '<g id="w"><circle r=".965" fill="#25292d" stroke="#16181b" stroke-width=".07"/>' +
    `<circle r=".715" fill="${rim}" stroke="#0f1113" stroke-width=".03"/>` +
    `<path d="${gaps(spokes)}" fill="#2a2e33"/>` +
    '<circle r=".09" fill="#4a5056" stroke="#c9ced2" stroke-width=".06"/></g>'
  );
}

/** A corner of a gap, half across and outwards. */
const AT_HUB: Point = [0.1, 0.22];
const AT_RIM: Point = [0.29, 0.58];

/** The gaps between so many spokes, as one outline. */
const gaps = (spokes: number): string =>
  Array.from({ length: spokes }, (_, index) => {
    const turn = (2 * Math.PI * index) / spokes;
    const at = ([across, out]: Point, side: 1 | -1): string =>
      [
        side * across * Math.cos(turn) + out * Math.sin(turn),
        side * across * Math.sin(turn) - out * Math.cos(turn),
      ]
        .map((value) => value.toFixed(2).replace('0.', '.'))
        .join(' ');
    return `M${at(AT_HUB, -1)}L${at(AT_RIM, -1)}A.65.65 0 0 1 ${at(AT_RIM, 1)}L${at(AT_HUB, 1)}Z`;
  }).join('');

/** Share of the vehicle's length and width by which its shadow reaches beyond the middle. */
const LENGTH = 0.6;
const WIDTH = 1.02;
/** Share of its width by which it is offset toward the viewer, because near things look larger. */
const OFF = 0.08;
/** px by which it also spreads on the screen: viewed from the side it is nearly a line. */
const SPREAD = 14;
/** How dark the ground is from the middle of the shadow to its rim: it ends without an edge. */
const DARKNESS = [
  [0.35, 0.62],
  [0.6, 0.4],
  [0.8, 0.14],
  [0.92, 0.03],
  [1, 0],
] as const;

/** A disc on the ground that fades to its rim; a blur filter would double the paint time. */
export function groundShadow({ body, project }: Scene): string {
  const middle = body.length / 2;
  const center = project([middle, 0, body.width * OFF]);
  const ahead = project([middle - body.length * LENGTH, 0, 0]);
  const [x, y] = project([middle, 0, body.width * WIDTH]);
  return `<circle r="1" fill="url(#b)" transform="${affine(center, ahead, [x, y + SPREAD])}"/>`;
}

const shadowGradient = (): string =>
  `<radialGradient id="b">${DARKNESS.map(
    ([offset, opacity]) => `<stop offset="${offset}" stop-color="#141b26" stop-opacity="${opacity}"/>`,
  ).join('')}</radialGradient>`;

/** Numbers of spokes. */
const SPOKES = { car: [5, 7, 10, 4], rugged: [6, 5, 8, 4] } as const;
/** The trim with dark rims. */
const SPORTY = 1;

/** Places: sky or wall, horizon, ground. The first is a studio, whose wall sets off the paint. */
const PLACES = [
  { wall: '#e4e9ee', horizon: '#f1f4f6', ground: '#d0d6dc' },
  { wall: '#f0cfae', horizon: '#fbeedd', ground: '#c4b6a6' },
  { wall: '#6d7fa8', horizon: '#d9c8c9', ground: '#767b8a' },
  { wall: '#c9d1d8', horizon: '#dfe4e8', ground: '#aeb7bf' },
  { wall: '#a9cdea', horizon: '#e3f0ea', ground: '#a6ad9f' },
  { wall: '#cdd2d4', horizon: '#e6e8e8', ground: '#9da3a6' },
] as const;

function backdropOf(place: number, paint: string) {
  const chosen = PLACES[place]!;
  if (place > 0 || lightness(paint) <= 0.75) return chosen;
  return { wall: '#c3ccd4', horizon: '#e1e6ea', ground: '#b7c1cb' };
}

/** Gradients and the wheel face that the drawings reference. */
export function definitions(body: Body, paint: string, { place, rims, trim }: Look): string {
  const { wall, horizon, ground } = backdropOf(place, paint);
  const stops = (colors: readonly (readonly [offset: number, color: string])[]): string =>
    colors
      .map(([offset, color]) => `<stop offset="${String(offset).replace('0.', '.')}" stop-color="${color}"/>`)
      .join('');
  const flank = stops([
    [0, lit(paint, 0.34)],
    [0.2, lit(paint, 0.12)],
    [0.48, paint],
    [0.76, lit(paint, -0.2)],
    [1, lit(paint, -0.46)],
  ]);
  return (
    `<linearGradient id="s" x2="0" y2="1">${flank}</linearGradient>` +
    `<linearGradient id="g" x2=".2" y2="1">${stops([
      [0, '#7d919e'],
      [0.5, '#43535e'],
      [1, '#222b33'],
    ])}</linearGradient>` +
    `<linearGradient id="h" x2="0" y2="1">${stops([
      [0, '#ffffff'],
      [1, '#b4c5d2'],
    ])}</linearGradient>` +
    `<linearGradient id="r" x2="1" y2="1">${stops([
      [0, '#f1f3f4'],
      [1, '#9aa2a9'],
    ])}</linearGradient>` +
    `<linearGradient id="k" x2="0" y2="1">${stops([
      [0, mix(wall, paint, 0.08)],
      [0.64, horizon],
      [0.68, ground],
      [1, mix(ground, '#ffffff', 0.15)],
    ])}</linearGradient>` +
    shadowGradient() +
    wheelFace(SPOKES[body.rim][rims]!, trim === SPORTY ? '#454b52' : undefined)
  );
}
