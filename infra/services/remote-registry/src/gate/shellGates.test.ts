import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { GateResult, Refusal } from '@forecourt/releases/gate';
import { manifestBytesOf, sampleRelease } from '@forecourt/release-kit/testing';
import { postJson, startTestRegistry, type TestRegistry } from '../testing/testApp.ts';
import { addToStore } from '../releases/addToStore.ts';
import { EGRESS } from '../access/egress.ts';
import { createShellGates } from './shellGates.ts';

const TOKEN = 'a-token-of-the-registry';
const REFUSAL: Refusal = {
  rule: 'SIZE_BUDGET',
  expected: 'at most 60000 bytes',
  found: '70000 bytes',
  remedy: 'load less',
};

/** A fake shell with only a gate, which refuses the given versions. */
async function startGate(refusedVersions: readonly string[] = [], status = 200, host = '127.0.0.1', at = 0) {
  const requests: { body: unknown; authorization: string | undefined }[] = [];
  const server: Server = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', () => {
      const body = JSON.parse(Buffer.concat(parts).toString('utf8')) as { remote: string; version: string };
      requests.push({ body, authorization: request.headers.authorization });
      const refusals = refusedVersions.includes(body.version) ? [REFUSAL] : [];
      const result: GateResult = {
        release: `${body.remote}@${body.version}`,
        isAccepted: refusals.length === 0,
        refusals,
        renders: [],
      };
      const error = { error: { code: 'UNAUTHORIZED', message: 'who are you' } };
      response.writeHead(status, { 'content-type': 'application/json' });
      response.end(JSON.stringify(status === 200 ? result : error));
    });
  });
  await new Promise<void>((resolve) => server.listen(at, host, resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://${host}:${port}`,
    requests,
    stop: () => {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(resolve));
    },
  };
}

const stopping: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const stop of stopping.splice(0).reverse()) await stop();
});

