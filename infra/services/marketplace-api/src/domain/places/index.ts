export {
  chordSquared,
  distanceMiles,
  EARTH_RADIUS_MILES,
  type GeoArea,
  type GeoPoint,
  isInArea,
  milesBetween,
  milesBetweenVectors,
  milesOfChord,
  unitVector,
} from './geo.ts';
export { METROS, nearestMetro } from './metros.data.ts';
export { createPlaceFinder, type Place, type PlaceFinder } from './placeFinder.ts';
export { STATE_CODES } from './states.ts';
export { createZipDirectory, type ZipDirectory, type ZipPlace } from './zips.ts';
