import { residentMiB } from '@forecourt/bench/processes';
import { startOwnStack } from '@forecourt/e2e/ownStack';
import { deploy, fixtureDist, promote, readManifest, releasesOf } from '@forecourt/e2e/releases';
import { startVisitors } from '@forecourt/e2e/visitors';
import { PAGE, slotHtml, visitPageAndFile, wholePage } from './pages.ts';
import { collectGarbage, inspectorUrl, threadCount } from './processes.ts';
import { type Finding, listed, type Proof, type ProofContext, required, told } from './proof.ts';
import { publishVariant, rollBack } from './registryCalls.ts';
import { until } from './until.ts';

const ROUNDS = 100;
const SETTLED_ROUND = 20;
const VISITORS = 2;
const PAUSE_MS = 20;
const MAX_GROWTH = 0.1;
/** The shell keeps an abandoned release for a minute: for requests under way and a quick rollback. */
const RETIRED_WITHIN_MS = 150_000;
/** A page may be asked for in the very moment in which the machine is busy elsewhere. */
const MAX_CUT_SHARE = 0.05;

/** What the services hold when nothing is under way and no litter is left. */
interface Rest {
  readonly shellMiB: number;
  readonly registryMiB: number;
  readonly threads: number;
}

/** Starts the stack with a release live that works. */
async function startSite({ onEnd }: ProofContext) {
  // Port 0: each service that can be inspected gets a free one.
  const stack = await startOwnStack({ environment: { NODE_OPTIONS: '--inspect=127.0.0.1:0' } });
  onEnd(stack.remove);
  const { shell, 'remote-registry': registry } = stack.urls;
  const pids = { shell: stack.pids.shell ?? 0, registry: stack.pids['remote-registry'] ?? 0 };
  const { name: remote, version: good } = await deploy(stack.urls, fixtureDist('good'));
  const bareThreads = threadCount(pids.shell);
  return { dataDir: stack.dataDir, shell, registry, pids, remote, good, bareThreads };
}
type Site = Awaited<ReturnType<typeof startSite>>;

/** Starts visitors who can pause, and counts what they saw. */
function startTraffic({ shell, remote }: Site, { onEnd }: ProofContext) {
  const seen = { cuts: 0, requests: 0, failures: [] as string[] };
  const start = () =>
    startVisitors(VISITORS, PAUSE_MS, async () => {
      const html = await visitPageAndFile(shell, PAGE, remote);
      if (!slotHtml(html, 'showcase').includes('Fixture showcase')) seen.cuts += 1;
    });
  let visits = start();
  onEnd(() => visits.stop());
  return {
    seen,
    async pause() {
      await visits.stop();
      seen.requests += visits.count();
      seen.failures.push(...visits.failures);
    },
    resume() {
      visits = start();
    },
  };
}
type Traffic = ReturnType<typeof startTraffic>;

/** Pauses the visitors and measures what the services still hold. */
async function measureRest({ dataDir, pids, bareThreads }: Site, traffic: Traffic): Promise<Rest> {
  await traffic.pause();
  let threads = Infinity;
  await until('the end of the old workers', () => (threads = threadCount(pids.shell)) <= bareThreads, {
    limitMs: RETIRED_WITHIN_MS,
    everyMs: 500,
  }).catch(() => {
    // The findings report the count itself.
  });
  for (const service of ['shell', 'remote-registry']) await collectGarbage(inspectorUrl(dataDir, service));
  const shellMiB = residentMiB(pids.shell);
  return { shellMiB, registryMiB: residentMiB(pids.registry), threads };
}

