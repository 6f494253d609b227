import { execFileSync } from 'node:child_process';
import { chownSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Debian's folder of versions. */
const VERSIONS = '/usr/lib/postgresql';
/** Programs of the newest PostgreSQL; undefined without one. */
export const [postgresPrograms] = existsSync(VERSIONS)
  ? readdirSync(VERSIONS)
      .sort((a, b) => Number(b) - Number(a))
      .map((version) => join(VERSIONS, version, 'bin'))
      .filter((folder) => existsSync(join(folder, 'initdb')))
  : [];
/** PostgreSQL refuses to run as root; `nobody` exists everywhere. */
const NOBODY = 65_534;

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

/** An empty server; the shell imports no package of `infra`, which has a similar one. */
export async function startPostgres(programs: string) {
  const folder = mkdtempSync(join(tmpdir(), 'shell-postgres-'));
  const isRoot = process.getuid?.() === 0;
  if (isRoot) chownSync(folder, NOBODY, NOBODY);
  const user = isRoot ? { uid: NOBODY, gid: NOBODY } : {};
  const run = (program: string, ...options: string[]) =>
    execFileSync(join(programs, program), ['-D', join(folder, 'data'), ...options], {
      ...user,
      cwd: folder,
      env: { PATH: process.env['PATH'], LC_ALL: 'C' },
      stdio: 'ignore',
    });
  run('initdb', '-U', 'test', '-A', 'trust', '--no-sync', '-E', 'UTF8');
  const port = await freePort();
  const settings = `-c listen_addresses=127.0.0.1 -p ${port} -k ${folder} -c fsync=off`;
  const start = () => run('pg_ctl', '-w', '-l', join(folder, 'log'), '-o', settings, 'start');
  start();
  return {
    url: `postgres://test@127.0.0.1:${port}/postgres`,
    start,
    /** `immediate`: as in a crash. */
    stop: (mode: 'fast' | 'immediate') => run('pg_ctl', '-w', '-m', mode, 'stop'),
    remove: () => rmSync(folder, { recursive: true }),
  };
}
