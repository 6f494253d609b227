import { readFile, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { jwtVerify } from 'jose';
import { lineOf } from '../testing/lineOf.ts';
import { sampleRelease, temporaryDirectory } from '@forecourt/release-kit/testing';
import { snapshot } from './snapshot.ts';

const KEY = 'a key of thirty-two characters!!';

describe('a snapshot', () => {
  const start = process.cwd();
  let folder: Awaited<ReturnType<typeof temporaryDirectory>>;
  let registry: Server;
  let live: Record<string, { live: string }>;
  beforeEach(async () => {
    live = { 'mfe-a': { live: '1.0.0' }, 'mfe-b': { live: '2.0.0' } };
    registry = createServer(({ url = '' }, response) => {
      const [, name = '', version = ''] = /^\/api\/releases\/([^/]+)\/([^/]+)$/.exec(url) ?? [];
      const missing = { code: 'RELEASE_NOT_FOUND', message: 'no such release' };
      response.writeHead(version === '9.9.9' ? 404 : 200, { 'Content-Type': 'application/json' });
      if (version === '9.9.9') return void response.end(JSON.stringify({ error: missing }));
      const body = name ? sampleRelease({ name, version }).manifest : { revision: 1, remotes: live };
      response.end(JSON.stringify(body));
    });
    await new Promise<void>((resolve) => registry.listen(0, '127.0.0.1', resolve));
    folder = await temporaryDirectory();
    process.chdir(folder.path);
  });
  afterEach(async () => {
    process.chdir(start);
    registry.close();
    await folder.remove();
  });

  const run = (words: string, environment: Record<string, string> = { OVERRIDE_KEY: KEY }) =>
    Promise.resolve().then(() => {
      const REGISTRY_URL = `http://127.0.0.1:${(registry.address() as AddressInfo).port}`;
      return snapshot(lineOf(`snapshot ${words}`.split(' '), { REGISTRY_URL, ...environment }));
    });

  it('holds the live releases, with the named ones in place of theirs', async () => {
    const { text } = await run('save spring mfe-b@2.1.0');
    expect(text).toBe('saved spring.snapshot.json:\n  mfe-a@1.0.0\n  mfe-b@2.1.0');
    const saved = JSON.parse(await readFile(join(folder.path, 'spring.snapshot.json'), 'utf8')) as object;
    expect(saved).toMatchObject({ name: 'spring', releases: { 'mfe-a': '1.0.0', 'mfe-b': '2.1.0' } });
    expect((await run('show spring')).text).toMatch(
      /^spring, saved at .+Z:\n {2}mfe-a@1\.0\.0\n {2}mfe-b@2\.1\.0$/,
    );
  });

  it('is not replaced without --yes, and names only releases that exist', async () => {
    await run('save spring');
    await expect(run('save spring')).rejects.toThrow('spring.snapshot.json exists');
    await run('save spring mfe-a@1.1.0 --yes');
    expect((await run('show spring')).text).toContain('mfe-a@1.1.0');
    await expect(run('save other mfe-a@9.9.9')).rejects.toThrow('no such release');
  });

  it('becomes a link with a signed token for each release, which names it', async () => {
    await run('save spring');
    const { data } = await run('show spring --shell https://www.example --minutes 30');
    const { url } = data as { url: string };
    const tokens = new URL(url).searchParams.get('token')?.split('~') ?? [];
    const claims = await Promise.all(
      tokens.map(async (token) => (await jwtVerify(token, new TextEncoder().encode(KEY))).payload),
    );
    expect(claims).toMatchObject([
      { remote: 'mfe-a', version: '1.0.0', snapshot: 'spring', aud: 'https://www.example' },
      { remote: 'mfe-b', version: '2.0.0', snapshot: 'spring', aud: 'https://www.example' },
    ]);
    await expect(run('show spring --shell https://www.example', {})).rejects.toThrow('OVERRIDE_KEY');
  });

  it('is compared with what is live and with another one', async () => {
    await run('save spring mfe-c@3.0.0');
    live = { 'mfe-a': { live: '1.2.0' }, 'mfe-b': { live: '2.0.0' } };
    expect((await run('diff spring')).text).toBe(
      'spring → live:\n  mfe-a: 1.0.0 → 1.2.0\n  mfe-c: 3.0.0 → none',
    );
    await run('save summer');
    expect((await run('diff summer summer')).text).toBe('summer → summer: no difference');
    expect((await run('diff summer spring')).data).toEqual({
      changes: [
        { remote: 'mfe-a', before: '1.2.0', after: '1.0.0' },
        { remote: 'mfe-c', before: null, after: '3.0.0' },
      ],
    });
  });

  it.each([
    ['no verb', 'spring', 'save NAME'],
    ['a path for a name', 'save ../spring', 'a NAME of up to 60'],
    ['no file of that name', 'show absent', 'absent.snapshot.json'],
    ['a release without a version', 'save spring mfe-a', 'REMOTE@VERSION'],
  ])('is refused with %s', async (_, words, reason) => {
    await expect(run(words)).rejects.toThrow(reason);
  });

  it('is refused when its file was edited to something else', async () => {
    await writeFile(join(folder.path, 'bad.snapshot.json'), '{"name":"bad","savedAt":"today","releases":{}}');
    await expect(run('show bad')).rejects.toThrow('savedAt');
  });
});
