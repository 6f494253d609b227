import type { BodyStyle } from '@forecourt/marketplace-api/stock';
import type { Face } from './faces.data.ts';

/** Meters from the nose (x) and above the ground (y). */
export type Point = readonly [x: number, y: number];

/**
 * The shape of a body style: its outline from the side, and what an
 * extrusion across the width needs. The nose is at x = 0.
 */
export interface Body {
  readonly length: number;
  readonly width: number;
  readonly axles: readonly [front: number, rear: number];
  readonly wheelRadius: number;
  /** From below the bumper over the hood to the foot of the windshield. */
  readonly nose: readonly Point[];
  /** From the foot of the windshield over the roof to where the rear begins. */
  readonly cabin: readonly Point[];
  /** From there to below the rear bumper. */
  readonly tail: readonly Point[];
  /** Index in `cabin` at which the windshield ends, and at which the rear window begins. */
  readonly glass: readonly [windshieldEnd: number, rearWindowStart: number];
  readonly windows: readonly Point[];
  readonly doorLines: readonly number[];
  /** Share by which the roof is narrower than the shoulders. */
  readonly tumblehome: number;
  readonly rim: 'car' | 'rugged';
  readonly cladding?: boolean;
  readonly roofRails?: boolean;
  /** Open bed from here to there. */
  readonly bed?: readonly [from: number, to: number];
  /** No roof: the cockpit from here to there. */
  readonly cockpit?: readonly [from: number, to: number];
  readonly slidingDoor?: readonly [from: number, to: number];
  /** The plain one where it is left out. */
  readonly face?: Face;
}

