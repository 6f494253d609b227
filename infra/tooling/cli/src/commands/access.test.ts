import { createServer } from 'node:http';
import { mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startTestRegistry, type TestRegistry } from '@forecourt/remote-registry/testing';
import { keyIdOf } from '@forecourt/release-kit/signatures';
import { sampleRelease, temporaryDirectory, writeRelease } from '@forecourt/release-kit/testing';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { runCommand } from '../testing/runCommand.ts';

describe('keys', () => {
  let registry: TestRegistry;
  let build: Awaited<ReturnType<typeof temporaryDirectory>>;
  beforeEach(async () => {
    registry = await startTestRegistry();
    build = await temporaryDirectory();
    await writeRelease(build.path, sampleRelease());
  });
  afterEach(async () => {
    await registry.stop();
    await build.remove();
  });

  it('generates, registers and uses a key', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'keys-'));
    const file = join(folder, 'release.pem');
    const cli = (args: string[], environment = {}) =>
      runCommand(args, { REGISTRY_URL: registry.url, ...environment });
    const { output } = await cli(['keys', 'generate', file]);
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    expect((await cli(['keys', 'generate', file])).status).toBe(1);
    expect(await readFile(file, 'utf8')).toContain('PRIVATE KEY');
    const publicKey = output.split(' ').at(-1)!;
    expect((await cli(['keys', 'add', 'sample', publicKey])).status).toBe(0);
    expect((await cli(['keys', 'list', 'sample'])).output).toContain(publicKey);
    expect((await cli(['publish', build.path])).output).toMatch(/^SIGNATURE_INVALID: /);
    expect((await cli(['publish', build.path], { RELEASE_KEY: 'no key' })).output).toMatch(
      /^SIGNATURE_INVALID: RELEASE_KEY is not an Ed25519 private key/,
    );
    expect(await cli(['publish', build.path], { RELEASE_KEY_FILE: file })).toEqual({
      status: 0,
      output: 'published sample@1.0.0',
    });
    expect((await cli(['keys', 'remove', 'sample', keyIdOf(publicKey)])).status).toBe(0);
    expect((await cli(['keys', 'list'])).output).toBe('no keys');
    expect((await cli(['keys', 'add', 'sample', 'x'])).status).toBe(2);
    expect((await cli(['list'], { RELEASE_KEY_FILE: join(folder, 'missing') })).status).toBe(2);
    await rm(folder, { recursive: true });
  });
});

describe('credentials exchange', () => {
  it('sends the token of the CI run and prints only the token of the registry', async () => {
    const token = `frc_${'x'.repeat(43)}`;
    const credential = {
      name: 'ci:repo:acme/sample',
      scopes: [{ remote: 'sample', actions: ['publish'] }],
      createdAt: '2026-01-02T03:04:05.000Z',
      createdBy: 'ci:repo:acme/sample',
    };
    const bodies: unknown[] = [];
    const server = createServer((request, response) => {
      let body = '';
      request.on('data', (chunk: Buffer) => (body += chunk.toString()));
      request.on('end', () => {
        bodies.push([request.method, request.url, JSON.parse(body)]);
        response.end(JSON.stringify({ credential, token }));
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const REGISTRY_URL = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const environment = { REGISTRY_URL, OIDC_TOKEN: 'a.b.c' };
    expect(await runCommand(['credentials', 'exchange'], environment)).toEqual({ status: 0, output: token });
    expect(bodies).toEqual([['POST', '/api/credentials/exchange', { token: 'a.b.c' }]]);
    await new Promise((resolve) => server.close(resolve));
  });
});
