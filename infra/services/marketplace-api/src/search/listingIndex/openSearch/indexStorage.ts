import { z } from 'zod';
import type { StockListing, StockOwner } from '../../../domain/stock.ts';
import type { StoredListing, StoredStock } from '../../../inventory/index.ts';
import type { SearchCluster } from './cluster.ts';
import { DEFINITION_VERSION, documentOf, INDEX_DEFINITION } from './mapping.ts';

/** ms of a request that writes or waits for a refresh. */
const WRITE_TIMEOUT_MS = 60_000;
/** A point in time is kept that long after its last search. */
export const KEEP_ALIVE = '1h';

/** The index has a newer version of a listing than the store: it belongs to another state. */
class NewerVersion extends Error {}

interface LoadOptions {
  readonly owners: ReadonlyMap<string, StockOwner>;
  /** Listings of one request. */
  readonly batchSize: number;
  /** Called with each listing before it is written. */
  readonly onListing?: (listing: StockListing) => void;
}

const anything = z.unknown();
const indexes = z.record(
  z.string(),
  z.object({ mappings: z.object({ _meta: z.object({ definition: z.string() }).optional() }) }),
);
const aliases = z.record(z.string(), z.unknown());
const progress = z.object({
  hits: z.object({ total: z.object({ value: z.number() }) }),
  aggregations: z.object({ last: z.object({ value: z.number().nullable() }) }),
});
const bulkResult = z.object({
  errors: z.boolean(),
  items: z.array(
    z.record(z.string(), z.object({ status: z.number(), error: z.object({ type: z.string() }).optional() })),
  ),
});
const opened = z.object({ pit_id: z.string() });

/**
 * The indexes of one inventory. Each version of the definition has an index of its own; the alias `name` leads to the one
 * that is complete.
 */
export class IndexStorage {
  readonly name: string;
  private readonly cluster: SearchCluster;
  private current = '';

  constructor(cluster: SearchCluster, name: string) {
    this.cluster = cluster;
    this.name = name;
  }

  /**
   * Brings the newest index of this definition to the state of the store, and leads the alias to it. An index that isn't
   * like the store then is replaced by a new one.
   */
  async load(stock: StoredStock, options: LoadOptions): Promise<void> {
    const since = await this.open(stock.lastChange);
    const isComplete =
      (await this.complete(since, stock, options)) ||
      (since >= 0 && (await this.complete(await this.create(), stock, options)));
    if (!isComplete) throw new Error(`Not all of ${stock.size} listings were indexed`);
    await this.publish();
  }

  /**
   * Opens the newest index of this definition, complete or not, or creates one. Returns a change up to which it has
   * everything. An index that is ahead of the store belongs to a state that was lost, and is not used.
   */
  private async open(lastChange: number): Promise<number> {
    const found = await this.cluster.send(indexes, {
      method: 'GET',
      path: `/${this.name}-*/_mapping`,
      query: { allow_no_indices: true },
    });
    const names = Object.entries(found)
      .filter(([, { mappings }]) => mappings._meta?.definition === DEFINITION_VERSION)
      .map(([name]) => name)
      .sort();
    for (const name of names.reverse()) {
      this.current = name;
      await this.refresh();
      const { last } = await this.progress();
      if (last <= lastChange) return last - 1;
    }
    return await this.create();
  }

  /** Creates an empty index; returns a change before the first. */
  private async create(): Promise<number> {
    const { settings, mappings } = INDEX_DEFINITION;
    // Names sort by their age.
    this.current = `${this.name}-${Date.now().toString(36).padStart(9, '0')}`;
    const body = { settings, mappings: { ...mappings, _meta: { definition: DEFINITION_VERSION } } };
    await this.send('PUT', `/${this.current}`, body);
    return -1;
  }

  /** Number of listings, and the newest change among them. */
  async progress(): Promise<{ readonly size: number; readonly last: number }> {
    const { hits, aggregations } = await this.cluster.send(progress, {
      method: 'POST',
      path: `/${this.current}/_search`,
      body: { size: 0, track_total_hits: true, aggs: { last: { max: { field: 'change' } } } },
      timeoutMs: WRITE_TIMEOUT_MS,
    });
    return { size: hits.total.value, last: aggregations.last.value ?? 0 };
  }

  /**
   * Writes listings in their order, each with its version of the store: a delayed write of an earlier version can't
   * replace it. @throws NewerVersion
   */
  async write(listings: readonly StoredListing[], owners: ReadonlyMap<string, StockOwner>): Promise<void> {
    const lines = listings.flatMap(({ id, change, version, listing }): object[] => {
      const target = { _id: id, version, version_type: 'external_gte' };
      if (!listing) return [{ delete: target }];
      const owner = owners.get(listing.ownerId);
      if (!owner) throw new Error(`Listing ${id} has the unknown owner ${listing.ownerId}`);
      return [{ index: target }, documentOf(listing, owner, change)];
    });
    const { errors, items } = await this.cluster.send(bulkResult, {
      method: 'POST',
      path: `/${this.current}/_bulk`,
      lines,
      timeoutMs: WRITE_TIMEOUT_MS,
    });
    const failed = errors && items.flatMap((item) => Object.values(item)).find(({ error }) => error);
    if (!failed) return;
    const message = `Listings were not indexed: ${failed.error?.type}`;
    throw failed.status === 409 ? new NewerVersion(message) : new Error(message);
  }

  /** Makes everything written visible to points in time that are opened later. */
  async refresh(): Promise<void> {
    await this.send('POST', `/${this.current}/_refresh`);
  }

  /** Writes what was changed after `since`. Returns whether the index has the listings of the store then. */
  private async complete(
    since: number,
    stock: StoredStock,
    { owners, batchSize, onListing }: LoadOptions,
  ): Promise<boolean> {
    try {
      let batch: StoredListing[] = [];
      const flush = async () => {
        if (batch.length > 0) await this.write(batch, owners);
        batch = [];
      };
      for (const row of stock.changedSince(since)) {
        if (row.listing) onListing?.(row.listing);
        // An empty index has nothing to remove.
        if (row.listing || since >= 0) batch.push(row);
        if (batch.length >= batchSize) await flush();
      }
      await flush();
    } catch (error) {
      if (error instanceof NewerVersion) return false;
      throw error;
    }
    await this.refresh();
    return (await this.progress()).size === stock.size;
  }

  /** Leads the alias to the open index, in one step, and deletes the others. */
  private async publish(): Promise<void> {
    const all = await this.cluster.send(aliases, { method: 'GET', path: `/${this.name}-*/_alias` });
    const others = Object.keys(all).filter((name) => name !== this.current);
    const actions = [
      { add: { index: this.current, alias: this.name } },
      ...others.map((index) => ({ remove_index: { index } })),
    ];
    await this.send('POST', '/_aliases', { actions });
  }

  /** Id of the present state: later writes don't change what its searches find. */
  async openPointInTime(): Promise<string> {
    const { pit_id: id } = await this.cluster.send(opened, {
      method: 'POST',
      path: `/${this.name}/_search/point_in_time`,
      query: { keep_alive: KEEP_ALIVE },
      timeoutMs: WRITE_TIMEOUT_MS,
    });
    return id;
  }

  async closePointInTime(id: string): Promise<void> {
    await this.send('DELETE', '/_search/point_in_time', { pit_id: [id] });
  }

  private async send(method: 'POST' | 'PUT' | 'DELETE', path: string, body?: object): Promise<void> {
    await this.cluster.send(anything, { method, path, ...(body && { body }), timeoutMs: WRITE_TIMEOUT_MS });
  }
}
