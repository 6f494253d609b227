import {
  type Bitmap,
  cardinality,
  createBitmap,
  intersect,
  intersection,
  members,
  setBit,
  subtract,
  unite,
  DocumentSet,
} from './bitmap.ts';
import { type Documents, UNSPECIFIED_RANGE } from './documents.ts';
import { FACET_NAMES } from './facets.ts';
import { selectKeywords } from './keyword.ts';
import type { DroppableFilter, ListingQuery, NumericRange } from './listingIndex.ts';
import { Distances, type GeoPoint, chordSquared } from './ownerTable.ts';

/** Half the rounding unit of distances: 50.0004 miles count as within 50. */
const HALF_GRAIN_MILES = 0.0005;

/** Squared chord up to which an owner counts as within the radius. */
export const radiusChord = (miles: number): number => chordSquared(miles + HALF_GRAIN_MILES);

type FilterKey = DroppableFilter | 'vehicle' | 'scope';

/** Above every value of the columns and still an unboxed integer. */
const GREATEST = 2 ** 30 - 1;
/** Below this share of the listings, filters are evaluated for the scope only. */
const SCOPE_SHARE = 1 / 4;
/** Owners' postings are used below this share of the listings. */
const LIST_SHARE = 1 / 6;

/**
 * Documents whose value is in the range, only among `docs` if given. Branchless,
 * because a mispredicted branch costs as much as ten comparisons.
 */
function selectRange(column: Int32Array, range: NumericRange, out: Bitmap, docs?: Int32Array): void {
  const min = Math.min(range.min ?? 0, GREATEST) | 0;
  const max = Math.min(range.max ?? GREATEST, GREATEST) | 0;
  if (docs) {
    for (let i = 0; i < docs.length; i++) {
      const value = column[docs[i]!]!;
      if (value >= min && value <= max) setBit(out, docs[i]!);
    }
    return;
  }
  for (let word = 0, doc = 0; word < out.length; word++) {
    let outside = 0;
    for (let bit = 0; bit < 32; bit++, doc++) {
      const value = column[doc]!;
      outside |= (((value - min) | (max - value)) >>> 31) << bit;
    }
    out[word] = ~outside;
  }
}

/** Documents of the owners marked in `wanted`, only among `docs` if given. */
function selectOwners(documents: Documents, ownerMask: Uint8Array, out: Bitmap, docs?: Int32Array): void {
  const { byOwner } = documents;
  const { owner } = documents.numbers;
  if (docs) {
    for (let i = 0; i < docs.length; i++) if (ownerMask[owner[docs[i]!]!] === 1) setBit(out, docs[i]!);
    return;
  }
  let size = 0;
  for (let code = 0; code < ownerMask.length; code++) size += ownerMask[code]! * (byOwner.sizes[code] ?? 0);
  if (size < documents.size * LIST_SHARE) {
    for (let code = 0; code < ownerMask.length; code++) {
      if (ownerMask[code] !== 1 || !byOwner.sizes[code]) continue;
      const ownerDocs = byOwner.docs(code);
      for (let i = 0; i < ownerDocs.length; i++) setBit(out, ownerDocs[i]!);
    }
    return;
  }
  for (let word = 0, doc = 0; word < out.length; word++) {
    let found = 0;
    for (let bit = 0; bit < 32; bit++, doc++) found |= ownerMask[owner[doc]!]! << bit;
    out[word] = found;
  }
}

const selectIds = (documents: Documents, ids: readonly string[]): Bitmap => {
  const out = createBitmap(documents.capacity);
  for (const id of ids) {
    const doc = documents.find(id);
    if (doc !== undefined) setBit(out, doc);
  }
  return out;
};

/** Ids, owners and paid tier that a search is limited to; counts never ignore them. */
function selectScope(documents: Documents, query: ListingQuery): Bitmap | undefined {
  const { ids, excludedIds, ownerIds, paidTier } = query;
  if (!ids && !excludedIds?.length && !ownerIds && !paidTier) return undefined;
  const out = ids ? selectIds(documents, ids) : documents.live.bits.slice();
  if (excludedIds?.length) subtract(out, selectIds(documents, excludedIds));
  if (ownerIds) {
    const ownerMask = new Uint8Array(Math.max(1, documents.owners.size));
    for (const id of ownerIds) {
      const code = documents.owners.code(id);
      if (code !== undefined) ownerMask[code] = 1;
    }
    const owned = createBitmap(documents.capacity);
    selectOwners(documents, ownerMask, owned);
    intersect(out, owned);
  }
  if (paidTier) {
    const ofTier = createBitmap(documents.capacity);
    documents.buckets.tier.select([paidTier], ofTier);
    intersect(out, ofTier);
  }
  return out;
}

