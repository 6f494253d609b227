import { setTimeout as wait } from 'node:timers/promises';
import { loadAverage, quantile } from '@forecourt/bench/report';
import { startOwnStack, startVisitors } from '@forecourt/e2e/ownStack';
import { deploy, fixtureDist, promote, releasesOf } from '@forecourt/e2e/releases';
import { slotHtml } from '@forecourt/e2e/serverHtml';
import { completePage, PAGE } from './pages.ts';
import { until } from './processes.ts';
import { noFailures, type Proof, type ProofContext, reported, required } from './proof.ts';
import { publishVariant, rollBack } from './registry.ts';
import { startReplica } from './replicas.ts';

const SHELLS = 3;
const ROLLBACKS = 20;
const LIVE_WITHIN_MS = 2000;
const NEXT = '9.5.1';
const WORDS = 'Fixture showcase, next release';
/** Longer than a shell keeps a release that is no longer live. */
const RETIRED_AFTER_MS = 66_000;
const SECRET = 'rollbacks-proof-secret-of-32-characters';

/** Starts the shells with one release live and the next one published. */
async function startSite({ onEnd }: ProofContext) {
  const stack = await startOwnStack();
  onEnd(stack.remove);
  const registry = stack.urls['remote-registry'];
  const { name, version: good } = await deploy(stack.urls, fixtureDist('good'));
  const shells = [stack.urls.shell];
  const environment = { LOCAL_MODE: 'true', PAGE_CACHE_SECONDS: '0', SESSION_SECRET: SECRET };
  while (shells.length < SHELLS)
    shells.push((await startReplica(stack, stack.dataDir, environment, onEnd)).url);
  await publishVariant(registry, fixtureDist('good'), NEXT, ['Fixture showcase', WORDS]);
  return { registry, name, good, shells };
}
type Site = Awaited<ReturnType<typeof startSite>>;

const uses =
  ({ name }: Site, shell: string, version: string) =>
  async () =>
    (await releasesOf(shell))[name] === version;

/** Promotes the next release and waits until every shell uses it. */
async function promoteEverywhere(site: Site): Promise<void> {
  await promote(site.registry, site.name, NEXT);
  await Promise.all(site.shells.map((shell) => until('the shell uses the release', uses(site, shell, NEXT))));
}

/** Rolls back; returns the ms until each shell has the previous release live, and the pages that are still wrong. */
async function measureRollback(site: Site): Promise<{ times: number[]; wrongPages: number }> {
  const { registry, name, good, shells } = site;
  const started = performance.now();
  const [, ...times] = await Promise.all([
    rollBack(registry, name),
    ...shells.map(async (shell) => {
      await until('the shell has rolled back', uses(site, shell, good), { everyMs: 5 });
      return performance.now() - started;
    }),
  ]);
  let wrongPages = 0;
  for (const shell of shells)
    if (slotHtml(await completePage(shell + PAGE), 'showcase').includes(WORDS)) wrongPages += 1;
  return { times, wrongPages };
}

const ms = (value: number): string => `${Math.round(value)} ms`;

export const rollbacks: Proof = {
  name: 'rollbacks',
  title: `A rollback is live on every shell within ${LIVE_WITHIN_MS / 1000} s`,
  limitMs: 8 * 60_000,
  method: `${SHELLS} shells follow one registry, and a visitor of each requests pages continuously. A release is promoted and, when every shell uses it, rolled back. The time runs from the rollback request until each shell reports the previous release as live (polled every 5 ms); then a page of each shell must show it. Before the last rollback, the shells have retired the previous release, so each must fetch, check and start it again.`,
  async run(context) {
    const site = await startSite(context);
    const { shells } = site;
    const visits = startVisitors(SHELLS, 100, async (visit) => {
      await completePage((shells[visit % SHELLS] as string) + PAGE);
    });
    context.onEnd(() => visits.stop());

    const warm: number[] = [];
    const loads: number[] = [];
    let wrongPages = 0;
    for (let round = 1; round <= ROLLBACKS; round += 1) {
      await promoteEverywhere(site);
      const rollback = await measureRollback(site);
      warm.push(...rollback.times);
      wrongPages += rollback.wrongPages;
      loads.push(Number(loadAverage()));
    }
    context.say('waiting until the previous release is retired');
    await promoteEverywhere(site);
    await wait(RETIRED_AFTER_MS);
    const cold = await measureRollback(site);
    wrongPages += cold.wrongPages;
    await visits.stop();
    const slowest = Math.max(...warm, ...cold.times);
    return [
      reported('Rollbacks, measured times', `${ROLLBACKS + 1}, ${warm.length + cold.times.length}`),
      reported(
        'p50, p95 with the release still loaded',
        `${ms(quantile(warm, 0.5))}, ${ms(quantile(warm, 0.95))}`,
      ),
      reported('Slowest with the release still loaded', ms(Math.max(...warm))),
      reported('With the release retired', cold.times.map(ms).join(', ')),
      required('Slowest of all', ms(slowest), `≤ ${LIVE_WITHIN_MS} ms`, slowest <= LIVE_WITHIN_MS),
      required('Pages that showed the withdrawn release afterwards', wrongPages, '0', wrongPages === 0),
      noFailures('page requests', visits.count(), visits.failures),
      reported('Highest load average', Math.max(...loads)),
    ];
  },
};
