import type { StockListing, StockOwner } from '../../domain/stock.ts';
import type { StockLog, StoredListing } from '../../inventory/index.ts';
import { countFacets, mileageStatsOf, sizeOfCounts } from './counts.ts';
import type { DocumentSet } from './bitmap.ts';
import { Documents, MISSING } from './documents.ts';
import type {
  Hit,
  ListingIndex,
  ListingQuery,
  PageRequest,
  PriceGroup,
  SearchHits,
  SellerCount,
} from './listingIndex.ts';
import { AppliedFilters } from './filters.ts';
import { sortKeys, pageOfKeys } from './ranking.ts';
import { PRICE_STEP, type StepPrices, usualPrices } from './usualPrices.ts';
import type { VehicleSelection } from './vehicleTree.ts';

const MS_PER_DAY = 86_400_000;
/** Of two pairs of numbers, roughly. */
const SPANS_BYTES = 128;
/** First hits of a query, cached for the page's other calls. */
const SHARED_HITS = 64;

/** Smallest and largest known value; undefined without any. */
function span(column: Int32Array, docs: Int32Array): { min: number; max: number } | undefined {
  let min = Infinity;
  let max = -Infinity;
  for (let i = 0; i < docs.length; i++) {
    const value = column[docs[i]!]!;
    if (value === MISSING) continue;
    if (value < min) min = value;
    if (value > max) max = value;
  }
  return min === Infinity ? undefined : { min, max };
}

export class ColumnarIndex implements ListingIndex {
  private readonly documents = new Documents();
  private readonly now: () => number;

  constructor(now: () => number) {
    this.now = now;
  }

  get size(): number {
    return this.documents.size;
  }

  get version(): number {
    return this.documents.version;
  }

  search(query: ListingQuery, page: PageRequest, { counts = false } = {}): SearchHits {
    const { documents } = this;
    const filters = new AppliedFilters(documents, query);
    const set = filters.set();
    const { year, price } = documents.numbers;
    const spans = () => ({
      stats: { price: span(price, set.docs), year: span(year, set.docs) },
      byteLength: SPANS_BYTES,
    });
    return {
      total: set.size,
      ...this.page(set, filters, query, page),
      // Most calls of a page don't show them.
      get stats() {
        return documents.filterCache.get('stats', query, spans).stats;
      },
      ...(counts && { counts: this.countsOf(filters, query) }),
    };
  }

  /** For the next page, another order and other visitors of the same search: counting takes as long as there are matches. */
  private countsOf(filters: AppliedFilters, query: ListingQuery) {
    const { documents } = this;
    return documents.filterCache.get('counts', query, () => {
      const counts = countFacets(documents, filters, query);
      return { counts, byteLength: sizeOfCounts(counts) };
    }).counts;
  }

  count(query: ListingQuery): number {
    return new AppliedFilters(this.documents, query).set().size;
  }

  groupPrices(query: ListingQuery, by: 'year' | 'trim'): PriceGroup[] {
    const { documents } = this;
    const { nodes, column: nodeColumn } = documents.vehicle;
    const codes = (by === 'year' ? documents.buckets.year : nodeColumn).codes;
    const { price } = documents.numbers;
    const groups = new Map<number, { count: number; readonly steps: Map<number, StepPrices> }>();
    for (const doc of new AppliedFilters(documents, query).set().docs) {
      const code = codes[doc]! - 1;
      let group = groups.get(code);
      if (!group) groups.set(code, (group = { count: 0, steps: new Map() }));
      group.count++;
      const amount = price[doc]!;
      if (amount === MISSING) continue;
      const at = Math.floor(amount / PRICE_STEP);
      const step = group.steps.get(at);
      if (step) {
        step.count++;
        step.sum += amount;
        step.min = Math.min(step.min, amount);
        step.max = Math.max(step.max, amount);
      } else group.steps.set(at, { count: 1, sum: amount, min: amount, max: amount });
    }
    return [...groups].flatMap(([code, { count, steps }]) => {
      const year = documents.buckets.year.values[code];
      const entry = by === 'year' ? year && { code: year, name: year } : nodes[code]?.trim;
      if (!entry) return [];
      const prices = usualPrices(steps.values());
      return [{ key: entry.code, name: entry.name, count, ...(prices && { prices }) }];
    });
  }

  mileageStats(query: ListingQuery, below: number) {
    const set = new AppliedFilters(this.documents, query).set();
    return mileageStatsOf(this.documents, set, below, new Date(this.now()).getUTCFullYear());
  }

