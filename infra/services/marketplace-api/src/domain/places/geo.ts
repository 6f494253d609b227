import type { readMapArea } from '@forecourt/search/criteria';

/** Mean radius of the earth in miles (IUGG 1980: 6,371.0088 km). */
export const EARTH_RADIUS_MILES = 3958.7613;

/** Degrees. */
export interface GeoPoint {
  readonly latitude: number;
  readonly longitude: number;
}

/** A box in degrees, without its northern and eastern edges. */
export type GeoArea = NonNullable<ReturnType<typeof readMapArea>>;

export const isInArea = ({ south, west, north, east }: GeoArea, { latitude, longitude }: GeoPoint): boolean =>
  latitude >= south && latitude < north && longitude >= west && longitude < east;

/** A position on the unit sphere. */
export const unitVector = ({ latitude, longitude }: GeoPoint): [number, number, number] => {
  const lat = (latitude * Math.PI) / 180;
  const lon = (longitude * Math.PI) / 180;
  return [Math.cos(lat) * Math.cos(lon), Math.cos(lat) * Math.sin(lon), Math.sin(lat)];
};

/** Squared chord of the unit sphere that spans `miles` along the great circle. */
export const chordSquared = (miles: number): number =>
  (2 * Math.sin(Math.min(miles / EARTH_RADIUS_MILES, Math.PI) / 2)) ** 2;

/** Great-circle miles of a squared chord, rounded to a thousandth like the sort order. */
export const milesOfChord = (squared: number): number =>
  Math.round(2 * EARTH_RADIUS_MILES * Math.asin(Math.min(1, Math.sqrt(squared) / 2)) * 1000) / 1000;

/** Great-circle distance in miles, rounded to a thousandth like the sort order. */
export const distanceMiles = (a: GeoPoint, b: GeoPoint): number =>
  milesBetweenVectors(unitVector(a), unitVector(b));

/** The same between positions on the unit sphere. */
export const milesBetweenVectors = (
  [x, y, z]: readonly [number, number, number],
  [u, v, w]: readonly [number, number, number],
): number => milesOfChord((x - u) ** 2 + (y - v) ** 2 + (z - w) ** 2);

/** The radius that the generated inventory was made with. */
const MILES_PER_RADIAN = 3958.8;

/** Great-circle distance in miles, not rounded. */
export function milesBetween(a: GeoPoint, b: GeoPoint): number {
  const radians = Math.PI / 180;
  const halfLatitude = ((b.latitude - a.latitude) * radians) / 2;
  const halfLongitude = ((b.longitude - a.longitude) * radians) / 2;
  const square =
    Math.sin(halfLatitude) ** 2 +
    Math.cos(a.latitude * radians) * Math.cos(b.latitude * radians) * Math.sin(halfLongitude) ** 2;
  return 2 * MILES_PER_RADIAN * Math.asin(Math.min(1, Math.sqrt(square)));
}
