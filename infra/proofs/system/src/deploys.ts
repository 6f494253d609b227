import { createHash } from 'node:crypto';
import { inFreshBrowser } from '@forecourt/harness/browser';
import { processTree, memoryMiB } from '@forecourt/harness/processes';
import { startOwnStack } from '@forecourt/harness/ownStack';
import { startVisitors } from '@forecourt/harness/visitors';
import { deploy, fixtureDist, promote, readManifest, releasesOf } from '@forecourt/harness/releases';
import { BROWSER_USER_AGENT, slotHtml } from '@forecourt/harness/serverHtml';
import { PAGE, visitPageAndFile, completePage } from './pages.ts';
import {
  collectGarbage,
  inspectorUrl,
  until,
  type Finding,
  type Proof,
  type ProofContext,
  noFailures,
  required,
  reported,
} from './proof.ts';
import { distOf, publishVariant, rollBack } from './registry.ts';

const ROUNDS = 100;
const SETTLED_ROUND = 20;
const VISITORS = 2;
const PAUSE_MS = 20;
const MAX_GROWTH = 0.1;
/** The shell keeps a replaced release for a minute, for requests in flight and a quick rollback. */
const RETIRED_WITHIN_MS = 150_000;
/** The slot may miss its deadline while the machine is busy with something else. */
const MAX_MISSING_SHARE = 0.05;

/** Memory and processes when nothing is in flight and garbage is collected. */
interface Idle {
  readonly shellMiB: number;
  readonly registryMiB: number;
  readonly processes: number;
}

/** Starts the stack with a working release live. */
async function startSite({ onEnd }: ProofContext) {
  // Port 0: each service that can be inspected gets a free one.
  const stack = await startOwnStack({ environment: { NODE_OPTIONS: '--inspect=127.0.0.1:0' } });
  onEnd(stack.remove);
  const { shell, 'remote-registry': registry } = stack.urls;
  const pids = { shell: stack.pids.shell ?? 0, registry: stack.pids['remote-registry'] ?? 0 };
  const { name: remote, version: good } = await deploy(stack.urls, fixtureDist('good'));
  const initialProcesses = processTree(pids.shell).length;
  return { dataDir: stack.dataDir, shell, registry, pids, remote, good, initialProcesses };
}
type Site = Awaited<ReturnType<typeof startSite>>;

/** Starts visitors who can pause, and counts their results. */
function startTraffic({ shell, remote }: Site, { onEnd }: ProofContext) {
  const totals = { missing: 0, requests: 0, failures: [] as string[] };
  const start = () =>
    startVisitors(VISITORS, PAUSE_MS, async () => {
      const html = await visitPageAndFile(shell, PAGE, remote);
      if (!slotHtml(html, 'showcase').includes('Fixture showcase')) totals.missing += 1;
    });
  let visits = start();
  onEnd(() => visits.stop());
  return {
    totals,
    async pause() {
      await visits.stop();
      totals.requests += visits.count();
      totals.failures.push(...visits.failures);
    },
    resume() {
      visits = start();
    },
  };
}
type Traffic = ReturnType<typeof startTraffic>;

