import { BUDGETS } from './budgets.ts';
import { medianOf } from '@forecourt/harness/statistics';
import type { Measure } from './report.ts';
import { cpuSeconds, processTree } from '@forecourt/harness/processes';
import type { PageServer, Variants } from './servers/variants.ts';
import { type Autocannon, loadAutocannon } from './tools.ts';

/** Content codings as a client sends them in Accept-Encoding. */
const CODINGS = ['br', 'zstd', 'gzip', 'identity'] as const;
const CONNECTIONS = 16;
/** Pages at a time where each is requested once. */
const FEW_CONNECTIONS = 4;
const WARM_UP_SECONDS = 3;
const LOAD_SECONDS = 4;
const ROUNDS = 3;
/** Crawlers get other pages than shoppers. */
const USER_AGENT =
  'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36';

export interface PageCost {
  readonly perSecond: number;
  /** CPU by process, in ms per page; `renderers` are the releases' processes. */
  readonly cpuMs: Readonly<Record<'shell' | 'renderers' | 'api', number>>;
  readonly bytes: number;
  readonly pages: number;
}

type Clients = Readonly<Record<string, string>>;

/** CPU so far, by process; seconds. */
function cpuUsage(pid: number, apiPid: number) {
  const [shell = 0, ...renderers] = processTree(pid).map(cpuSeconds);
  return { shell, renderers: renderers.reduce((sum, each) => sum + each, 0), api: cpuSeconds(apiPid) };
}

type LoadResult = Awaited<ReturnType<Autocannon>>;

/** The cost of the pages of a load. A 304 counts as a page. */
async function costOf(pid: number, apiPid: number, load: () => Promise<LoadResult>): Promise<PageCost> {
  const before = cpuUsage(pid, apiPid);
  const result = await load();
  const after = cpuUsage(pid, apiPid);
  const pages = result['2xx'] + result['3xx'];
  if (pages === 0 || result.errors > 0)
    throw new Error(`${result.errors} requests failed, ${pages} succeeded`);
  const perPage = (name: keyof typeof before) => ((after[name] - before[name]) * 1000) / pages;
  return {
    perSecond: pages / result.duration,
    cpuMs: { shell: perPage('shell'), renderers: perPage('renderers'), api: perPage('api') },
    bytes: result.throughput.total / pages,
    pages,
  };
}

/** Pages per second and CPU per page of clients that send `headers` and request the server's URL again and again. */
export async function measureCost(
  { url, pid }: PageServer,
  apiPid: number,
  { headers, seconds }: { readonly headers: Clients; readonly seconds: number },
): Promise<PageCost> {
  const autocannon = await loadAutocannon();
  return costOf(pid, apiPid, () => autocannon({ url, connections: CONNECTIONS, duration: seconds, headers }));
}

/** The same for `paths`, each requested once. A multiple of four, because four connections share them. */
export async function measureEach(
  { url, pid }: PageServer,
  apiPid: number,
  { headers, paths }: { readonly headers: Clients; readonly paths: readonly string[] },
): Promise<PageCost> {
  const autocannon = await loadAutocannon();
  const each = paths.length / FEW_CONNECTIONS;
  let connections = 0;
  return costOf(pid, apiPid, async () => {
    const result = await autocannon({
      url,
      connections: FEW_CONNECTIONS,
      amount: paths.length,
      headers,
      setupClient(client) {
        const from = connections++ * each;
        client.setRequests(paths.slice(from, from + each).map((path) => ({ path })));
      },
    });
    if (result['2xx'] !== paths.length) throw new Error(`${result.non2xx} pages had another status than 200`);
    return result;
  });
}

async function medianCost(server: PageServer, apiPid: number, headers: Clients): Promise<PageCost> {
  await measureCost(server, apiPid, { headers, seconds: WARM_UP_SECONDS });
  const runs: PageCost[] = [];
  for (let round = 0; round < ROUNDS; round += 1)
    runs.push(await measureCost(server, apiPid, { headers, seconds: LOAD_SECONDS }));
  const cpu = (name: keyof PageCost['cpuMs']) => medianOf(runs, (run) => run.cpuMs[name]);
  return {
    perSecond: medianOf(runs, (run) => run.perSecond),
    cpuMs: { shell: cpu('shell'), renderers: cpu('renderers'), api: cpu('api') },
    bytes: medianOf(runs, (run) => run.bytes),
    pages: runs.reduce((sum, { pages }) => sum + pages, 0),
  };
}

