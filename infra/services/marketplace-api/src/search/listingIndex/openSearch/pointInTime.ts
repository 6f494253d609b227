import { z } from 'zod';
import {
  IndexLost,
  isLost,
  NO_INDEX,
  PointInTimeLost,
  type SearchCluster,
  SearchUnavailable,
  WHOLE,
} from './cluster.ts';
import type { Aggregation } from './counts.ts';
import { readEntries } from './entries.ts';
import type { Clause } from './filters.ts';
import { POSITION_ID, STOCK } from './mapping.ts';
import type { Entry } from './vocabulary.ts';

/** ms after which no search uses a replaced point in time; a node has 300 at most. */
const REPLACED_MS = 10_000;
/** A point in time is kept that long after its last search. */
const KEEP_ALIVE = '1h';
/** ms; opening one waits for writes that are being made visible. */
const OPEN_TIMEOUT_MS = 60_000;

const positions = z.object({ x: z.tuple([z.number()]), y: z.tuple([z.number()]), z: z.tuple([z.number()]) });
const result = z
  .object({
    timed_out: z.literal(false),
    _shards: z.object({ failed: z.literal(0) }),
    hits: z.object({
      /** Missing if it wasn't asked for. */
      total: z.object({ value: z.number() }).default({ value: 0 }),
      hits: z.array(
        z
          .object({
            _id: z.string(),
            fields: positions,
            sort: z.array(z.union([z.number(), z.string()])),
          })
          .transform(({ _id: id, fields, sort }) => ({
            id,
            sort,
            /** Of its seller on the unit sphere. */
            position: [fields.x[0], fields.y[0], fields.z[0]] as const,
          })),
      ),
    }),
    aggregations: z.record(z.string(), z.custom<Aggregation>()).default({}),
  })
  .transform(({ hits, aggregations }) => ({ total: hits.total.value, hits: hits.hits, aggregations }));
const failure = z.object({
  status: z.number(),
  error: z.object({ type: z.string(), reason: z.string().nullish(), root_cause: z.unknown() }),
});
const opened = z.object({ pit_id: z.string() });
const counted = z.object({ hits: z.object({ total: z.object({ value: z.number() }) }) });
const positionFound = z.object({
  hits: z.object({ hits: z.tuple([z.object({ _index: z.string(), _version: z.number() })]) }),
});
const results = z.object({ responses: z.array(z.union([failure, result])) });

type SearchResult = z.output<typeof result>;

/** A state of an index: later writes don't change what its searches find. */
interface State {
  readonly id: string;
  readonly index: string;
  /** The change of the stock up to which it has everything. */
  readonly position: number;
  /** Listings. */
  readonly size: number;
}

/** The state of the index that searches read, until it is replaced by a newer one. */
export class PointInTime {
  /** Incremented with each state. */
  version = 0;
  /** Whether the index was found to be gone: then it must be built again. */
  isLost = false;
  private readonly cluster: SearchCluster;
  private readonly alias: string;
  private readonly closing = new Set<NodeJS.Timeout>();
  private current: State | undefined;
  private next: State | undefined;
  /** The state that was adopted last. */
  private adopted: State | undefined;
  private reopening: Promise<unknown> | undefined;

  constructor(cluster: SearchCluster, alias: string) {
    this.cluster = cluster;
    this.alias = alias;
  }

  get size(): number {
    return this.current?.size ?? 0;
  }

  /** Opens the newest state for `adopt`, and returns its position; undefined if it was adopted already. */
  async open(): Promise<number | undefined> {
    const found = await this.noticing(() => this.newest({ path: `/${this.alias}/_search` }));
    const { adopted, isLost } = this;
    if (!isLost && found.index === adopted?.index && found.position === adopted.position) return undefined;
    if (this.next) this.closeLater(this.next);
    this.next = await this.noticing(() => this.openNewest());
    return this.next.position;
  }

  /** Continues with the state that was opened last. */
  adopt(): void {
    if (!this.next) return;
    this.adopted = this.next;
    this.next = undefined;
    this.replaceBy(this.adopted);
  }

