import { setTimeout as wait } from 'node:timers/promises';
import { alternating } from '@forecourt/harness/alternating';
import { medianOf, quantile, median } from '@forecourt/harness/statistics';
import type { Budget, Measure } from './report.ts';
import { BUDGETS } from './budgets.ts';
import { processTree, memoryMiB, cpuSeconds } from '@forecourt/harness/processes';
import type { PageServer, Variants } from './servers/variants.ts';
import { loadAutocannon } from './tools.ts';

const CONNECTIONS = 32;

interface LoadResult {
  readonly requestsPerSecond: number;
  /** CPU of the server process and its children, all threads. */
  readonly cpuMsPerRequest: number;
  /** Median time to response headers under this load. */
  readonly firstByteMs: number;
  /** Non-2xx responses, errors and timeouts. */
  readonly failed: number;
}

/** Loads a server on this machine for some seconds and measures the CPU of process `pid` and its children. */
async function measureLoad(url: string, pid: number, seconds: number): Promise<LoadResult> {
  const autocannon = await loadAutocannon();
  const firstBytes: number[] = [];
  const cpu = () => processTree(pid).reduce((sum, each) => sum + cpuSeconds(each), 0);
  const before = cpu();
  const result = await autocannon({
    url,
    connections: CONNECTIONS,
    duration: seconds,
    headers: { 'accept-encoding': 'br' },
    setupClient(client) {
      // Each connection sends one request at a time.
      let requestedAt = performance.now();
      client.on('headers', () => void firstBytes.push(performance.now() - requestedAt));
      client.on('response', () => {
        requestedAt = performance.now();
      });
    },
  });
  const responses = Math.max(1, result['2xx']);
  return {
    requestsPerSecond: responses / result.duration,
    cpuMsPerRequest: ((cpu() - before) * 1000) / responses,
    firstByteMs: median(firstBytes),
    failed: result.non2xx + result.errors,
  };
}

/** Times to first byte of sequential requests, in ms. */
async function measureFirstByte(url: string, times: number): Promise<number[]> {
  const measured: number[] = [];
  for (let run = 0; run < times; run += 1) {
    const started = performance.now();
    const response = await fetch(url, { headers: { 'accept-encoding': 'br' } });
    const reader = response.body?.getReader();
    await reader?.read();
    measured.push(performance.now() - started);
    while (reader && !(await reader.read()).done);
  }
  return measured;
}

/** Until the compilers of six processes have seen a page often enough. */
const WARM_UP_SECONDS = 12;
const LOAD_SECONDS = 6;
const LOAD_ROUNDS = 3;
const SINGLE_ROUNDS = 4;
const SINGLE_REQUESTS = 25;
/** Releases return memory after ten seconds without a job. */
const IDLE_SECONDS = 30;

/** Measures the servers, idle and under load. */
export async function measureServers(
  { stack, composed, inline, reusing, oneBundle }: Variants,
  path: string,
  onStep: (step: string) => void,
): Promise<Measure[]> {
  const servers = { composed, inline, reusing, oneBundle };
  const load = (seconds: number) => (server: PageServer) =>
    measureLoad(server.url + path, server.pid, seconds);
  onStep('load');
  await alternating(servers, 1, load(WARM_UP_SECONDS));
  const loads = await alternating(servers, LOAD_ROUNDS, load(LOAD_SECONDS));
  const failed = Object.values(loads)
    .flat()
    .reduce((sum, run) => sum + run.failed, 0);
  if (failed > 0) throw new Error(`${failed} requests failed under load`);
  const memory = memoryMeasures(stack);
  onStep('idle releases');
  await wait(IDLE_SECONDS * 1_000);
  memory.push(...idleMeasures(stack));

  onStep('single requests');
  const singles = await alternating(servers, SINGLE_ROUNDS, ({ url }) =>
    measureFirstByte(url + path, SINGLE_REQUESTS),
  );
  const single = (name: keyof typeof singles) => quantile(singles[name].flat(), 0.5);

  return [
    {
      name: 'First byte of a single request, p50',
      unit: 'ms',
      digits: 1,
      value: single('composed'),
      oneBundle: single('oneBundle'),
    },
    ...underLoad(
      loads,
      { name: `Requests per second at ${CONNECTIONS} connections`, unit: '1/s', digits: 0 },
      'requestsPerSecond',
      { composed: BUDGETS.throughput },
    ),
    ...underLoad(
      loads,
      { name: 'Processor time of the page server per request', unit: 'ms', digits: 1 },
      'cpuMsPerRequest',
      { composed: BUDGETS.composition, reusing: BUDGETS.composition },
    ),
    {
      name: 'Processor time of isolated against inline rendering, per request',
      unit: '×',
      digits: 2,
      value:
        medianOf(loads.composed, (run) => run.cpuMsPerRequest) /
        medianOf(loads.inline, (run) => run.cpuMsPerRequest),
      budget: BUDGETS.isolation,
    },
    ...underLoad(
      loads,
      { name: `First byte at ${CONNECTIONS} connections, p50`, unit: 'ms', digits: 0 },
      'firstByteMs',
    ),
    ...memory,
  ];
}