  countByOwner(query: ListingQuery, ownerIds: readonly string[]): Map<string, number> {
    const { documents } = this;
    const set = new AppliedFilters(documents, { ...query, ownerIds }).set();
    const { owner } = documents.numbers;
    const counts = new Map(ownerIds.map((id) => [id, 0]));
    for (const doc of set.docs) {
      const id = documents.owners.ids[owner[doc]!]!;
      counts.set(id, counts.get(id)! + 1);
    }
    return counts;
  }

  sellers(query: ListingQuery): SellerCount[] {
    const { documents } = this;
    const { owners, numbers } = documents;
    const { docs } = new AppliedFilters(documents, query).set();
    const counts = new Int32Array(owners.size);
    const lowest = new Float64Array(owners.size).fill(Infinity);
    for (let i = 0; i < docs.length; i++) {
      const [code, price] = [numbers.owner[docs[i]!]!, numbers.price[docs[i]!]!];
      counts[code]! += 1;
      if (price !== MISSING && price < lowest[code]!) lowest[code] = price;
    }
    const sellers: SellerCount[] = [];
    counts.forEach((count, code) => {
      const price = lowest[code]!;
      if (count > 0)
        sellers.push({
          owner: owners.record(code),
          count,
          lowestPrice: price === Infinity ? undefined : price,
        });
    });
    return sellers;
  }

  get vehicleNodes() {
    return this.documents.vehicle.nodes;
  }

  vehicles() {
    const { vehicle, live } = this.documents;
    const counts = vehicle.count(live, live);
    return vehicle.nodes.map((node, index) => ({ ...node, count: counts[index]! }));
  }

  names(selection: VehicleSelection) {
    return this.documents.vehicle.names(selection);
  }

  /** Listings that change between two turns of the event loop: a few ms. */
  readonly batchSize = 250;

  async load(log: StockLog, until: number): Promise<void> {
    this.reserve(await log.ids(until));
    for await (const listings of log.listings(until)) this.upsert(listings);
  }

  apply(changes: readonly StoredListing[]): void {
    const removed = changes.flatMap(({ id, listing }) => (listing ? [] : [id]));
    if (removed.length > 0) this.remove(removed);
    if (removed.length < changes.length) this.upsert(changes.flatMap(({ listing }) => listing ?? []));
  }

  /**
   * Announces listings before many of them are added, so that those of sellers near each other can be stored side by
   * side. Optional: it changes no result.
   */
  reserve(listings: readonly { readonly id: string; readonly ownerId: string }[]): void {
    this.documents.reserve(listings);
  }

  upsertOwners(owners: Iterable<StockOwner>): void {
    this.documents.upsertOwners(owners);
  }

  /** Adds or replaces. Throws for a listing of an unknown owner. */
  upsert(listings: Iterable<StockListing>): void {
    this.documents.upsert(listings);
  }

  remove(ids: Iterable<string>): void {
    this.documents.remove(ids);
  }

  /** Nothing to close. */
  close(): void {}

  private page(
    set: DocumentSet,
    filters: AppliedFilters,
    query: ListingQuery,
    { sort, first, size, step = size }: PageRequest,
  ): { first: number; hits: Hit[] } {
    const { documents } = this;
    const lastPage = Math.max(0, Math.ceil(set.size / step) - 1) * step;
    const start = Math.min(Math.floor(first / step) * step, lastPage);
    const { distances } = filters;
    const today = Math.floor(this.now() / MS_PER_DAY);
    const rank = (from: number, count: number): Int32Array => {
      const { keys, docOf } = sortKeys(documents, set, query, sort, distances, today);
      return Int32Array.from(pageOfKeys(keys, from, count), docOf);
    };
    // The search and its highlight begin with the same documents.
    const ranked =
      start + size <= SHARED_HITS
        ? documents.filterCache
            .get('hits', [query, sort, today], () => rank(0, SHARED_HITS))
            .subarray(start, start + size)
        : rank(start, size);
    const hits = Array.from(ranked, (doc): Hit => {
      const id = documents.id(doc);
      return distances ? { id, distance: distances.miles(documents.numbers.owner[doc]!) } : { id };
    });
    return { first: start, hits };
  }
}

/** The embedded search engine: columns in memory. `now` in milliseconds since 1970. */
export const createColumnarIndex = ({ now = Date.now }: { now?: () => number } = {}): ColumnarIndex =>
  new ColumnarIndex(now);
