import {
  type StockListing,
  type StockOwner,
  combinedMpg,
  derivedPrice,
  plugsInWithoutRange,
} from '../../domain/stock.ts';
import { type Bitmap, DocumentSet, Postings, clearBit, createBitmap, extend, setBit } from './bitmap.ts';
import { MultiColumn, SingleColumn } from './facetColumn.ts';
import { FilterCache } from './filterCache.ts';
import {
  type FacetName,
  MULTI_FACET_NAMES,
  MULTI_FACETS,
  type MultiFacet,
  type PaidTier,
  SINGLE_FACET_NAMES,
  SINGLE_FACETS,
  type SingleFacet,
} from './listingIndex.ts';
import { IdOrder } from './idOrder.ts';
import { STEPPED, stepOf } from './numberSteps.ts';
import { OwnerTable } from './ownerTable.ts';
import { listingQuality } from './relevance.ts';
import { VehicleColumn } from './vehicleTree.ts';

/** Stands for "no value" in the numeric columns. */
export const MISSING = -1;
/** Electric range of an electric or plug-in vehicle that does not state it. */
export const UNSPECIFIED_RANGE = -2;
/** Dollars of one bar of the finest price histogram. */
export const PRICE_BUCKET = 500;

const FIRST_CAPACITY = 1024;

/** Number columns, one entry per document. */
const NUMERIC = [
  'year',
  'price',
  'mileage',
  'mpg',
  'electricRange',
  'listedOn',
  'owner',
  /** Query-independent part of the relevance, in units of relevance. */
  'quality',
] as const;
export type NumericName = (typeof NUMERIC)[number];

/** Number columns that are also counted in buckets. */
const BUCKETS = ['year', 'price', ...STEPPED, 'tier'] as const;
export type BucketName = (typeof BUCKETS)[number];

const record = <K extends string, V>(names: readonly K[], make: (name: K) => V) =>
  Object.fromEntries(names.map((name) => [name, make(name)])) as Record<K, V>;

/** The paid placement: a spotlight tier or a boost. */
export const paidTierOf = ({ spotlightTier, isBoosted }: StockListing): PaidTier | undefined =>
  spotlightTier ?? (isBoosted ? 'boost' : undefined);

/**
 * The columns of all listings. A document number is a listing's row in every
 * column; rows of removed listings are reused, so columns need no compaction.
 */
export class Documents {
  readonly owners = new OwnerTable();
  readonly order = new IdOrder();
  readonly vehicle = new VehicleColumn(FIRST_CAPACITY);
  /** Valid until the next change. */
  readonly filterCache = new FilterCache();
  readonly singles: Record<SingleFacet, SingleColumn>;
  readonly multis: Record<MultiFacet, MultiColumn>;
  readonly buckets: Record<BucketName, SingleColumn>;
  /** Replaced when the columns grow. */
  numbers: Record<NumericName, Int32Array>;
  /** Documents of each owner. */
  readonly byOwner = new Postings(FIRST_CAPACITY);
  /** Documents that are delivered outside their home market. */
  extended: Bitmap = createBitmap(FIRST_CAPACITY);
  capacity = FIRST_CAPACITY;
  version = 0;

  private readonly ids: string[] = [];
  private readonly docOf = new Map<string, number>();
  private readonly freeDocs: number[] = [];
  /** Rows of announced listings that were not added yet. */
  private readonly reserved = new Map<string, number>();
  private nextFree = 0;
  private liveBits: Bitmap = createBitmap(FIRST_CAPACITY);
  private liveSet: DocumentSet | undefined;

  constructor() {
    this.singles = record(SINGLE_FACET_NAMES, () => new SingleColumn(FIRST_CAPACITY));
    this.multis = record(MULTI_FACET_NAMES, () => new MultiColumn(FIRST_CAPACITY));
    this.buckets = record(BUCKETS, () => new SingleColumn(FIRST_CAPACITY));
    this.numbers = record(NUMERIC, () => new Int32Array(FIRST_CAPACITY));
  }

  get size(): number {
    return this.docOf.size;
  }

  /** All listings; valid until the next change. */
  get live(): DocumentSet {
    this.liveSet ??= DocumentSet.ofBits(this.liveBits.slice());
    return this.liveSet;
  }

  facet(name: FacetName): SingleColumn | MultiColumn {
    return name in this.singles ? this.singles[name as SingleFacet] : this.multis[name as MultiFacet];
  }

  id(doc: number): string {
    return this.ids[doc]!;
  }

  find(id: string): number | undefined {
    return this.docOf.get(id);
  }

  upsertOwners(owners: Iterable<StockOwner>): void {
    for (const owner of owners) this.owners.upsert(owner);
    this.changed();
  }

