import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { compile } from '@forecourt/build/buildRelease';
import { installPackages } from '@forecourt/local/installPackages';
import { BUDGETS } from './budgets.ts';
import { allCpu, clientOf, elementsIn, measureCost, type PageCost } from './pageCosts.ts';
import { alternating } from '@forecourt/harness/alternating';
import { markdownTable } from '@forecourt/harness/markdown';
import { medianOf } from '@forecourt/harness/statistics';
import type { Measure } from './report.ts';
import { startServer } from './servers/pageServer.ts';
import type { PageServer, Variants } from './servers/variants.ts';
import { measureVisits } from './visits.ts';

// Not a package of the workspace: its dependencies are installed here on the first run, not with the repository.
const FOLDER = fileURLToPath(new URL('../peers', import.meta.url));
/** The search of the bench's page, as query of the API's listing call. */
const QUERY = '/?makeCode=FORD&modelCode=F150&zip=60601&searchRadius=50&numRecords=30';
/** Compression costs all of them the same per byte. */
const HEADERS = clientOf('identity');
const WARM_UP_SECONDS = 3;
const LOAD_SECONDS = 4;
const ROUNDS = 5;
const SCRIPT = fileURLToPath(new URL('../dist/peers/app.js', import.meta.url));

const SUBJECTS = {
  composed: 'The composed page, uncached',
  cached: 'The composed page, cached',
  instantSearch: 'React InstantSearch, rendered on the server',
  floor: 'HTML written by hand',
};
type Subject = keyof typeof SUBJECTS;

const MEDIANS = {
  perSecond: (cost: PageCost) => cost.perSecond,
  all: allCpu,
  api: (cost: PageCost) => cost.cpuMs.api,
} as const;

type Medians = Readonly<Record<keyof typeof MEDIANS, number>>;

/** Budgets against the peers, and tables of them: on the server, and in a browser. */
export interface PeerResult {
  readonly measures: readonly Measure[];
  readonly table: string;
  readonly visits: string;
}

/** The script of the only peer that has one, as its own build would make it. */
const buildScript = () =>
  compile([
    {
      name: 'peers',
      mode: 'production',
      target: 'web',
      devtool: false,
      entry: `${FOLDER}/instantSearchBrowser.mjs`,
      output: { path: resolve(SCRIPT, '..'), filename: 'app.js' },
      performance: false,
    },
  ]);

/** The composed page beside other ways to serve the same listings from the same API, in alternating order. */
export async function measurePeers(
  { composed, cached, stack }: Variants,
  path: string,
  { onStart, onStep }: { onStart: (stop: () => Promise<void>) => void; onStep: (step: string) => void },
): Promise<PeerResult> {
  onStep('peers: installing and starting');
  await installPackages(FOLDER);
  await buildScript();
  const environment = {
    MARKETPLACE_API_URL: `http://127.0.0.1:${stack.ports['marketplace-api']}`,
    PEER_SCRIPT: SCRIPT,
  };
  const start = async (file: string): Promise<PageServer> => {
    const server = await startServer(file, `${FOLDER}/${file}`, QUERY, environment);
    onStart(() => server.stop());
    return { ...server, url: server.url + QUERY };
  };
  const servers: Record<Subject, PageServer> = {
    composed: { ...composed, url: composed.url + path },
    cached: { ...cached, url: cached.url + path },
    instantSearch: await start('instantSearch.mjs'),
    floor: await start('floor.mjs'),
  };
  onStep('peers: load');
  const apiPid = stack.pids['marketplace-api'] ?? 0;
  const load = (seconds: number) => (server: PageServer) =>
    measureCost(server, apiPid, { headers: HEADERS, seconds });
  await alternating(servers, 1, load(WARM_UP_SECONDS));
  const runs = await alternating(servers, ROUNDS, load(LOAD_SECONDS));
  const medians = (subject: Subject): Medians => {
    const of = (name: keyof typeof MEDIANS) => medianOf(runs[subject], MEDIANS[name]);
    return { perSecond: of('perSecond'), all: of('all'), api: of('api') };
  };
  const costs = {
    composed: medians('composed'),
    cached: medians('cached'),
    instantSearch: medians('instantSearch'),
    floor: medians('floor'),
  };
  onStep('peers: visits');
  // A cached page is the same in the browser.
  const visits = await measureVisits({
    composed: servers.composed.url,
    instantSearch: servers.instantSearch.url,
    floor: servers.floor.url,
  });
  return {
    measures: [...peerMeasures(costs), ...visits.measures],
    table: await peerTable(servers, costs),
    visits: visits.table,
  };
}

const peerMeasures = (costs: Readonly<Record<Subject, Medians>>): Measure[] => [
  {
    name: 'Uncached page against React InstantSearch: CPU of all processes',
    unit: '×',
    digits: 2,
    value: costs.composed.all / costs.instantSearch.all,
    budget: BUDGETS.peerCpu,
  },
  {
    name: 'Cached page against React InstantSearch: pages per second',
    unit: '×',
    digits: 1,
    value: costs.cached.perSecond / costs.instantSearch.perSecond,
    budget: BUDGETS.peerPages,
  },
];

async function peerTable(
  servers: Readonly<Record<Subject, PageServer>>,
  costs: Readonly<Record<Subject, Medians>>,
): Promise<string> {
  const rows = await Promise.all(
    (Object.keys(SUBJECTS) as Subject[]).map(async (subject) => {
      const html = await (await fetch(servers[subject].url, { headers: HEADERS })).text();
      const { perSecond, all, api } = costs[subject];
      const [kilobytes, elements] = [Buffer.byteLength(html) / 1000, elementsIn(html)];
      return [
        SUBJECTS[subject],
        kilobytes.toFixed(0),
        String(elements),
        perSecond.toFixed(0),
        all.toFixed(2),
        api.toFixed(2),
        (all / kilobytes).toFixed(3),
        ((all / elements) * 1000).toFixed(1),
      ];
    }),
  );
  return markdownTable(
    [
      'Page',
      'HTML, kB',
      'Elements',
      'Pages per second',
      'CPU, ms',
      'of it API',
      'CPU per kB, ms',
      'CPU per 1,000 elements, ms',
    ],
    rows,
  );
}
