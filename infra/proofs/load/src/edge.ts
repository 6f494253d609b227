import { spawn } from 'node:child_process';
import { mkdirSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { type EdgeSettings, findNginx, writeEdge } from '@forecourt/deploy/nginx';
import { freePort } from '@forecourt/local';
import { until } from './until.ts';

export interface Edge {
  readonly url: string;
  stop(): Promise<void>;
}

/** Started by root, nginx would do its work as somebody who may not enter a folder of root's. */
const USER = process.getuid?.() === 0 ? 'user root;' : '';

/** Starts nginx with the deployed configuration, as this user and in a folder of its own. */
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
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  const url = `http://127.0.0.1:${port}`;
  await until('nginx', async () => {
    if (child.exitCode !== null) throw new Error(`nginx ended; ${folder}/edge.log says why`);
    return fetch(`${url}/edge/health`).then(
      ({ status }) => status === 200,
      () => false,
    );
  });
  return {
    url,
    async stop() {
      child.kill('SIGTERM');
      await ended;
    },
  };
}
