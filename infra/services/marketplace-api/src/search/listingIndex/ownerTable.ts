import type { StockOwner } from '../../domain/stock.ts';
import {
  chordSquared,
  type GeoArea,
  type GeoPoint,
  isInArea,
  milesOfChord,
  unitVector,
} from '../../domain/places/index.ts';
import { SingleColumn } from './facetColumn.ts';
import { NEARNESS_LIMIT_MILES, nearnessScore } from './relevance.ts';

/**
 * Owners with their position on the unit sphere. The squared chord grows with
 * the great-circle distance, so that comparing thousands of owners with a radius
 * takes three multiplications each and no trigonometry.
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

  /** Squared chords from `center` to each owner. */
  chordsFrom(center: GeoPoint): Float64Array {
    const [x, y, z] = unitVector(center);
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

  /** 1 for each owner in the state and city. */
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

  /** 1 for each owner in the area. */
  inArea(area: GeoArea): Uint8Array {
    return Uint8Array.from(this.records, (owner) => (isInArea(area, owner) ? 1 : 0));
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

/** Great-circle distances from one center, computed lazily. */
export class Distances {
  /** Squared chords from the center to each owner. */
  readonly chords: Float64Array;
  private readonly known: Float64Array;
  private readonly scores: Int32Array;
  private static readonly LIMIT = chordSquared(NEARNESS_LIMIT_MILES + 1);

  constructor(chords: Float64Array) {
    this.chords = chords;
    this.known = new Float64Array(chords.length).fill(-1);
    this.scores = new Int32Array(chords.length).fill(-1);
  }

  get byteLength(): number {
    return this.chords.byteLength + this.known.byteLength + this.scores.byteLength;
  }

  /** Miles to an owner, to a thousandth. */
  miles(owner: number): number {
    let miles = this.known[owner]!;
    if (miles < 0) this.known[owner] = miles = milesOfChord(this.chords[owner]!);
    return miles;
  }

  /** Nearness part of the relevance, in units. */
  nearness(owner: number): number {
    let score = this.scores[owner]!;
    if (score < 0) {
      score = this.chords[owner]! > Distances.LIMIT ? 0 : nearnessScore(this.miles(owner));
      this.scores[owner] = score;
    }
    return score;
  }
}
