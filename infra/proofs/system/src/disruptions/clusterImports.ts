import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { constants, setPriority, tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { type Cluster, REPOSITORY } from '@forecourt/local';
import { openPostgres } from '@forecourt/service-kit/postgres';
import { type Finding, type ProofContext, reported, required, until } from '../proof.ts';
import { API_SOURCE } from './apiReplica.ts';

/** Of the tables of the stock. */
export const INVENTORY_MIGRATIONS = join(
  REPOSITORY,
  'infra/services/marketplace-api/src/inventory/store/migrations',
);
/** Rows of the feed that is imported while replicas and servers are lost. */
export const ROWS = 100_000;
const SOURCE = 'north';
const SELLERS = 40;
/** Of the imported vehicles, and 1 more with each import; no generated one is as expensive. */
const PRICE = 700_000;
/** ms until every replica finds what was imported last. */
const FOUND_MS = 10_000;
const SEARCH_LIMIT_MS = 120_000;

const CARS = [
  ['Ford', 'F150'],
  ['Toyota', 'Camry'],
  ['Honda', 'Civic'],
  ['Chevrolet', 'Equinox'],
  ['Nissan', 'Rogue'],
  ['Jeep', 'Wrangler'],
  ['Kia', 'Sorento'],
  ['Hyundai', 'Tucson'],
] as const;
const COLUMNS = ['stockNumber', 'year', 'make', 'model', 'price', 'zip', 'sellerName', 'photoUrls'];
const stockNumberOf = (row: number): string => `N${row}`;

/** Imports a feed, and again with other prices as soon as that is done. */
export class ClusterImports {
  readonly #cluster: Cluster;
  readonly #photoUrl: string;
  readonly #folder = mkdtempSync(join(tmpdir(), 'cluster-imports-'));
  readonly #failures: string[] = [];
  readonly #seconds: number[] = [];
  #importing: ChildProcess | undefined;
  #rounds: Promise<void> | undefined;
  #isOver = false;

  constructor(cluster: Cluster & { readonly photoUrl: string }) {
    this.#cluster = cluster;
    this.#photoUrl = cluster.photoUrl;
  }

  start({ onEnd, say }: ProofContext): void {
    onEnd(() => {
      this.#isOver = true;
      this.#importing?.kill('SIGKILL');
      rmSync(this.#folder, { recursive: true, force: true });
    });
    this.#rounds = (async () => {
      for (let round = 0; !this.#isOver; round += 1) {
        say(`import ${round + 1} of ${ROWS} rows begins`);
        await this.#importRound(round);
      }
    })();
  }

  get isRunning(): boolean {
    return this.#importing?.exitCode === null;
  }
  /** Imports that ended. */
  get completed(): number {
    return this.#seconds.length;
  }

  /** Waits for the import that runs. */
  async stop(): Promise<void> {
    this.#isOver = true;
    await this.#rounds;
  }

  async #importRound(round: number): Promise<void> {
    const feed = join(this.#folder, 'feed.csv');
    const rows = Array.from({ length: ROWS }, (_, at) => {
      const [make, model] = CARS[at % CARS.length]!;
      const photo = at === 0 ? this.#photoUrl : '';
      return [
        stockNumberOf(at),
        2021,
        make,
        model,
        PRICE + round,
        60601,
        `North ${at % SELLERS}`,
        photo,
      ].join();
    });
    writeFileSync(feed, [COLUMNS.join(), ...rows].join('\n'));
    const fields = Object.fromEntries(COLUMNS.map((name) => [name, name]));
    writeFileSync(`${feed}.json`, JSON.stringify({ source: SOURCE, fields }));
    const started = performance.now();
    const args = ['--no-warnings', join(API_SOURCE, 'import.ts'), feed, '--map', `${feed}.json`];
    const { postgres } = this.#cluster;
    const importing = spawn(process.execPath, args, {
      env: {
        PATH: process.env['PATH'],
        TMPDIR: this.#folder,
        LOCAL_MODE: 'true',
        DATABASE_URL: `${postgres.url}?connections=2`,
      },
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    this.#importing = importing;
    // It is no part of the cluster, whose cores it shares here.
    setPriority(importing.pid!, constants.priority.PRIORITY_BELOW_NORMAL);
    const output = text(importing.stderr);
    const [status] = (await once(importing, 'exit')) as [number | null];
    if (status !== 0) this.#failures.push(`import ${round + 1}: ${(await output).slice(-200)}`);
    this.#seconds.push((performance.now() - started) / 1000);
  }

  /** Compares the stock with the feed of the last import, row by row, and what each replica finds. */
  async findings(): Promise<Finding[]> {
    const price = PRICE + this.completed - 1;
    const ended = performance.now();
    const apis = this.#cluster.replicas.filter(({ name }) => name === 'marketplace-api');
    const countAt = async (port: number): Promise<number> => {
      const url = `http://127.0.0.1:${port}/rest/lsc/listing/count?minPrice=${price}&maxPrice=${price}`;
      const response = await fetch(url);
      return ((await response.json()) as { totalResultCount?: number }).totalResultCount ?? -1;
    };
    const counts = () => Promise.all(apis.map(({ port }) => countAt(port)));
    const isFound = await until(
      'every replica finds the imported vehicles',
      async () => (await counts()).every((count) => count === ROWS),
      { limitMs: SEARCH_LIMIT_MS, everyMs: 100 },
    ).then(
      () => true,
      () => false,
    );
    const foundMs = Math.round(performance.now() - ended);
    const found = isFound ? `all, after ${foundMs} ms` : `${(await counts()).join(', ')} of ${ROWS}`;
    const { lost, doubled, different } = await this.#compareRows(price);
    return [
      required(
        `Imports of ${ROWS} rows while all of this happens: failed`,
        this.#failures.length === 0 ? '0' : this.#failures.join('; ').replaceAll('\n', ' '),
        '0',
        this.#failures.length === 0,
      ),
      reported(
        `Imports of ${ROWS} rows`,
        `${this.completed}, in ${this.#seconds.map((seconds) => `${Math.round(seconds)} s`).join(', ')}`,
      ),
      required('Rows of the last feed that the stock lacks', lost, '0', lost === 0),
      required('Rows that are stored twice, or in no feed', doubled, '0', doubled === 0),
      required('Rows with another price than in the feed', different, '0', different === 0),
      required(
        'Vehicles of the last feed, found by every replica after its import',
        found,
        `all within ${FOUND_MS / 1000} s`,
        isFound && foundMs <= FOUND_MS,
      ),
    ];
  }

  async #compareRows(price: number): Promise<{ lost: number; doubled: number; different: number }> {
    const sql = await openPostgres({
      url: this.#cluster.postgres.url,
      schema: 'inventory',
      migrations: INVENTORY_MIGRATIONS,
      maxConnections: 1,
    });
    const rows = await sql.all<{ stockNumber: string; price: number; isRemoved: boolean }>(
      `SELECT body::json ->> 'stockNumber' AS "stockNumber", CAST(body::json ->> 'salePrice' AS BIGINT) AS price,
         removed_at IS NOT NULL AS "isRemoved" FROM listings WHERE source = '${SOURCE}'`,
    );
    await sql.close();
    const left = new Set(Array.from({ length: ROWS }, (_, at) => stockNumberOf(at)));
    let [doubled, different] = [0, 0];
    for (const row of rows) {
      if (!left.delete(row.stockNumber) || row.isRemoved) doubled += 1;
      if (row.price !== price) different += 1;
    }
    return { lost: left.size, doubled, different };
  }
}
