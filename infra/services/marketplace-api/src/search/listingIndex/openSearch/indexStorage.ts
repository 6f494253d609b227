import { z } from 'zod';
import type { StockOwner } from '../../../domain/stock.ts';
import type { StoredListing } from '../../../inventory/index.ts';
import { IndexLost, type SearchCluster, SearchUnavailable } from './cluster.ts';
import { readEntries, termOf } from './entries.ts';
import {
  DEFINITION_VERSION,
  documentOf,
  INDEX_DEFINITION,
  POSITION_ID,
  PROGRESS_ID,
  STOCK,
} from './mapping.ts';
import type { Entry } from './vocabulary.ts';

/** ms of a request that writes or waits for a refresh. */
const WRITE_TIMEOUT_MS = 60_000;
/** Listings of one request. */
const BATCH = 1_000;
/** Ids of one response. */
const IDS_AT_ONCE = 10_000;

/** The index has a newer version: another process writes it, or it belongs to another state of the stock. */
export class OutdatedWrite extends SearchUnavailable {}

/** One of the two indexes that a cluster has at most. */
export interface Slot {
  readonly name: string;
  readonly definition?: string;
  /** Id of the stock that it was made of. */
  readonly stock?: string;
  /** Whether searches of its definition find it. */
  readonly isPublished: boolean;
}

const anything = z.unknown();
const indexes = z.record(
  z.string(),
  z.object({
    aliases: z.record(z.string(), z.unknown()),
    mappings: z.object({
      _meta: z.object({ definition: z.string().optional(), stock: z.string().optional() }).optional(),
    }),
  }),
);
const documents = z.object({ docs: z.array(z.object({ _version: z.number().default(-1) })) });
const counted = z.object({ hits: z.object({ total: z.object({ value: z.number() }) }) });
const idsFound = z.object({ hits: z.object({ hits: z.array(z.object({ _id: z.string() })) }) });
const bulkResult = z.object({
  errors: z.boolean(),
  items: z.array(
    z.record(z.string(), z.object({ status: z.number(), error: z.object({ type: z.string() }).optional() })),
  ),
});

/** The alias by which searches of this definition find their index. */
export const readAlias = (name: string, definition = DEFINITION_VERSION): string => `${name}-${definition}`;
/**
 * The alias by which an index of this definition is written: a delayed write creates no index of its own, and reaches none
 * that has taken the place since.
 */
const writeAlias = readAlias;

/**
 * The indexes of one stock: at most two, `name-a` and `name-b`, of which one is searched and the other one built. Each
 * definition has an alias of its own, so that releases with two definitions search side by side.
 */
export class IndexStorage {
  /** Version of the definition that its indexes have. */
  readonly definition: string;
  private readonly cluster: SearchCluster;
  private readonly alias: string;
  private readonly names: readonly string[];
  private readonly shards: number;

  constructor(cluster: SearchCluster, name: string, definition = DEFINITION_VERSION, shards = 1) {
    this.shards = shards;
    this.cluster = cluster;
    this.definition = definition;
    this.alias = readAlias(name, definition);
    this.names = [`${name}-a`, `${name}-b`];
  }

  async slots(): Promise<readonly Slot[]> {
    const found = await this.cluster.send(indexes, {
      method: 'GET',
      path: `/${this.names.join()}`,
      query: { ignore_unavailable: true },
    });
    return Object.entries(found).map(([name, { aliases, mappings }]) => ({
      name,
      ...mappings._meta,
      isPublished: this.alias in aliases,
    }));
  }

  /** The name that is free, if one is. */
  freeName(slots: readonly Slot[]): string | undefined {
    return this.names.find((name) => slots.every((slot) => slot.name !== name));
  }

  async create(slot: string, stock: string): Promise<void> {
    const { settings, mappings } = INDEX_DEFINITION;
    const meta = { definition: this.definition, stock };
    await this.send('PUT', `/${slot}`, {
      settings: { ...settings, number_of_shards: this.shards },
      mappings: { ...mappings, _meta: meta },
      aliases: { [writeAlias(slot, this.definition)]: {} },
    });
  }

  /** Leads the searches of this definition to an index, in one step. */
  async publish(slot: string): Promise<void> {
    const { alias } = this;
    const others = (await this.slots()).filter(({ name, isPublished }) => isPublished && name !== slot);
    const actions = [
      { add: { index: slot, alias } },
      ...others.map(({ name }) => ({ remove: { index: name, alias } })),
    ];
    await this.send('POST', '/_aliases', { actions });
  }

  async remove(slot: string): Promise<void> {
    await this.send('DELETE', `/${slot}`);
  }