  /** Runs searches of this state in one request. @throws SearchUnavailable */
  async search(searches: readonly Clause[]): Promise<SearchResult[]> {
    const { current } = this;
    if (!current) throw new Error('The index is not loaded');
    try {
      return await this.noticing(() => this.run(searches, current.id));
    } catch (error) {
      if (!(error instanceof PointInTimeLost)) throw error;
      // Its node was restarted, its index was replaced, or nothing was searched for long.
      if (this.current === current)
        await (this.reopening ??= this.reopen().finally(() => (this.reopening = undefined)));
      return await this.noticing(() => this.run(searches, this.current!.id));
    }
  }

  /** Codes and names of the listings. */
  entries(): Promise<Entry[]> {
    const pit = { id: this.current!.id, keep_alive: KEEP_ALIVE };
    return this.noticing(() =>
      readEntries(this.cluster, {
        method: 'POST',
        path: '/_search',
        body: { pit },
        timeoutMs: OPEN_TIMEOUT_MS,
      }),
    );
  }

  /** Runs requests, and remembers that the index is gone. */
  private async noticing<T>(requests: () => Promise<T>): Promise<T> {
    try {
      return await requests();
    } catch (error) {
      this.isLost ||= error instanceof IndexLost;
      throw error;
    }
  }

  async close(): Promise<void> {
    for (const timer of this.closing) clearTimeout(timer);
    if (this.current) await this.closeState(this.current);
  }

  private async reopen(): Promise<void> {
    this.replaceBy(await this.noticing(() => this.openNewest()));
  }

  private replaceBy(state: State): void {
    if (this.current) this.closeLater(this.current);
    this.current = state;
    this.version += 1;
    this.isLost = false;
  }

  private async openNewest(): Promise<State> {
    const { pit_id: id } = await this.cluster.send(opened, {
      method: 'POST',
      path: `/${this.alias}/_search/point_in_time`,
      query: { keep_alive: KEEP_ALIVE, allow_partial_pit_creation: false },
      timeoutMs: OPEN_TIMEOUT_MS,
    });
    const pit = { id, keep_alive: KEEP_ALIVE };
    const [found, listings] = await Promise.all([
      this.newest({ path: '/_search', body: { pit } }),
      this.cluster.send(counted, {
        method: 'POST',
        path: '/_search',
        body: { query: STOCK, size: 0, track_total_hits: true, pit },
      }),
    ]);
    return { id, ...found, size: listings.hits.total.value };
  }

  /** Index and position of a search. */
  private async newest({
    path,
    body,
  }: {
    path: string;
    body?: object;
  }): Promise<Pick<State, 'index' | 'position'>> {
    const query = { ids: { values: [POSITION_ID] } };
    const { hits } = await this.cluster.send(positionFound, {
      method: 'POST',
      path,
      body: { query, version: true, size: 1, ...body },
    });
    const [{ _index: index, _version: position }] = hits.hits;
    return { index, position };
  }

  private async run(searches: readonly Clause[], id: string): Promise<SearchResult[]> {
    const pit = { id, keep_alive: KEEP_ALIVE };
    const { responses } = await this.cluster.send(results, {
      method: 'POST',
      path: '/_msearch',
      lines: searches.flatMap((search) => [WHOLE, { ...search, pit }]),
    });
    return responses.map((response) => {
      if (!('error' in response)) return response;
      const { type, reason, root_cause: cause } = response.error;
      // Another one may have taken its place.
      if (type === NO_INDEX || isLost([type, cause])) throw new PointInTimeLost('The point in time is gone');
      if (response.status === 429 || response.status >= 500)
        throw new SearchUnavailable(`A search failed: ${type} ${reason}`);
      throw new Error(`A search was refused: ${type} ${reason}`);
    });
  }

  private closeLater(state: State): void {
    const timer = setTimeout(() => {
      this.closing.delete(timer);
      // It also ends by itself after KEEP_ALIVE.
      this.closeState(state).catch(() => undefined);
    }, REPLACED_MS).unref();
    this.closing.add(timer);
  }

  private async closeState({ id }: State): Promise<void> {
    const body = { pit_id: [id] };
    await this.cluster.send(z.unknown(), { method: 'DELETE', path: '/_search/point_in_time', body });
  }
}
