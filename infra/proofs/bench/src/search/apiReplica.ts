import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { freePort, leanProcess, REPOSITORY } from '@forecourt/local';

const API_SOURCE = join(REPOSITORY, 'infra/services/marketplace-api/src');
/** ms; the first replica is ready when an index is built. */
const READY_MS = 1_200_000;
/** ms between two looks. */
const LOOK_MS = 20;

export interface ApiReplica {
  readonly url: string;
  readonly pid: number;
  /** From its start until it was ready. */
  readonly readySeconds: number;
  readonly stop: () => Promise<void>;
}

const lean = leanProcess('marketplace-api');

const environmentOf = (settings: Readonly<Record<string, string>>) => ({
  PATH: process.env['PATH'],
  NODE_ENV: 'production',
  LOCAL_MODE: 'true',
  LOG_LEVEL: 'warn',
  // It needs no disk.
  DATA_DIR: '/dev/null/data',
  // In a container of 1 GiB.
  NODE_OPTIONS: '--max-old-space-size=512',
  ...lean.environment,
  ...settings,
});

/** Makes the tables of all replicas. */
export async function migrateApi(settings: Readonly<Record<string, string>>): Promise<void> {
  const child = spawn(process.execPath, ['--no-warnings', join(API_SOURCE, 'migrate.ts')], {
    env: environmentOf(settings),
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const [code] = (await once(child, 'exit')) as [number | null];
  if (code !== 0) throw new Error(`the migration ended with ${code}`);
}

/** Starts a replica of the API. */
export async function startApiReplica(settings: Readonly<Record<string, string>>): Promise<ApiReplica> {
  const port = await freePort();
  const started = performance.now();
  const args = [...lean.nodeArguments, '--no-warnings', join(API_SOURCE, 'server.ts')];
  const child = spawn(process.execPath, args, {
    env: { ...environmentOf(settings), MARKETPLACE_API_PORT: String(port) },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const url = `http://127.0.0.1:${port}`;
  for (;;) {
    const ready = await fetch(`${url}/health/ready`).catch(() => undefined);
    if (ready?.ok) break;
    if (child.exitCode !== null) throw new Error(`the replica ended with ${child.exitCode}`);
    if (performance.now() - started > READY_MS) throw new Error('the replica was not ready in time');
    await wait(LOOK_MS);
  }
  return {
    url,
    pid: child.pid!,
    readySeconds: (performance.now() - started) / 1000,
    async stop() {
      if (child.exitCode !== null || child.signalCode !== null) return;
      child.kill('SIGTERM');
      await once(child, 'exit');
    },
  };
}
