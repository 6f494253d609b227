import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, renameSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { promisify } from 'node:util';
import { startOwnStack } from '@forecourt/harness/ownStack';
import { kill } from '@forecourt/harness/processes';
import { startVisitors } from '@forecourt/harness/visitors';
import { deploy, fixtureDist, promote, releasesOf } from '@forecourt/harness/releases';
import { getPage, listingIds } from '@forecourt/harness/serverHtml';
import { REPOSITORY, removeDataDir, type ServiceName, type Stack } from '@forecourt/local';
import { signIn, signUp, type Shopper } from '@forecourt/harness/shopper';
import { completePage, PAGE } from './pages.ts';
import { until, type Finding, noFailures, type Proof, required } from './proof.ts';
import { publishVariant } from './registry.ts';

const REMOTE = 'mfe-showcase';
const EMAIL = 'ada.backup@example.com';
const SAVED = 5;
const SERVICES: readonly ServiceName[] = ['shell', 'marketplace-api', 'remote-registry', 'identity'];
const TOOL = join(REPOSITORY, 'infra/deploy/src/backup.ts');

type OwnStack = Awaited<ReturnType<typeof startOwnStack>>;

/** Runs the documented command. Rejects with what it printed. */
const runTool = (...args: string[]) =>
  promisify(execFile)(process.execPath, ['--no-warnings', TOOL, ...args]);

const same = (measure: string, value: string | number, expected: string | number): Finding =>
  required(measure, value, String(expected), value === expected);

/** Rows of all tables of a database file. */
function countRows(path: string): number {
  const db = new DatabaseSync(path, { readOnly: true });
  try {
    const tables = db.prepare("SELECT name FROM sqlite_schema WHERE type = 'table'").all() as {
      name: string;
    }[];
    return tables
      .filter(({ name }) => !name.includes('sqlite'))
      .map(({ name }) => Number(db.prepare(`SELECT count(*) AS count FROM "${name}"`).get()?.['count']))
      .reduce((sum, count) => sum + count, 0);
  } finally {
    db.close();
  }
}

async function savedBy(shopper: Shopper, shell: string, ids: readonly string[]): Promise<number> {
  const { text } = await shopper.open(`${shell}/account/saved-vehicles`);
  return ids.filter((id) => text.includes(id)).length;
}

/** Moves what `names` lists (default: all data) out of the folder, as an operator would before a restore. */
function moveAway(dataDir: string, names = readdirSync(dataDir)): void {
  const lost = join(dataDir, 'logs/lost', String(Date.now()));
  mkdirSync(lost, { recursive: true });
  for (const name of names)
    if (name !== 'logs' && name !== 'stack.pid' && existsSync(join(dataDir, name)))
      renameSync(join(dataDir, name), join(lost, name));
}

/** Loses all data, restores the backup, and starts every service again. */
async function loseAndRestore(stack: OwnStack, backup: string): Promise<void> {
  for (const service of SERVICES) await kill(stack.pids[service]);
  moveAway(stack.dataDir);
  await runTool('restore', backup, stack.dataDir);
  for (const service of [...SERVICES].reverse()) await stack.restart(service);
}

/** One service after the other is replaced; only the API's pages may be missing, and for seconds. */
async function upgrade(stack: Stack): Promise<readonly Finding[]> {
  const visits = startVisitors(1, 50, async () => void (await completePage(stack.urls.shell + PAGE)));
  for (const service of ['remote-registry', 'identity'] as const) await stack.restart(service);
  await visits.stop();
  const startedAt = performance.now();
  await stack.restart('marketplace-api');
  const isBack = () =>
    completePage(stack.urls.shell + PAGE).then(
      () => true,
      () => false,
    );
  await until('pages after the restart of the API', isBack);
  const goneMs = performance.now() - startedAt;
  return [
    noFailures('visits while registry and identity are replaced', visits.count(), visits.failures),
    required(
      'Pages back after the API is replaced',
      `${Math.round(goneMs)} ms`,
      '≤ 10000 ms',
      goneMs <= 10_000,
    ),
  ];
}

