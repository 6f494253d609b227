import { type GeoArea, type GeoPoint, isInArea } from './geo.ts';
import { METROS } from './metros.data.ts';
import { cityKey, type ZipDirectory } from './zips.ts';

export interface Place extends GeoPoint {
  readonly city: string;
  readonly state: string;
  /** DMA code of the market. */
  readonly dma?: string;
}

/** Locates ZIP codes and cities; undefined for unknown ones. */
export interface PlaceFinder {
  byZip(zip: string): Place | undefined;
  /** The center of the city's ZIP codes. */
  byCity(city: string, state: string): Place | undefined;
  /**
   * The city of this name: the center of a market, otherwise the one with the most ZIP codes. `least` limits that to
   * markets, or to cities with several ZIP codes.
   */
  byName(city: string, least: 'metro' | 'known' | 'any'): Place | undefined;
  /** Names for a map: the largest markets and cities of a part of it, none close to another. */
  largestIn(
    area: GeoArea,
  ): { readonly name: string; readonly latitude: number; readonly longitude: number }[];
}

/** Most names for a map, which has not room for all, and how far they stand from each other as shares of its width and height; degrees of a wide one. */
const MAP_NAMES = { max: 40, across: 0.12, along: 0.06, wide: 14 } as const;

/** Cities with their center, those with the most ZIP codes first. */
function citiesBySize(directory: ZipDirectory) {
  const cities = Map.groupBy(directory.all(), ({ city, state }) => cityKey(city, state));
  return [...cities.values()]
    .sort((a, b) => b.length - a.length)
    .map((zips) => ({
      name: zips[0]!.city,
      latitude: mean(zips.map(({ latitude }) => latitude)),
      longitude: mean(zips.map(({ longitude }) => longitude)),
    }));
}

const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;

const LEAST_ZIP_CODES = { metro: Infinity, known: 2, any: 1 };

export function createPlaceFinder(directory: ZipDirectory): PlaceFinder {
  let cities: ReturnType<typeof citiesBySize> | undefined;
  return {
    largestIn(area) {
      // Markets are sorted by population.
      cities ??= [
        ...METROS.map(({ name, latitude, longitude }) => ({ name, latitude, longitude })),
        ...citiesBySize(directory),
      ];
      const isFar = (one: GeoPoint) => (other: GeoPoint) =>
        Math.abs(one.longitude - other.longitude) > (area.east - area.west) * MAP_NAMES.across ||
        Math.abs(one.latitude - other.latitude) > (area.north - area.south) * MAP_NAMES.along;
      const names: (typeof cities)[number][] = [];
      // On a map of many states, only markets.
      const isWide = area.east - area.west > MAP_NAMES.wide;
      for (const city of isWide ? cities.slice(0, METROS.length) : cities) {
        if (names.length === MAP_NAMES.max) break;
        if (isInArea(area, city) && names.every(isFar(city))) names.push(city);
      }
      return names;
    },
    byName(city, least) {
      const metro = METROS.find(({ name }) => name.toLowerCase() === city.toLowerCase());
      if (metro) return this.byCity(metro.name, metro.state);
      const places = directory.findCityByName(city);
      const [first] = places;
      return first && places.length >= LEAST_ZIP_CODES[least]
        ? this.byCity(first.city, first.state)
        : undefined;
    },
    byZip(zip) {
      const found = directory.lookup(zip);
      return found.success ? found : undefined;
    },
    byCity(city, state) {
      const places = directory.findCity(city, state);
      const [first] = places;
      if (!first) return undefined;
      const found = directory.lookup(first.zip);
      return {
        city: first.city,
        state: first.state,
        latitude: mean(places.map(({ latitude }) => latitude)),
        longitude: mean(places.map(({ longitude }) => longitude)),
        ...(found.success && { dma: found.dma }),
      };
    },
  };
}
