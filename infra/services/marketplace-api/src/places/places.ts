import { createRequire } from 'node:module';
import { METROS, nearestMetro } from './metros.data.ts';
import { type GeoArea, type GeoPoint, isInArea } from '../index/ownerTable.ts';

export interface ZipPlace {
  readonly zip: string;
  readonly city: string;
  /** Two letters. */
  readonly state: string;
  /** Degrees. */
  readonly latitude: number;
  readonly longitude: number;
}

/** Response of the ZIP lookup (AMB-182); `dma` is the market of the nearest metro. */
export type ZipLookup =
  | { readonly success: false }
  | {
      readonly success: true;
      readonly city: string;
      readonly state: string;
      readonly dma: string;
      readonly latitude: number;
      readonly longitude: number;
    };

export interface ZipDirectory {
  /** The place of a five-digit ZIP code, in constant time. */
  find(zip: string): ZipPlace | undefined;
  lookup(zip: string): ZipLookup;
  /** Places of a city, for feeds without ZIP codes; two-letter state. */
  findCity(city: string, state: string): readonly ZipPlace[];
  /** ZIP codes of the city of this name with the most of them, in any state. */
  findCityByName(city: string): readonly ZipPlace[];
  /** A place in the state's largest market, for unknown cities. */
  findState(state: string): ZipPlace | undefined;
  all(): IteratorObject<ZipPlace>;
}

type CodesFile = Readonly<Record<string, ZipPlace>>;

/**
 * Directory of 42,000 United States ZIP codes, loaded on first use. Codes
 * without coordinates (military mail) count as unknown.
 */
export function createZipDirectory(): ZipDirectory {
  let codes: CodesFile | undefined;
  let cities: ReadonlyMap<string, readonly ZipPlace[]> | undefined;
  let largest: ReadonlyMap<string, readonly ZipPlace[]> | undefined;

  function load(): CodesFile {
    // The package's main file would also build Canada's table.
    codes ??= (createRequire(import.meta.url)('zipcodes/lib/codes.js') as { codes: CodesFile }).codes;
    return codes;
  }

  function find(zip: string): ZipPlace | undefined {
    const place = /^\d{5}$/.test(zip) ? load()[zip] : undefined;
    return place && isLocated(place) ? place : undefined;
  }

  function* all(): Generator<ZipPlace> {
    for (const place of Object.values(load())) if (isLocated(place)) yield place;
  }

  return {
    find,
    all,
    lookup(zip) {
      const place = find(zip);
      if (!place) return { success: false };
      const { city, state, latitude, longitude } = place;
      return { success: true, city, state, dma: nearestMetro(latitude, longitude).dma, latitude, longitude };
    },
    findCity(city, state) {
      cities ??= Map.groupBy(all(), (place) => cityKey(place.city, place.state));
      const existing = cities.get(cityKey(city, state));
      return existing ?? cities.get(cityKey(city.replace(/^st\.?\s/i, 'Saint '), state)) ?? [];
    },
    findCityByName(city) {
      cities ??= Map.groupBy(all(), (place) => cityKey(place.city, place.state));
      // Later entries win.
      largest ??= new Map(
        [...cities.values()]
          .sort((a, b) => a.length - b.length)
          .map((places) => [places[0]!.city.toLowerCase(), places]),
      );
      return largest.get(city.trim().toLowerCase()) ?? [];
    },
    findState(state) {
      // Metros are sorted by population.
      const metro = METROS.find((candidate) => candidate.state === state.toUpperCase());
      const inMetro = metro && this.findCity(metro.name, metro.state)[0];
      return inMetro ?? all().find((place) => place.state === state.toUpperCase());
    },
  };
}

function isLocated(place: ZipPlace): boolean {
  return Boolean(place.latitude && place.longitude);
}

function cityKey(city: string, state: string): string {
  return `${city.trim().toLowerCase()}|${state.trim().toUpperCase()}`;
}

const MILES_PER_RADIAN = 3958.8;

/** Great-circle distance in miles. */
export function milesBetween(
  a: Pick<ZipPlace, 'latitude' | 'longitude'>,
  b: Pick<ZipPlace, 'latitude' | 'longitude'>,
): number {
  const radians = Math.PI / 180;
  const halfLatitude = ((b.latitude - a.latitude) * radians) / 2;
  const halfLongitude = ((b.longitude - a.longitude) * radians) / 2;
  const square =
    Math.sin(halfLatitude) ** 2 +
    Math.cos(a.latitude * radians) * Math.cos(b.latitude * radians) * Math.sin(halfLongitude) ** 2;
  return 2 * MILES_PER_RADIAN * Math.asin(Math.min(1, Math.sqrt(square)));
}

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
