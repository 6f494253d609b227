import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { freePort, REPOSITORY } from '@forecourt/local';
import { type ProofContext, until } from '../proof.ts';

export const API_SOURCE = join(REPOSITORY, 'infra/services/marketplace-api/src');
const START_MS = 60_000;

/** A replica of the API. */
export interface ApiReplica {
  readonly port: number;
  readonly environment: Readonly<Record<string, string | undefined>>;
  process: ChildProcess;
}

/** Starts the process of a replica, again if it has ended. */
export async function startProcess(replica: Pick<ApiReplica, 'port' | 'environment'>): Promise<ChildProcess> {
  const child = spawn(process.execPath, [join(API_SOURCE, 'server.ts')], {
    env: replica.environment,
    stdio: 'ignore',
  });
  await until(
    'a replica is ready',
    async () => {
      if (child.exitCode !== null) throw new Error(`a replica ended with ${child.exitCode}`);
      const ready = await fetch(`http://127.0.0.1:${replica.port}/health/ready`).catch(() => undefined);
      return ready?.ok === true;
    },
    { limitMs: START_MS, everyMs: 50 },
  );
  return child;
}

/** Makes the tables and the generated listings unless they are there, and starts a replica. */
export async function startApi(
  { database, search }: { readonly database: string; readonly search?: string },
  onEnd: ProofContext['onEnd'],
): Promise<ApiReplica> {
  const folder = mkdtempSync(join(tmpdir(), 'shared-database-'));
  const port = await freePort();
  const environment = {
    PATH: process.env['PATH'],
    DATA_DIR: folder,
    DATABASE_URL: `${database}?connections=4`,
    ...(search !== undefined && { SEARCH_URL: search }),
    INVENTORY_SIZE: '300',
    LOCAL_MODE: 'true',
    LOG_LEVEL: 'silent',
    MARKETPLACE_API_PORT: String(port),
    WRITE_LIMIT: '1000000',
  };
  const run = promisify(execFile);
  for (const script of ['migrate.ts', 'seed.ts'])
    await run(process.execPath, ['--no-warnings', join(API_SOURCE, script)], { env: environment });
  const replica = { port, environment, process: await startProcess({ port, environment }) };
  onEnd(async () => {
    if (replica.process.exitCode === null && replica.process.signalCode === null) {
      replica.process.kill('SIGKILL');
      await once(replica.process, 'exit');
    }
    rmSync(folder, { recursive: true, force: true });
  });
  return replica;
}
