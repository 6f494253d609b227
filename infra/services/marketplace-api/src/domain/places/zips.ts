import { createRequire } from 'node:module';
import { METROS, nearestMetro } from './metros.data.ts';
import type { GeoPoint } from './geo.ts';

export interface ZipPlace extends GeoPoint {
  readonly zip: string;
  readonly city: string;
  /** Two letters. */
  readonly state: string;
}

/** Response of the ZIP lookup; `dma` is the market of the nearest metro. */
type ZipLookup =
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
  /** The place of the nearest code with the same first three digits, for a code that the table lacks. */
  findNear(zip: string): ZipPlace | undefined;
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
  let areas: ReadonlyMap<string, readonly ZipPlace[]> | undefined;
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
    findNear(zip) {
      if (!/^\d{5}$/.test(zip)) return undefined;
      // The first three digits name a sorting center of the post.
      areas ??= Map.groupBy(all(), (place) => place.zip.slice(0, 3));
      const away = (place: ZipPlace) => Math.abs(Number(place.zip) - Number(zip));
      return areas.get(zip.slice(0, 3))?.reduce((best, place) => (away(place) < away(best) ? place : best));
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

/** The same for every spelling of a city. */
export function cityKey(city: string, state: string): string {
  return `${city.trim().toLowerCase()}|${state.trim().toUpperCase()}`;
}
