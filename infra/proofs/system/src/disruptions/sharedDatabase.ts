import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { promisify } from 'node:util';
import { median } from '@forecourt/harness/statistics';
import type { Sql } from '@forecourt/service-kit/sql';
import { type Finding, type ProofContext, reported, required, until } from '../proof.ts';
import { API_SOURCE, type ApiReplica, startProcess } from './apiReplica.ts';
import { type Disruption, type Scenario, secondsOf } from './disruption.ts';
import type { LeadWriters } from './leadWriters.ts';
import { compareLeads } from './storedLeads.ts';
import type { apisOnOneDatabase, apisOnOneIndex, SystemOf } from './topologies.ts';

/** ms for the vehicles of an import to be found, and for another replica to take the jobs over: a lease lasts 30 s, and others look every 10 s. */
const PHASE_MS = 60_000;
const TAKEOVER_MS = 60_000;
/** Imports at one replica, vehicles of each, and ms until every replica must find all of them. */
export const IMPORTS = 10;
export const CARS = 200;
const SHARED_MS = 2_000;
/** With OpenSearch, ms until another replica writes the index that a killed one has written. */
const INDEX_TAKEOVER_MS = 10_000;
/** Vehicles of an import during which PostgreSQL crashes, how often, and ms after each time. */
export const MANY_CARS = 20_000;
export const CRASHES = 2;
const CRASH_AFTER_MS = 2_000;
/** ms in which a replica has found the server again, and applied all of that import. */
const AFTER_CRASHES_MS = 10_000;
/** Of the imported vehicles; no generated one is as expensive. */
const PRICE = 700_000;

const holdersOf = async (sql: Sql): Promise<string[]> =>
  (await sql.all<{ holder: string }>('SELECT holder FROM leases ORDER BY name')).map(({ holder }) => holder);

/** Kills the replica that runs the jobs, and waits until another one does. */
async function takeOver(sql: Sql, replicas: readonly ApiReplica[], { say }: ProofContext): Promise<Finding> {
  const before = await holdersOf(sql);
  say('both replicas in turn: SIGKILL, until no lease of the first holders is left');
  const started = performance.now();
  // Which process holds a lease is known to itself only, so each is replaced.
  for (const replica of replicas) {
    replica.process.kill('SIGKILL');
    await once(replica.process, 'exit');
    replica.process = await startProcess(replica);
  }
  await until(
    'other replicas have all leases',
    async () => {
      const now = await holdersOf(sql);
      return now.length === before.length && now.every((holder) => !before.includes(holder));
    },
    { limitMs: TAKEOVER_MS, everyMs: 250 },
  );
  const seconds = Math.round((performance.now() - started) / 1000);
  return required(
    `Jobs that another replica took over, of ${before.length}`,
    `${before.length}, after ${seconds} s`,
    `all within ${TAKEOVER_MS / 1000} s`,
    before.length > 0,
  );
}

/** Imports the same vehicles with the price of a round; returns when it is acknowledged. */
async function importCars({ environment }: ApiReplica, round: number, cars = CARS): Promise<number> {
  const feed = join(environment['DATA_DIR']!, 'feed.csv');
  const fields = Object.fromEntries(
    ['stockNumber', 'year', 'make', 'model', 'price', 'zip', 'sellerName'].map((name) => [name, name]),
  );
  const rows = Array.from({ length: cars }, (_, at) => `S${at},2021,Ford,F150,${PRICE + round},60601,Lake`);
  writeFileSync(feed, [Object.keys(fields).join(), ...rows].join('\n'));
  writeFileSync(`${feed}.json`, JSON.stringify({ source: 'lake', fields }));
  const args = ['--no-warnings', join(API_SOURCE, 'import.ts'), feed, '--map', `${feed}.json`];
  await promisify(execFile)(process.execPath, args, { env: environment });
  return performance.now();
}

/** Vehicles with the price of a round. */
async function countCars({ port }: ApiReplica, round: number): Promise<number> {
  const price = PRICE + round;
  const url = `http://127.0.0.1:${port}/rest/lsc/listing/count?minPrice=${price}&maxPrice=${price}`;
  const response = await fetch(url).catch(() => undefined);
  if (response?.ok !== true) return 0;
  return ((await response.json()) as { totalResultCount: number }).totalResultCount;
}
const findsCars = async (replica: ApiReplica, round: number, cars = CARS): Promise<boolean> =>
  (await countCars(replica, round)) === cars;