const inMiB = (name: string, value: number): Measure => ({ name, unit: 'MiB', digits: 0, value });

/** The largest process of a release some time after the load. */
function idleMeasures({ pids }: Variants['stack']): Measure[] {
  const [, ...releases] = processTree(pids.shell ?? 0);
  const largest = (kind: 'resident' | 'proportional' | 'own') =>
    Math.max(...releases.map((pid) => memoryMiB(pid, kind)));
  const name = `Memory of the largest process of a release, idle for ${IDLE_SECONDS} s`;
  return [
    { ...inMiB(name, largest('proportional')), budget: BUDGETS.idleRelease },
    inMiB(`${name}; without what it shares with others`, largest('own')),
    inMiB(`${name}; with all of Node, which all processes share`, largest('resident')),
  ];
}

function memoryMeasures({ pids }: Variants['stack']): Measure[] {
  const memoryOf = (
    names: readonly ('shell' | 'marketplace-api' | 'remote-registry')[],
    kind: 'resident' | 'proportional' = 'proportional',
  ) => names.flatMap((name) => processTree(pids[name] ?? 0)).map((pid) => memoryMiB(pid, kind));
  const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);
  const [shell = 0, ...releases] = memoryOf(['shell']);
  const together = "Of it, shell and releases' processes";
  return [
    inMiB('Memory of the largest process of a release after load', Math.max(...releases)),
    {
      // Identity is excluded: sites may use another issuer.
      ...inMiB(
        'Memory of shell, API and registry after load',
        sum(memoryOf(['shell', 'marketplace-api', 'remote-registry'])),
      ),
      budget: BUDGETS.memory,
    },
    { ...inMiB(together, shell + sum(releases)), budget: BUDGETS.shellMemory },
    inMiB(`${together}; the shell alone`, shell),
    inMiB(`${together}; with all of Node in each, which they share`, sum(memoryOf(['shell'], 'resident'))),
  ];
}

/** Of the composed page; the first renders every slot in a process. */
const VARIANTS = ['composed', 'inline', 'reusing'] as const;
const VARIANT_NAMES = {
  composed: '',
  inline: "; slots in the shell's thread",
  reusing: '; slots with equal inputs reused, as in production',
};
type Variant = (typeof VARIANTS)[number];
type Loads = Readonly<Record<Variant | 'oneBundle', readonly LoadResult[]>>;

/** A figure of the load runs, for each variant of the composed page against one bundle. */
const underLoad = (
  loads: Loads,
  measure: Pick<Measure, 'name' | 'unit' | 'digits'>,
  field: 'requestsPerSecond' | 'cpuMsPerRequest' | 'firstByteMs',
  budgets: Readonly<Partial<Record<Variant, Budget>>> = {},
): Measure[] =>
  VARIANTS.map((variant) => {
    const budget = budgets[variant];
    return {
      ...measure,
      name: measure.name + VARIANT_NAMES[variant],
      value: medianOf(loads[variant], (run) => run[field]),
      oneBundle: medianOf(loads.oneBundle, (run) => run[field]),
      ...(budget && { budget }),
    };
  });
