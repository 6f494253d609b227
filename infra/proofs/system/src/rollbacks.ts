import { setTimeout as wait } from 'node:timers/promises';
import { loadAverage } from '@forecourt/harness/machine';
import { quantile } from '@forecourt/harness/statistics';
import { startOwnStack } from '@forecourt/harness/ownStack';
import { startReplica } from '@forecourt/harness/shellReplica';
import { startVisitors } from '@forecourt/harness/visitors';
import { deploy, fixtureDist, promote, releasesOf, readManifest } from '@forecourt/harness/releases';
import { slotHtml } from '@forecourt/harness/serverHtml';
import { completePage, PAGE } from './pages.ts';
import {
  until,
  noFailures,
  type Proof,
  type ProofContext,
  reported,
  required,
  type Finding,
} from './proof.ts';
import { publishVariant, rollBack, post, readHistory, readPointers } from './registry.ts';

const PROMOTES = 50;
const VERSIONS = Array.from({ length: PROMOTES }, (_, at) => `9.4.${at}`);

/** A registry with all versions of one remote published. */
interface PublishedVersions {
  readonly shell: string;
  readonly registry: string;
  readonly name: string;
}

const countStatus = (responses: readonly { readonly status: number }[], status: number): number =>
  responses.filter((response) => response.status === status).length;

/** Promotes every version at the same time; history and pointers must contain all of these changes. */
async function promoteAll({ shell, registry, name }: PublishedVersions): Promise<Finding[]> {
  const before = await readPointers(registry);
  const started = performance.now();
  const responses = await Promise.all(
    VERSIONS.map((version, at) =>
      post(registry, `/api/remotes/${name}/promote`, { version, by: `team ${at}`, why: 'concurrently' }),
    ),
  );
  const ms = Math.round(performance.now() - started);
  const succeeded = countStatus(responses, 200);
  const after = await readPointers(registry);
  const changes = (await readHistory(registry, name, PROMOTES)).toReversed();
  const gaps = changes.filter(
    (change, at) => at > 0 && change.before?.live !== changes[at - 1]?.after.live,
  ).length;
  const recorded = new Set(changes.map((change) => change.after.live));
  const revisions = new Set(changes.map(({ revision }) => revision));
  const live = after.remotes[name]?.live;
  const lastRecorded = changes.at(-1)?.after.live;
  await until('the shell uses the last release', async () => (await releasesOf(shell))[name] === live);
  const growth = after.revision - before.revision;
  return [
    required('Promotes that returned 200', succeeded, String(PROMOTES), succeeded === PROMOTES),
    reported('Time for all', `${ms} ms`),
    required('Growth of the revision', growth, String(PROMOTES), growth === PROMOTES),
    required(
      'Versions in the history',
      recorded.size,
      String(PROMOTES),
      VERSIONS.every((version) => recorded.has(version)),
    ),
    required('Revisions in the history', revisions.size, String(PROMOTES), revisions.size === PROMOTES),
    required('Changes that do not follow from the change before', gaps, '0', gaps === 0),
    required(
      'Live release, by pointer and by history',
      String(live),
      String(lastRecorded),
      live === lastRecorded,
    ),
  ];
}

/** Promotes with the same expected revision: only one of the writes may succeed. */
async function promoteFromOneRevision({ registry, name }: PublishedVersions): Promise<Finding[]> {
  const { revision, remotes } = await readPointers(registry);
  const live = remotes[name]?.live;
  const other = VERSIONS.find((version) => version !== live);
  const responses = await Promise.all(
    VERSIONS.map((version) =>
      post(registry, `/api/remotes/${name}/promote`, {
        // Promoting the live version is a no-op, and would not compete.
        version: version === live ? other : version,
        expectedRevision: revision,
      }),
    ),
  );
  const [succeeded, refused] = [countStatus(responses, 200), countStatus(responses, 409)];
  const growth = (await readPointers(registry)).revision - revision;
  return [
    required(
      'From one revision: accepted, refused with 409',
      `${succeeded}, ${refused}`,
      `1, ${PROMOTES - 1}`,
      succeeded === 1 && refused === PROMOTES - 1,
    ),
    required('Growth of the revision after that', growth, '1', growth === 1),
  ];
}

export const concurrentPromotes: Proof = {
  name: 'promotes',
  title: `${PROMOTES} concurrent promotes: none is lost`,
  limitMs: 4 * 60_000,
  method: `${PROMOTES} releases of one remote are published. Then ${PROMOTES} concurrent requests promote one release each. No change is lost if all requests return 200, the revision grows by ${PROMOTES}, and each change in the history starts from the result of the change before. Then the same number of requests name one expected revision: compare-and-set accepts exactly one of them.`,
  async run({ onEnd, say }) {
    const stack = await startOwnStack();
    onEnd(stack.remove);
    const { shell, 'remote-registry': registry } = stack.urls;
    const { name } = readManifest(fixtureDist('good'));
    for (const version of VERSIONS) await publishVariant(registry, fixtureDist('good'), version);
    say('promoting');
    const site = { shell, registry, name };
    return [...(await promoteAll(site)), ...(await promoteFromOneRevision(site))];
  },
};

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
  const environment = {
    LOCAL_MODE: 'true',
    PAGE_CACHE_SECONDS: '0',
    SLOT_CACHE_SECONDS: '0',
    SESSION_SECRET: SECRET,
  };
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