/** Owners within the radius of the center; without a center, those in the city and state. */
function ownersInPlace(
  documents: Documents,
  { radius = 0, state, city }: ListingQuery,
  chords: Float64Array | undefined,
): Uint8Array {
  if (!chords) return documents.owners.inPlace({ state, city });
  const limit = radiusChord(radius);
  const ownerMask = new Uint8Array(chords.length);
  for (let code = 0; code < ownerMask.length; code++) ownerMask[code] = chords[code]! <= limit ? 1 : 0;
  return ownerMask;
}

const distancesFrom = ({ owners, filterCache }: Documents, center: GeoPoint): Distances =>
  filterCache.distances(center, () => new Distances(owners.chordsFrom(center)));

/**
 * The filters of one search, each as a set of documents, and the sets that pass
 * all of them or all but one. With a narrow scope, the filters are only valid
 * within it.
 */
export class AppliedFilters {
  /** Distances from the center, if there is one. */
  readonly distances: Distances | undefined;
  private readonly documents: Documents;
  private readonly passing = new Map<FilterKey, Bitmap>();
  private readonly sets = new Map<FilterKey | undefined, DocumentSet>();

  constructor(documents: Documents, query: ListingQuery) {
    this.documents = documents;
    const { numbers, capacity, filterCache } = documents;
    this.distances = query.center && distancesFrom(documents, query.center);
    /** `choice` is all that the filter compares with: the same choice selects the same documents. */
    const add = (key: FilterKey, choice: unknown, fill: (out: Bitmap) => void) => {
      this.passing.set(key, filterCache.selected(key, choice, { capacity, isPartial: isNarrow, fill }));
    };

    const scope = selectScope(documents, query);
    if (scope) this.passing.set('scope', scope);
    const isNarrow = scope !== undefined && cardinality(scope) < documents.size * SCOPE_SHARE;
    const docs = isNarrow ? members(scope, cardinality(scope)) : undefined;

    const { center, radius, state, city, extendedDelivery } = query;
    if (center ? radius : state !== undefined || city !== undefined)
      add('location', [center, radius, state, city, extendedDelivery], (out) => {
        selectOwners(documents, ownersInPlace(documents, query, this.distances?.chords), out, docs);
        if (extendedDelivery) unite(out, documents.extended);
      });
    for (const name of FACET_NAMES) {
      const values = query.facets?.[name];
      if (values?.length) add(name, values, (out) => documents.facet(name).select(values, out));
    }
    const { vehicle } = query;
    if (vehicle && vehicle.makes.length + vehicle.models.length + vehicle.trims.length > 0)
      add('vehicle', vehicle, (out) => documents.vehicle.select(vehicle, out, docs));
    const addRange = (key: FilterKey, column: Int32Array, range: NumericRange | undefined) => {
      if (range) add(key, range, (out) => selectRange(column, range, out, docs));
    };
    const { electricRange: miles, maxMileage, minMpg } = query;
    addRange('year', numbers.year, query.year);
    addRange('price', numbers.price, query.price);
    addRange('mileage', numbers.mileage, maxMileage === undefined ? undefined : { max: maxMileage });
    addRange('mpg', numbers.mpg, minMpg === undefined ? undefined : { min: minMpg });
    if (miles === 'UNSPECIFIED')
      addRange('electricRange', numbers.electricRange, { min: UNSPECIFIED_RANGE, max: UNSPECIFIED_RANGE });
    else addRange('electricRange', numbers.electricRange, miles === undefined ? undefined : { min: miles });
    const { keywords } = query;
    if (keywords?.length) add('keyword', keywords, (out) => selectKeywords(documents, keywords, out));
  }

  get keys(): FilterKey[] {
    return [...this.passing.keys()];
  }

  /** Documents that pass all filters, or all but `dropped`. */
  set(dropped?: FilterKey): DocumentSet {
    const key = dropped !== undefined && this.passing.has(dropped) ? dropped : undefined;
    if (!this.sets.has(key)) {
      if (key === undefined) this.sets.set(undefined, this.intersectAll());
      else this.leaveEachOut();
    }
    return this.sets.get(key)!;
  }

  private intersectAll(): DocumentSet {
    const { live } = this.documents;
    if (this.passing.size === 0) return live;
    const bits = live.bits.slice();
    for (const pass of this.passing.values()) intersect(bits, pass);
    return new DocumentSet(bits);
  }

  /** The sets without each one of the filters, from prefix and suffix intersections: three passes per filter. */
  private leaveEachOut(): void {
    const { live } = this.documents;
    const filters = [...this.passing];
    const after: Bitmap[] = [live.bits];
    for (const [, pass] of filters.slice(1).reverse()) after.push(intersection(after.at(-1)!, pass));
    let before: Bitmap | undefined;
    for (const [key, pass] of filters) {
      const rest = after.pop()!;
      this.sets.set(
        key,
        filters.length === 1 ? live : new DocumentSet(before ? intersection(before, rest) : rest),
      );
      before = before ? intersection(before, pass) : pass;
    }
  }
}
