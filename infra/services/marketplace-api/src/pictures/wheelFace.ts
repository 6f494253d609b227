import type { Point } from './bodies.ts';

/** The outer face of a wheel, in a circle of radius 1: tyre, rim, spokes and hub. */
export function wheelFace(spokes: number): string {
  return (
    '<g id="w"><circle r=".965" fill="#25292d" stroke="#16181b" stroke-width=".07"/>' +
    '<circle r=".715" fill="url(#r)" stroke="#0f1113" stroke-width=".03"/>' +
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