export const BODIES: Readonly<Record<BodyStyle, Body>> = {
  SEDAN: {
    length: 4.88,
    width: 1.84,
    axles: [0.95, 3.78],
    wheelRadius: 0.355,
    nose: [
      [0.14, 0.24],
      [0.02, 0.42],
      [0.02, 0.6],
      [0.14, 0.73],
      [0.7, 0.86],
      [1.42, 0.97],
    ],
    cabin: [
      [1.42, 0.97],
      [1.85, 1.21],
      [2.3, 1.4],
      [2.85, 1.45],
      [3.35, 1.41],
      [3.85, 1.26],
      [4.28, 1.06],
    ],
    tail: [
      [4.28, 1.06],
      [4.74, 1.02],
      [4.84, 0.93],
      [4.87, 0.6],
      [4.78, 0.3],
    ],
    glass: [2, 4],
    windows: [
      [1.62, 2.72],
      [2.8, 3.6],
      [3.66, 4.02],
    ],
    doorLines: [1.5, 2.76, 3.72],
    tumblehome: 0.27,
    rim: 'car',
  },
  COUPE: {
    length: 4.76,
    width: 1.9,
    axles: [0.98, 3.7],
    wheelRadius: 0.366,
    nose: [
      [0.14, 0.22],
      [0.02, 0.4],
      [0.03, 0.57],
      [0.16, 0.69],
      [0.85, 0.83],
      [1.72, 0.93],
    ],
    cabin: [
      [1.72, 0.93],
      [2.12, 1.16],
      [2.5, 1.31],
      [2.9, 1.36],
      [3.3, 1.32],
      [3.85, 1.16],
      [4.4, 0.98],
    ],
    tail: [
      [4.4, 0.98],
      [4.66, 0.97],
      [4.75, 0.87],
      [4.75, 0.56],
      [4.64, 0.3],
    ],
    glass: [2, 4],
    windows: [
      [1.92, 3.12],
      [3.18, 3.7],
    ],
    doorLines: [1.72, 3.14],
    tumblehome: 0.3,
    rim: 'car',
  },
  CONVERT: {
    length: 4.66,
    width: 1.88,
    axles: [0.95, 3.62],
    wheelRadius: 0.361,
    nose: [
      [0.14, 0.22],
      [0.02, 0.4],
      [0.03, 0.57],
      [0.16, 0.69],
      [0.8, 0.84],
      [1.6, 0.94],
    ],
    cabin: [
      [1.6, 0.94],
      [3.75, 0.98],
    ],
    tail: [
      [3.75, 0.98],
      [4.3, 0.97],
      [4.58, 0.92],
      [4.66, 0.8],
      [4.65, 0.54],
      [4.54, 0.3],
    ],
    glass: [0, 1],
    windows: [],
    doorLines: [1.68, 2.98],
    tumblehome: 0.1,
    rim: 'car',
    cockpit: [1.72, 3.7],
  },
  HATCH: {
    length: 4.3,
    width: 1.79,
    axles: [0.86, 3.5],
    wheelRadius: 0.35,
    nose: [
      [0.14, 0.24],
      [0.02, 0.42],
      [0.02, 0.62],
      [0.14, 0.75],
      [0.62, 0.88],
      [1.18, 0.98],
    ],
    cabin: [
      [1.18, 0.98],
      [1.6, 1.22],
      [2.02, 1.4],
      [2.6, 1.47],
      [3.3, 1.45],
      [3.86, 1.37],
      [4.0, 1.28],
      [4.2, 1.0],
    ],
    tail: [
      [4.2, 1.0],
      [4.27, 0.86],
      [4.29, 0.55],
      [4.2, 0.3],
    ],
    glass: [2, 6],
    windows: [
      [1.36, 2.42],
      [2.5, 3.36],
      [3.42, 3.84],
    ],
    doorLines: [1.26, 2.46, 3.42],
    tumblehome: 0.25,
    rim: 'car',
  },
  SUVCROSS: {
    length: 4.7,
    width: 1.88,
    axles: [0.92, 3.66],
    wheelRadius: 0.392,
    nose: [
      [0.1, 0.32],
      [0.02, 0.52],
      [0.02, 0.82],
      [0.12, 0.95],
      [0.62, 1.04],
      [1.22, 1.1],
    ],
    cabin: [
      [1.22, 1.1],
      [1.6, 1.37],
      [1.98, 1.58],
      [2.5, 1.68],
      [3.4, 1.69],
      [4.15, 1.62],
      [4.32, 1.54],
      [4.58, 1.14],
    ],
    tail: [
      [4.58, 1.14],
      [4.67, 0.98],
      [4.69, 0.62],
      [4.58, 0.36],
    ],
    glass: [2, 6],
    windows: [
      [1.4, 2.5],
      [2.58, 3.5],
      [3.57, 4.22],
    ],
    doorLines: [1.3, 2.54, 3.56],
    tumblehome: 0.2,
    rim: 'rugged',
    cladding: true,
    roofRails: true,
  },
  SUV: {
    length: 5.2,
    width: 2.02,
    axles: [0.95, 3.95],
    wheelRadius: 0.418,
    nose: [
      [0.08, 0.36],
      [0.02, 0.58],
      [0.01, 0.98],
      [0.08, 1.1],
      [0.62, 1.17],
      [1.3, 1.21],
    ],
    cabin: [
      [1.3, 1.21],
      [1.6, 1.5],
      [1.92, 1.76],
      [2.3, 1.87],
      [3.6, 1.9],
      [4.85, 1.87],
      [5.0, 1.78],
      [5.12, 1.2],
    ],
    tail: [
      [5.12, 1.2],
      [5.18, 1.0],
      [5.19, 0.62],
      [5.1, 0.4],
    ],
    glass: [2, 6],
    windows: [
      [1.44, 2.6],
      [2.68, 3.7],
      [3.78, 4.88],
    ],
    doorLines: [1.36, 2.64, 3.74],
    tumblehome: 0.15,
    rim: 'rugged',
    cladding: true,
    roofRails: true,
  },
  TRUCKS: {
    length: 5.9,
    width: 2.04,
    axles: [1.0, 4.66],
    wheelRadius: 0.439,
    nose: [
      [0.08, 0.42],
      [0.02, 0.62],
      [0.01, 1.02],
      [0.07, 1.15],
      [0.7, 1.22],
      [1.48, 1.26],
    ],
    cabin: [
      [1.48, 1.26],
      [1.8, 1.53],
      [2.14, 1.78],
      [2.5, 1.9],
      [3.2, 1.93],
      [3.7, 1.87],
      [3.84, 1.28],
    ],
    tail: [
      [3.84, 1.28],
      [5.84, 1.28],
      [5.88, 1.24],
      [5.89, 0.66],
      [5.78, 0.48],
    ],
    glass: [2, 5],
    windows: [
      [1.64, 2.7],
      [2.78, 3.62],
    ],
    doorLines: [1.56, 2.74, 3.76],
    tumblehome: 0.16,
    rim: 'rugged',
    bed: [3.96, 5.78],
  },
  VANMV: {
    length: 5.15,
    width: 1.98,
    axles: [1.0, 4.06],
    wheelRadius: 0.376,
    nose: [
      [0.14, 0.26],
      [0.02, 0.44],
      [0.02, 0.68],
      [0.14, 0.83],
      [0.62, 0.97],
      [1.06, 1.07],
    ],
    cabin: [
      [1.06, 1.07],
      [1.52, 1.36],
      [2.02, 1.61],
      [2.6, 1.74],
      [3.6, 1.77],
      [4.6, 1.7],
      [4.8, 1.6],
      [5.04, 1.12],
    ],
    tail: [
      [5.04, 1.12],
      [5.12, 0.92],
      [5.14, 0.56],
      [5.04, 0.32],
    ],
    glass: [2, 6],
    windows: [
      [1.24, 2.56],
      [2.64, 3.66],
      [3.73, 4.68],
    ],
    doorLines: [1.2, 2.6, 3.7],
    tumblehome: 0.18,
    rim: 'car',
    slidingDoor: [2.66, 4.6],
  },
  VANS: {
    length: 5.95,
    width: 2.06,
    axles: [1.02, 4.72],
    wheelRadius: 0.387,
    nose: [
      [0.08, 0.34],
      [0.02, 0.56],
      [0.03, 0.95],
      [0.14, 1.1],
      [0.5, 1.26],
      [0.8, 1.38],
    ],
    cabin: [
      [0.8, 1.38],
      [1.14, 1.8],
      [1.5, 2.2],
      [1.8, 2.44],
      [2.4, 2.53],
      [5.5, 2.55],
      [5.84, 2.5],
      [5.91, 1.4],
    ],
    tail: [
      [5.91, 1.4],
      [5.94, 1.0],
      [5.94, 0.6],
      [5.86, 0.42],
    ],
    glass: [2, 6],
    windows: [[0.98, 2.1]],
    doorLines: [0.98, 2.18, 3.5],
    tumblehome: 0.1,
    rim: 'rugged',
    slidingDoor: [2.3, 5.3],
  },
};
