import { highestPriceWithin } from '@forecourt/search/criteria';
import {
  type Bitmap,
  createBitmap,
  having,
  intersect,
  intersection,
  setBit,
  subtract,
  unite,
  DocumentSet,
} from './bitmap.ts';
import { type Documents, UNSPECIFIED_RANGE } from './documents.ts';
import {
  type DroppableFilter,
  FACET_NAMES,
  type ListingQuery,
  type NumericRange,
  type PaidTier,
} from './listingIndex.ts';
import { selectKeywords } from './keyword.ts';
import { type GeoPoint, chordSquared } from '../../domain/places/index.ts';
import { Distances } from './ownerTable.ts';

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
 * because a mispredicted branch costs about ten comparisons.
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

const docsOfIds = (documents: Documents, ids: readonly string[]): Int32Array =>
  Int32Array.from(new Set(ids.map((id) => documents.find(id)).filter((doc) => doc !== undefined)));

/** All documents of the owners. */
function docsOfOwners({ owners, byOwner }: Documents, ids: readonly string[]): Int32Array {
  const codes = [...new Set(ids)].map((id) => owners.code(id)).filter((code) => code !== undefined);
  const lists = codes.filter((code) => byOwner.sizes[code]).map((code) => byOwner.docs(code));
  const out = new Int32Array(lists.reduce((sum, { length }) => sum + length, 0));
  let n = 0;
  for (const list of lists) {
    out.set(list, n);
    n += list.length;
  }
  return out;
}

const docsOfTier = ({ buckets, capacity, filterCache }: Documents, tier: PaidTier): Int32Array =>
  filterCache.get('tier', tier, () => {
    const out = createBitmap(capacity);
    buckets.tier.select([tier], out);
    return DocumentSet.ofBits(out);
  }).docs;

/** Ids, owners and paid tier that a search is limited to; counts never ignore them. */
function selectScope(documents: Documents, query: ListingQuery): DocumentSet | undefined {
  const { ids, excludedIds, ownerIds, paidTier } = query;
  const limits = [
    ...(ids ? [docsOfIds(documents, ids)] : []),
    ...(ownerIds ? [docsOfOwners(documents, ownerIds)] : []),
    ...(paidTier ? [docsOfTier(documents, paidTier)] : []),
  ].sort((a, b) => a.length - b.length);
  const { capacity, live } = documents;
  const setOf = (docs: Int32Array) => DocumentSet.ofDocs(docs, capacity);
  const [smallest, ...others] = limits;
  const limited =
    smallest &&
    having(
      smallest,
      others.map((docs) => setOf(docs).bits),
    );
  if (!excludedIds?.length) return limited && setOf(limited);
  const out = (limited ? setOf(limited) : live).bits.slice();
  subtract(out, setOf(docsOfIds(documents, excludedIds)).bits);
  return DocumentSet.ofBits(out);
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
  filterCache.get(
    'distances',
    [center.latitude, center.longitude],
    () => new Distances(owners.chordsFrom(center)),
  );

/**
 * The filters of one search, each as a set of documents, and the sets that pass
 * all of them or all but one. With a narrow scope, the filters are only valid
 * within it.
 */
export class AppliedFilters {
  /** Distances from the center, if there is one. */
  readonly distances: Distances | undefined;
  private readonly documents: Documents;
  private readonly query: ListingQuery;
  private readonly passing = new Map<FilterKey, Bitmap>();
  private readonly sets = new Map<FilterKey | undefined, DocumentSet>();
  /** The documents of a narrow scope, to which all sets are limited. */
  private readonly scopeDocs: Int32Array | undefined;
  private readonly isScoped: boolean;

  constructor(documents: Documents, query: ListingQuery) {
    this.documents = documents;
    this.query = query;
    const { numbers, capacity, filterCache } = documents;
    this.distances = query.center && distancesFrom(documents, query.center);
    const scope = selectScope(documents, query);
    this.isScoped = scope !== undefined;
    const docs = scope && scope.size < documents.size * SCOPE_SHARE ? scope.docs : undefined;
    this.scopeDocs = docs;
    if (scope && !docs) this.passing.set('scope', scope.bits);
    /** `choice` is all that the filter compares with: the same choice selects the same documents. */
    const add = (key: FilterKey, choice: unknown, fill: (out: Bitmap) => void) => {
      const evaluate = () => {
        const out = createBitmap(capacity);
        fill(out);
        return out;
      };
      // Only among the documents of the scope: nothing that other queries could use.
      const isPartial = docs !== undefined && !filterCache.has(key, choice);
      this.passing.set(key, isPartial ? evaluate() : filterCache.get(key, choice, evaluate));
    };

    const { center, radius, state, city, extendedDelivery } = query;
    if (center ? radius : state !== undefined || city !== undefined)
      add('location', [center, radius, state, city, extendedDelivery], (out) => {
        selectOwners(documents, ownersInPlace(documents, query, this.distances?.chords), out, docs);
        if (extendedDelivery) unite(out, documents.extended);
      });
    const { area } = query;
    if (area) add('area', area, (out) => selectOwners(documents, documents.owners.inArea(area), out, docs));
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
    const { electricRange: miles, maxMileage, minMpg, payment } = query;
    addRange('year', numbers.year, query.year);
    addRange('price', numbers.price, query.price);
    addRange('monthlyPayment', numbers.price, payment && { max: highestPriceWithin(payment) });
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

  /** Cached for the page's other calls and the next page, unless it depends on the ids that a page has shown. */
  private intersectAll(): DocumentSet {
    const { live, filterCache, capacity } = this.documents;
    const { scopeDocs } = this;
    const { ids, excludedIds } = this.query;
    if (scopeDocs) {
      const limited = () => DocumentSet.ofDocs(having(scopeDocs, [...this.passing.values()]), capacity);
      return ids || excludedIds?.length ? limited() : filterCache.get('query', this.query, limited);
    }
    if (this.passing.size === 0) return live;
    const intersected = () => {
      const bits = live.bits.slice();
      for (const pass of this.passing.values()) intersect(bits, pass);
      return DocumentSet.ofBits(bits);
    };
    return this.isScoped ? intersected() : filterCache.get('query', this.query, intersected);
  }

  /** The sets without each one of the filters, from prefix and suffix intersections: three passes per filter. */
  private leaveEachOut(): void {
    const { live, capacity } = this.documents;
    const filters = [...this.passing];
    const { scopeDocs } = this;
    if (scopeDocs) {
      for (const [key] of filters) {
        const others = filters.flatMap(([other, pass]) => (other === key ? [] : [pass]));
        this.sets.set(key, DocumentSet.ofDocs(having(scopeDocs, others), capacity));
      }
      return;
    }
    const after: Bitmap[] = [live.bits];
    for (const [, pass] of filters.slice(1).reverse()) after.push(intersection(after.at(-1)!, pass));
    let before: Bitmap | undefined;
    for (const [key, pass] of filters) {
      const rest = after.pop()!;
      this.sets.set(
        key,
        filters.length === 1 ? live : DocumentSet.ofBits(before ? intersection(before, rest) : rest),
      );
      before = before ? intersection(before, pass) : pass;
    }
  }
}
