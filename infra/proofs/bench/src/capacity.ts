import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { markdownTable, replaceSection } from '@forecourt/harness/markdown';
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
  /** To PostgreSQL: of the server, of an API replica (two schemas), and of all other services without the shells. */
  connections: { server: 500, api: 20, others: 60 },
  /** MiB of an API replica (`infra/deploy/kubernetes/api.yaml`). */
  apiMemory: 1024,
  /** ms of the slowest search, for which everything else in its process waits. */
  slowestSearch: 100,
} as const;

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
  /** Changed listings that a replica applies per second. */
  readonly changesPerSecond: number;
  readonly transactionsPerSecond: number;
  readonly statementsPerSecond: number;
  /** Of one look-up at the issuer. */
  readonly statementsPerLookup: number;
}

export interface SearchCosts {
  readonly listings: number;
  /** ms. */
  readonly mean: number;
  readonly slowest: number;
  /** MiB of the index. */
  readonly memory: number;
  /** Seconds, with generating the listings. */
  readonly build: number;
}

const number = (text: string | undefined): number => Number((text ?? '').replaceAll(',', '').split('–')[0]);

/** The cells of the row that begins with `name`. @throws Error if there is none */
function rowOf(markdown: string, name: string): string[] {
  const rows = markdown.split('\n').map((line) => line.split('|').map((cell) => cell.trim()));
  const found = rows.find((cells) => cells[1] === name);
  if (!found) throw new Error(`no row “${name}” has been measured`);
  return found.slice(2);
}

