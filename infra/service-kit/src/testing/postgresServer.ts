import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
/** Debian's folder of versions. */
const VERSIONS = '/usr/lib/postgresql';
/** PostgreSQL refuses to run as root. The user `nobody` exists everywhere and owns nothing. */
const NOBODY = 65_534;

const newestFirst = (versions: readonly string[]) => [...versions].sort((a, b) => Number(b) - Number(a));

/** Folder of the newest installed server's programs; undefined without PostgreSQL. */
export function findPostgres(): string | undefined {
  if (!existsSync(VERSIONS)) return undefined;
  return newestFirst(readdirSync(VERSIONS))
    .map((version) => join(VERSIONS, version, 'bin'))
    .find((bin) => existsSync(join(bin, 'initdb')));
}

/** A TCP port of this machine that nothing listens on now. */
export async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

export interface PostgresServer {
  readonly url: string;
  readonly pid: () => number | undefined;
  /** Resolves when the present process ends for any reason. */
  readonly ended: () => Promise<void>;
  /** Ends the server and all connections at once, as a crash does. */
  readonly crash: () => Promise<void>;
  /** Starts it again, with its data. */
  readonly start: () => Promise<void>;
  /** Crashes and starts again. */
  readonly restart: () => Promise<void>;
  /** Stops the server and deletes its data. */
  readonly stop: () => Promise<void>;
}

/**
 * Starts an empty server on a free port, with its data in a temporary folder. `isDurable`: it waits for the disk, which most
 * tests need not.
 */
export async function startPostgres(bin: string, { isDurable = false } = {}): Promise<PostgresServer> {
  const folder = mkdtempSync(join(tmpdir(), 'postgres-'));
  const isRoot = process.getuid?.() === 0;
  const user = isRoot ? { uid: NOBODY, gid: NOBODY } : {};
  if (isRoot) chownSync(folder, NOBODY, NOBODY);
  const options = { ...user, cwd: folder, env: { PATH: process.env['PATH'], LC_ALL: 'C' } };
  const data = join(folder, 'data');
  await run(
    join(bin, 'initdb'),
    ['-D', data, '-U', 'test', '-A', 'trust', '--no-sync', '-E', 'UTF8'],
    options,
  );
  const port = await freePort();

  const settings = ['-c', 'listen_addresses=127.0.0.1', '-c', 'max_connections=60'];
  if (!isDurable) settings.push('-c', 'fsync=off');
  const start = async () => {
    const server = spawn(join(bin, 'postgres'), ['-D', data, '-p', String(port), '-k', folder, ...settings], {
      ...options,
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    await new Promise<void>((resolve, reject) => {
      let log = '';
      server.once('error', reject);
      server.once('exit', () => reject(new Error(`PostgreSQL did not start: ${log}`)));
      server.stderr.on('data', (chunk: Buffer) => {
        log += chunk.toString();
        if (log.includes('ready to accept connections')) resolve();
      });
    });
    return server;
  };
  let server = await start();
  const ended = async () => {
    if (server.exitCode === null && server.signalCode === null) await once(server, 'exit');
  };
  const end = async (signal: NodeJS.Signals) => {
    server.kill(signal);
    await ended();
  };
  return {
    url: `postgres://test@127.0.0.1:${port}/postgres`,
    pid: () => server.pid,
    ended,
    crash: () => end('SIGQUIT'),
    async start() {
      server = await start();
    },
    async restart() {
      await end('SIGQUIT');
      server = await start();
    },
    async stop() {
      await end('SIGINT');
      rmSync(folder, { recursive: true });
    },
  };
}
