import type { StockListing, StockOwner } from '../../../domain/stock.ts';
import type { StockLog, StoredListing } from '../../../inventory/index.ts';
import { mileageStatsOfYears } from '../counts.ts';
import type {
  FacetCounts,
  Hit,
  ListingIndex,
  ListingQuery,
  MileageStats,
  PageRequest,
  PriceGroup,
  SearchHits,
  SellerCount,
} from '../listingIndex.ts';
import { milesBetweenVectors, unitVector } from '../../../domain/places/index.ts';
import { PRICE_STEP, type StepPrices, usualPrices } from '../usualPrices.ts';
import type { VehicleSelection } from '../vehicleTree.ts';
import { SearchCluster } from './cluster.ts';
import { byTerm, CountPlan, MAX_COMBINATIONS, PRICE_SPAN, span, YEAR_SPAN, yearSpan } from './counts.ts';
import { termOf } from './entries.ts';
import { type Clause, nearby, QueryFilters } from './filters.ts';
import { Indexer } from './indexer.ts';
import { IndexStorage, readAlias } from './indexStorage.ts';
import { definitionOf } from './mapping.ts';
import { PointInTime } from './pointInTime.ts';
import { reversed, sortOf } from './ranking.ts';
import { Vocabulary } from './vocabulary.ts';

const MS_PER_DAY = 86_400_000;
/** Hits that one search can rank (`index.max_result_window`). */
const MAX_WINDOW = 10_000;

/** Counts of one response; more are asked for in turn. */
const OWNERS_AT_ONCE = 10_000;

/** Of the first hits by distance, usually. */
const NEAR_MILES = 100;

/** The `stats` of a bucket. */
type Stats = Readonly<StepPrices>;

interface OpenSearchOptions {
  /** First part of the names of its indexes. */
  readonly prefix: string;
  /** Milliseconds since 1970. */
  readonly now?: () => number;
  /** Hits that one search may rank. */
  readonly window?: number;
  /** Combinations of codes up to which they are counted together. */
  readonly combinations?: number;
  /** Of an index of its own. */
  readonly shards?: number;
  /** Whether replicas share one index, which an `Indexer` keeps: this one only searches in it. */
  readonly isShared?: boolean;
  /** Of that index; by default that of this release. */
  readonly definition?: string;
}

/**
 * The search in an OpenSearch cluster: filters, order, counts and statistics as in the embedded index. Codes, names and
 * sellers are in memory; what they mean is translated to exact terms. Searches read a point in time, which is replaced
 * when changes are committed: what one turn of the event loop reads is one state of the store.
 */
export class OpenSearchIndex implements ListingIndex {
  /** A refresh takes longer than writing these. */
  readonly batchSize = 1_000;
  private readonly cluster: SearchCluster;
  private readonly prefix: string;
  private readonly now: () => number;
  private readonly window: number;
  private readonly combinations: number;
  private readonly shards: number;
  /** Of an index that an `Indexer` in another process may keep. */
  readonly newest: (() => Promise<number | undefined>) | undefined;
  private readonly vocabulary = new Vocabulary();
  private readonly owners = new Map<string, StockOwner>();
  /** Of an index of its own, for the stock that it is loaded from. */
  private indexer: Indexer | undefined;
  private state: PointInTime | undefined;

  constructor(
    cluster: SearchCluster,
    {
      prefix,
      now = Date.now,
      window = MAX_WINDOW,
      combinations = MAX_COMBINATIONS,
      shards = 1,
      isShared = false,
      definition = definitionOf(shards),
    }: OpenSearchOptions,
  ) {
    this.cluster = cluster;
    this.window = window;
    this.combinations = combinations;
    this.shards = shards;
    if (isShared) {
      const state = new PointInTime(cluster, readAlias(prefix, definition));
      this.state = state;
      this.newest = () => state.open();
    }
    this.prefix = prefix;
    this.now = now;
  }

  get size(): number {
    return this.state?.size ?? 0;
  }

