import { fixtureDist, releasesOf } from '@forecourt/harness/releases';
import { type Finding, reported, required, until } from '../proof.ts';
import { post, publishVariant, readHistory, readPointers } from '../registry.ts';
import { type Disruption, type Load, type Scenario, secondsOf } from './disruption.ts';
import type { oneStack, SystemOf } from './topologies.ts';

export const PROMOTES = 50;
const VERSIONS = Array.from({ length: PROMOTES }, (_, at) => `9.4.${at}`);

type Site = SystemOf<typeof oneStack>;

const countStatus = (responses: readonly { readonly status: number }[], status: number): number =>
  responses.filter((response) => response.status === status).length;

/** Promotes every version at the same time; history and pointers must contain all of these changes. */
async function promoteAll({ shell, registry, remote: name }: Site): Promise<Finding[]> {
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
async function promoteFromOneRevision({ registry, remote: name }: Site): Promise<Finding[]> {
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

/** Concurrent promotes, then concurrent promotes from one revision. */
export function promotes(site: Site, _load: Load): Scenario {
  const findings: Finding[] = [];
  const promoting = (name: string, promoteVersions: typeof promoteAll): Disruption => ({
    name,
    run: () => secondsOf(async () => findings.push(...(await promoteVersions(site)))),
  });
  const publishing = async () => {
    for (const version of VERSIONS) await publishVariant(site.registry, fixtureDist('good'), version);
  };
  return {
    disruptions: [
      { ...promoting('promotes at once', promoteAll), prepare: publishing },
      promoting('promotes from one revision', promoteFromOneRevision),
    ],
    findings: () => findings,
  };
}
