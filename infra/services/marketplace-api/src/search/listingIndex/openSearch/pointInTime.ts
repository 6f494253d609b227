import { z } from 'zod';
import {
  IndexLost,
  isLost,
  NO_INDEX,
  PointInTimeLost,
  type SearchCluster,
  SearchUnavailable,
} from './cluster.ts';
import type { Aggregation } from './counts.ts';
import type { Clause } from './filters.ts';
import { type IndexStorage, KEEP_ALIVE } from './indexStorage.ts';

/** ms after which no search uses a replaced point in time. */
const REPLACED_MS = 30_000;

const positions = z.object({ x: z.tuple([z.number()]), y: z.tuple([z.number()]), z: z.tuple([z.number()]) });
const result = z
  .object({
    timed_out: z.literal(false),
    _shards: z.object({ failed: z.literal(0) }),
    hits: z.object({
      total: z.object({ value: z.number() }),
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
const results = z.object({ responses: z.array(z.union([failure, result])) });

type SearchResult = z.output<typeof result>;

/** One state of the index that searches read, until it is replaced by a newer one. */
export class PointInTime {
  readonly storage: IndexStorage;
  /** Listings. */
  size = 0;
  /** Incremented with each state. */
  version: number;
  /** Whether the index was found to be gone: then it must be built again. */
  isLost = false;
  private readonly cluster: SearchCluster;
  private readonly closing = new Set<NodeJS.Timeout>();
  private id = '';
  private reopening: Promise<void> | undefined;

  private constructor(cluster: SearchCluster, storage: IndexStorage, version: number) {
    this.cluster = cluster;
    this.storage = storage;
    this.version = version;
  }

  /** `version` of the state before. */
  static async open(cluster: SearchCluster, storage: IndexStorage, version = 0): Promise<PointInTime> {
    const point = new PointInTime(cluster, storage, version);
    await point.replace();
    return point;
  }

  /** Continues with the state that has everything written so far. */
  async replace(): Promise<void> {
    const [id, { size }] = await this.noticing(async () => {
      await this.storage.refresh();
      return Promise.all([this.storage.openPointInTime(), this.storage.progress()]);
    });
    const replaced = this.id;
    this.id = id;
    this.size = size;
    this.version += 1;
    if (replaced) this.closeLater(replaced);
  }

  /** Runs searches of this state in one request. @throws SearchUnavailable */
  async search(searches: readonly Clause[]): Promise<SearchResult[]> {
    const { id } = this;
    try {
      return await this.noticing(() => this.run(searches, id));
    } catch (error) {
      if (!(error instanceof PointInTimeLost)) throw error;
      // Its node was restarted, or nothing was searched for long.
      if (this.id === id)
        await (this.reopening ??= this.replace().finally(() => (this.reopening = undefined)));
      return await this.noticing(() => this.run(searches, this.id));
    }
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
    await this.storage.closePointInTime(this.id);
  }

  private async run(searches: readonly Clause[], id: string): Promise<SearchResult[]> {
    const pit = { id, keep_alive: KEEP_ALIVE };
    const { responses } = await this.cluster.send(results, {
      method: 'POST',
      path: '/_msearch',
      lines: searches.flatMap((search) => [{}, { ...search, pit }]),
    });
    return responses.map((response) => {
      if (!('error' in response)) return response;
      const { type, reason, root_cause: cause } = response.error;
      if (type === NO_INDEX) throw new IndexLost(`A search failed: ${type} ${reason}`);
      if (isLost([type, cause])) throw new PointInTimeLost('The point in time is gone');
      if (response.status === 429 || response.status >= 500)
        throw new SearchUnavailable(`A search failed: ${type} ${reason}`);
      throw new Error(`A search was refused: ${type} ${reason}`);
    });
  }

  private closeLater(id: string): void {
    const timer = setTimeout(() => {
      this.closing.delete(timer);
      // It also ends by itself after KEEP_ALIVE.
      this.storage.closePointInTime(id).catch(() => undefined);
    }, REPLACED_MS).unref();
    this.closing.add(timer);
  }
}
