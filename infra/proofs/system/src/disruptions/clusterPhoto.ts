import { setTimeout as wait } from 'node:timers/promises';
import type { Cluster } from '@forecourt/local';
import { openPostgres } from '@forecourt/service-kit/postgres';
import { type Finding, noFailures, required, until } from '../proof.ts';
import { INVENTORY_MIGRATIONS } from './clusterImports.ts';

const EVERY_MS = 500;
const FETCHED_MS = 60_000;

const statusOf = (url: string): Promise<number> =>
  fetch(url, { signal: AbortSignal.timeout(10_000) }).then(
    async (response) => {
      await response.arrayBuffer();
      return response.status;
    },
    () => 0,
  );

/** A visitor who looks at the photo of an imported vehicle all the time. */
export class PhotoVisits {
  readonly #cluster: Cluster;
  readonly #failures: string[] = [];
  #path = '';
  #count = 0;
  #isOver = false;
  #visits: Promise<void> | undefined;

  constructor(cluster: Cluster) {
    this.#cluster = cluster;
  }

  /** Resolves when a replica has fetched the photo and the edge has sent it. */
  async start(): Promise<void> {
    const { postgres, urls } = this.#cluster;
    const sql = await openPostgres({
      url: postgres.url,
      schema: 'inventory',
      migrations: INVENTORY_MIGRATIONS,
      maxConnections: 1,
    });
    const limits = { limitMs: FETCHED_MS, everyMs: 250 };
    await until(
      'a replica has fetched the photo',
      async () => {
        const row = await sql.get<{ hash: string }>('SELECT hash FROM photos LIMIT 1');
        if (row) this.#path = `/pictures/photos/${row.hash}-640`;
        return row !== undefined;
      },
      limits,
    );
    await sql.close();
    await until(
      'the edge sends the photo',
      async () => (await statusOf(urls.shell + this.#path)) === 200,
      limits,
    );
    this.#visits = this.#visit();
  }

  async #visit(): Promise<void> {
    while (!this.#isOver) {
      const status = await statusOf(this.#cluster.urls.shell + this.#path);
      this.#count += 1;
      if (status !== 200) this.#failures.push(`status ${status}`);
      await wait(EVERY_MS);
    }
  }

  async stop(): Promise<void> {
    this.#isOver = true;
    await this.#visits;
  }

  /** What was seen through the edge, which caches photos, and what each replica has now, of which all but one never fetched it. */
  async findings(): Promise<Finding[]> {
    const apis = this.#cluster.replicas.filter(({ name }) => name === 'marketplace-api');
    const statuses = await Promise.all(
      apis.map(({ port }) => statusOf(`http://127.0.0.1:${port}${this.#path}`)),
    );
    return [
      noFailures('requests for a photo', this.#count, this.#failures),
      required(
        'The photo from each API replica, all of which were killed since one of them fetched it',
        statuses.join(', '),
        apis.map(() => 200).join(', '),
        statuses.every((status) => status === 200),
      ),
    ];
  }
}