  get version(): number {
    return this.state?.version ?? 0;
  }

  get vehicleNodes() {
    return this.vocabulary.vehicles.nodes;
  }

  async search(
    query: ListingQuery,
    page: PageRequest,
    { counts: isCounted = false } = {},
  ): Promise<SearchHits> {
    const filters = new QueryFilters(query, this.vocabulary);
    const plan = isCounted ? new CountPlan(filters, query, this.vocabulary, this.combinations) : undefined;
    const { sort, first, size, step = size } = page;
    const order = sortOf(query, sort, this.vocabulary, Math.floor(this.now() / MS_PER_DAY));
    const start = Math.floor(first / step) * step;
    const isInWindow = start + size <= this.window;
    const nearest = firstAround(filters, query, page);
    const hitSearch = { query: filters.query(undefined, nearest), ...hitsOf(order, start, size) };
    // Apart from the hits, counts run beside them, and serve other pages and orders from the cache of requests.
    const countSearches = plan?.searches ?? [
      { query: filters.query(), aggs: { ...PRICE_SPAN, ...YEAR_SPAN } },
    ];
    const [found, ...counted] = await this.point.search([
      ...(isInWindow ? [{ ...hitSearch, track_total_hits: false }] : [NOTHING]),
      ...countSearches.map((search) => ({ ...search, ...COUNT_ONLY })),
    ]);
    const { total, aggregations } = counted[0]!;
    const lastPage = Math.max(0, Math.ceil(total / step) - 1) * step;
    const shownFrom = Math.min(start, lastPage);
    const isComplete =
      isInWindow && start <= lastPage && found!.hits.length === Math.min(size, total - start);
    const hits = isComplete
      ? found!.hits
      : await this.deepHits(filters.query(), order, shownFrom, size, total);
    const counts = plan && (plan.read(counted) ?? (await this.countAlone(filters, query)));
    return {
      total,
      first: shownFrom,
      hits: hits.map(({ id, position }): Hit => ({
        id,
        ...(query.center && { distance: milesBetweenVectors(unitVector(query.center), position) }),
      })),
      stats: {
        price: span(aggregations, 'priceSpan'),
        year: counts ? yearSpan(counts, query) : span(aggregations, 'yearSpan'),
      },
      ...(counts && { counts }),
    };
  }

  /** More combinations of codes occur than are counted together. */
  private async countAlone(filters: QueryFilters, query: ListingQuery): Promise<FacetCounts> {
    const plan = new CountPlan(filters, query, this.vocabulary, 0);
    return plan.read(await this.point.search(plan.searches.map((search) => ({ ...search, ...COUNT_ONLY }))))!;
  }

  async count(query: ListingQuery): Promise<number> {
    return (await this.aggregate(query, {})).total;
  }

  async groupPrices(query: ListingQuery, by: 'year' | 'trim'): Promise<PriceGroup[]> {
    const field = by === 'year' ? 'year' : 'vehicle';
    const steps = {
      histogram: { field: 'price', interval: PRICE_STEP, min_doc_count: 1 },
      aggs: { stats: { stats: { field: 'price' } } },
    };
    const groups = { terms: { field, size: this.groupLimit }, aggs: { steps } };
    const { aggregations } = await this.aggregate(query, { groups });
    return (aggregations['groups']?.buckets ?? []).flatMap(({ key, doc_count: count, steps: found }) => {
      const code = String(key);
      const entry = by === 'year' ? { code, name: code } : this.vocabulary.vehicle(code)?.trim;
      if (!entry) return [];
      const prices = usualPrices((found?.buckets ?? []).map(({ stats }) => stats as unknown as Stats));
      return [{ key: entry.code, name: entry.name, count, ...(prices && { prices }) }];
    });
  }