/** Imports at the first replica, and reads at all; the last import is read after the first replica was lost. */
async function shareImports(
  replicas: readonly ApiReplica[],
  startAnother: () => Promise<ApiReplica>,
  { say }: ProofContext,
  lostMs = SHARED_MS,
): Promise<Finding[]> {
  say(`${IMPORTS} imports at one replica`);
  const waits: number[][] = replicas.map(() => []);
  for (let round = 0; round < IMPORTS; round += 1) {
    const imported = await importCars(replicas[0]!, round);
    const reads = replicas.map(async (replica, at) => {
      await until('all vehicles are found', () => findsCars(replica, round), {
        limitMs: PHASE_MS,
        everyMs: 10,
      });
      waits[at]!.push(Math.round(performance.now() - imported));
    });
    await Promise.all(reads);
  }
  await importCars(replicas[0]!, IMPORTS);
  replicas[0]!.process.kill('SIGKILL');
  rmSync(replicas[0]!.environment['DATA_DIR']!, { recursive: true });
  const others = [replicas[1]!, await startAnother()];
  await wait(lostMs);
  const found = await Promise.all(others.map((replica) => findsCars(replica, IMPORTS)));
  return [
    ...['the replica that imported', 'the other one'].map((who, at) => {
      const slowest = Math.max(...waits[at]!);
      const measure = `Import of ${CARS} vehicles, found by ${who} after its acknowledgement: median, slowest of ${IMPORTS}`;
      const isMet = slowest <= SHARED_MS;
      return required(measure, `${median(waits[at]!)} ms, ${slowest} ms`, `≤ ${SHARED_MS} ms`, isMet);
    }),
    required(
      'Vehicles of the last import, whose replica was lost with its files: in the other one, in a new one',
      found.map((isThere) => (isThere ? 'all' : 'missing')).join(', '),
      'all, all',
      found.every(Boolean),
    ),
  ];
}

/** PostgreSQL crashes while vehicles are imported. */
async function importThroughCrashes(
  { server, replicas }: Pick<SystemOf<typeof apisOnOneDatabase>, 'server' | 'replicas'>,
  { say }: ProofContext,
): Promise<Finding> {
  say(`an import of ${MANY_CARS} vehicles, while PostgreSQL crashes ${CRASHES} times`);
  const importing = importCars(replicas[1]!, IMPORTS + 1, MANY_CARS);
  const hasBegun = async () => (await countCars(replicas[1]!, IMPORTS + 1)) > 0;
  await until('the first vehicles are found', hasBegun, { limitMs: PHASE_MS, everyMs: 50 });
  for (let crash = 0; crash < CRASHES; crash += 1) {
    await server.restart();
    await wait(CRASH_AFTER_MS);
  }
  const imported = await importing;
  const isComplete = () => findsCars(replicas[1]!, IMPORTS + 1, MANY_CARS);
  const foundMs = await until('all are found', isComplete, { limitMs: AFTER_CRASHES_MS, everyMs: 50 }).then(
    () => Math.round(performance.now() - imported),
    () => undefined,
  );
  const found = await countCars(replicas[1]!, IMPORTS + 1);
  return required(
    `Import of ${MANY_CARS} vehicles during ${CRASHES} crashes of PostgreSQL, found at a replica after its acknowledgement`,
    foundMs === undefined ? `${found} of ${MANY_CARS}` : `all, after ${foundMs} ms`,
    `all within ${AFTER_CRASHES_MS / 1000} s`,
    foundMs !== undefined,
  );
}

/** One replica is killed and replaced and the database crashes, each while leads are written. */
export function sharedDatabase(
  { server, replicas, startAnother, sql }: SystemOf<typeof apisOnOneDatabase>,
  writers: LeadWriters,
  context: ProofContext,
): Scenario {
  const [first] = replicas as [ApiReplica];
  const faults: Readonly<Record<string, () => Promise<void> | void>> = {
    calm: () => undefined,
    'replica killed': () => void first.process.kill('SIGKILL'),
    'replica replaced': async () => {
      first.process = await startProcess(first);
    },
    'database crashed': () => server.restart(),
    recovered: () => undefined,
  };
  const disruptions = Object.entries(faults).map(([name, strike]): Disruption => ({
    name,
    run: () =>
      secondsOf(async () => {
        await strike();
        await writers.untilAcknowledged();
      }),
  }));
  return {
    disruptions,
    findings: async () => [
      ...(await compareLeads(sql, writers.acknowledged)),
      ...Object.keys(faults).map((phase) =>
        reported(`Repeated requests that began while: ${phase}`, writers.repeated.get(phase) ?? 0),
      ),
      await takeOver(sql, replicas, context),
      ...(await shareImports(replicas, startAnother, context)),
      await importThroughCrashes({ server, replicas }, context),
    ],
  };
}

/** Imports are found by all replicas that search one index, also when the one that imports is lost. */
export const sharedIndex = (
  { replicas, startAnother }: SystemOf<typeof apisOnOneIndex>,
  _: unknown,
  context: ProofContext,
): Scenario => ({
  disruptions: [],
  findings: () => shareImports(replicas, startAnother, context, INDEX_TAKEOVER_MS),
});