/** Pauses the visitors and measures the idle services. */
async function measureIdle({ dataDir, pids, initialProcesses }: Site, traffic: Traffic): Promise<Idle> {
  await traffic.pause();
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

/** Publishes, promotes and rolls back in every round. */
async function runRounds(site: Site, traffic: Traffic, say: ProofContext['say']) {
  const { shell, registry, pids, remote, good } = site;
  const shows = (version: string, words: string) => async () =>
    (await releasesOf(shell))[remote] === version &&
    slotHtml(await completePage(shell + PAGE), 'showcase').includes(words);
  let settled: Idle | undefined;
  let peakProcesses = 0;
  let peakMiB = 0;
  for (let round = 1; round <= ROUNDS; round += 1) {
    const version = `9.3.${round}`;
    const words = `Fixture showcase, release ${round}.`;
    await publishVariant(registry, fixtureDist('good'), version, ['Fixture showcase', words]);
    await promote(registry, remote, version);
    await until(`release ${round}`, shows(version, words));
    peakProcesses = Math.max(peakProcesses, processTree(pids.shell).length);
    peakMiB = Math.max(peakMiB, memoryMiB(pids.shell));
    await rollBack(registry, remote);
    await until(`rollback ${round}`, shows(good, 'Fixture showcase'));
    if (round % 10 === 0) say(`round ${round}: ${Math.round(memoryMiB(pids.shell))} MiB`);
    if (round === SETTLED_ROUND) {
      settled = await measureIdle(site, traffic);
      traffic.resume();
    }
  }
  return { settled, peakProcesses, peakMiB };
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

export const deploysUnderLoad: Proof = {
  name: 'deploys',
  title: `${ROUNDS} publishes, promotes and rollbacks under load`,
  limitMs: 15 * 60_000,
  method: `Each round publishes and promotes a new release of mfe-showcase, waits until a page shows it, rolls back, and waits until a page shows the previous release. At the same time ${VISITORS} visitors request uncached pages (\`PAGE_CACHE_SECONDS=0\`) and, for each page, a file of the release that rendered it. Memory is the resident set of shell and registry. It is measured after round ${SETTLED_ROUND} and after round ${ROUNDS}, when the visitors have paused, replaced releases are retired (the shell keeps them for a minute), and their garbage is collected with the inspector's \`HeapProfiler.collectGarbage\`. Processes are the shell's descendants in \`/proc\`.`,
  async run(context) {
    const site = await startSite(context);
    const traffic = startTraffic(site, context);
    const { settled, peakProcesses, peakMiB } = await runRounds(site, traffic, context.say);
    const last = await measureIdle(site, traffic);
    if (!settled) throw new Error('no idle measurement to compare with');
    const { initialProcesses } = site;
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
      reported('Versions published', readManifest(fixtureDist('good')).name + ` 9.3.1 to 9.3.${ROUNDS}`),
    ];
  },
};

/** A remote with lazily loaded chunks, and its release after the tab's. */
const TAB_REMOTE = 'mfe-leads';
const TAB_NEXT = '9.6.1';

/** Paths of the remote's files that a tab has loaded so far. */
const loadedFiles = (remote: string): string[] =>
  performance
    .getEntriesByType('resource')
    .map(({ name }) => new URL(name).pathname)
    .filter((path) => path.startsWith(`/remotes/${remote}/`));

export const openTab: Proof = {
  name: 'open-tab',
  title: 'An open tab continues with the release that it started with',
  limitMs: 4 * 60_000,
  method: `A tab of headless Chromium opens the results page and is never idle, so it prefetches nothing. Then another release of ${TAB_REMOTE} is promoted, and the shell is restarted, so that this process never had the tab's release. Then the visitor opens a dialog with lazily loaded chunks. They must come from the tab's release, byte for byte as published.`,
  async run({ onEnd }) {
    const stack = await startOwnStack();
    onEnd(stack.remove);
    const { shell, 'remote-registry': registry } = stack.urls;
    const tabRelease = (await releasesOf(shell))[TAB_REMOTE] as string;
    const { files } = readManifest(distOf(TAB_REMOTE));
    return inFreshBrowser(async (page) => {
      const errors: string[] = [];
      page.on('pageerror', (error) => errors.push(String(error)));
      await page.setUserAgent({ userAgent: BROWSER_USER_AGENT });
      // A tab that is never idle prefetches nothing: the dialog's chunks are loaded when it opens.
      await page.evaluateOnNewDocument(() => {
        window.requestIdleCallback = () => 0;
      });
      await page.goto(shell + PAGE, { waitUntil: 'load' });
      const email = '[data-tile] button[aria-label^="Email Seller"]';
      await page.waitForSelector(email);
      await page.waitForFunction(
        (mark: string) => performance.getEntriesByName(mark).length > 0,
        {},
        'slot:results:hydrated',
      );

      await publishVariant(registry, distOf(TAB_REMOTE), TAB_NEXT);
      await promote(registry, TAB_REMOTE, TAB_NEXT);
      await until(
        'the shell uses the next release',
        async () => (await releasesOf(shell))[TAB_REMOTE] === TAB_NEXT,
      );
      await stack.restart('shell');
      const before = new Set(await page.evaluate(loadedFiles, TAB_REMOTE));

      await page.click(email);
      await page.waitForSelector('dialog[open] form');
      const after = await page.evaluate(loadedFiles, TAB_REMOTE);
      const lateFiles = after.filter((path) => !before.has(path));
      const foreign = after.filter((path) => !path.startsWith(`/remotes/${TAB_REMOTE}/${tabRelease}/`));
      let altered = 0;
      for (const path of lateFiles) {
        const bytes = Buffer.from(await (await fetch(shell + path)).arrayBuffer());
        const integrity = `sha384-${createHash('sha384').update(bytes).digest('base64')}`;
        if (files[path.slice(`/remotes/${TAB_REMOTE}/${tabRelease}/`.length)]?.integrity !== integrity)
          altered += 1;
      }
      const live = (await releasesOf(shell))[TAB_REMOTE];
      return [
        reported('Release of the tab', tabRelease),
        required('Live release when the dialog opened', String(live), TAB_NEXT, live === TAB_NEXT),
        required('Dialog opened', 'yes', 'yes', true),
        required('Files loaded after the deploy', lateFiles.length, '≥ 1', lateFiles.length >= 1),
        required('Files of another release', foreign.length, '0', foreign.length === 0),
        required('Files that differ from those published', altered, '0', altered === 0),
        required(
          'Errors in the tab',
          errors.length === 0 ? '0' : errors.join('; '),
          '0',
          errors.length === 0,
        ),
      ];
    });
  },
};
