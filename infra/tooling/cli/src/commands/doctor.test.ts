import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { startTestRegistry, type TestRegistry } from '@forecourt/remote-registry/testing';
import { runCommand } from '../testing/runCommand.ts';

const REFUSAL = { rule: 'SLOT_RENDER', expected: 'it renders', found: 'boom', remedy: 'repair it' };

describe('doctor --shell', () => {
  let registry: TestRegistry;
  let shell: Server;
  let ready: { status: number; body: string };
  let url: string;
  beforeEach(async () => {
    registry = await startTestRegistry();
    shell = createServer((_, response) => response.writeHead(ready.status).end(ready.body));
    await new Promise<void>((resolve) => shell.listen(0, '127.0.0.1', resolve));
    url = `http://127.0.0.1:${(shell.address() as AddressInfo).port}`;
  });
  afterEach(async () => {
    await registry.stop();
    await new Promise((resolve) => shell.close(resolve));
  });
  const ofShell = async () => {
    const words = ['doctor', '--shell', url, '--json'];
    const { output } = await runCommand(words, { REGISTRY_URL: registry.url });
    const { findings } = JSON.parse(output) as { findings: { isOk: boolean; what: string }[] };
    return findings.filter(({ what }) => what.startsWith('shell'));
  };
  const saying = (status: number, body: object) => ({ status, body: JSON.stringify(body) });

  it('lists the releases in use', async () => {
    ready = saying(200, { status: 'ready', releases: { sample: '1.0.0' }, refused: {} });
    expect(await ofShell()).toEqual([{ isOk: true, what: `shell ${url} is ready: sample@1.0.0` }]);
  });

  it.each([
    ['namespaces', true, 'runs releases in the sandbox level namespaces'],
    ['none', false, 'runs releases without a sandbox'],
  ])('names the sandbox level %s of the shell', async (level, isOk, what) => {
    ready = saying(200, { status: 'ready', releases: {}, isolation: { level } });
    expect((await ofShell())[1]).toMatchObject({ isOk, what: `shell ${url} ${what}` });
  });

  it('reports releases that the shell refused, by rule', async () => {
    ready = saying(200, {
      status: 'ready',
      releases: { sample: '1.0.0' },
      refused: { 'sample@1.1.0': [REFUSAL] },
    });
    expect((await ofShell())[1]).toEqual({
      isOk: false,
      what: `shell ${url} refuses sample@1.1.0`,
      advice: 'SLOT_RENDER: expected it renders, found boom; repair it',
    });
  });

  it.each([
    ['one that is not ready', saying(503, { status: 'starting', releases: {} })],
    ['something else that answers', { status: 200, body: '<html>' }],
  ])('reports a problem for %s', async (_, response) => {
    ready = response;
    expect((await ofShell()).map(({ isOk }) => isOk)).toEqual([false]);
  });
});

describe('doctor', () => {
  it.each([
    [0, true, 'the clock agrees with the registry’s'],
    [90, false, 'the clock is 90 s ahead of the registry’s'],
    [-90, false, 'the clock is 90 s behind the registry’s'],
  ])('compares the clock, %i s off, with that of the registry', async (seconds, isOk, what) => {
    const registry = createServer((request, response) => {
      response.setHeader('date', new Date(Date.now() - seconds * 1000).toUTCString());
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify({ revision: 0, remotes: {} }));
    });
    await new Promise<void>((resolve) => registry.listen(0, '127.0.0.1', resolve));
    const registryUrl = `http://127.0.0.1:${(registry.address() as AddressInfo).port}`;
    const { output } = await runCommand(['doctor', '--json', '--registry', registryUrl], {});
    await new Promise((resolve) => registry.close(resolve));
    const { findings } = JSON.parse(output) as { findings: { isOk: boolean; what: string }[] };
    const clock = findings.find((finding) => finding.what.startsWith('the clock'));
    expect(clock?.isOk).toBe(isOk);
    // A second may pass between the two.
    expect(clock?.what.replace(/8[89]|91/, '90')).toBe(what);
    expect(findings[0]).toMatchObject({ isOk: true, what: `Node ${process.versions.node}` });
  });

  it('says of each port of the local stack who uses it, and checks the running shell', async () => {
    const respondWith = (body: object) => createServer((_, response) => response.end(JSON.stringify(body)));
    const registry = respondWith({ status: 'live', revision: 0, remotes: {} });
    const shell = respondWith({ status: 'live', releases: {} });
    const other = respondWith({ status: 'something else' });
    const free = createServer();
    const ports: number[] = [];
    for (const server of [registry, shell, other, free]) {
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
      ports.push((server.address() as AddressInfo).port);
    }
    await new Promise((resolve) => free.close(resolve));
    const [registryPort, shellPort, otherPort, freePort] = ports.map(String);
    const findings = async (environment: Record<string, string | undefined>) => {
      const REGISTRY_URL = `http://127.0.0.1:${registryPort}`;
      const { output } = await runCommand(['doctor', '--json'], { REGISTRY_URL, ...environment });
      return (JSON.parse(output) as { findings: { what: string; advice?: string }[] }).findings;
    };
    const found = await findings({
      PORT: shellPort,
      MARKETPLACE_API_PORT: otherPort,
      REGISTRY_PORT: registryPort,
      IDENTITY_PORT: freePort,
    });
    expect(found.filter(({ what }) => what.startsWith('port'))).toEqual([
      { isOk: true, what: `port ${shellPort} has a running shell` },
      {
        isOk: false,
        what: `port ${otherPort}, of the marketplace API, is used by another program`,
        advice: `stop that program, or choose another port: MARKETPLACE_API_PORT=${Number(otherPort) + 1} npm start`,
      },
      { isOk: true, what: `port ${registryPort} has a running registry` },
      { isOk: true, what: `port ${freePort} is free for the identity service` },
    ]);
    expect(found.at(-1)?.what).toMatch(`shell http://localhost:${shellPort} is live`);
    // A registry elsewhere has no local stack, nor has one whose variable is an address.
    expect(await findings({ REGISTRY_PORT: 'tcp://10.0.0.1:4100' })).not.toContainEqual(
      expect.objectContaining({ what: expect.stringMatching(/^port/) }),
    );
    await Promise.all(
      [registry, shell, other].map((server) => new Promise((resolve) => server.close(resolve))),
    );
  });
});