  /** The change up to which an index has everything; -1 if it is empty. */
  async position(slot: string): Promise<number> {
    const { docs } = await this.cluster.send(documents, {
      method: 'POST',
      path: `/${slot}/_mget`,
      body: { ids: [PROGRESS_ID, POSITION_ID] },
    });
    return Math.max(...docs.map(({ _version: version }) => version));
  }

  /** Records the change up to which everything is written, for whoever continues. */
  record(slot: string, position: number): Promise<void> {
    return this.bulk(slot, [versioned('index', PROGRESS_ID, position), {}]);
  }

  /**
   * Makes everything up to a position visible to searches that begin later. The position is the version of a document, so that
   * searches of one state see that of the state. Shards show changes one after the other, so it is written when all do.
   */
  async show(slot: string, position: number): Promise<void> {
    if (this.shards > 1) await this.refresh(slot);
    await this.bulk(slot, [versioned('index', POSITION_ID, position), {}]);
    await this.refresh(slot);
  }

  /**
   * Writes listings with a version that isn't lower than any earlier one: a delayed write can't replace a later one.
   * @throws OutdatedWrite
   */
  async write(
    slot: string,
    listings: readonly StoredListing[],
    owners: ReadonlyMap<string, StockOwner>,
    version: number,
  ): Promise<void> {
    for (let at = 0; at < listings.length; at += BATCH) {
      const lines = listings.slice(at, at + BATCH).flatMap(({ id, listing }): object[] => {
        if (!listing) return [versioned('delete', id, version)];
        const owner = owners.get(listing.ownerId);
        if (!owner) throw new Error(`Listing ${id} has the unknown owner ${listing.ownerId}`);
        return [versioned('index', id, version), documentOf(listing, owner)];
      });
      await this.bulk(slot, lines);
    }
  }

  /** Writes codes and names of listings, with the version of the listings. @throws OutdatedWrite */
  async writeEntries(slot: string, entries: readonly Entry[], version: number): Promise<void> {
    if (entries.length === 0) return;
    const lines = entries.flatMap((entry): object[] => [
      versioned('index', `#${termOf(entry).join(' ')}`, version),
      { entry: JSON.stringify(entry) },
    ]);
    await this.bulk(slot, lines);
  }

  async entries(slot: string): Promise<Entry[]> {
    await this.refresh(slot);
    return readEntries(this.cluster, searchOf(slot));
  }

  /** Makes everything written visible to searches that begin later. */
  async refresh(slot: string): Promise<void> {
    await this.send('POST', `/${slot}/_refresh`);
  }

  async size(slot: string): Promise<number> {
    const body = { size: 0, track_total_hits: true, query: STOCK };
    const { hits } = await this.cluster.send(counted, { ...searchOf(slot), body });
    return hits.total.value;
  }

  /** Ids of the sellers' listings. */
  async listingsOf(slot: string, ownerIds: readonly string[]): Promise<string[]> {
    await this.refresh(slot);
    const ids: string[] = [];
    for (let found = IDS_AT_ONCE; found === IDS_AT_ONCE;) {
      const { hits } = await this.cluster.send(idsFound, {
        ...searchOf(slot),
        body: {
          query: { terms: { ownerId: ownerIds } },
          size: IDS_AT_ONCE,
          sort: [{ id: 'asc' }],
          ...(ids.length > 0 && { search_after: [ids.at(-1)!] }),
        },
      });
      found = hits.hits.length;
      ids.push(...hits.hits.map(({ _id: id }) => id));
    }
    return ids;
  }

  private async bulk(slot: string, lines: readonly object[]): Promise<void> {
    const { errors, items } = await this.cluster.send(bulkResult, {
      method: 'POST',
      path: `/${writeAlias(slot, this.definition)}/_bulk`,
      query: { require_alias: true },
      lines,
      timeoutMs: WRITE_TIMEOUT_MS,
    });
    const failed = errors && items.flatMap((item) => Object.values(item)).find(({ error }) => error);
    if (!failed) return;
    const message = `Listings were not indexed: ${failed.error?.type}`;
    if (failed.status === 404) throw new IndexLost(message);
    throw failed.status === 409 ? new OutdatedWrite(message) : new Error(message);
  }

  private async send(method: 'POST' | 'PUT' | 'DELETE', path: string, body?: object): Promise<void> {
    await this.cluster.send(anything, { method, path, ...(body && { body }), timeoutMs: WRITE_TIMEOUT_MS });
  }
}

const versioned = (action: 'index' | 'delete', id: string, version: number) => ({
  [action]: { _id: id, version, version_type: 'external_gte' },
});

const searchOf = (slot: string) =>
  ({ method: 'POST', path: `/${slot}/_search`, timeoutMs: WRITE_TIMEOUT_MS }) as const;
