import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { markdownTable, replaceSection } from '@forecourt/harness/markdown';
import { type Costs, readCosts } from './measuredCosts.ts';
import { RESULTS_FILE } from './report.ts';

/** Load of a site. */
export interface Site {
  readonly name: string;
  readonly pagesPerSecond: number;
  /** Share of pages that come from a shell's cache: those of anonymous visitors. */
  readonly hitRate: number;
  readonly listings: number;
  /** New, changed and expired listings. */
  readonly changesPerSecond: number;
  /** Leads, saved vehicles and other writes of people, each one transaction. */
  readonly writesPerSecond: number;
}

type SiteRow = readonly [
  name: string,
  pagesPerSecond: number,
  hitRate: number,
  listings: number,
  changesPerSecond: number,
  writesPerSecond: number,
];
const ROWS: readonly SiteRow[] = [
  ['a city', 5, 0.5, 20_000, 0.1, 0.1],
  ['a region', 50, 0.7, 100_000, 5, 1],
  ['a country', 500, 0.8, 1_000_000, 50, 10],
  ['a large country', 2_000, 0.85, 2_000_000, 200, 50],
  ['its busiest hour', 10_000, 0.9, 2_000_000, 200, 250],
  ['a continent', 10_000, 0.9, 10_000_000, 500, 250],
  ['the world', 50_000, 0.9, 100_000_000, 2_000, 1_000],
];
export const SITES: readonly Site[] = ROWS.map(
  ([name, pagesPerSecond, hitRate, listings, changesPerSecond, writesPerSecond]) => ({
    name,
    pagesPerSecond,
    hitRate,
    listings,
    changesPerSecond,
    writesPerSecond,
  }),
);

/** What isn't measured, but chosen. */
const CHOICES = {
  /** Share of a core's time at the busiest moment. */
  utilization: 0.6,
  /** Share of pages of signed-in visitors, who are looked up at the issuer. */
  signedInShare: 0.05,
  /** Of a service, so that one may fail or be replaced. */
  minimumReplicas: 2,
  /** To PostgreSQL: of the server, of an API replica (three schemas and one to listen), and of all other services without the shells. */
  connections: { server: 500, api: 31, others: 60 },
  /** MiB of an API replica (`infra/deploy/kubernetes/api.yaml`). */
  apiMemory: 1024,
  /** ms of the slowest search in memory, for which everything else in its process waits. */
  slowestSearch: 100,
  /** ms of the slowest listing call over OpenSearch. */
  slowestCall: 400,
  /** Cores of a node of OpenSearch, and copies of each shard: one may fail. */
  nodeCores: 8,
  copies: 2,
} as const;

/** The cluster that a site needs. */
interface SearchNeed {
  readonly shards: number;
  readonly nodes: number;
  /** GiB on disk with all copies; twice as much while the next index is built. */
  readonly disk: number;
  /** h until a new index is built. */
  readonly build: number;
}

/** What a site needs. */
export interface Need {
  readonly shells: number;
  /** Cores of all shells, with the processes of releases. */
  readonly shellCores: number;
  readonly apis: number;
  /** MiB. */
  readonly apiMemory: number;
  /** s until a new API replica is ready. */
  readonly apiStart: number;
  /** Undefined if the index is in memory. */
  readonly search?: SearchNeed;
  /** GiB of the inventory in PostgreSQL. */
  readonly database: number;
  /** Mbit/s. */
  readonly traffic: number;
  /** What more replicas and nodes don't help, by the share of it that is used. */
  readonly limits: readonly { readonly name: string; readonly share: number }[];
}

type Sized = { readonly listings: number };
/** A measured value at another number of listings. */
function atSize<S extends Sized>([small, large]: readonly [S, S], value: keyof S, listings: number): number {
  const [low, high] = [small[value] as number, large[value] as number];
  const slope = (high - low) / (large.listings - small.listings);
  return Math.max(0, low + slope * (listings - small.listings));
}

/** Listings at which a value reaches its limit. */
function sizeAt<S extends Sized>(sizes: readonly [S, S], value: keyof S, limit: number): number {
  const slope = (atSize(sizes, value, sizes[1].listings) - atSize(sizes, value, 0)) / sizes[1].listings;
  return (limit - atSize(sizes, value, 0)) / slope;
}

