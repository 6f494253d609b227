import { mkdirSync, mkdtempSync, openSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Service, type Stack, freePort, startService } from '@forecourt/local';
import { spawn } from 'node:child_process';
import { type EdgeSettings, findNginx, writeEdge } from '@forecourt/deploy/nginx';
import { until } from './proof.ts';

export interface ShellReplica {
  readonly url: string;
  readonly port: number;
  readonly service: () => Service;
  /** Starts it again on the same port after it has stopped; resolves when it is ready. */
  readonly start: () => Promise<void>;
}

/**
 * Starts another shell with the upstream, registry and issuer of a stack. `dataDir` holds only its releases, so that a
 * proof can fill that disk. `onEnd` receives the cleanup steps.
 */
export async function startReplica(
  stack: Stack,
  dataDir: string,
  environment: Readonly<Record<string, string>>,
  onEnd: (step: () => Promise<void> | void) => void,
): Promise<ShellReplica> {
  const port = await freePort();
  const logDir = mkdtempSync(join(tmpdir(), 'forecourt-logs-'));
  onEnd(() => rmSync(logDir, { recursive: true, force: true }));
  let service: Service | undefined;
  const start = async () => {
    service = startService({
      name: 'shell',
      folder: 'shell',
      script: 'dist/server/server.cjs',
      port,
      logDir,
      environment: {
        NODE_ENV: 'production',
        NODE_OPTIONS: '',
        HOST: '127.0.0.1',
        MARKETPLACE_API_URL: stack.urls['marketplace-api'],
        REGISTRY_URL: stack.urls['remote-registry'],
        OIDC_ISSUER: stack.urls.identity,
        DATA_DIR: dataDir,
        ...environment,
        PORT: String(port),
      },
    });
    await service.ready();
  };
  onEnd(() => service?.stop());
  await start();
  return { url: `http://127.0.0.1:${port}`, port, service: () => service as Service, start };
}

export interface Edge {
  readonly url: string;
  stop(): Promise<void>;
}

/** As root, nginx would start its workers as a user who cannot read root's folders. */
const USER = process.getuid?.() === 0 ? 'user root;' : '';

/** Starts nginx with the deployed configuration, as the current user and in its own folder. */
export async function startEdge(
  folder: string,
  settings: Omit<EdgeSettings, 'EDGE_DIR' | 'EDGE_CONF_DIR' | 'EDGE_LISTEN' | 'EDGE_CACHE_SIZE'>,
): Promise<Edge> {
  mkdirSync(folder, { recursive: true });
  const port = await freePort();
  const file = writeEdge({
    ...settings,
    EDGE_DIR: folder,
    EDGE_CONF_DIR: join(folder, 'server.d'),
    EDGE_LISTEN: `127.0.0.1:${port}`,
    EDGE_CACHE_SIZE: '256m',
  });
  const log = openSync(join(folder, 'edge.log'), 'a');
  const child = spawn(findNginx(), ['-p', folder, '-c', file, '-g', `daemon off; ${USER}`], {
    stdio: ['ignore', log, log],
  });
  const exited = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  const url = `http://127.0.0.1:${port}`;
  await until('nginx', async () => {
    if (child.exitCode !== null) throw new Error(`nginx exited; see ${folder}/edge.log`);
    return fetch(`${url}/edge/health`).then(
      ({ status }) => status === 200,
      () => false,
    );
  }).catch((error: unknown) => {
    child.kill('SIGTERM');
    throw error;
  });
  return {
    url,
    async stop() {
      child.kill('SIGTERM');
      await exited;
    },
  };
}
