import { writeFile } from 'node:fs/promises';
import { request } from 'node:http';
import { brotliDecompressSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { manifestBytesOf, sampleRelease } from '@forecourt/release-kit/testing';
import { addToStore } from '../releases/addToStore.ts';
import { startTestRegistry, storedFile, type TestRegistry } from '../testing/testApp.ts';

const release = sampleRelease({
  files: { 'web/page.html': '<script>alert(1)</script>', 'web/empty.css': '' },
});
let registry: TestRegistry;
beforeAll(async () => {
  registry = await startTestRegistry();
  await addToStore(registry.storage.releases, {
    manifestBytes: manifestBytesOf(release),
    files: release.files,
  });
});
afterAll(() => registry.stop());

/** Sends the path unchanged; fetch would resolve dots and encode it. No keep-alive: an idle socket may close before its reuse. */
const get = (path: string, headers: Record<string, string> = {}, method = 'GET') =>
  new Promise<{ status: number; headers: NodeJS.Dict<string | string[]>; body: Buffer }>(
    (resolve, reject) => {
      const sent = request(
        { host: '127.0.0.1', port: registry.port, path, method, headers, agent: false },
        (response) => {
          const chunks: Buffer[] = [];
          response.on('data', (chunk: Buffer) => chunks.push(chunk));
          response.on('error', reject);
          response.on('end', () =>
            resolve({
              status: response.statusCode ?? 0,
              headers: response.headers,
              body: Buffer.concat(chunks),
            }),
          );
        },
      );
      sent.on('error', reject);
      sent.end();
    },
  );

const entry = '/remotes/sample/1.0.0/web/remoteEntry.js';
const entryBytes = release.files.get('web/remoteEntry.js') ?? Buffer.alloc(0);

describe('a release file', () => {
  it('aborts the response when the file on disk is shorter than published', async () => {
    const damaged = sampleRelease({ version: '8.0.0' });
    await addToStore(registry.storage.releases, {
      manifestBytes: manifestBytesOf(damaged),
      files: damaged.files,
    });
    const file = await storedFile(registry, { name: 'sample', version: '8.0.0', path: 'web/panel.css' });
    for (const text of ['a{}', 'a{}'.repeat(500)]) {
      await writeFile(file, text);
      await expect(get('/remotes/sample/8.0.0/web/panel.css')).rejects.toThrow(/aborted|hang up|reset/i);
    }
  });

  it('serves release files as immutable, with CORS for every origin and their exact type', async () => {
    const { status, headers, body } = await get(entry);
    expect(status).toBe(200);
    expect(body).toEqual(entryBytes);
    expect(headers).toMatchObject({
      'cache-control': 'public, max-age=31536000, immutable',
      'content-type': 'text/javascript; charset=utf-8',
      'content-length': String(entryBytes.length),
      'x-content-type-options': 'nosniff',
      'access-control-allow-origin': '*',
      'cross-origin-resource-policy': 'cross-origin',
      vary: 'Accept-Encoding',
      etag: `"${release.manifest.files['web/remoteEntry.js']?.integrity}"`,
    });
    expect(headers).not.toHaveProperty('content-encoding');
  });

  it('serves Brotli when the client accepts it', async () => {
    const { headers, body } = await get(entry, { 'accept-encoding': 'gzip, deflate, br' });
    expect(headers).toMatchObject({ 'content-encoding': 'br', 'content-length': String(body.length) });
    expect(body.length).toBeLessThan(entryBytes.length);
    expect(brotliDecompressSync(body)).toEqual(entryBytes);
  });

  it.each(['gzip', 'br;q=0', 'identity', ''])(
    'serves the uncompressed file for Accept-Encoding %j',
    async (accepted) => {
      const { headers, body } = await get(entry, { 'accept-encoding': accepted });
      expect(headers['content-encoding']).toBeUndefined();
      expect(body).toEqual(entryBytes);
    },
  );

  it('returns 304 when the ETag matches, per encoding', async () => {
    const plain = (await get(entry)).headers['etag'];
    const brotli = (await get(entry, { 'accept-encoding': 'br' })).headers['etag'];
    expect(brotli).not.toBe(plain);
    const again = await get(entry, { 'if-none-match': String(plain) });
    expect(again.status).toBe(304);
    expect(again.body.length).toBe(0);
    expect(again.headers['cache-control']).toContain('immutable');
    expect((await get(entry, { 'if-none-match': String(plain), 'accept-encoding': 'br' })).status).toBe(200);
  });

  it('returns the headers of GET for HEAD, without a body', async () => {
    const { status, headers, body } = await get(entry, {}, 'HEAD');
    expect(status).toBe(200);
    expect(headers['content-length']).toBe(String(entryBytes.length));
    expect(body.length).toBe(0);
  });

  it('serves empty files', async () => {
    expect(await get('/remotes/sample/1.0.0/web/empty.css')).toMatchObject({
      status: 200,
      headers: { 'content-type': 'text/css; charset=utf-8', 'content-length': '0' },
    });
  });

  it('serves HTML files as downloads', async () => {
    const { headers } = await get('/remotes/sample/1.0.0/web/page.html');
    expect(headers['content-type']).toBe('application/octet-stream');
    expect(headers['content-security-policy']).toContain("default-src 'none'");
  });
});

describe('a path that is not a release file', () => {
  it.each([
    '/remotes/sample/1.0.0/.complete',
    '/remotes/sample/1.0.0/release.json',
    '/remotes/sample/1.0.0/web/remoteEntry.js.br',
    '/remotes/sample/1.0.0/web',
    '/remotes/sample/1.0.0/web/',
    '/remotes/sample/1.0.0/web/RemoteEntry.js',
    '/remotes/sample/1.0.0/web//remoteEntry.js',
    '/remotes/sample/1.0.0/web/../.complete',
    '/remotes/sample/1.0.0/%2e%2e/%2e%2e/%2e%2e/pointers.json',
    '/remotes/sample/1.0.0/..%2f..%2f..%2fpointers.json',
    '/remotes/sample/1.0.0/..%5c..%5c..%5cpointers.json',
    '/remotes/sample/1.0.0/%252e%252e%252fpointers.json',
    '/remotes/sample/..%2f..%2f1.0.0/pointers.json',
    '/remotes/..%2fsample/1.0.0/web/remoteEntry.js',
    '/remotes/sample/1.0.0/web/remoteEntry.js%00.css',
    '/remotes/sample/1.0.0/constructor',
    '/remotes/sample/1.0.0/__proto__',
    '/remotes/constructor/1.0.0/web/remoteEntry.js',
    '/remotes/sample/2.0.0/web/remoteEntry.js',
    '/remotes/sample/1.0.0//etc/passwd',
  ])('returns an uncacheable 404 for %s', async (path) => {
    const { status, headers, body } = await get(path);
    expect(status).toBe(404);
    expect(headers['cache-control']).toBe('no-store');
    expect(JSON.parse(body.toString())).toEqual({
      error: { code: 'NOT_FOUND', message: expect.any(String), requestId: headers['x-request-id'] },
    });
  });

  it('returns 400 when the path is wrongly encoded', async () => {
    const { status, body } = await get('/remotes/sample/1.0.0/%E0%A4%A');
    expect(status).toBe(400);
    expect(JSON.parse(body.toString())).toMatchObject({ error: { code: 'BAD_REQUEST' } });
  });

  it('serves only release files, for any path', async () => {
    const piece = fc.oneof(
      fc.constantFrom('..', '.', '%2e%2e', '%2f', '%5c', '%00', '.complete', 'release.json', 'web', 'node'),
      fc.constantFrom('remoteEntry.js', 'sample', '1.0.0', 'releases', 'pointers.json', 'drafts', '', '~'),
      fc.webSegment(),
    );
    const served = new Set([...release.files.values()].map((bytes) => bytes.toString('base64')));
    await fc.assert(
      fc.asyncProperty(
        fc.array(piece, { minLength: 1, maxLength: 7 }),
        fc.boolean(),
        async (pieces, isInside) => {
          const { status, body } = await get(
            `${isInside ? '/remotes/sample/1.0.0/' : '/remotes/'}${pieces.join('/')}`,
          );
          expect([200, 400, 404]).toContain(status);
          if (status === 200) expect(served).toContain(body.toString('base64'));
        },
      ),
      { numRuns: 400 },
    );
  });
});
