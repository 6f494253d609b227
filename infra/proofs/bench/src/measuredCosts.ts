import { sectionOf } from '@forecourt/harness/markdown';

/** Measured costs. */
export interface Costs {
  /** ms of processor time per page. */
  readonly shell: number;
  /** Added where every slot is rendered. */
  readonly renderers: number;
  readonly api: number;
  readonly cached: number;
  /** kB with headers. */
  readonly pageBytes: number;
  /** MiB of a shell with its releases' processes. */
  readonly shellMemory: number;
  /** MiB of an API replica with `searchSizes[0]` listings. */
  readonly apiMemory: number;
  /** Two measured inventory sizes; other sizes are interpolated or extrapolated linearly. */
  readonly sizes: readonly [SearchCosts, SearchCosts];
  /** The same over OpenSearch. */
  readonly remoteSizes: readonly [RemoteCosts, RemoteCosts];
  /** Changed listings that a replica applies per second. */
  readonly changesPerSecond: number;
  readonly transactionsPerSecond: number;
  readonly statementsPerSecond: number;
  /** Of one look-up at the issuer. */
  readonly statementsPerLookup: number;
}

interface SearchCosts {
  readonly listings: number;
  /** ms. */
  readonly mean: number;
  readonly slowest: number;
  /** MiB of the index. */
  readonly memory: number;
  /** Seconds, with generating the listings. */
  readonly build: number;
}

/** Of a replica of the API over OpenSearch and PostgreSQL. */
interface RemoteCosts {
  readonly listings: number;
  /** ms of a listing call. */
  readonly slowest: number;
  /** ms of processor time of a listing call. */
  readonly api: number;
  readonly search: number;
  /** MiB of the replica. */
  readonly memory: number;
  /** Seconds until it is ready. */
  readonly start: number;
  /** Seconds until the index is built. */
  readonly build: number;
  /** MiB on disk. */
  readonly index: number;
  readonly database: number;
}

const number = (text: string | undefined): number => Number((text ?? '').replaceAll(',', '').split('–')[0]);

/** The cells of the row that begins with `name`. @throws Error if there is none */
function rowOf(markdown: string, name: string): string[] {
  const rows = markdown.split('\n').map((line) => line.split('|').map((cell) => cell.trim()));
  const found = rows.find((cells) => cells[1] === name);
  if (!found) throw new Error(`no row “${name}” has been measured`);
  return found.slice(2);
}

const REMOTE_ROWS: Readonly<Record<Exclude<keyof RemoteCosts, 'listings'>, string>> = {
  slowest: 'listing call of the mix, p99 ms',
  api: 'CPU of the API per call, ms',
  search: 'CPU of OpenSearch per call, ms',
  memory: 'memory after the calls, MiB',
  start: 'start to ready, s',
  build: 'first replica, which builds the index, s',
  index: 'index on disk, MiB',
  database: 'PostgreSQL on disk, MiB',
};

function readRemoteCosts(results: string, listings: number): RemoteCosts {
  const section = sectionOf(
    results,
    `A replica over OpenSearch with ${listings.toLocaleString('en')} listings`,
  );
  const values = Object.entries(REMOTE_ROWS).map(([name, row]) => [name, number(rowOf(section, row)[0])]);
  return { listings, ...(Object.fromEntries(values) as Omit<RemoteCosts, 'listings'>) };
}

/** Listings of the two measured inventories. */
const MEASURED = [100_000, 1_000_000] as const;

/** Reads the costs from the last measurements and from the rates of the database. @throws Error if one is missing */
export function readCosts(results: string, scaling: string): Costs {
  const measured = (name: string) => number(rowOf(results, name)[2]);
  const sizes = MEASURED.map((listings): SearchCosts => {
    const [, slowest, mean, memory, build] = rowOf(
      results,
      `index, ${listings.toLocaleString('en')} listings`,
    ).map(number);
    return { listings, mean: mean!, slowest: slowest!, memory: memory!, build: build! };
  });
  const [, changes, ms] =
    /another process changes ([\d,]+) of them, the last is found (\d+) ms/.exec(results) ?? [];
  const shell = measured('Uncached page, CPU of shell, br');
  const api = measured('Uncached page, CPU of api, br');
  const costs: Costs = {
    shell,
    // Pages of different searches: none of their slots is reused.
    renderers: measured('Uncached page with every slot rendered, CPU of all processes, br') - shell - api,
    api,
    cached: measured('Cached page, CPU of the shell, br'),
    pageBytes: measured('Cached page, bytes with headers, br'),
    shellMemory: measured("Of it, shell and releases' processes"),
    apiMemory: number(rowOf(results, 'listing call, 100,000 listings')[3]?.split(' ')[0]),
    sizes: sizes as [SearchCosts, SearchCosts],
    remoteSizes: MEASURED.map((listings) => readRemoteCosts(results, listings)) as [RemoteCosts, RemoteCosts],
    changesPerSecond: (number(changes) * 1000) / number(ms),
    transactionsPerSecond: number(rowOf(scaling, 'transaction with a link and mail')[1]),
    statementsPerSecond: number(rowOf(scaling, 'account by id')[1]),
    statementsPerLookup: number(rowOf(scaling, 'one introspection by a shell')[0]),
  };
  const missing = Object.entries({
    ...costs,
    sizes: costs.sizes.flatMap(Object.values),
    remoteSizes: costs.remoteSizes.flatMap(Object.values),
  }).filter(([, value]) => [value].flat().some((one) => !(one > 0)));
  if (missing.length > 0) throw new Error(`not measured: ${missing.map(([name]) => name).join(', ')}`);
  return costs;
}