describe('a registry with SHELL_URLS', () => {
  let good: Awaited<ReturnType<typeof startGate>>;
  let strict: Awaited<ReturnType<typeof startGate>>;
  let registry: TestRegistry;

  async function start(more: readonly string[] = []): Promise<void> {
    const gates = createShellGates({ shellUrls: [good.url, strict.url, ...more], token: TOKEN });
    registry = await startTestRegistry({}, { gates });
    stopping.push(registry.stop);
    for (const version of ['1.0.0', '1.1.0', '2.0.0']) {
      const release = sampleRelease({ version });
      await addToStore(registry.storage.releases, {
        manifestBytes: manifestBytesOf(release),
        files: release.files,
      });
    }
  }
  beforeEach(async () => {
    good = await startGate();
    strict = await startGate(['2.0.0']);
    stopping.push(good.stop, strict.stop);
  });

  const write = (verb: string, body: object = {}) =>
    postJson(`${registry.url}/api/remotes/sample/${verb}`, body);
  const pointers = async () =>
    (await (await fetch(`${registry.url}/api/pointers`)).json()) as { revision: number; remotes: object };
  const lastChange = async () => {
    const response = await fetch(`${registry.url}/api/history?limit=1`);
    return ((await response.json()) as { changes: object[] }).changes[0];
  };

  it('moves a pointer when all shells accept the release, and sends them the token', async () => {
    await start();
    expect((await write('promote', { version: '1.0.0' })).status).toBe(200);
    expect((await write('canary', { version: '1.1.0', weight: 5 })).status).toBe(200);
    expect((await write('promote')).status).toBe(200);
    for (const { requests } of [good, strict]) {
      expect(requests.map(({ body }) => body)).toEqual(
        ['1.0.0', '1.1.0', '1.1.0'].map((version) => ({ remote: 'sample', version })),
      );
      expect(new Set(requests.map(({ authorization }) => authorization))).toEqual(
        new Set([`Bearer ${TOKEN}`]),
      );
    }
  });

  it.each([
    ['promote', { version: '2.0.0' }],
    ['canary', { version: '2.0.0', weight: 5 }],
    ['pointer', { live: '2.0.0', expectedRevision: 1 }],
    ['pointer', { live: '1.0.0', canary: { version: '2.0.0', weight: 5 }, expectedRevision: 1 }],
  ])('rejects %s of %j with the reasons when one shell refuses it', async (verb, body) => {
    await start();
    await write('promote', { version: '1.0.0' });
    const before = await pointers();
    const { status, body: response } = await write(verb, body);
    expect(status).toBe(422);
    expect(response['error']).toMatchObject({
      code: 'GATE_REFUSED',
      message: expect.stringContaining(
        'SIZE_BUDGET: expected at most 60000 bytes, found 70000 bytes',
      ) as unknown,
      refusals: [{ shell: strict.url, refusals: [REFUSAL] }],
    });
    expect(await pointers()).toEqual(before);
  });

  it('asks every replica behind a name, and one that refuses counts', async () => {
    await start();
    const { port } = new URL(good.url);
    const replica = await startGate(['1.1.0'], 200, '127.0.0.2', Number(port));
    stopping.push(replica.stop);
    const gates = createShellGates({
      shellUrls: [`http://shell.internal:${port}`],
      token: TOKEN,
      resolveName: (host) => {
        expect(host).toBe('shell.internal');
        return Promise.resolve([
          { address: '127.0.0.1', family: 4 },
          { address: '127.0.0.2', family: 4 },
          { address: '::1', family: 6 },
        ]);
      },
    });
    await expect(gates.mustAccept({ name: 'sample', version: '1.1.0' })).rejects.toMatchObject({
      code: 'GATE_REFUSED',
      message: expect.stringContaining('127.0.0.2') as unknown,
    });
    expect([good.requests.length, replica.requests.length]).toEqual([1, 1]);
  });

  it.each([
    ['http://shell:3000/releases/gate', true],
    ['http://10.0.0.7:3000/releases/report', true],
    ['http://[fd00::7]:3000/releases/provides', true],
    ['http://shell:3000/account', false],
    ['http://shell:3000/releases/gate/../../metrics', false],
    ['http://other:3000/releases/gate', false],
    ['http://10.0.0.7:4000/releases/gate', false],
    ['https://10.0.0.7/releases/gate', false],
    ['https://site.example/releases/gate', true],
    ['https://site.example:8443/releases/gate', false],
    ['http://site.example/releases/gate', false],
  ])('may send a request to %s: %s', (url, isAllowed) => {
    const { allows } = EGRESS.shells(['http://shell:3000', 'https://site.example']);
    expect(allows(new URL(url))).toBe(isAllowed);
  });

  it('calls no gate for a rollback or the end of a canary', async () => {
    await start();
    await write('promote', { version: '1.0.0' });
    await write('promote', { version: '1.1.0' });
    await good.stop();
    expect((await write('canary', { version: '2.0.0', weight: 0 })).status).toBe(200);
    expect((await write('rollback')).body).toMatchObject({ remotes: { sample: { live: '1.0.0' } } });
  });

  it('skips the gate only when a reason is given, and stores it in the history', async () => {
    await start();
    expect((await write('promote', { version: '2.0.0', skipGate: true })).status).toBe(400);
    const why = 'the page is down and this repairs it';
    expect((await write('promote', { version: '2.0.0', skipGate: true, why })).status).toBe(200);
    expect(await lastChange()).toMatchObject({ skipGate: true, why });
    expect(strict.requests).toEqual([]);
    await write('promote', { version: '1.0.0' });
    expect(await lastChange()).not.toHaveProperty('skipGate');
  });

  it.each([
    ['does not respond', async () => 'http://127.0.0.1:9'],
    [
      'does not know the token',
      async () => {
        const stranger = await startGate([], 401);
        stopping.push(stranger.stop);
        return stranger.url;
      },
    ],
  ])('changes nothing when a shell %s, and names the shell', async (_, another) => {
    const url = await another();
    await start([url]);
    const { status, body } = await write('promote', { version: '1.0.0' });
    expect(status).toBe(502);
    expect(body['error']).toMatchObject({
      code: 'SHELL_UNREACHABLE',
      message: expect.stringContaining(url) as unknown,
    });
    expect((await pointers()).remotes).toEqual({});
  });

  it.each([301, 302, 307, 308])(
    'follows no redirect (%i) of a shell: neither the verdict nor the token is another server’s',
    async (status) => {
      const accomplice = await startGate([], 200, 'localhost');
      const redirecting = createServer((_, response) => {
        response.writeHead(status, { location: `${accomplice.url}/releases/gate` }).end();
      });
      await new Promise<void>((resolve) => redirecting.listen(0, '127.0.0.1', resolve));
      stopping.push(accomplice.stop, () => new Promise((resolve) => redirecting.close(resolve)));
      await start([`http://127.0.0.1:${(redirecting.address() as AddressInfo).port}`]);
      const { body } = await write('promote', { version: '1.0.0' });
      expect(body['error']).toMatchObject({ code: 'SHELL_UNREACHABLE' });
      expect((await pointers()).remotes).toEqual({});
      expect(accomplice.requests).toEqual([]);
    },
  );

  it('promotes only the canary version that the gate checked', async () => {
    await start();
    await write('promote', { version: '1.0.0' });
    await write('canary', { version: '1.1.0', weight: 5 });
    const { board } = registry;
    await expect(board.promote('sample', undefined, { only: '2.0.0' })).rejects.toMatchObject({
      code: 'REVISION_CHANGED',
    });
    expect((await write('promote', { version: '9.9.9' })).body['error']).toMatchObject({
      code: 'UNKNOWN_RELEASE',
    });
  });
});
