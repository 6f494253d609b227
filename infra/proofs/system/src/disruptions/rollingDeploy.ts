import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import type { Cluster } from '@forecourt/local';
import { migratePostgres } from '@forecourt/service-kit/postgres';
import { type ProofContext, required } from '../proof.ts';
import { type ClusterLoad, notesOf } from './clusterLoad.ts';
import { isReady, SETTLE_MS } from './clusterLosses.ts';
import { type Disruption, ending, type Scenario } from './disruption.ts';
import { MIGRATIONS, openPeopleTables } from './storedLeads.ts';
import type { Counts } from './traffic.ts';

/** ms for which a reader, such as a backup, holds the tables that a migration changes. */
const READER_MS = 5_000;
/** What a later release could add, and replicas of this one must ignore. */
const EXPANSION = `ALTER TABLE leads ADD COLUMN campaign TEXT;
CREATE TABLE campaigns (name TEXT PRIMARY KEY, started_at INTEGER NOT NULL) STRICT;
CREATE INDEX leads_campaign ON leads (campaign);
`;
const VERSION = 900;

/** No request failed, was cut, or had to be sent again. */
const isUnnoticed = ({ pages, failed, truncated, repeatedWrites, unreadable }: Counts): boolean =>
  pages > 0 && failed + truncated + repeatedWrites + unreadable === 0;

/**
 * Two processes run an expand migration at once, while a reader holds its tables. Returns the seconds from the start of
 * the reader, undefined if they didn't wait for it or didn't migrate.
 */
async function migrate({ postgres }: Cluster, { onEnd }: ProofContext): Promise<number | undefined> {
  const migrations = mkdtempSync(join(tmpdir(), 'forecourt-expansion-'));
  onEnd(() => rmSync(migrations, { recursive: true }));
  cpSync(MIGRATIONS, migrations, { recursive: true });
  writeFileSync(join(migrations, `${VERSION}-campaigns.sql`), EXPANSION);
  const reader = await openPeopleTables(postgres.url);
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
  const isDone = seconds * 1000 > READER_MS && versions.every((version) => version === VERSION);
  return isDone ? seconds : undefined;
}

/** The schema is extended, and then each replica is replaced: SIGTERM, the end of what it does, and a new process. */
export function rollingDeploy(cluster: Cluster, load: ClusterLoad, context: ProofContext): Scenario {
  const migration = `Migration, twice at once while a reader holds its tables for ${READER_MS / 1000} s`;
  const { phases, refusals } = load.traffic;
  const replacements = cluster.replicas.map(({ name, number, port, pid }) =>
    ending(`${name} ${number} replaced`, 'SIGTERM', pid, () => isReady(port)),
  );
  const disruptions: Disruption[] = [
    { name: migration, run: () => migrate(cluster, context) },
    ...replacements,
  ];
  return {
    disruptions: disruptions.map((each) => ({ ...each, settleMs: SETTLE_MS })),
    async findings(steps) {
      for (const refusal of refusals) context.say(`sent again: ${refusal}`);
      return [
        ...(await load.findings()),
        ...steps.map(({ name, seconds }) => {
          const counts = phases.get(name)!;
          return required(
            name,
            `${notesOf(counts)}; ${seconds === undefined ? 'failed' : `${seconds.toFixed(1)} s`}`,
            'nothing fails, is cut or sent again',
            seconds !== undefined && isUnnoticed(counts),
          );
        }),
      ];
    },
  };
}