/** Publishes, promotes and rolls back in every round. */
async function runRounds(site: Site, traffic: Traffic, say: ProofContext['say']) {
  const { shell, registry, pids, remote, good } = site;
  const shows = (version: string, words: string) => async () =>
    (await releasesOf(shell))[remote] === version &&
    slotHtml(await wholePage(shell + PAGE), 'showcase').includes(words);
  let settled: Rest | undefined;
  let mostThreads = 0;
  let peakMiB = 0;
  for (let round = 1; round <= ROUNDS; round += 1) {
    const version = `9.3.${round}`;
    const words = `Fixture showcase, release ${round}.`;
    await publishVariant(registry, fixtureDist('good'), version, ['Fixture showcase', words]);
    await promote(registry, remote, version);
    await until(`release ${round}`, shows(version, words));
    mostThreads = Math.max(mostThreads, threadCount(pids.shell));
    peakMiB = Math.max(peakMiB, residentMiB(pids.shell));
    await rollBack(registry, remote);
    await until(`the release before ${round}`, shows(good, 'Fixture showcase'));
    if (round % 10 === 0) say(`round ${round}: ${Math.round(residentMiB(pids.shell))} MiB`);
    if (round === SETTLED_ROUND) {
      settled = await measureRest(site, traffic);
      traffic.resume();
    }
  }
  return { settled, mostThreads, peakMiB };
}

/** What the visitors saw. */
const visitFindings = ({ cuts, requests, failures }: Traffic['seen']): Finding[] => [
  required(`Failed of ${requests} pages and as many files`, listed(failures), '0', failures.length === 0),
  required(
    'Pages without the slot: cut at its deadline',
    cuts,
    `≤ ${MAX_CUT_SHARE * 100} %`,
    cuts <= requests * MAX_CUT_SHARE,
  ),
];

/** How the memory of both services grew. */
function memoryFindings(settled: Rest, last: Rest): Finding[] {
  const sum = ({ shellMiB, registryMiB }: Rest) => shellMiB + registryMiB;
  const growth = sum(last) / sum(settled) - 1;
  const memory = (one: Rest) =>
    `${Math.round(sum(one))} MiB (shell ${Math.round(one.shellMiB)}, registry ${Math.round(one.registryMiB)})`;
  return [
    told(`Memory after round ${SETTLED_ROUND}`, memory(settled)),
    told(`Memory after round ${ROUNDS}`, memory(last)),
    required(
      `Growth from round ${SETTLED_ROUND} to ${ROUNDS}`,
      `${(growth * 100).toFixed(1)} %`,
      `within ±${MAX_GROWTH * 100} %`,
      Math.abs(growth) <= MAX_GROWTH,
    ),
  ];
}

export const deploysUnderLoad: Proof = {
  name: 'deploys',
  title: `${ROUNDS} publishes, promotes and rollbacks under load`,
  limitMs: 15 * 60_000,
  method: `Each round publishes a new release of mfe-showcase, promotes it, waits until a page shows it, rolls back and waits until a page shows the release before, while ${VISITORS} visitors ask for one page after the other (none is kept: \`PAGE_CACHE_SECONDS=0\`) and for a file of the release that their page was made of. Memory is the resident set of shell and registry. It is read after round ${SETTLED_ROUND} and after round ${ROUNDS}, both times when the visitors have paused, the abandoned releases have retired (the shell keeps them for a minute), and the garbage of the main thread and of every worker was collected by the inspector's \`HeapProfiler.collectGarbage\`. Threads are counted in \`/proc/<pid>/task\`.`,
  async run(context) {
    const site = await startSite(context);
    const traffic = startTraffic(site, context);
    const { settled, mostThreads, peakMiB } = await runRounds(site, traffic, context.say);
    const last = await measureRest(site, traffic);
    if (!settled) throw new Error('there was no round to compare with');
    const { bareThreads } = site;
    return [
      ...visitFindings(traffic.seen),
      ...memoryFindings(settled, last),
      told('Most memory of the shell meanwhile', `${Math.round(peakMiB)} MiB`),
      told('Threads of the shell: before, at most', `${bareThreads}, ${mostThreads}`),
      required(
        'Threads of the shell at the end',
        last.threads,
        `≤ ${bareThreads}`,
        last.threads <= bareThreads,
      ),
      told('Versions published', readManifest(fixtureDist('good')).name + ` 9.3.1 to 9.3.${ROUNDS}`),
    ];
  },
};