/** A later release has migrated a database; the release before it refuses the file, and starts with the backup. */
async function rollBackSchema(stack: OwnStack, backup: string): Promise<readonly Finding[]> {
  await kill(stack.pids['marketplace-api']);
  const path = join(stack.dataDir, 'people.sqlite');
  const db = new DatabaseSync(path);
  db.exec('PRAGMA user_version = 9999');
  db.close();
  const refusal = await stack.restart('marketplace-api').then(
    () => 'started',
    (error: unknown) => String(error),
  );
  moveAway(
    stack.dataDir,
    ['', '-wal', '-shm'].map((suffix) => `people.sqlite${suffix}`),
  );
  await runTool('restore', backup, stack.dataDir, 'people.sqlite');
  await stack.restart('marketplace-api');
  const isNamed = refusal.includes('schema version 9999');
  return [
    required(
      'An older API on a newer database',
      isNamed ? 'refuses, naming the version' : refusal.slice(0, 200),
      'refuses, naming the version',
      isNamed,
    ),
  ];
}

export const backups: Proof = {
  name: 'backups',
  title: 'Every store is backed up while in use, and restored',
  limitMs: 5 * 60_000,
  method: `The steps of [operations](../../docs/operations.md). A shopper signs up, saves ${SAVED} vehicles and views one; a release is promoted. The data folder is backed up while visitors write. Then a further vehicle is saved and another release promoted, all services are killed, all data is moved away and restored, and every store must be as it was. At last services are replaced one by one, and one database is rolled back behind a migration.`,
  async run({ onEnd, say }) {
    const stack = await startOwnStack();
    onEnd(stack.remove);
    const folder = mkdtempSync(join(tmpdir(), 'forecourt-backup-'));
    onEnd(() => removeDataDir(folder));
    const backup = join(folder, 'backup');
    const { shell, identity, 'remote-registry': registry } = stack.urls;
    const shopper = await signUp(shell, identity, EMAIL);
    const { html } = await getPage(shell + PAGE);
    const ids = listingIds(html).slice(0, SAVED + 1);
    for (const listingId of ids.slice(0, SAVED)) await shopper.write(shell, 'saveListing', { listingId });
    await shopper.write(shell, 'recordView', {}, { listingId: ids[0] as string, brand: 'atc' });
    const { version } = await deploy(stack.urls, fixtureDist('good'));

    say('backup while in use');
    const writer = startVisitors(1, 20, async () =>
      shopper.write(shell, 'recordView', {}, { listingId: ids[1] as string, brand: 'atc' }),
    );
    await runTool('backup', stack.dataDir, backup);
    await writer.stop();
    const stores = readdirSync(backup).sort().join(', ');
    const counts = ['marketplace.sqlite', 'activity.sqlite'].map(
      (name) => [name, countRows(join(backup, name))] as const,
    );

    await shopper.write(shell, 'saveListing', { listingId: ids[SAVED] as string });
    await publishVariant(registry, fixtureDist('good'), '9.9.1', [
      'Fixture showcase',
      'Fixture showcase 9.9.1',
    ]);
    await promote(registry, REMOTE, '9.9.1');
    say('all data lost and restored');
    await loseAndRestore(stack, backup);

    const findings: Finding[] = [
      same('Stores in the backup', stores, STORES),
      noFailures('writes beside the backup', writer.count(), writer.failures),
      same('People: saved vehicles, of which one was saved later', await savedBy(shopper, shell, ids), SAVED),
      ...counts.map(([name, rows]) => {
        const restored = countRows(join(stack.dataDir, name));
        return required(`Rows of ${name}`, restored, `≥ ${rows}`, restored >= rows && rows > 0);
      }),
    ];
    const browser = await signIn(shell, EMAIL);
    findings.push(
      same('Identity: saved vehicles after a new sign-in', await savedBy(browser, shell, ids), SAVED),
      same('Session secret: the older session goes on', await savedBy(shopper, shell, ids), SAVED),
      same('Registry: live release', (await releasesOf(shell))[REMOTE] ?? 'none', version),
    );
    await publishVariant(registry, fixtureDist('good'), '9.9.2', [
      'Fixture showcase',
      'Fixture showcase 9.9.2',
    ]);
    await promote(registry, REMOTE, '9.9.2');
    await until(
      'the shell follows the restored registry',
      async () => (await releasesOf(shell))[REMOTE] === '9.9.2',
    );
    say('services replaced one by one');
    findings.push(...(await upgrade(stack)), ...(await rollBackSchema(stack, backup)));
    findings.push(same('Saved vehicles after the rollback', await savedBy(shopper, shell, ids), SAVED));
    return findings;
  },
};

const STORES =
  'activity.sqlite, backup.json, identity-keys.json, identity.sqlite, marketplace.sqlite, people.sqlite, registry, session-secret';
