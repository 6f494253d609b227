import { startOwnStack } from '@forecourt/e2e/ownStack';
import { fixtureDist, readManifest, releasesOf } from '@forecourt/e2e/releases';
import { until } from './processes.ts';
import { type Finding, type Proof, required, reported } from './proof.ts';
import { post, publishVariant, readHistory, readPointers } from './registry.ts';

const PROMOTES = 50;
const VERSIONS = Array.from({ length: PROMOTES }, (_, at) => `9.4.${at}`);

/** A registry with all versions of one remote published. */
interface Site {
  readonly shell: string;
  readonly registry: string;
  readonly name: string;
}

const countOf = (responses: readonly { readonly status: number }[], status: number): number =>
  responses.filter((response) => response.status === status).length;

/** Promotes every version at the same time; history and pointers must contain all of these changes. */
async function promoteAll({ shell, registry, name }: Site): Promise<Finding[]> {
  const before = await readPointers(registry);
  const started = performance.now();
  const responses = await Promise.all(
    VERSIONS.map((version, at) =>
      post(registry, `/api/remotes/${name}/promote`, { version, by: `team ${at}`, why: 'concurrently' }),
    ),
  );
  const ms = Math.round(performance.now() - started);
  const succeeded = countOf(responses, 200);
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
async function promoteFromOneRevision({ registry, name }: Site): Promise<Finding[]> {
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
  const [succeeded, refused] = [countOf(responses, 200), countOf(responses, 409)];
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
