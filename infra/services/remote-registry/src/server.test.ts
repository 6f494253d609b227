import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { createServer as createHttpServer } from 'node:http';
import { createServer, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { exportJWK, generateKeyPair, SignJWT } from 'jose';
import { temporaryDirectory } from '@forecourt/release-kit/testing';
import { pointerEvent, TransparencyLog } from './log/transparencyLog.ts';
import { mustHavePointers } from './pointers/pointerBoard.ts';
import { openLocalStorage } from './storage/openStorage.ts';

const program = fileURLToPath(new URL('./server.ts', import.meta.url));

let data: Awaited<ReturnType<typeof temporaryDirectory>>;
let service: ChildProcess | undefined;
beforeEach(async () => {
  data = await temporaryDirectory();
});
afterEach(async () => {
  if (service?.exitCode === null) {
    service.kill('SIGKILL');
    await once(service, 'exit');
  }
  service = undefined;
  await data.remove();
});

const environment = (port: number) => ({
  PATH: process.env['PATH'],
  LOCAL_MODE: 'true',
  DATA_DIR: data.path,
  REGISTRY_PORT: String(port),
});

/** The port that a started service reports. */
function listeningPort({ stdout }: ChildProcess): Promise<number> {
  if (!stdout) throw new Error('no output');
  return new Promise((resolve) => {
    createInterface(stdout).on('line', (line) => {
      const { msg, address } = JSON.parse(line) as { msg: string; address: AddressInfo };
      if (msg === 'listening') resolve(address.port);
    });
  });
}

describe('server', () => {
  it('ends held requests and exits with 0 on SIGTERM', async () => {
    service = spawn(process.execPath, [program], {
      env: environment(0),
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const port = await listeningPort(service);
    const url = `http://127.0.0.1:${port}`;

    const pendingResponse = fetch(`${url}/api/pointers?wait=60&revision=0`);
    const isHeld = async () =>
      (await (await fetch(`${url}/metrics`)).text()).includes('registry_pointer_waits 1');
    while (!(await isHeld())) await new Promise((resolve) => setTimeout(resolve, 10));

    // Held for 60 s otherwise, which is longer than this test may take.
    service.kill('SIGTERM');
    expect(await (await pendingResponse).json()).toEqual({ revision: 0, remotes: {} });
    const [code] = (await once(service, 'exit')) as [number];
    expect(code).toBe(0);
  }, 30_000);

  it('refuses to start when its pointers are lost, and starts once an operator decided', async () => {
    const storage = await openLocalStorage(data.path);
    const change = {
      revision: 7,
      at: '2026-01-01T00:00:00.000Z',
      remote: 'sample',
      verb: 'promote' as const,
      by: 'ann',
      before: null,
      after: { live: '1.0.0' },
    };
    await (await TransparencyLog.open(storage.log)).record(pointerEvent(change));
    await storage.close?.();
    const failure = await promisify(execFile)(process.execPath, [program], {
      env: environment(0),
      timeout: 20_000,
    }).catch((error: { code: number; stderr: string }) => error);
    expect(failure).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/^remote-registry: pointers.json is missing or empty.*revision 7;.*\n$/),
    });
    const [begin = ''] = /\{"revision.*\}/.exec(failure.stderr) ?? [];
    await writeFile(join(data.path, 'registry/pointers.json'), begin);
    const { log, pointers } = await openLocalStorage(data.path);
    await mustHavePointers(pointers, await TransparencyLog.open(log));
  }, 30_000);

  it('exchanges tokens of an issuer with a path, in its spelling only', async () => {
    const { privateKey, publicKey } = await generateKeyPair('RS256');
    const keys = [{ ...(await exportJWK(publicKey)), kid: 'k1', alg: 'RS256', use: 'sig' }];
    const issuer = createHttpServer((request, response) => {
      response.setHeader('Content-Type', 'application/json');
      if (request.url === '/keys') response.end(JSON.stringify({ keys }));
      else if (request.url === '/realms/ci/.well-known/openid-configuration')
        response.end(JSON.stringify({ issuer: name, jwks_uri: `${new URL(name).origin}/keys` }));
      else response.writeHead(404).end('{}');
    }).listen(0, '127.0.0.1');
    await once(issuer, 'listening');
    const name = `http://127.0.0.1:${(issuer.address() as AddressInfo).port}/realms/ci`;
    const publisher = {
      remote: 'sample',
      actions: ['publish'],
      issuer: name,
      audience: 'us',
      claims: { sub: 'ci' },
    };
    try {
      service = spawn(process.execPath, [program], {
        env: { ...environment(0), TRUSTED_PUBLISHERS: JSON.stringify([publisher]) },
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      const port = await listeningPort(service);
      const statusFor = async (iss: string) => {
        const token = await new SignJWT({ iss, aud: 'us', sub: 'ci' })
          .setProtectedHeader({ alg: 'RS256', kid: 'k1' })
          .setIssuedAt()
          .setExpirationTime('5m')
          .sign(privateKey);
        const response = await fetch(`http://127.0.0.1:${port}/api/credentials/exchange`, {
          method: 'POST',
          body: JSON.stringify({ token }),
        });
        return response.status;
      };
      expect([await statusFor(name), await statusFor(`${name}/`)]).toEqual([201, 401]);
    } finally {
      issuer.closeAllConnections();
      issuer.close();
    }
  }, 30_000);

  it('prints one line when its port is taken', async () => {
    const other = createServer().listen(0, '127.0.0.1');
    await once(other, 'listening');
    const { port } = other.address() as AddressInfo;
    const failure = await promisify(execFile)(process.execPath, [program], { env: environment(port) }).catch(
      (error: { code: number; stderr: string }) => error,
    );
    other.close();
    expect(failure).toMatchObject({
      code: 1,
      stderr: `remote-registry: PORT_TAKEN: port ${port} is in use; set REGISTRY_PORT to a free one\n`,
    });
  }, 30_000);
});