  async mileageStats(query: ListingQuery, below: number): Promise<MileageStats | undefined> {
    const years = await this.statsBy(query, 'year', 'mileage', { range: { mileage: { gt: 0, lt: below } } });
    const currentYear = new Date(this.now()).getUTCFullYear();
    return mileageStatsOfYears(
      years.map(({ key, stats }) => ({ ...stats, year: Number(key) })),
      currentYear,
    );
  }

  async countByOwner(query: ListingQuery, ownerIds: readonly string[]): Promise<Map<string, number>> {
    const counts = new Map(ownerIds.map((id) => [id, 0]));
    if (ownerIds.length === 0) return counts;
    const owners = { terms: { field: 'ownerId', size: counts.size } };
    const { aggregations } = await this.aggregate({ ...query, ownerIds }, { owners });
    for (const { key, doc_count: count } of aggregations['owners']?.buckets ?? [])
      counts.set(String(key), count);
    return counts;
  }

  async sellers(query: ListingQuery): Promise<SellerCount[]> {
    const found = new Map<string, Omit<SellerCount, 'owner'>>();
    let after: unknown;
    do {
      const sources = [{ id: { terms: { field: 'ownerId' } } }];
      const owners = {
        composite: { size: OWNERS_AT_ONCE, sources, ...(after ? { after } : {}) },
        aggs: { lowest: { min: { field: 'price' } } },
      };
      const { aggregations } = await this.aggregate(query, { owners });
      const { buckets = [], after_key: last } = aggregations['owners'] ?? {};
      for (const { key, doc_count: count, lowest } of buckets) {
        const { value } = lowest as unknown as { readonly value: number | null };
        found.set((key as unknown as { readonly id: string }).id, { count, lowestPrice: value ?? undefined });
      }
      after = buckets.length === OWNERS_AT_ONCE ? last : undefined;
    } while (after);
    return [...this.owners.values()].flatMap((owner) => {
      const counted = found.get(owner.id);
      return counted ? [{ owner, ...counted }] : [];
    });
  }

  async vehicles() {
    const { vehicleNodes } = this;
    if (vehicleNodes.length === 0) return [];
    const vehicles = { terms: { field: 'vehicle', size: vehicleNodes.length } };
    const { aggregations } = await this.aggregate({}, { vehicles });
    const counts = this.vocabulary.vehicleCounts(byTerm(aggregations['vehicles']?.buckets ?? []));
    return vehicleNodes.map((node, index) => ({ ...node, count: counts[index] ?? 0 }));
  }

  names(selection: VehicleSelection) {
    return this.vocabulary.vehicles.names(selection);
  }

  upsertOwners(owners: Iterable<StockOwner>): void {
    for (const owner of owners) this.owners.set(owner.id, owner);
  }

  get isLost(): boolean {
    return this.state?.isLost ?? false;
  }

  /** A later load follows the loss of the index. */
  async load(log: StockLog, until: number): Promise<void> {
    if (!this.newest) {
      const name = `${this.prefix}-${log.stock}`.toLowerCase();
      const definition = definitionOf(this.shards);
      this.indexer ??= new Indexer(new IndexStorage(this.cluster, name, definition, this.shards));
      this.state ??= new PointInTime(this.cluster, readAlias(name, definition));
    }
    await this.commit(log, until);
    await this.learnEntries();
  }

  /** Codes and names that listings have: an index also knows those that listings had. */
  private async learnEntries(): Promise<void> {
    const entries = await this.point.entries();
    const fields = Map.groupBy(entries, (entry) => termOf(entry)[0]);
    const aggs = Object.fromEntries(
      Array.from(fields, ([field, { length: size }]) => [field, { terms: { field, size } }]),
    );
    const { aggregations } = await this.aggregate({}, aggs);
    for (const [field, ofField] of fields) {
      const terms = byTerm(aggregations[field]?.buckets ?? []);
      for (const entry of ofField) if (terms.has(termOf(entry)[1])) this.vocabulary.enter(entry);
    }
  }

  apply(changes: readonly StoredListing[]): void {
    for (const { listing } of changes) if (listing) this.learn(listing);
  }

