import { alternating } from '@forecourt/harness/alternating';
import { markdownTable } from '@forecourt/harness/markdown';
import { mean, medianOf } from '@forecourt/harness/statistics';
import { BUDGETS } from './budgets.ts';
import { allCpu, clientOf, elementsIn, measureEach, type PageCost } from './pageCosts.ts';
import type { Measure } from './report.ts';
import { differentSearches } from './search/measureSearch.ts';
import { normalizedPaths } from './normalizedPaths.ts';
import type { PageServer } from './servers/variants.ts';

// What a page of a search costs that nobody has made before, in steady state: no cache of any process has a part of it,
// and the code is compiled. All ways to serve it are measured in turn, each with searches of its own, because the API
// would answer a second one faster.

/** Compression costs all of them the same per byte. */
const HEADERS = clientOf('identity');
/** After so many pages, V8 has compiled what they run. */
const WARM_UP_PAGES = 800;
const ROUND_PAGES = 200;
const ROUNDS = 3;
/** Of a shell that has just started: less than its first minute. */
const FIRST_PAGES = 400;
const SAMPLE_PAGES = 20;

const SUBJECTS = {
  production: 'The composed page',
  rendered: 'The composed page, every slot rendered',
  oneBundle: 'The same components as one bundle',
  instantSearch: 'React InstantSearch, rendered on the server',
  floor: 'HTML written by hand',
} as const;
type Subject = keyof typeof SUBJECTS;
const NAMES = Object.keys(SUBJECTS) as Subject[];

export interface SearchCostResult {
  readonly measures: readonly Measure[];
  readonly table: string;
}

/** Costs of new searches on all servers; `startShell` starts a shell that has served nothing yet. */
export async function measureSearchCosts(
  servers: Readonly<Record<Subject, PageServer>>,
  apiPid: number,
  {
    startShell,
    onStep,
  }: { readonly startShell: () => Promise<PageServer>; readonly onStep: (step: string) => void },
): Promise<SearchCostResult> {
  onStep('new searches: normalizing');
  const perSubject = WARM_UP_PAGES + ROUNDS * ROUND_PAGES;
  const searches = differentSearches(NAMES.length * perSubject + FIRST_PAGES);
  const normalized = await normalizedPaths(servers.production.url, searches);
  const isPeer = (subject: Subject) => subject === 'instantSearch' || subject === 'floor';
  /** Searches of `subject`, which no other subject gets. */
  const pathsOf = (subject: Subject, from: number, count: number) => {
    const start = NAMES.indexOf(subject) * perSubject + from;
    return isPeer(subject)
      ? searches.slice(start, start + count).map((query) => `/?${query}&numRecords=30`)
      : normalized.slice(start, start + count);
  };
  const measure = (subject: Subject, from: number, count: number) =>
    measureEach(servers[subject], apiPid, { headers: HEADERS, paths: pathsOf(subject, from, count) });

  for (const subject of NAMES) {
    onStep(`new searches: warming up ${subject}`);
    await measure(subject, 0, WARM_UP_PAGES);
  }
  onStep('new searches: timing');
  const measured = Object.fromEntries(NAMES.map((name) => [name, 0])) as Record<Subject, number>;
  const runs = await alternating(
    Object.fromEntries(NAMES.map((name) => [name, name])) as Record<Subject, Subject>,
    ROUNDS,
    (subject) => measure(subject, WARM_UP_PAGES + measured[subject]++ * ROUND_PAGES, ROUND_PAGES),
  );
  onStep('new searches: the first pages after a start');
  const fresh = await startShell();
  const first = await measureEach(fresh, apiPid, {
    headers: HEADERS,
    paths: normalized.slice(-FIRST_PAGES),
  });
  const costs = Object.fromEntries(NAMES.map((name) => [name, medianOf(runs[name], allCpu)])) as Record<
    Subject,
    number
  >;
  const elements = async (subject: Subject) => {
    const pages = pathsOf(subject, WARM_UP_PAGES, SAMPLE_PAGES).map(async (path) =>
      elementsIn(await (await fetch(servers[subject].url + path, { headers: HEADERS })).text()),
    );
    return mean(await Promise.all(pages));
  };
  const rows = await Promise.all(
    NAMES.map(async (name) => rowOf(SUBJECTS[name], runs[name], await elements(name))),
  );
  return { measures: measuresOf(costs, allCpu(first)), table: markdownTable(COLUMNS, rows) };
}

const COLUMNS = [
  'Page',
  'HTML, kB',
  'Elements',
  'Pages per second',
  'CPU, ms',
  'from … to',
  'of it API',
  'CPU per kB, ms',
  'CPU per 1,000 elements, ms',
];

function rowOf(name: string, runs: readonly PageCost[], elements: number): readonly string[] {
  const cpu = medianOf(runs, allCpu);
  const kilobytes = medianOf(runs, ({ bytes }) => bytes) / 1000;
  const all = runs.map(allCpu);
  return [
    name,
    kilobytes.toFixed(0),
    elements.toFixed(0),
    medianOf(runs, ({ perSecond }) => perSecond).toFixed(0),
    cpu.toFixed(1),
    `${Math.min(...all).toFixed(1)} … ${Math.max(...all).toFixed(1)}`,
    medianOf(runs, ({ cpuMs }) => cpuMs.api).toFixed(1),
    (cpu / kilobytes).toFixed(3),
    ((cpu / elements) * 1000).toFixed(1),
  ];
}

const measuresOf = (costs: Readonly<Record<Subject, number>>, first: number): Measure[] => [
  {
    name: 'New search, CPU of all processes; every slot rendered',
    unit: 'ms',
    digits: 1,
    value: costs.rendered,
    oneBundle: costs.oneBundle,
    budget: BUDGETS.newSearchComposition,
  },
  { name: 'New search, CPU of all processes', unit: 'ms', digits: 1, value: costs.production },
  {
    name: 'New search against React InstantSearch: CPU of all processes',
    unit: '×',
    digits: 2,
    value: costs.production / costs.instantSearch,
    budget: BUDGETS.peerCpu,
  },
  {
    name: `New search against React InstantSearch: the first ${FIRST_PAGES} pages after a start of the shell`,
    unit: '×',
    digits: 2,
    value: first / costs.instantSearch,
    budget: BUDGETS.firstPages,
  },
];
