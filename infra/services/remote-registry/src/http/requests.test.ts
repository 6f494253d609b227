import { request } from 'node:http';
import { afterEach, describe, expect, it } from '@jest/globals';
import { publishRelease } from '@forecourt/release-kit/registryClient';
import { sampleRelease, temporaryDirectory, writeRelease } from '@forecourt/release-kit/testing';
import { startTestRegistry, type TestRegistry } from '../testing/testApp.ts';

let registry: TestRegistry | undefined;
afterEach(async () => {
  await registry?.stop();
  registry = undefined;
});

/** Not fetch, which can't set Host and Origin. Returns the status; 409 means that access was granted. */
const rollBack = ({ port }: TestRegistry, headers: Record<string, string>) =>
  new Promise<number | undefined>((resolve, reject) => {
    const sent = request(
      { host: '127.0.0.1', port, path: '/api/remotes/sample/rollback', method: 'POST', headers },
      (response) => {
        response.resume();
        resolve(response.statusCode);
      },
    );
    sent.on('error', reject);
    sent.end();
  });

describe('writing with a token', () => {
  const token = 'a-token-of-some-length';

  it('allows writes with the token only', async () => {
    registry = await startTestRegistry({ token });
    expect(await rollBack(registry, { authorization: `Bearer ${token}` })).toBe(409);
    for (const authorization of [
      '',
      'Bearer',
      'Bearer ',
      `Basic ${token}`,
      `Bearer ${token}x`,
      token,
      'Bearer é',
    ]) {
      expect(await rollBack(registry, { authorization })).toBe(401);
    }
    expect(await rollBack(registry, {})).toBe(401);
  });

  it('requires the token for publishing but not for reading', async () => {
    registry = await startTestRegistry({ token });
    const build = await temporaryDirectory();
    await writeRelease(build.path, sampleRelease());
    const target = { directory: build.path, registryUrl: registry.url };
    await expect(publishRelease(target)).rejects.toMatchObject({ code: 'UNAUTHORIZED' });
    await expect(publishRelease({ ...target, token: 'wrong' })).rejects.toMatchObject({
      code: 'UNAUTHORIZED',
    });
    await publishRelease({ ...target, token });
    expect((await fetch(`${registry.url}/api/releases/sample`)).status).toBe(200);
    await build.remove();
  });
});

describe('writing without a token', () => {
  it('allows writes without a token for programs on this machine only', async () => {
    registry = await startTestRegistry();
    for (const host of [
      'localhost',
      `localhost:${registry.port}`,
      `127.0.0.1:${registry.port}`,
      '[::1]:4100',
    ]) {
      expect(await rollBack(registry, { host })).toBe(409);
    }
  });

  it.each<Record<string, string>>([
    { origin: 'https://evil.example' },
    { origin: 'http://localhost:3000' },
    { origin: 'null' },
    { 'sec-fetch-site': 'same-origin' },
    { host: 'evil.example' },
    { host: 'localhost.evil.example' },
    { host: '127.0.0.1.evil.example:4100' },
    { 'x-forwarded-for': '203.0.113.9' },
    { forwarded: 'for=203.0.113.9' },
  ])('is rejected with %j', async (headers) => {
    registry = await startTestRegistry();
    expect(await rollBack(registry, headers)).toBe(403);
  });
});
