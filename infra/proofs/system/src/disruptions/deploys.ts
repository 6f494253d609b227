import { memoryMiB, processTree } from '@forecourt/harness/processes';
import { fixtureDist, promote, readManifest, releasesOf } from '@forecourt/harness/releases';
import { slotHtml } from '@forecourt/harness/serverHtml';
import { startVisitors } from '@forecourt/harness/visitors';
import { completePage, PAGE, visitPageAndFile } from '../pages.ts';
import {
  collectGarbage,
  type Finding,
  inspectorUrl,
  noFailures,
  reported,
  required,
  until,
} from '../proof.ts';
import { publishVariant, rollBack } from '../registry.ts';
import { type Disruption, type Scenario, secondsOf } from './disruption.ts';
import type { inspectedStack, SystemOf } from './topologies.ts';

export const ROUNDS = 100;
export const SETTLED_ROUND = 20;
export const VISITORS = 2;
const PAUSE_MS = 20;
const MAX_GROWTH = 0.1;
/** The shell keeps a replaced release for a minute, for requests in flight and a quick rollback. */
const RETIRED_WITHIN_MS = 150_000;
/** The slot may miss its deadline while the machine is busy with something else. */
const MAX_MISSING_SHARE = 0.05;

type Site = SystemOf<typeof inspectedStack>;

/** Visitors who can pause, and their results. */
export function pausableVisitors({ shell, remote }: Site) {
  const totals = { missing: 0, requests: 0, failures: [] as string[] };
  const start = () =>
    startVisitors(VISITORS, PAUSE_MS, async () => {
      const html = await visitPageAndFile(shell, PAGE, remote);
      if (!slotHtml(html, 'showcase').includes('Fixture showcase')) totals.missing += 1;
    });
  let visits: ReturnType<typeof start> | undefined = start();
  return {
    totals,
    async stop() {
      const stopped = visits;
      visits = undefined;
      await stopped?.stop();
      totals.requests += stopped?.count() ?? 0;
      totals.failures.push(...(stopped?.failures ?? []));
    },
    resume() {
      visits = start();
    },
  };
}
type Traffic = ReturnType<typeof pausableVisitors>;

/** Memory and processes when nothing is in flight and garbage is collected. */
interface Idle {
  readonly shellMiB: number;
  readonly registryMiB: number;
  readonly processes: number;
}

/** Pauses the visitors and measures the idle services. */
async function measureIdle({ dataDir, pids, initialProcesses }: Site, traffic: Traffic): Promise<Idle> {
  await traffic.stop();
  let processes = Infinity;
  await until(
    'processes of old releases have ended',
    () => (processes = processTree(pids.shell).length) <= initialProcesses,
    {
      limitMs: RETIRED_WITHIN_MS,
      everyMs: 500,
    },
  ).catch(() => {
    // The findings report the count itself.
  });
  for (const service of ['shell', 'remote-registry']) await collectGarbage(inspectorUrl(dataDir, service));
  const shellMiB = memoryMiB(pids.shell);
  return { shellMiB, registryMiB: memoryMiB(pids.registry), processes };
}

/** Failures and missing slots that the visitors saw. */
const visitFindings = ({ missing, requests, failures }: Traffic['totals']): Finding[] => [
  noFailures('visits, each a page and a file', requests, failures),
  required(
    'Pages without the slot, which missed its deadline',
    missing,
    `≤ ${MAX_MISSING_SHARE * 100} %`,
    missing <= requests * MAX_MISSING_SHARE,
  ),
];

/** Memory growth of both services. */
function memoryFindings(settled: Idle, last: Idle): Finding[] {
  const sum = ({ shellMiB, registryMiB }: Idle) => shellMiB + registryMiB;
  const growth = sum(last) / sum(settled) - 1;
  const memory = (one: Idle) =>
    `${Math.round(sum(one))} MiB (shell ${Math.round(one.shellMiB)}, registry ${Math.round(one.registryMiB)})`;
  return [
    reported(`Memory after round ${SETTLED_ROUND}`, memory(settled)),
    reported(`Memory after round ${ROUNDS}`, memory(last)),
    required(
      `Growth from round ${SETTLED_ROUND} to ${ROUNDS}`,
      `${(growth * 100).toFixed(1)} %`,
      `within ±${MAX_GROWTH * 100} %`,
      Math.abs(growth) <= MAX_GROWTH,
    ),
  ];
}

/** Publishes, promotes and rolls back in every round. */
export function deploys(site: Site, traffic: Traffic): Scenario {
  const { shell, registry, pids, remote, good, initialProcesses } = site;
  const shows = (version: string, words: string) => async () =>
    (await releasesOf(shell))[remote] === version &&
    slotHtml(await completePage(shell + PAGE), 'showcase').includes(words);
  let settled: Idle | undefined;
  let peakProcesses = 0;
  let peakMiB = 0;
  const deployAndRollBack = async (round: number) => {
    const version = `9.3.${round}`;
    const words = `Fixture showcase, release ${round}.`;
    await publishVariant(registry, fixtureDist('good'), version, ['Fixture showcase', words]);
    await promote(registry, remote, version);
    await until(`release ${round}`, shows(version, words));
    peakProcesses = Math.max(peakProcesses, processTree(pids.shell).length);
    peakMiB = Math.max(peakMiB, memoryMiB(pids.shell));
    await rollBack(registry, remote);
    await until(`rollback ${round}`, shows(good, 'Fixture showcase'));
    if (round !== SETTLED_ROUND) return;
    settled = await measureIdle(site, traffic);
    traffic.resume();
  };
  return {
    disruptions: Array.from({ length: ROUNDS }, (_, at): Disruption => ({
      name: `round ${at + 1}`,
      run: () => secondsOf(() => deployAndRollBack(at + 1)),
      isSilent: (at + 1) % 10 !== 0,
    })),
    async findings() {
      const last = await measureIdle(site, traffic);
      if (!settled) throw new Error('no idle measurement to compare with');
      return [
        ...visitFindings(traffic.totals),
        ...memoryFindings(settled, last),
        reported('Peak memory of the shell', `${Math.round(peakMiB)} MiB`),
        reported(
          'Processes of the shell and its releases: initial, peak',
          `${initialProcesses}, ${peakProcesses}`,
        ),
        required(
          'Processes of the shell and its releases at the end',
          last.processes,
          `≤ ${initialProcesses}`,
          last.processes <= initialProcesses,
        ),
        reported('Versions published', `${readManifest(fixtureDist('good')).name} 9.3.1 to 9.3.${ROUNDS}`),
      ];
    },
  };
}
