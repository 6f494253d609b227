import type { BodyStyle } from '@forecourt/marketplace-api/stock';

/** What a dashboard, the seats and the roof of a kind of vehicle are like. Lengths in px of a picture of 800 by 600. */
export interface Interior {
  /** Lower edge of the headliner, and upper edge of the dashboard, in the middle. */
  readonly roof: number;
  readonly dash: number;
  /** Width of a windshield pillar at the roof. */
  readonly pillar: number;
  readonly board: 'wrapped' | 'upright' | 'twin' | 'shelf';
  readonly screen: 'tablet' | 'inset' | 'portrait' | 'slab';
  readonly gauges: 'dials' | 'digital' | 'tachometer' | 'none';
  readonly vents: 'corners' | 'upright' | 'round' | 'slit';
  readonly middle: 'lever' | 'bridge' | 'tunnel' | 'armrest' | 'aisle' | 'tray';
  readonly wheel: 'round' | 'flat' | 'squared';
  readonly seats: 'plain' | 'bucket' | 'broad' | 'captain';
  /** Two rows are seen from the second one, three from the third. */
  readonly rows: 1 | 2 | 3;
  /** Grips to climb in by. */
  readonly hasGrips?: true;
  readonly hasGlassRoof?: true;
}

const SEDAN: Interior = {
  roof: 78,
  dash: 312,
  pillar: 118,
  board: 'wrapped',
  screen: 'tablet',
  gauges: 'dials',
  vents: 'corners',
  middle: 'lever',
  wheel: 'round',
  seats: 'plain',
  rows: 2,
};
const SPORTS: Interior = {
  roof: 132,
  dash: 330,
  pillar: 150,
  board: 'twin',
  screen: 'inset',
  gauges: 'tachometer',
  vents: 'round',
  middle: 'tunnel',
  wheel: 'flat',
  seats: 'bucket',
  rows: 2,
};
const SUV: Interior = {
  ...SEDAN,
  roof: 56,
  dash: 334,
  pillar: 92,
  gauges: 'digital',
  vents: 'upright',
  middle: 'bridge',
};
const MINIVAN: Interior = {
  ...SEDAN,
  roof: 44,
  dash: 344,
  pillar: 74,
  gauges: 'digital',
  middle: 'aisle',
  seats: 'captain',
  rows: 3,
};

/** By what a vehicle is for. */
export const INTERIORS: Readonly<Record<BodyStyle, Interior>> = {
  SEDAN,
  HATCH: { ...SEDAN, roof: 66, dash: 320, pillar: 106, gauges: 'digital', vents: 'round' },
  COUPE: SPORTS,
  CONVERT: SPORTS,
  SUVCROSS: SUV,
  SUV: { ...SUV, board: 'upright', gauges: 'dials', hasGrips: true },
  TRUCKS: {
    roof: 48,
    dash: 348,
    pillar: 86,
    board: 'upright',
    screen: 'portrait',
    gauges: 'dials',
    vents: 'upright',
    middle: 'armrest',
    wheel: 'round',
    seats: 'broad',
    rows: 2,
    hasGrips: true,
  },
  VANMV: MINIVAN,
  VANS: {
    ...MINIVAN,
    board: 'upright',
    screen: 'inset',
    gauges: 'dials',
    vents: 'upright',
    seats: 'broad',
    rows: 1,
  },
};

/** What an electric drive leaves out and brings along, whatever the vehicle is for. */
const ELECTRIC: Partial<Interior> = {
  board: 'shelf',
  screen: 'slab',
  gauges: 'none',
  vents: 'slit',
  middle: 'tray',
  wheel: 'squared',
  hasGlassRoof: true,
};

/** Seats of the most roomy vehicle with two rows. */
const SEATS_OF_TWO_ROWS = 6;

export function interiorOf(
  bodyStyle: BodyStyle,
  { seats, isElectric }: { readonly seats: number; readonly isElectric: boolean },
): Interior {
  const interior = { ...INTERIORS[bodyStyle], ...(isElectric && ELECTRIC) };
  if (seats <= 3) return { ...interior, rows: 1 };
  return seats > SEATS_OF_TWO_ROWS ? { ...interior, rows: 3 } : interior;
}
