import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from '@jest/globals';
import { jwtVerify } from 'jose';
import { sampleRelease, temporaryDirectory, writeRelease, unusedPort } from '@forecourt/release-kit/testing';
import { readCommandLine } from '../commandLine.ts';
import { override, startBuildServer } from './override.ts';

const KEY = 'a key of thirty-two characters!!';
const run = (words: string, environment: Record<string, string> = { OVERRIDE_KEY: KEY }) =>
  Promise.resolve().then(() => {
    const line = readCommandLine(words.split(' '), environment);
    return override(line);
  });

describe('an override link', () => {
  it('signs an override link for one shell and the requested duration', async () => {
    const { data } = await run(
      'override mfe-a 1.5.0-rc.1 --origin http://localhost:5001 --shell https://www.example/x --minutes 90 --by dana',
    );
    const url = new URL(data.url);
    expect(url.origin + url.pathname).toBe('https://www.example/cars-for-sale/overrides');
    const { payload, protectedHeader } = await jwtVerify(
      url.searchParams.get('token') ?? '',
      new TextEncoder().encode(KEY),
      { audience: 'https://www.example' },
    );
    expect(protectedHeader).toEqual({ alg: 'HS256', typ: 'override+jwt' });
    expect(payload).toMatchObject({
      remote: 'mfe-a',
      version: '1.5.0-rc.1',
      origin: 'http://localhost:5001',
      sub: 'dana',
    });
    expect((payload.exp ?? 0) - (payload.iat ?? 0)).toBe(90 * 60);
  });

  it.each([
    ['no shell', 'override mfe-a --origin http://localhost:5001', '--shell'],
    ['neither version nor origin', 'override mfe-a --shell http://x', 'REMOTE VERSION'],
    [
      'a set from one origin',
      'override mfe-a@1.0.0 mfe-b@1.0.0 --origin http://localhost:5001 --shell http://x',
      'a set',
    ],
    ['a path for an origin', 'override mfe-a --origin http://localhost:5001/x --shell http://x', '--origin'],
    [
      'more than eight hours',
      'override mfe-a --origin http://localhost:5001 --shell http://x --minutes 481',
      '480',
    ],
  ])('rejects an override link with %s', async (_, words, reason) => {
    await expect(run(words)).rejects.toThrow(reason);
  });

  it('signs a token for each release of a set, whose releases must exist and not be live', async () => {
    const registry = createServer((request, response) => {
      const [, name = '', version = ''] = /^\/api\/releases\/([^/]+)\/([^/]+)$/.exec(request.url ?? '') ?? [];
      const body = name
        ? sampleRelease({ name, version }).manifest
        : { revision: 1, remotes: { 'mfe-a': { live: '0.9.0' } } };
      response.setHeader('Content-Type', 'application/json').end(JSON.stringify(body));
    });
    await new Promise<void>((resolve) => registry.listen(0, '127.0.0.1', resolve));
    const { port } = registry.address() as AddressInfo;
    const environment = { OVERRIDE_KEY: KEY, REGISTRY_URL: `http://127.0.0.1:${port}` };
    try {
      const words = 'override mfe-a@1.0.0 mfe-b@2.0.0 --shell https://www.example';
      const { data } = await run(words, environment);
      const tokens = new URL(data.url).searchParams.get('token')?.split('~') ?? [];
      const verified = await Promise.all(
        tokens.map((token) => jwtVerify(token, new TextEncoder().encode(KEY))),
      );
      expect(verified.map(({ payload }) => [payload['remote'], payload['version']])).toEqual([
        ['mfe-a', '1.0.0'],
        ['mfe-b', '2.0.0'],
      ]);
      await expect(run(words, { REGISTRY_URL: environment.REGISTRY_URL })).rejects.toThrow('OVERRIDE_KEY');
      await expect(run(words.replace('1.0.0', '0.9.0'), environment)).rejects.toThrow('is live');
      await expect(run(words.replace('mfe-b', 'mfe-a'), environment)).rejects.toThrow('mfe-a twice');
    } finally {
      registry.close();
    }
  });

  it('rejects a short key, and creates an unsigned link without a key', async () => {
    const words = 'override mfe-a --origin http://localhost:5001 --shell http://localhost:3000';
    await expect(run(words, { OVERRIDE_KEY: 'short' })).rejects.toThrow('32 characters');
    const { data } = await run(words, {});
    expect(data).toMatchObject({ isSigned: false });
    expect(new URL(data.url).searchParams.get('origin')).toBe('http://localhost:5001');
  });
});

describe('a served build', () => {
  const open: (() => Promise<void>)[] = [];
  afterEach(async () => {
    for (const close of open.splice(0)) await close();
  });

  it('serves only files of the manifest, to every origin', async () => {
    const { path, remove } = await temporaryDirectory();
    const release = sampleRelease();
    await writeRelease(path, release);
    const { origin, close } = await startBuildServer(path, 0);
    open.push(close, remove);
    const manifest = await fetch(`${origin}/release.json`);
    expect(manifest.headers.get('access-control-allow-origin')).toBe('*');
    expect(manifest.headers.get('cache-control')).toBe('no-store');
    const { entry } = (await manifest.json()) as { entry: { web: string } };
    expect((await fetch(`${origin}/${entry.web}`)).status).toBe(200);
    for (const other of ['/web/..%2frelease.json', '/package.json', '/web/', '/'])
      expect((await fetch(origin + other)).status).toBe(404);
  });

  it('prints the link that shows it in a shell, and stops with Ctrl-C', async () => {
    const { path, remove } = await temporaryDirectory();
    open.push(remove);
    await writeRelease(path, sampleRelease());
    const words = ['serve', path, '--port', String(await unusedPort()), '--shell', 'http://localhost:3000'];
    const program = join(import.meta.dirname, '../../bin/forecourt.mjs');
    const child = spawn(process.execPath, [program, ...words], {
      env: { PATH: process.env['PATH'] },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const ended = once(child, 'exit');
    let output = '';
    for await (const chunk of child.stdout.setEncoding('utf8')) {
      output += String(chunk);
      if (/stop with Ctrl-C[^]*overrides\?\S+\n$/.test(output)) child.kill('SIGINT');
    }
    expect(await ended).toEqual([0, null]);
    const link = new URL(/http\S+overrides\S+/.exec(output)?.[0] ?? '');
    expect(Object.fromEntries(link.searchParams)).toEqual({
      remote: 'sample',
      origin: `http://localhost:${words[3]}`,
      minutes: '60',
    });
  });
});