/** Reads the costs from the last measurements and from the rates of the database. @throws Error if one is missing */
export function readCosts(results: string, scaling: string): Costs {
  const measured = (name: string) => number(rowOf(results, name)[2]);
  const sizes = [100_000, 1_000_000].map((listings): SearchCosts => {
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
    changesPerSecond: (number(changes) * 1000) / number(ms),
    transactionsPerSecond: number(rowOf(scaling, 'transaction with a link and mail')[1]),
    statementsPerSecond: number(rowOf(scaling, 'account by id')[1]),
    statementsPerLookup: number(rowOf(scaling, 'one introspection by a shell')[0]),
  };
  const missing = Object.entries({ ...costs, sizes: costs.sizes.flatMap(Object.values) }).filter(
    ([, value]) => [value].flat().some((one) => !(one > 0)),
  );
  if (missing.length > 0) throw new Error(`not measured: ${missing.map(([name]) => name).join(', ')}`);
  return costs;
}

/** What a site needs. */
export interface Need {
  readonly shells: number;
  /** Cores of all shells, with the processes of releases. */
  readonly shellCores: number;
  readonly apis: number;
  readonly apiMemory: number;
  /** s until a new API replica is ready. */
  readonly apiStart: number;
  /** Of all replicas, MiB. */
  readonly memory: number;
  /** Mbit/s. */
  readonly traffic: number;
  /** What more replicas don't help, by the share of it that is used. */
  readonly limits: readonly { readonly name: string; readonly share: number }[];
}

/** A value of the index at a number of listings. */
function atSize([small, large]: Costs['sizes'], value: keyof SearchCosts, listings: number): number {
  const slope = (large[value] - small[value]) / (large.listings - small.listings);
  return Math.max(0, small[value] + slope * (listings - small.listings));
}

export function needOf(site: Site, costs: Costs): Need {
  const { pagesPerSecond, hitRate, listings } = site;
  const { utilization, minimumReplicas, connections } = CHOICES;
  const { sizes } = costs;
  const rendered = pagesPerSecond * (1 - hitRate);
  const replicas = (msPerSecond: number) =>
    Math.max(minimumReplicas, Math.ceil(msPerSecond / 1000 / utilization));
  // A process of Node has one core; releases render in others.
  const shellMs = rendered * costs.shell + pagesPerSecond * hitRate * costs.cached;
  const shells = replicas(shellMs);
  // A page has one search with counts; what it costs more in a larger inventory is the search's.
  const search = atSize(sizes, 'mean', listings) - sizes[0].mean;
  const apis = replicas(rendered * (costs.api + search));
  const apiMemory = costs.apiMemory + atSize(sizes, 'memory', listings) - sizes[0].memory;
  const lookups = pagesPerSecond * CHOICES.signedInShare * costs.statementsPerLookup;
  return {
    shells,
    shellCores: Math.ceil((shellMs + rendered * costs.renderers) / 1000 / utilization),
    apis,
    apiMemory,
    apiStart: atSize(sizes, 'build', listings),
    memory: shells * costs.shellMemory + apis * apiMemory,
    traffic: (pagesPerSecond * costs.pageBytes * 8) / 1000,
    limits: [
      {
        name: 'PostgreSQL',
        share: site.writesPerSecond / costs.transactionsPerSecond + lookups / costs.statementsPerSecond,
      },
      {
        name: 'connections to PostgreSQL',
        share: (apis * connections.api + shells + connections.others) / connections.server,
      },
      { name: 'memory of an API replica', share: apiMemory / CHOICES.apiMemory },
      { name: 'slowest search', share: atSize(sizes, 'slowest', listings) / CHOICES.slowestSearch },
      { name: 'changes of listings', share: site.changesPerSecond / costs.changesPerSecond },
    ],
  };
}

const rounded = (value: number): string => Number(value.toPrecision(2)).toLocaleString('en');
const percent = (share: number): string => `${Math.round(share * 100)} %`;

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
    'GiB in all',
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
        String(site.changesPerSecond),
        String(site.writesPerSecond),
        `${need.shells} (${need.shellCores})`,
        `${need.apis} (${rounded(need.apiStart)} s)`,
        rounded(need.apiMemory),
        rounded(need.memory / 1024),
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
  const { utilization, signedInShare, minimumReplicas, connections, apiMemory, slowestSearch } = CHOICES;
  const ms = (value: number) => `${Number(value.toFixed(2))} ms`;
  const [small, large] = costs.sizes;
  const bytesPerListing = ((large.memory - small.memory) / (large.listings - small.listings)) * 2 ** 20;
  return `\`npm run capacity -w @forecourt/bench\` calculates this table from the [last measurements](../proofs/bench/RESULTS.md) and writes it here; a
test compares them. It is a model: nothing of this size has been run, except searches among 1,000,000 listings.

${capacityTable(costs)}

The measured costs behind it:

${markdownTable(
  ['cost', 'value'],
  [
    ['uncached page, shell', ms(costs.shell)],
    ['more where all its slots are rendered', ms(costs.renderers)],
    ['uncached page, API', ms(costs.api)],
    ['cached page, shell', ms(costs.cached)],
    ['memory of a shell', `${costs.shellMemory} MiB`],
    ['memory of an API with 100,000 listings', `${costs.apiMemory} MiB`],
    ['index, per listing', `${Math.round(bytesPerListing)} bytes`],
    ['transactions of PostgreSQL', `${costs.transactionsPerSecond.toLocaleString('en')} a second`],
    ['statements of PostgreSQL', `${costs.statementsPerSecond.toLocaleString('en')} a second`],
    [
      'changed listings that an API applies',
      `${Math.round(costs.changesPerSecond).toLocaleString('en')} a second`,
    ],
  ],
)}

- A core is used to ${percent(utilization)}; a process uses one core. Every service has at least ${minimumReplicas} replicas.
- ${percent(signedInShare)} of the pages are of signed-in visitors and take ${costs.statementsPerLookup} statements each. PostgreSQL takes ${connections.server} connections: ${connections.api} of each API replica, one of
  each shell, ${connections.others} of all others.
- The next bottleneck is what adding replicas doesn't relieve, with the share in use. The slowest search (p99) may take ${slowestSearch} ms, and an API replica has
  ${apiMemory} MiB. Above 100 %, memory and searches need [OpenSearch](#searching-in-opensearch), connections a pooler.`;
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
