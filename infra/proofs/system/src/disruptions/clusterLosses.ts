import type { Cluster, Replica } from '@forecourt/local';
import { completePage, pageOf } from '../pages.ts';
import { type Finding, type ProofContext, required } from '../proof.ts';
import { ClusterImports, ROWS } from './clusterImports.ts';
import { type ClusterLoad, notesOf, warmUp } from './clusterLoad.ts';
import { PhotoVisits } from './clusterPhoto.ts';
import {
  type Disruption,
  ending,
  RECOVERY_SECONDS,
  type Scenario,
  secondsUntilRepaired,
} from './disruption.ts';
import { STOCK } from './topologies.ts';

/** ms of load after each recovery. */
export const SETTLE_MS = 3_000;

export const isReady = (port: number): Promise<boolean> =>
  fetch(`http://127.0.0.1:${port}/health/ready`).then(
    ({ status }) => status === 200,
    () => false,
  );

/** Seconds from the kill of an API replica until its successor is ready. */
const API_READY_SECONDS = 10;

/** Kills the APIs in turn, then the servers that they share, what these hold for the search, and all other replicas. */
function lossesOf({ replicas, postgres, bucket, search }: Cluster, leastStock: () => number): Disruption[] {
  const isApi = ({ name }: Replica) => name === 'marketplace-api';
  const apis = replicas.filter(isApi);
  const findsAll = async (): Promise<boolean> => {
    for (const { port } of apis) {
      const url = `http://127.0.0.1:${port}/rest/lsc/listing/count`;
      const response = await fetch(url).catch(() => undefined);
      if (response?.status !== 200) return false;
      const { totalResultCount } = (await response.json()) as { totalResultCount: number };
      if (totalResultCount < leastStock()) return false;
    }
    return true;
  };
  const areReady = async () => (await Promise.all(replicas.map(({ port }) => isReady(port)))).every(Boolean);
  const deleteIndexes = async () => {
    const response = await fetch(`${search?.url}/listings-*`, { method: 'DELETE' });
    if (!response.ok) throw new Error(`the indexes were not deleted: ${response.status}`);
  };
  const ofSearch = (name: string): Disruption => ({
    name,
    run: () => secondsUntilRepaired(name, deleteIndexes, findsAll),
  });
  const killOf = ({ name, number, port, pid }: Replica) =>
    ending(`${name} ${number} killed`, 'SIGKILL', pid, () => isReady(port));
  const bucketResponds = () =>
    fetch(bucket.url).then(
      () => true,
      () => false,
    );
  return [
    ...apis.map(killOf),
    ending('PostgreSQL killed', 'SIGKILL', postgres.pid, areReady),
    ending('Bucket killed', 'SIGKILL', bucket.pid, bucketResponds),
    ...(search
      ? [ending('OpenSearch killed', 'SIGKILL', search.pid, findsAll), ofSearch('indexes deleted')]
      : []),
    ...replicas.filter((replica) => !isApi(replica)).map(killOf),
  ];
}

/** Pages that no shell has rendered yet. */
export const NEW_PAGES = 24;

/** Requests pages, and what each names as its content: only the shell that rendered a page has it. */
async function findContents(origin: string): Promise<Finding> {
  const missing: string[] = [];
  for (let page = 0; page < NEW_PAGES; page += 1) {
    const path = `${pageOf(page)}?maxPrice=${20_000 + page}`;
    const [content] =
      /\/cars-for-sale\/api\/page-content\/[^"]+/.exec(await completePage(origin + path)) ?? [];
    const status = content === undefined ? 'unnamed' : (await fetch(origin + content)).status;
    if (status !== 200) missing.push(`${path}: ${status}`);
  }
  return required(
    `Of ${NEW_PAGES} new pages, without their content`,
    missing.length === 0 ? '0' : `${missing.length}: ${missing.slice(0, 3).join('; ')}`,
    '0',
    missing.length === 0,
  );
}

/** Names of the indexes that the replicas share: at most the current one and the next. */
async function indexesOf({ search }: Cluster): Promise<string[]> {
  const found = await fetch(`${search?.url}/listings-*/_alias`).catch(() => undefined);
  return found?.ok ? Object.keys((await found.json()) as object) : [];
}

const indexesFound = (counts: readonly number[]): Finding => {
  const range = `${Math.min(...counts)} to ${Math.max(...counts)}`;
  return required(
    'Indexes of all replicas, before each fault and at the end',
    range,
    '1 to 2',
    counts.every((count) => count === 1 || count === 2),
  );
};

/** Every replica and what they share is lost in turn, while a large feed is imported again and again. */
export async function clusterLosses(
  cluster: Cluster & { readonly photoUrl: string },
  load: ClusterLoad,
  context: ProofContext,
): Promise<Scenario> {
  const contents = await findContents(cluster.urls.shell);
  const indexes: number[] = [];
  const { phases } = load.traffic;
  const imports = new ClusterImports(cluster);
  imports.start(context);
  const photo = new PhotoVisits(cluster);
  await photo.start();
  context.onEnd(() => photo.stop());
  const withoutImport: string[] = [];
  const leastStock = () => STOCK + (imports.completed > 0 ? ROWS : 0);
  return {
    disruptions: lossesOf(cluster, leastStock).map((loss) => ({
      ...loss,
      prepare: async () => {
        indexes.push((await indexesOf(cluster)).length);
        await warmUp(cluster);
      },
      run: () => {
        if (!imports.isRunning) withoutImport.push(loss.name);
        return loss.run();
      },
      settleMs: SETTLE_MS,
    })),
    async findings(steps) {
      await photo.stop();
      await imports.stop();
      return [
        ...(await load.findings()),
        contents,
        ...(await imports.findings()),
        required(
          'Faults while no import ran',
          withoutImport.join(', ') || 'none',
          'none',
          withoutImport.length === 0,
        ),
        ...(await photo.findings()),
        ...(cluster.search ? [indexesFound([...indexes, (await indexesOf(cluster)).length])] : []),
        ...steps.map(({ name, seconds }) => {
          const limit = name.startsWith('marketplace-api') ? API_READY_SECONDS : RECOVERY_SECONDS;
          return required(
            `${name}: serves again after`,
            `${seconds?.toFixed(1) ?? 'not repaired'} s (${notesOf(phases.get(name)!)})`,
            `≤ ${limit} s`,
            seconds !== undefined && seconds <= limit,
          );
        }),
      ];
    },
  };
}