const replicasFor = (msPerSecond: number): number =>
  Math.max(CHOICES.minimumReplicas, Math.ceil(msPerSecond / 1000 / CHOICES.utilization));

/** The listings in the memory of every replica of the API. */
function inMemory({ listings, changesPerSecond }: Site, rendered: number, { sizes, ...costs }: Costs) {
  const apiMemory = costs.apiMemory + atSize(sizes, 'memory', listings) - sizes[0].memory;
  // A page has one search with counts; what it costs more in a larger inventory is the search's.
  const search = atSize(sizes, 'mean', listings) - sizes[0].mean;
  return {
    apis: replicasFor(rendered * (costs.api + search)),
    apiMemory,
    apiStart: atSize(sizes, 'build', listings),
    limits: [
      { name: 'memory of an API replica', share: apiMemory / CHOICES.apiMemory },
      { name: 'slowest search', share: atSize(sizes, 'slowest', listings) / CHOICES.slowestSearch },
      { name: 'changes of listings', share: changesPerSecond / costs.changesPerSecond },
    ],
  };
}

/** The listings in OpenSearch. */
function inOpenSearch({ listings, changesPerSecond }: Site, rendered: number, { remoteSizes, api }: Costs) {
  const { slowestCall, utilization, nodeCores, copies, apiMemory: memoryLimit } = CHOICES;
  const shards = Math.ceil(listings / sizeAt(remoteSizes, 'slowest', slowestCall));
  // Each shard has a fixed part of a call, and all have that of their listings.
  const fixed = atSize(remoteSizes, 'search', 0);
  const call = fixed * shards + atSize(remoteSizes, 'search', listings) - fixed;
  const nodes = Math.max(copies, Math.ceil((rendered * call) / 1000 / utilization / nodeCores));
  const build = atSize(remoteSizes, 'build', listings);
  const apiMemory = atSize(remoteSizes, 'memory', listings);
  return {
    apis: replicasFor(rendered * (api + remoteSizes[1].api)),
    apiMemory,
    apiStart: atSize(remoteSizes, 'start', listings),
    search: {
      shards,
      nodes,
      disk: (atSize(remoteSizes, 'index', listings) * copies) / 1024,
      build: build / 3600,
    },
    limits: [
      { name: 'memory of an API replica', share: apiMemory / memoryLimit },
      { name: 'changes that one replica indexes', share: (changesPerSecond * build) / listings },
    ],
  };
}

export function needOf(site: Site, costs: Costs): Need {
  const { pagesPerSecond, hitRate, listings } = site;
  const { utilization, connections } = CHOICES;
  const rendered = pagesPerSecond * (1 - hitRate);
  // A process of Node has one core; releases render in others.
  const shellMs = rendered * costs.shell + pagesPerSecond * hitRate * costs.cached;
  const shells = replicasFor(shellMs);
  const embedded = inMemory(site, rendered, costs);
  const engine = embedded.limits.every(({ share }) => share <= 1)
    ? embedded
    : inOpenSearch(site, rendered, costs);
  const lookups = pagesPerSecond * CHOICES.signedInShare * costs.statementsPerLookup;
  return {
    ...engine,
    shells,
    shellCores: Math.ceil((shellMs + rendered * costs.renderers) / 1000 / utilization),
    database: atSize(costs.remoteSizes, 'database', listings) / 1024,
    traffic: (pagesPerSecond * costs.pageBytes * 8) / 1000,
    limits: [
      ...engine.limits,
      {
        name: 'statements of PostgreSQL',
        share: site.writesPerSecond / costs.transactionsPerSecond + lookups / costs.statementsPerSecond,
      },
      {
        name: 'connections to PostgreSQL',
        share: (engine.apis * connections.api + shells + connections.others) / connections.server,
      },
    ],
  };
}

const rounded = (value: number): string => Number(value.toPrecision(2)).toLocaleString('en');
const percent = (share: number): string => `${Math.round(share * 100)} %`;

const counted = (count: number, noun: string): string =>
  `${count.toLocaleString('en')} ${noun}${count === 1 ? '' : 's'}`;

