import type { StockOwner } from '../domain/stock.ts';
import { SingleColumn } from './facetColumn.ts';

/** Mean radius of the earth in miles (IUGG 1980: 6,371.0088 km). */
export const EARTH_RADIUS_MILES = 3958.7613;

export interface GeoPoint {
  readonly latitude: number;
  readonly longitude: number;
}

const unitVector = ({ latitude, longitude }: GeoPoint): [number, number, number] => {
  const lat = (latitude * Math.PI) / 180;
  const lon = (longitude * Math.PI) / 180;
  return [Math.cos(lat) * Math.cos(lon), Math.cos(lat) * Math.sin(lon), Math.sin(lat)];
};

/** Squared chord of the unit sphere that spans `miles` along the great circle. */
export const chordSquared = (miles: number): number =>
  (2 * Math.sin(Math.min(miles / EARTH_RADIUS_MILES, Math.PI) / 2)) ** 2;

const milesOfChord = (squared: number): number =>
  2 * EARTH_RADIUS_MILES * Math.asin(Math.min(1, Math.sqrt(squared) / 2));

/** Great-circle distance in miles, to a thousandth: the grain in which results are ordered. */
export function distanceMiles(a: GeoPoint, b: GeoPoint): number {
  const [x, y, z] = unitVector(a);
  const [u, v, w] = unitVector(b);
  return Math.round(milesOfChord((x - u) ** 2 + (y - v) ** 2 + (z - w) ** 2) * 1000) / 1000;
}

/**
 * Owners with their place on the unit sphere. A distance to thousands of
 * owners then costs three multiplications each, without trigonometry: the
 * squared chord grows with the great-circle distance, so radii are compared
 * as chords.
 */
export class OwnerTable {
  readonly state: SingleColumn;
  readonly city: SingleColumn;
  readonly ids: string[] = [];
  private readonly codeOf = new Map<string, number>();
  private readonly records: StockOwner[] = [];
  private positions = new Float64Array(0);

  constructor() {
    this.state = new SingleColumn(0);
    this.city = new SingleColumn(0);
  }

  get size(): number {
    return this.ids.length;
  }

  code(id: string): number | undefined {
    return this.codeOf.get(id);
  }

  record(code: number): StockOwner {
    return this.records[code]!;
  }

  upsert(owner: StockOwner): number {
    let code = this.codeOf.get(owner.id);
    if (code === undefined) {
      code = this.ids.length;
      this.codeOf.set(owner.id, code);
      this.ids.push(owner.id);
      this.reserve(code + 1);
    } else {
      this.state.remove(code);
      this.city.remove(code);
    }
    this.records[code] = owner;
    this.positions.set(unitVector(owner), code * 3);
    this.state.add(code, owner.state);
    this.city.add(code, owner.city);
    return code;
  }

  /** Squared chords from `centre` to each owner. */
  chordsFrom(centre: GeoPoint): Float64Array {
    const [x, y, z] = unitVector(centre);
    const { positions } = this;
    const out = new Float64Array(this.size);
    for (let code = 0, i = 0; code < out.length; code++, i += 3) {
      const dx = positions[i]! - x;
      const dy = positions[i + 1]! - y;
      const dz = positions[i + 2]! - z;
      out[code] = dx * dx + dy * dy + dz * dz;
    }
    return out;
  }

  /** 1 for each owner of the state and city; a name no owner has admits none. */
  inPlace(place: { state?: string; city?: string }): Uint8Array {
    const { state, city } = place;
    const stateCode = state === undefined ? undefined : (this.state.find(state) ?? -1);
    const cityCode = city === undefined ? undefined : (this.city.find(city) ?? -1);
    return Uint8Array.from(this.ids, (_, code) => {
      const inState = stateCode === undefined || this.state.codes[code] === stateCode + 1;
      const inCity = cityCode === undefined || this.city.codes[code] === cityCode + 1;
      return inState && inCity ? 1 : 0;
    });
  }

  private reserve(size: number): void {
    const capacity = this.positions.length / 3;
    if (size <= capacity) return;
    const grown = Math.max(64, capacity * 2);
    const positions = new Float64Array(grown * 3);
    positions.set(this.positions);
    this.positions = positions;
    this.state.grow(grown);
    this.city.grow(grown);
  }
}

/** Miles for each squared chord up to `limit`, to a thousandth; beyond it they are not worked out (0). */
export function toMiles(chords: Float64Array, limit = Infinity): Float64Array {
  const out = new Float64Array(chords.length);
  for (let code = 0; code < out.length; code++) {
    const chord = chords[code]!;
    if (chord <= limit) out[code] = Math.round(milesOfChord(chord) * 1000) / 1000;
  }
  return out;
}