export const clientOf = (coding: string): Clients => ({
  'user-agent': USER_AGENT,
  'accept-encoding': coding,
});
export const allCpu = ({ cpuMs }: PageCost) => cpuMs.shell + cpuMs.renderers + cpuMs.api;

/** s of the shell's thread for checking the HTML of releases. */
async function checkSeconds({ url }: PageServer): Promise<number> {
  const text = await (await fetch(new URL('/metrics', url))).text();
  return [...text.matchAll(/^forecourt_release_shell_cpu_seconds\{.*work="checking".*\} (\S+)$/gm)].reduce(
    (sum, [, seconds]) => sum + Number(seconds),
    0,
  );
}

/** The sum of a counter's series whose labels match. */
async function counted(origin: string, name: string, labels: RegExp): Promise<number> {
  const text = await (await fetch(`${origin}/metrics`)).text();
  return [...text.matchAll(new RegExp(`^${name}\\{(.*)\\} (\\d+)$`, 'gm'))]
    .filter(([, found = '']) => labels.test(found))
    .reduce((sum, [, , count]) => sum + Number(count), 0);
}

/** What the shell has asked the upstream so far. Calls that its cache answered don't count. */
async function upstreamUse({ composed, stack }: Variants) {
  const sent = /^(?!.*outcome="(?:cached|skipped)")/;
  return {
    calls: await counted(composed.url, 'forecourt_call_seconds_count', sent),
    batches: await counted(
      stack.urls['marketplace-api'],
      'marketplace_http_request_duration_seconds_count',
      /route="\/batch"/,
    ),
  };
}

/** Start tags of elements. */
export const elementsIn = (html: string): number => html.match(/<[a-z][a-z0-9-]*[\s>/]/g)?.length ?? 0;

/** Sizes of one page, and the upstream calls that it takes. */
async function contentMeasures(variants: Variants, path: string): Promise<Measure[]> {
  const { composed, cached } = variants;
  const uses: { calls: number; batches: number }[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const before = await upstreamUse(variants);
    await (await fetch(composed.url + path, { headers: clientOf('identity') })).text();
    const after = await upstreamUse(variants);
    uses.push({ calls: after.calls - before.calls, batches: after.batches - before.batches });
  }
  // Only a complete page is cached: right after the load, an uncached one may lack a part that was late.
  await tagOf(cached.url + path);
  const html = await (await fetch(cached.url + path, { headers: clientOf('identity') })).text();
  const [, boot = ''] = /<script type="application\/json" id="fc-boot">(.*?)<\/script>/s.exec(html) ?? [];
  const { content: contentUrl } = JSON.parse(boot) as { content: string };
  const content = await (await fetch(cached.url + contentUrl, { headers: clientOf('identity') })).text();
  const plain = (name: string, unit: string, value: number, budget: Measure['budget']): Measure => ({
    name,
    unit,
    digits: 0,
    value,
    ...(budget && { budget }),
  });
  return [
    plain('HTML, uncompressed', 'kB', Buffer.byteLength(html) / 1000, BUDGETS.rawHtml),
    plain('Boot data of it, uncompressed', 'kB', Buffer.byteLength(boot) / 1000, BUDGETS.bootData),
    plain('Content that its scripts fetch, uncompressed', 'kB', Buffer.byteLength(content) / 1000, undefined),
    plain('Elements of the HTML', '', elementsIn(html), BUDGETS.elements),
    plain(
      'Upstream requests of an uncached page, each with several calls',
      '',
      medianOf(uses, (use) => use.batches),
      BUDGETS.upstreamRequests,
    ),
    plain(
      'Upstream calls of an uncached page',
      '',
      medianOf(uses, (use) => use.calls),
      undefined,
    ),
  ];
}

