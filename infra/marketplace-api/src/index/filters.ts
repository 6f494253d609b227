import type { Bitmap } from './bitmap.ts';
import { createBitmap, intersect, setBit, subtract } from './bitmap.ts';
import { DocumentSet } from './documentSet.ts';
import type { Documents } from './documents.ts';
import { UNSPECIFIED_RANGE } from './documents.ts';
import { FACET_NAMES } from './facets.ts';
import { selectKeywords } from './keyword.ts';
import type { DroppableFilter, ListingQuery, NumericRange } from './listingIndex.ts';
import { chordSquared } from './ownerTable.ts';

/** Half of the grain of distances: 50.0004 miles read as 50 and are within 50. */
const HALF_GRAIN_MILES = 0.0005;

/** Squared chord up to which an owner counts as within the radius. */
export const radiusChord = (miles: number): number => chordSquared(miles + HALF_GRAIN_MILES);

type FilterKey = DroppableFilter | 'vehicle' | 'scope';

/** Above every value of the columns and still an unboxed integer. */
const GREATEST = 2 ** 30 - 1;

function selectRange(column: Int32Array, range: NumericRange, out: Bitmap): Bitmap {
  const min = Math.min(range.min ?? 0, GREATEST) | 0;
  const max = Math.min(range.max ?? GREATEST, GREATEST) | 0;
  for (let word = 0, doc = 0; word < out.length; word++) {
    let found = 0;
    for (let bit = 0; bit < 32; bit++, doc++) {
      const value = column[doc]!;
      found |= (value >= min && value <= max ? 1 : 0) << bit;
    }
    out[word] = found;
  }
  return out;
}

function selectOwners(documents: Documents, wanted: Uint8Array, extendedToo: boolean): Bitmap {
  const out = createBitmap(documents.capacity);
  const { owner, extended } = documents.numbers;
  const extra = extendedToo ? 1 : 0;
  for (let word = 0, doc = 0; word < out.length; word++) {
    let found = 0;
    for (let bit = 0; bit < 32; bit++, doc++)
      found |= (wanted[owner[doc]!]! | (extended[doc]! & extra)) << bit;
    out[word] = found;
  }
  return out;
}

const selectIds = (documents: Documents, ids: readonly string[]): Bitmap => {
  const out = createBitmap(documents.capacity);
  for (const id of ids) {
    const doc = documents.find(id);
    if (doc !== undefined) setBit(out, doc);
  }
  return out;
};

/** Whom and what a search is limited to beside its filters: never dropped. */
function selectScope(documents: Documents, query: ListingQuery): Bitmap | undefined {
  const { ids, excludedIds, ownerIds, paidTier } = query;
  if (!ids && !excludedIds?.length && !ownerIds && !paidTier) return undefined;
  const out = ids ? selectIds(documents, ids) : documents.live.bits.slice();
  if (excludedIds?.length) subtract(out, selectIds(documents, excludedIds));
  if (ownerIds) {
    const wanted = new Uint8Array(Math.max(1, documents.owners.size));
    for (const id of ownerIds) {
      const code = documents.owners.code(id);
      if (code !== undefined) wanted[code] = 1;
    }
    intersect(out, selectOwners(documents, wanted, false));
  }
  if (paidTier) {
    const ofTier = createBitmap(documents.capacity);
    documents.buckets.tier.select([paidTier], ofTier);
    intersect(out, ofTier);
  }
  return out;
}

/** A radius narrows around the centre; without a centre, city and state do. */
function selectLocation(
  documents: Documents,
  query: ListingQuery,
  chords?: Float64Array,
): Bitmap | undefined {
  const { centre, radius, state, city, extendedDelivery = false } = query;
  if (centre) {
    if (!radius || !chords) return undefined;
    const limit = radiusChord(radius);
    const wanted = new Uint8Array(chords.length);
    for (let code = 0; code < wanted.length; code++) wanted[code] = chords[code]! <= limit ? 1 : 0;
    return selectOwners(documents, wanted, extendedDelivery);
  }
  if (state === undefined && city === undefined) return undefined;
  return selectOwners(documents, documents.owners.inPlace({ state, city }), extendedDelivery);
}

/**
 * The filters of one search, each as the set of documents it admits, and the
 * sets that pass all of them or all but one.
 */
export class AppliedFilters {
  /** Squared chords from the centre to each owner. */
  readonly chords: Float64Array | undefined;
  /** Squared chord beyond which no owner's listing can be found. */
  readonly reach: number;
  private readonly documents: Documents;
  private readonly passing = new Map<FilterKey, Bitmap>();
  private readonly sets = new Map<FilterKey | undefined, DocumentSet>();

  constructor(documents: Documents, query: ListingQuery) {
    this.documents = documents;
    this.chords = query.centre && documents.owners.chordsFrom(query.centre);
    const { radius, extendedDelivery = false } = query;
    this.reach = radius && !extendedDelivery ? radiusChord(radius) : Infinity;
    const { numbers, capacity } = documents;
    const add = (key: FilterKey, bits: Bitmap | undefined) => bits && this.passing.set(key, bits);
    const fresh = () => createBitmap(capacity);

    add('scope', selectScope(documents, query));
    add('location', selectLocation(documents, query, this.chords));
    for (const name of FACET_NAMES) {
      const values = query.facets?.[name];
      if (!values?.length) continue;
      const bits = fresh();
      documents.facet(name).select(values, bits);
      add(name, bits);
    }
    const { vehicle } = query;
    if (vehicle && vehicle.makes.length + vehicle.models.length + vehicle.trims.length > 0) {
      const bits = fresh();
      documents.vehicle.select(vehicle, bits);
      add('vehicle', bits);
    }
    if (query.year) add('year', selectRange(numbers.year, query.year, fresh()));
    if (query.price) add('price', selectRange(numbers.price, query.price, fresh()));
    if (query.maxMileage !== undefined)
      add('mileage', selectRange(numbers.mileage, { max: query.maxMileage }, fresh()));
    if (query.minMpg !== undefined) add('mpg', selectRange(numbers.mpg, { min: query.minMpg }, fresh()));
    const { electricRange } = query;
    if (electricRange !== undefined) {
      const range =
        electricRange === 'UNSPECIFIED'
          ? { min: UNSPECIFIED_RANGE, max: UNSPECIFIED_RANGE }
          : { min: electricRange };
      add('electricRange', selectRange(numbers.electricRange, range, fresh()));
    }
    if (query.keywords?.length) add('keyword', selectKeywords(documents, query.keywords));
  }

  get keys(): FilterKey[] {
    return [...this.passing.keys()];
  }

  /** What passes all filters, or all but `dropped`. */
  set(dropped?: FilterKey): DocumentSet {
    const key = dropped !== undefined && this.passing.has(dropped) ? dropped : undefined;
    let set = this.sets.get(key);
    if (!set) {
      set = this.intersection(key);
      this.sets.set(key, set);
    }
    return set;
  }

  private intersection(dropped: FilterKey | undefined): DocumentSet {
    const kept = [...this.passing].filter(([key]) => key !== dropped);
    if (kept.length === 0) return this.documents.live;
    const bits = this.documents.live.bits.slice();
    for (const [, pass] of kept) intersect(bits, pass);
    return new DocumentSet(bits);
  }
}
