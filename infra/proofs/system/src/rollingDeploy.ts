import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { migratePostgres } from '@forecourt/service-kit/postgres';
import { type Cluster } from '@forecourt/local';
import { ending, endure, isReady, notesOf, startUnderLoad, UNDER_LOAD } from './cluster.ts';
import type { Counts, Traffic } from './pages.ts';
import { type Finding, type Proof, type ProofContext, required } from './proof.ts';
import { MIGRATIONS, openPeopleTables } from './sharedDatabase.ts';

/** ms for which a reader, such as a backup, holds the tables that a migration changes. */
const READER_MS = 5_000;
const SETTLE_MS = 3_000;
/** What a later release could add, and replicas of this one must ignore. */
const EXPANSION = `ALTER TABLE leads ADD COLUMN campaign TEXT;
CREATE TABLE campaigns (name TEXT PRIMARY KEY, started_at INTEGER NOT NULL) STRICT;
CREATE INDEX leads_campaign ON leads (campaign);
`;
const VERSION = 900;

/** A phase of the deploy; its counts grow until its last request has ended. */
interface Step {
  readonly name: string;
  readonly counts: Counts;
  /** Undefined if it didn't succeed. */
  readonly seconds: number | undefined;
}

/** No request failed, was cut, or had to be sent again. */
const isUnnoticed = ({ pages, failed, truncated, repeatedWrites, unreadable }: Counts): boolean =>
  pages > 0 && failed + truncated + repeatedWrites + unreadable === 0;

const findingOf = ({ name, counts, seconds }: Step): Finding =>
  required(
    name,
    `${notesOf(counts)}; ${seconds === undefined ? 'failed' : `${seconds.toFixed(1)} s`}`,
    'nothing fails, is cut or sent again',
    seconds !== undefined && isUnnoticed(counts),
  );

/** Two processes run an expand migration at once, while a reader holds its tables. */
async function migrate({ postgres }: Cluster, traffic: Traffic, { onEnd, say }: ProofContext): Promise<Step> {
  const migrations = mkdtempSync(join(tmpdir(), 'forecourt-expansion-'));
  onEnd(() => rmSync(migrations, { recursive: true }));
  cpSync(MIGRATIONS, migrations, { recursive: true });
  writeFileSync(join(migrations, `${VERSION}-campaigns.sql`), EXPANSION);
  const reader = await openPeopleTables(postgres.url);
  say('migration');
  traffic.begin('migration');
  let started = 0;
  const reading = reader.transaction(async () => {
    await reader.all('SELECT id FROM leads LIMIT 1');
    started = performance.now();
    await wait(READER_MS);
  });
  while (started === 0) await wait(5);
  const options = { url: postgres.url, schema: 'people', migrations };
  const versions = await Promise.all([migratePostgres(options), migratePostgres(options)]);
  const seconds = (performance.now() - started) / 1000;
  await reading;
  await reader.close();
  await wait(SETTLE_MS);
  const isDone = seconds * 1000 > READER_MS && versions.every((version) => version === VERSION);
  return {
    name: `Migration, twice at once while a reader holds its tables for ${READER_MS / 1000} s`,
    counts: traffic.counts,
    seconds: isDone ? seconds : undefined,
  };
}

/** Replaces each replica in turn: SIGTERM, the end of what it does, and a new process. */
async function deploy({ replicas }: Cluster, traffic: Traffic, context: ProofContext): Promise<Step[]> {
  const steps: Step[] = [];
  for (const { name, number, port, pid } of replicas) {
    const replacement = ending(`${name} ${number} replaced`, 'SIGTERM', pid, () => isReady(port));
    const seconds = await endure(replacement, traffic, context);
    steps.push({ name: replacement.name, counts: traffic.counts, seconds });
    context.say(`  ${notesOf(traffic.counts)}`);
  }
  return steps;
}

export const rollingDeploy: Proof = {
  name: 'rolling-deploy',
  title: 'Every replica is replaced and a schema is extended: no request fails, no write is lost',
  limitMs: 15 * 60_000,
  method: `${UNDER_LOAD} First the migration of a later release adds a column, an index and a table to the tables of what people entered, in two processes at once, while a transaction has read these tables. Then every replica in turn gets SIGTERM, ends by itself and is started again, now with a newer schema than it knows. Nothing may be noticed: no page is cut, and no write has to be sent again. Here nginx learns of a replica's end only by its refused connections; a platform takes it out of service before.`,
  async run(context) {
    const load = await startUnderLoad(context);
    const { running, traffic } = load;
    const migration = await migrate(running, traffic, context);
    const replacements = await deploy(running, traffic, context);
    const totals = await load.end();
    for (const refusal of traffic.refusals) context.say(`sent again: ${refusal}`);
    return [...totals, ...[migration, ...replacements].map(findingOf)];
  },
};