/** The cost of uncached pages of which every slot is rendered. */
async function renderedMeasures(server: PageServer, apiPid: number): Promise<Measure[]> {
  const cost = await medianCost(server, apiPid, clientOf('br'));
  const before = await checkSeconds(server);
  const { pages } = await measureCost(server, apiPid, { headers: clientOf('br'), seconds: LOAD_SECONDS });
  const checked = await checkSeconds(server);
  const measure = (name: string, unit: string, value: number): Measure => ({ name, unit, digits: 1, value });
  return [
    measure('Uncached pages with every slot rendered per second, br', '1/s', cost.perSecond),
    measure('Uncached page with every slot rendered, CPU of all processes, br', 'ms', allCpu(cost)),
    {
      name: 'Uncached page with every slot rendered, CPU of the shell to check the HTML of releases',
      unit: 'ms',
      digits: 2,
      value: ((checked - before) * 1000) / pages,
      budget: BUDGETS.checks,
    },
  ];
}

/** Uncached pages as the shell serves them: slots with the same inputs are not rendered again. */
async function uncachedMeasures(
  { composed, reusing, stack }: Variants,
  path: string,
  onStep: (step: string) => void,
): Promise<Measure[]> {
  const measures: Measure[] = [];
  const apiPid = stack.pids['marketplace-api'] ?? 0;
  for (const coding of CODINGS) {
    onStep(`uncached pages, ${coding}`);
    const cost = await medianCost({ ...reusing, url: reusing.url + path }, apiPid, clientOf(coding));
    const measure = (name: string, unit: string, value: number): Measure => ({
      name: `${name}, ${coding}`,
      unit,
      digits: 1,
      value,
    });
    const isFirst = coding === CODINGS[0];
    measures.push(
      {
        ...measure('Uncached pages per second', '1/s', cost.perSecond),
        ...(isFirst && { budget: BUDGETS.uncachedPages }),
      },
      {
        ...measure('Uncached page, CPU of all processes', 'ms', allCpu(cost)),
        ...(isFirst && { budget: BUDGETS.uncachedCpu }),
      },
    );
    if (!isFirst) continue;
    for (const name of ['shell', 'renderers', 'api'] as const)
      measures.push(measure(`Uncached page, CPU of ${name}`, 'ms', cost.cpuMs[name]));
  }
  onStep('uncached pages with every slot rendered');
  measures.push(...(await renderedMeasures({ ...composed, url: composed.url + path }, apiPid)));
  return measures;
}

/** The entity tag of a cached page, once it is cached and compressed well. */
async function tagOf(url: string): Promise<string> {
  const etag = (await fetch(url, { headers: clientOf('br') })).headers.get('etag');
  if (etag === null) throw new Error('the page is not cached');
  return etag;
}

async function cachedMeasures(
  { cached, stack }: Variants,
  path: string,
  onStep: (step: string) => void,
): Promise<Measure[]> {
  const server = { ...cached, url: cached.url + path };
  const measures: Measure[] = [];
  for (const coding of [...CODINGS, '304'] as const) {
    onStep(`cached pages, ${coding}`);
    const headers =
      coding === '304' ? { ...clientOf('br'), 'if-none-match': await tagOf(server.url) } : clientOf(coding);
    const cost = await medianCost(server, stack.pids['marketplace-api'] ?? 0, headers);
    const perSecond = coding === '304' ? BUDGETS.notModified : BUDGETS.cachedPages;
    measures.push(
      {
        name: `Cached pages per second, ${coding}`,
        unit: '1/s',
        digits: 0,
        value: cost.perSecond,
        budget: perSecond,
      },
      {
        name: `Cached page, CPU of the shell, ${coding}`,
        unit: 'ms',
        digits: 2,
        value: cost.cpuMs.shell,
        budget: BUDGETS.cachedCpu,
      },
      { name: `Cached page, bytes with headers, ${coding}`, unit: 'kB', digits: 1, value: cost.bytes / 1000 },
    );
  }
  return measures;
}

/** What an uncached and a cached page cost on the server, by process and coding, and what is in the page. */
export async function measurePageCosts(
  variants: Variants,
  path: string,
  onStep: (step: string) => void,
): Promise<Measure[]> {
  return [
    ...(await contentMeasures(variants, path)),
    ...(await uncachedMeasures(variants, path, onStep)),
    ...(await cachedMeasures(variants, path, onStep)),
  ];
}