  upsert(listings: Iterable<StockListing>): void {
    const added: number[] = [];
    for (const listing of listings) {
      let doc = this.docOf.get(listing.id);
      if (doc === undefined) {
        doc = this.nextDoc(listing.id);
        this.ids[doc] = listing.id;
        this.docOf.set(listing.id, doc);
        added.push(doc);
      } else {
        this.clear(doc);
      }
      this.write(doc, listing);
    }
    this.order.update(added, new Set(), this.ids);
    this.changed();
  }

  remove(ids: Iterable<string>): void {
    const removed = new Set<number>();
    for (const id of ids) {
      const doc = this.docOf.get(id);
      if (doc === undefined) continue;
      this.clear(doc);
      this.docOf.delete(id);
      removed.add(doc);
    }
    this.order.update([], removed, this.ids);
    this.freeDocs.push(...removed);
    this.changed();
  }

  /**
   * Chooses the rows of listings to come: by ZIP of their sellers. Then a search around a place reads a few parts of
   * each column instead of all of it.
   */
  reserve(listings: readonly { readonly id: string; readonly ownerId: string }[]): void {
    const zipOf = (ownerId: string) => {
      const code = this.owners.code(ownerId);
      return code === undefined ? '' : this.owners.record(code).zip;
    };
    const added = listings.filter(({ id }) => !this.docOf.has(id));
    const byZip = Map.groupBy(added, ({ ownerId }) => zipOf(ownerId));
    let doc = this.nextFree;
    for (const zip of [...byZip.keys()].sort())
      for (const { id } of byZip.get(zip)!) this.reserved.set(id, doc++);
    while (this.capacity < doc) this.grow();
    // Filled, because V8 stores an array with large gaps as a slow dictionary.
    while (this.ids.length < doc) this.ids.push('');
    this.nextFree = doc;
  }

  /** The reserved row, a row of a removed listing, or a new one. */
  private nextDoc(id: string): number {
    const doc = this.reserved.get(id) ?? this.freeDocs.pop() ?? this.nextFree++;
    this.reserved.delete(id);
    while (doc >= this.capacity) this.grow();
    return doc;
  }

  private changed(): void {
    this.filterCache.clear();
    this.liveSet = undefined;
    this.version++;
  }

  private write(doc: number, listing: StockListing): void {
    const ownerCode = this.owners.code(listing.ownerId);
    if (ownerCode === undefined)
      throw new Error(`Listing ${listing.id} has the unknown owner ${listing.ownerId}`);
    const owner = this.owners.record(ownerCode);
    const { numbers, buckets } = this;
    const price = derivedPrice(listing) ?? MISSING;
    const mileage = listing.mileage ?? MISSING;
    const mpg = combinedMpg(listing) ?? MISSING;
    const range = plugsInWithoutRange(listing) ? UNSPECIFIED_RANGE : (listing.electricRange ?? MISSING);

    numbers.year[doc] = listing.year;
    numbers.price[doc] = price;
    numbers.mileage[doc] = mileage;
    numbers.mpg[doc] = mpg;
    numbers.electricRange[doc] = range;
    numbers.listedOn[doc] = listing.listedOn;
    numbers.owner[doc] = ownerCode;
    numbers.quality[doc] = listingQuality(listing);
    this.byOwner.add(doc, ownerCode);
    if (listing.extendedDelivery) setBit(this.extended, doc);

    buckets.year.add(doc, String(listing.year));
    buckets.price.add(doc, price === MISSING ? undefined : String(Math.floor(price / PRICE_BUCKET)));
    for (const name of STEPPED) buckets[name].add(doc, stepOf(name, listing));
    buckets.tier.add(doc, paidTierOf(listing));

    this.vehicle.add(doc, listing);
    for (const name of SINGLE_FACET_NAMES) this.singles[name].add(doc, SINGLE_FACETS[name](listing, owner));
    for (const name of MULTI_FACET_NAMES) this.multis[name].add(doc, MULTI_FACETS[name](listing, owner));
    setBit(this.liveBits, doc);
  }

  private clear(doc: number): void {
    for (const column of this.columns()) column.remove(doc);
    this.byOwner.remove(doc, this.numbers.owner[doc]!);
    clearBit(this.extended, doc);
    clearBit(this.liveBits, doc);
  }

  private columns() {
    const { singles, multis, buckets } = this;
    return [
      this.vehicle.column,
      this.vehicle.makeColumn,
      ...Object.values(singles),
      ...Object.values(multis),
      ...Object.values(buckets),
    ];
  }

  private grow(): void {
    this.capacity *= 2;
    for (const column of this.columns()) column.grow(this.capacity);
    this.numbers = record(NUMERIC, (name) => {
      const column = new Int32Array(this.capacity);
      column.set(this.numbers[name]);
      return column;
    });
    this.byOwner.grow(this.capacity);
    this.extended = extend(this.extended, this.capacity);
    this.liveBits = extend(this.liveBits, this.capacity);
  }
}
