import { spawnSync } from 'node:child_process';
import { createServer, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, describe, expect, it } from '@jest/globals';
import { openProbePort } from './probePort.ts';

const program = join(import.meta.dirname, 'thread.ts');
const host = '127.0.0.1';

const closers: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});

/** A free port, or one that stays in use. */
async function aPort({ isTaken = false } = {}): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, host, resolve));
  const { port } = server.address() as AddressInfo;
  const close = () => new Promise((resolve) => server.close(resolve));
  if (isTaken) closers.push(close);
  else await close();
  return port;
}

async function open() {
  const shell = { isReady: true };
  const port = await aPort();
  const ended: Error[] = [];
  const probes = await openProbePort({
    port,
    host,
    program,
    readiness: () => ({ isReady: shell.isReady, facts: { status: shell.isReady ? 'ready' : 'stopping' } }),
    onEnd: (error) => ended.push(error),
  });
  closers.push(probes.close);
  const ask = async (path: string) => {
    const response = await fetch(`http://${host}:${port}${path}`);
    return { status: response.status, body: await response.json() };
  };
  return { shell, port, ask, ended };
}

describe('port for probes', () => {
  it('answers liveness and the current readiness', async () => {
    const { shell, ask } = await open();
    expect(await ask('/health/live')).toEqual({ status: 200, body: { status: 'live' } });
    expect(await ask('/health/ready')).toEqual({ status: 200, body: { status: 'ready' } });
    shell.isReady = false;
    while ((await ask('/health/ready')).status === 200) await pause(50);
    expect(await ask('/health/ready')).toEqual({ status: 503, body: { status: 'stopping' } });
    expect(await ask('/health/live')).toMatchObject({ status: 200 });
    expect(await ask('/metrics')).toMatchObject({ status: 404 });
  });

  it.each(['/health/live', '/health/ready'])('answers %s while the shell is blocked', async (path) => {
    const { port } = await open();
    const script = `fetch('http://${host}:${port}${path}').then(({ status }) => process.exit(status === 200 ? 0 : 1))`;
    // Blocks this thread until the other process has its answer.
    expect(spawnSync(process.execPath, ['-e', script], { timeout: 20_000 }).status).toBe(0);
  });

  it('rejects when the port is in use', async () => {
    const port = await aPort({ isTaken: true });
    const readiness = () => ({ isReady: true, facts: { status: 'ready' } });
    await expect(openProbePort({ port, host, program, readiness, onEnd: () => {} })).rejects.toThrow(
      'EADDRINUSE',
    );
  });
});
