import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface BucketServer {
  readonly url: string;
  readonly pid: () => number | undefined;
  /** Resolves when the present process ends for any reason. */
  readonly ended: () => Promise<void>;
  /** Kills the server if it runs, and starts it again on the same port with the same objects. */
  readonly restart: () => Promise<void>;
  /** Stops the server and deletes its objects. */
  readonly stop: () => Promise<void>;
}

const PROGRAM = join(import.meta.dirname, 'serveBucket.ts');

async function launch(folder: string, port: number): Promise<{ server: ChildProcess; port: number }> {
  const server = spawn(process.execPath, ['--no-warnings', PROGRAM, folder, String(port)], {
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
    env: { ...process.env, NODE_OPTIONS: '' },
  });
  const found = await new Promise<number>((resolve, reject) => {
    server.once('error', reject);
    server.once('exit', (status) => reject(new Error(`the bucket did not start: status ${status}`)));
    server.stdout!.once('data', (line: Buffer) =>
      resolve((JSON.parse(line.toString()) as { port: number }).port),
    );
  });
  return { server, port: found };
}

/** A process that serves any bucket by the S3 protocol, empty at first, to any credentials. It ends with this process. */
export async function startBucketServer(): Promise<BucketServer> {
  const folder = mkdtempSync(join(tmpdir(), 'bucket-'));
  let { server, port } = await launch(folder, 0);
  const ended = async () => {
    if (server.exitCode === null && server.signalCode === null) await once(server, 'exit');
  };
  const kill = async () => {
    server.kill('SIGKILL');
    await ended();
  };
  return {
    url: `http://127.0.0.1:${port}`,
    pid: () => server.pid,
    ended,
    async restart() {
      await kill();
      ({ server, port } = await launch(folder, port));
    },
    async stop() {
      await kill();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
