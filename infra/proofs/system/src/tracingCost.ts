import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { cpuSeconds, processTree } from '@forecourt/harness/processes';
import { quantile } from '@forecourt/harness/statistics';
import { startOwnStack } from '@forecourt/harness/ownStack';
import { type ShellReplica, startReplica } from '@forecourt/harness/shellReplica';
import { startVisitors } from '@forecourt/harness/visitors';
import { removeDataDir, type Stack } from '@forecourt/local';
import { completePage, PAGE } from './pages.ts';
import { startTraceReceiver, type TraceBoard } from './traceReceiver.ts';
import { type Finding, noFailures, type Proof, type ProofContext, reported, required } from './proof.ts';

const SAMPLING = 0.1;
const MAX_OVERHEAD = 0.03;
const MIN_EXPLAINED = 0.95;
const TURNS = 40;
const TURN_MS = 5_000;
/** Turns of each arm that only warm it up. */
const WARM_UP = 4;
const VISITORS = 2;
/** Pages that are recorded one by one. */
const PAGES = 20;
/** The exporter sends a batch every five seconds. */
const EXPORT_MS = 6_000;

type ArmName = 'off' | 'sampled';

interface Arm {
  readonly replica: ShellReplica;
  /** CPU ms of shell, releases and API per page, by turn. */
  readonly costs: number[];
}

const cpuOf = (pids: readonly (number | undefined)[]): number =>
  pids
    .flatMap((pid) => (pid === undefined ? [] : processTree(pid)))
    .reduce((sum, pid) => sum + cpuSeconds(pid), 0);

/** Both arms in the order off, sampled, sampled, off, so that a drift of the machine affects them alike. */
const armOf = (turn: number): ArmName => (turn % 4 === 0 || turn % 4 === 3 ? 'off' : 'sampled');

async function measureTurns(stack: Stack, arms: Readonly<Record<ArmName, Arm>>, { say }: ProofContext) {
  const failures: string[] = [];
  let requests = 0;
  for (let turn = -2 * WARM_UP; turn < TURNS; turn += 1) {
    const { replica, costs } = arms[armOf(Math.abs(turn))];
    const pids = [replica.service().pid, stack.pids['marketplace-api']];
    const before = cpuOf(pids);
    const visits = startVisitors(VISITORS, 0, async () => void (await completePage(replica.url + PAGE)));
    await wait(TURN_MS);
    await visits.stop();
    if (turn >= 0) costs.push(((cpuOf(pids) - before) * 1000) / visits.count());
    failures.push(...visits.failures);
    requests += visits.count();
    if (turn % 10 === 9) say(`turn ${turn + 1} of ${TURNS}`);
  }
  return { requests, failures };
}

/** The interval of the mean of pairs, by two standard errors. */
function overheadOf({ off, sampled }: Readonly<Record<ArmName, Arm>>) {
  const ratios = off.costs.map((cost, at) => (sampled.costs[at] ?? NaN) / cost - 1);
  const mean = ratios.reduce((sum, ratio) => sum + ratio, 0) / ratios.length;
  const variance = ratios.reduce((sum, ratio) => sum + (ratio - mean) ** 2, 0) / (ratios.length - 1);
  return { mean, error: 2 * Math.sqrt(variance / ratios.length) };
}

/** Requests pages one by one, each recorded, and returns their traces. */
async function recordPages(stack: Stack, board: TraceBoard) {
  const ids = Array.from({ length: PAGES }, (_, at) => `traced-page-${at}`);
  for (const id of ids) {
    const response = await fetch(stack.urls.shell + PAGE, { headers: { 'X-Request-Id': id } });
    await response.text();
  }
  await wait(EXPORT_MS);
  const own = board.list().filter(({ requestId }) => ids.includes(requestId ?? ''));
  return own.flatMap(({ traceId }) => board.find(traceId) ?? []);
}

const percent = (share: number): string => `${(share * 100).toFixed(1)} %`;

function traceFindings(traces: Awaited<ReturnType<typeof recordPages>>): Finding[] {
  const shares = traces.map(({ explained }) => explained);
  const [first] = traces;
  const count = (prefix: string) => first?.steps.filter(({ name }) => name.startsWith(prefix)).length ?? 0;
  const services = new Set(first?.steps.map(({ service }) => service));
  return [
    required('Recorded pages', traces.length, String(PAGES), traces.length === PAGES),
    required(
      'Share of a page’s time that its steps explain, p50, least',
      `${percent(quantile(shares, 0.5))}, ${percent(Math.min(...shares))}`,
      `≥ ${percent(MIN_EXPLAINED)}`,
      Math.min(...shares) >= MIN_EXPLAINED,
    ),
    reported(
      'Slots, calls and searches of the index in one page',
      `${count('slot ')}, ${count('call ')}, ${count('index ')}`,
    ),
    required('Services in one page’s trace', [...services].join(', '), 'shell and API', services.size >= 2),
  ];
}

export const tracingCost: Proof = {
  name: 'tracing',
  title: 'What traces show and cost',
  limitMs: 10 * 60_000,
  method: `${PAGES} recorded pages, one by one, are read from a receiver of traces. Then two shells over the same API, one that records ${SAMPLING * 100} % of its requests and one without a receiver of traces, render uncached pages for ${VISITORS} visitors in ${TURNS} turns of ${TURN_MS / 1000} s (off, sampled, sampled, off, …). The cost of a turn is the CPU time of the shell, its releases and the API in \`/proc\`, per page.`,
  async run(context) {
    const receiver = await startTraceReceiver();
    context.onEnd(receiver.close);
    const OTEL_EXPORTER_OTLP_ENDPOINT = receiver.url;
    const stack = await startOwnStack({
      environment: { OTEL_EXPORTER_OTLP_ENDPOINT },
    });
    context.onEnd(stack.remove);
    for (let page = 0; page < PAGES; page += 1) await completePage(stack.urls.shell + PAGE);
    const traces = await recordPages(stack, receiver.board);
    const folder = mkdtempSync(join(tmpdir(), 'forecourt-tracing-'));
    context.onEnd(() => removeDataDir(folder));
    const startArm = async (name: ArmName, environment: Record<string, string>): Promise<Arm> => ({
      replica: await startReplica(
        stack,
        join(folder, name),
        { LOCAL_MODE: 'true', CACHE_SECONDS: 'pages=0', ...environment },
        context.onEnd,
      ),
      costs: [],
    });
    const arms = {
      off: await startArm('off', {}),
      sampled: await startArm('sampled', {
        OTEL_EXPORTER_OTLP_ENDPOINT,
        OTEL_TRACES_SAMPLER_ARG: String(SAMPLING),
      }),
    };
    const { requests, failures } = await measureTurns(stack, arms, context);
    const { mean, error } = overheadOf(arms);
    return [
      ...traceFindings(traces),
      noFailures('page requests', requests, failures),
      reported(
        'CPU time of a page, p50: off, sampled',
        `${quantile(arms.off.costs, 0.5).toFixed(1)} ms, ${quantile(arms.sampled.costs, 0.5).toFixed(1)} ms`,
      ),
      required(
        `More CPU time at ${SAMPLING * 100} % sampling, ± two standard errors`,
        `${percent(mean)} ± ${percent(error)}`,
        `≤ ${percent(MAX_OVERHEAD)}`,
        mean <= MAX_OVERHEAD,
      ),
    ];
  },
};
