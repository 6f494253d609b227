// The parameter `area`: a box of the map as 'south~west~north~east' in degrees, as in '29.9~-98.1~30.6~-97.3', rounded
// to hundredths and clipped to the United States. Boxes side by side share no seller. It combines with the other filters,
// also with the radius; with an area, a ZIP without a radius only says where distances are measured from.

/** A box of the map in degrees: from `south` and `west` up to, but not including, `north` and `east`. */
export interface MapArea {
  readonly south: number;
  readonly west: number;
  readonly north: number;
  readonly east: number;
}

/** The 50 states and Puerto Rico. */
const USA: MapArea = { south: 17, west: -180, north: 72, east: -64 };

/** Areas are rounded to hundredths of a degree: 0.7 miles from south to north. */
const STEPS_PER_DEGREE = 100;

const DEGREES = /^-?\d{1,3}(\.\d{1,15})?$/;

/** Shifts the decimal point in text: the product with 100 of most decimals is not exact. */
const toSteps = (degrees: number): number => Number(`${degrees.toFixed(6)}e2`);
const toDegrees = (steps: number): number => Math.round(steps) / STEPS_PER_DEGREE;

const isArea = ({ south, west, north, east }: MapArea): boolean => south < north && west < east;

function withinUsa({ south, west, north, east }: MapArea): MapArea | undefined {
  const area = {
    south: Math.max(south, USA.south),
    west: Math.max(west, USA.west),
    north: Math.min(north, USA.north),
    east: Math.min(east, USA.east),
  };
  return isArea(area) ? area : undefined;
}

/** Reads the parameter `area`; undefined for text that is no area, and for one without a part of the United States. */
export function readMapArea(value: string): MapArea | undefined {
  const parts = value.trim().split('~');
  if (parts.length !== 4 || !parts.every((part) => DEGREES.test(part))) return undefined;
  const [south, west, north, east] = parts.map((part) => toDegrees(toSteps(Number(part))));
  return withinUsa({ south: south!, west: west!, north: north!, east: east! });
}

/** The canonical value of the parameter `area`; rounds to the nearest hundredth of a degree. */
export const writeMapArea = ({ south, west, north, east }: MapArea): string =>
  [south, west, north, east].map((degrees) => String(toDegrees(toSteps(degrees)))).join('~');
