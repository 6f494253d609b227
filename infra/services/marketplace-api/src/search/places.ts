import type { GeoPoint } from '../index/ownerTable.ts';
import type { ZipDirectory } from '../places/zips.ts';

export interface Place extends GeoPoint {
  readonly city: string;
  readonly state: string;
  /** DMA code of the market. */
  readonly dma?: string;
}

/** Where ZIP codes and cities are; undefined for those that do not exist. */
export interface PlaceFinder {
  byZip(zip: string): Place | undefined;
  /** The middle of a city's ZIP codes. */
  byCity(city: string, state: string): Place | undefined;
}

const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;

export function createPlaceFinder(directory: ZipDirectory): PlaceFinder {
  return {
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
