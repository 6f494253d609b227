import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { compile } from '@forecourt/build/buildRelease';
import { installPackages } from '@forecourt/local/installPackages';
import { BUDGETS } from './budgets.ts';
import { clientOf, measureCost } from './pageCosts.ts';
import { alternating } from '@forecourt/harness/alternating';
import { medianOf } from '@forecourt/harness/statistics';
import type { Measure } from './report.ts';
import { measureSearchCosts } from './searchCosts.ts';
import { startServer } from './servers/pageServer.ts';
import type { PageServer, Variants } from './servers/variants.ts';
import { measureVisits } from './visits.ts';

// Not a package of the workspace: its dependencies are installed here on the first run, not with the repository.
const FOLDER = fileURLToPath(new URL('../peers', import.meta.url));
/** The search of the bench's page, as query of the API's listing call. */
const QUERY = '/?makeCode=FORD&modelCode=F150&zip=60601&searchRadius=50&numRecords=30';
/** Compression costs all of them the same per byte. */
const HEADERS = clientOf('identity');
const LOAD_SECONDS = 4;
const ROUNDS = 3;
const SCRIPT = fileURLToPath(new URL('../dist/peers/app.js', import.meta.url));

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
  { composed, reusing, cached, oneBundle, stack, startShell }: Variants,
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
    return server;
  };
  const instantSearch = await start('instantSearch.mjs');
  const floor = await start('floor.mjs');
  const apiPid = stack.pids['marketplace-api'] ?? 0;
  const searches = await measureSearchCosts(
    { production: reusing, rendered: composed, oneBundle, instantSearch, floor },
    apiPid,
    { startShell: () => startShell('fresh shell', { CACHE_SECONDS: 'pages=0,slots=60' }), onStep },
  );
  onStep('peers: cached page');
  const load = (server: PageServer) =>
    measureCost(server, apiPid, { headers: HEADERS, seconds: LOAD_SECONDS });
  const repeated = {
    cached: { ...cached, url: cached.url + path },
    instantSearch: { ...instantSearch, url: instantSearch.url + QUERY },
  };
  await alternating(repeated, 1, load);
  const runs = await alternating(repeated, ROUNDS, load);
  onStep('peers: visits');
  // A cached page is the same in the browser.
  const visits = await measureVisits({
    composed: composed.url + path,
    instantSearch: repeated.instantSearch.url,
    floor: floor.url + QUERY,
  });
  const perSecond = (name: keyof typeof runs) => medianOf(runs[name], (run) => run.perSecond);
  return {
    measures: [
      ...searches.measures,
      {
        name: 'Cached page against React InstantSearch: pages per second',
        unit: '×',
        digits: 1,
        value: perSecond('cached') / perSecond('instantSearch'),
        budget: BUDGETS.peerPages,
      },
      ...visits.measures,
    ],
    table: searches.table,
    visits: visits.table,
  };
}