const indexText = (search: SearchNeed | undefined): string =>
  search
    ? `${counted(search.shards, 'shard')}, ${counted(search.nodes, 'node')}, ${rounded(search.disk)} GiB (${rounded(search.build)} h)`
    : 'in memory';

/** The table of `infra/docs/scaling.md`. */
export function capacityTable(costs: Costs): string {
  const head = [
    'site',
    'pages/s',
    'from cache',
    'listings',
    'changes/s',
    'writes/s',
    'shells (cores)',
    'APIs (start)',
    'MiB per API',
    'index (build)',
    'PostgreSQL',
    'Mbit/s',
    'next bottleneck',
  ];
  return markdownTable(
    head,
    SITES.map((site) => {
      const need = needOf(site, costs);
      const [first] = [...need.limits].sort((a, b) => b.share - a.share);
      return [
        site.name,
        site.pagesPerSecond.toLocaleString('en'),
        percent(site.hitRate),
        site.listings.toLocaleString('en'),
        site.changesPerSecond.toLocaleString('en'),
        site.writesPerSecond.toLocaleString('en'),
        `${need.shells} (${need.shellCores})`,
        `${need.apis} (${rounded(need.apiStart)} s)`,
        rounded(need.apiMemory),
        indexText(need.search),
        `${rounded(need.database)} GiB`,
        rounded(need.traffic),
        `${first!.name}, ${percent(first!.share)}`,
      ];
    }),
  );
}

export const SCALING_FILE = join(import.meta.dirname, '../../../docs/scaling.md');
export const SECTION = 'What sites of a size need';

/** Calculates the section of `infra/docs/scaling.md` from the last measurements. */
export function capacitySection(costs: Costs): string {
  const { utilization, signedInShare, minimumReplicas, connections, apiMemory } = CHOICES;
  const { slowestSearch, slowestCall, nodeCores, copies } = CHOICES;
  const ms = (value: number) => `${Number(value.toFixed(2))} ms`;
  const [, remote] = costs.remoteSizes;
  return `\`npm run capacity -w @forecourt/bench\` calculates this table from the [last measurements](../proofs/bench/RESULTS.md) and writes it here; a
test compares them. It is a model: no such load has been run, and no more than 1,000,000 listings.

${capacityTable(costs)}

- An uncached page takes ${ms(costs.shell)} of a shell, ${ms(costs.renderers)} of releases' processes and ${ms(costs.api)} of an API; a cached one ${ms(costs.cached)}. With 1,000,000 listings in
  OpenSearch, a page takes ${ms(remote.search)} of the cluster and ${ms(remote.api)} of an API more.
- A core is used to ${percent(utilization)}; a process uses one core. Every service has at least ${minimumReplicas} replicas. A shell has ${costs.shellMemory} MiB.
- The index is in OpenSearch where one in memory would take more than ${apiMemory} MiB per API or ${slowestSearch} ms for the slowest search (p99). A shard has as many listings as
  it counts in ${slowestCall} ms, and ${copies} copies; nodes have ${nodeCores} cores. Disks need room for two indexes while one is built.
- ${percent(signedInShare)} of the pages are of signed-in visitors and take ${costs.statementsPerLookup} statements each. PostgreSQL takes ${connections.server} connections: ${connections.api} of each API replica, one of
  each shell, ${connections.others} of all others.
- The next bottleneck is what adding replicas or nodes doesn't relieve, with the share in use. Connections need a pooler or fewer per process, statements a server for
  identity alone. Nodes grow with listings times searches, because each search counts what it finds: before hundreds of them, divide the site by region, each with its own API and index.`;
}

/** Writes the section, so that the docs show what the last measurements say. */
export function writeCapacity(): void {
  const scaling = readFileSync(SCALING_FILE, 'utf8');
  const costs = readCosts(readFileSync(RESULTS_FILE, 'utf8'), scaling);
  writeFileSync(SCALING_FILE, replaceSection(scaling, SECTION, capacitySection(costs)));
}

if (process.argv[1] === import.meta.filename) {
  writeCapacity();
  process.stdout.write(
    `${capacityTable(readCosts(readFileSync(RESULTS_FILE, 'utf8'), readFileSync(SCALING_FILE, 'utf8')))}\n`,
  );
}