  /** Writes the changes, unless another process has done so: then `newest` has opened what is continued with. */
  async commit(log: StockLog, until: number): Promise<void> {
    if (this.indexer) {
      await this.indexer.bringUpTo({ ...log, lastChange: () => Promise.resolve(until) });
      await this.point.open();
    }
    this.point.adopt();
  }

  async close(): Promise<void> {
    await this.state?.close();
    await this.cluster.close();
  }

  private get point(): PointInTime {
    if (!this.state) throw new Error('The index is not loaded');
    return this.state;
  }

  private learn(listing: StockListing): void {
    const owner = this.owners.get(listing.ownerId);
    if (!owner) throw new Error(`Listing ${listing.id} has the unknown owner ${listing.ownerId}`);
    this.vocabulary.add(listing, owner);
  }

  private async aggregate(query: ListingQuery, aggs: Record<string, Clause>, filter?: Clause) {
    const own = new QueryFilters(query, this.vocabulary).query();
    const combined = filter ? { bool: { filter: [own, filter] } } : own;
    const [result] = await this.point.search([{ query: combined, aggs, ...COUNT_ONLY }]);
    return result!;
  }

  /** No field of groups has more values. */
  private get groupLimit(): number {
    return Math.max(this.vehicleNodes.length, this.vocabulary.years.values.length, 1);
  }

  /** Statistics of `value` for each value of a field. */
  private async statsBy(query: ListingQuery, field: string, value: string, filter?: Clause) {
    const groups = { terms: { field, size: this.groupLimit }, aggs: { stats: { stats: { field: value } } } };
    const { aggregations } = await this.aggregate(query, { groups }, filter);
    return (aggregations['groups']?.buckets ?? []).map(({ key, doc_count: count, stats }) => ({
      key: String(key),
      count,
      stats: stats as unknown as Stats,
    }));
  }

  /** Hits beyond the window, from the nearer end: in leaps of whole windows. */
  private async deepHits(query: Clause, order: Clause[], first: number, size: number, total: number) {
    const count = Math.min(size, total - first);
    if (count <= 0) return [];
    const fromEnd = total - first - count;
    const isBackwards = fromEnd < first;
    const sort = isBackwards ? reversed(order) : order;
    let skipped = isBackwards ? fromEnd : first;
    let after: readonly (string | number)[] | undefined;
    const next = async (length: number) => {
      const page = { ...hitsOf(sort, 0, length), ...(after && { search_after: after }) };
      const [result] = await this.point.search([{ query, ...page }]);
      return result!.hits;
    };
    while (skipped > 0 && skipped + count > this.window) {
      const leap = Math.min(skipped, this.window);
      after = (await next(leap)).at(-1)?.sort;
      skipped -= leap;
    }
    const hits = (await next(skipped + count)).slice(skipped);
    return isBackwards ? hits.reverse() : hits;
  }
}

/**
 * Listings among which the first by distance are, if there are enough: the distance of every listing of a country takes
 * longer than all counts.
 */
const firstAround = (filters: QueryFilters, { center }: ListingQuery, { sort }: PageRequest) =>
  sort === 'distanceASC' && center && !filters.clauses.has('location')
    ? nearby(center, NEAR_MILES)
    : undefined;

/** Connects to a cluster when it is first used. */
export const openOpenSearch = (
  options: OpenSearchOptions & {
    readonly url: string;
    /** ms of one request of a search. */
    readonly timeoutMs: number;
  },
): ListingIndex => new OpenSearchIndex(new SearchCluster(options), options);

/** Instead of hits beyond the window. */
const NOTHING = { query: { match_none: {} }, size: 0 };

const COUNT_ONLY = { size: 0, track_total_hits: true };

const hitsOf = (sort: readonly Clause[], from: number, size: number) => ({
  sort,
  from,
  size,
  track_total_hits: true,
  docvalue_fields: ['x', 'y', 'z'],
});
