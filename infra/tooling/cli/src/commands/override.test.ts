import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it } from '@jest/globals';
import { jwtVerify } from 'jose';
import { sampleRelease } from '@forecourt/release-kit/testing';
import { lineOf } from '../testing/lineOf.ts';
import { override } from './override.ts';

const KEY = 'a key of thirty-two characters!!';
const run = (words: string, environment: Record<string, string> = { OVERRIDE_KEY: KEY }) =>
  Promise.resolve().then(() => {
    const line = lineOf(words.split(' '), environment);
    return override(line);
  });

describe('an override link', () => {
  it('signs an override link for one shell and the requested duration', async () => {
    const { data } = await run(
      'override mfe-a 1.5.0-rc.1 --origin http://localhost:5001 --shell https://www.example/x --minutes 90 --by dana',
    );
    const url = new URL(data.url);
    expect(url.origin + url.pathname).toBe('https://www.example/overrides');
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
