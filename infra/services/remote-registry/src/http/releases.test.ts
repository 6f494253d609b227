import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { publishRelease } from '@forecourt/release-kit/registryClient';
import { listSchema } from '@forecourt/release-kit/registryResponses';
import { MAX_RELEASE_BYTES } from '@forecourt/release-kit/releaseFiles';
import { sampleRelease, temporaryDirectory, writeRelease } from '@forecourt/release-kit/testing';
import { postJson, startTestRegistry, type TestRegistry } from '../testing/testApp.ts';

let registry: TestRegistry;
let build: Awaited<ReturnType<typeof temporaryDirectory>>;
beforeEach(async () => {
  registry = await startTestRegistry();
  build = await temporaryDirectory();
});
afterEach(async () => {
  await registry.stop();
  await build.remove();
});

const publish = () => publishRelease({ directory: build.path, registryUrl: registry.url });
const put = (path: string, body: Buffer) =>
  fetch(`${registry.url}/api/releases/${path}`, { method: 'PUT', body: new Uint8Array(body) });

describe('publishing over HTTP', () => {
  it('serves a published release and its manifest', async () => {
    const release = sampleRelease({ version: '1.2.3-beta.1' });
    await writeRelease(build.path, release);
    expect(await publish()).toEqual(release.manifest);

    const manifest = await fetch(`${registry.url}/api/releases/sample/1.2.3-beta.1`);
    expect(await manifest.json()).toEqual(release.manifest);
    const list = (await (await fetch(`${registry.url}/api/releases`)).json()) as { releases: object[] };
    expect(list.releases).toEqual([
      expect.objectContaining({ name: 'sample', version: '1.2.3-beta.1', files: release.files.size }),
    ]);
  });

  it('evaluates nothing of a release that is published', async () => {
    const marker = join(build.path, 'marker');
    const code = `require('node:fs').writeFileSync(${JSON.stringify(marker)}, 'x')`;
    await writeRelease(build.path, sampleRelease({ files: { 'node/remoteEntry.js': code } }));
    await publish();
    expect((await postJson(`${registry.url}/api/remotes/sample/promote`, { version: '1.0.0' })).status).toBe(
      200,
    );
    expect(existsSync(marker)).toBe(false);
  });

  it('lists who published a release and from which commit', async () => {
    await writeRelease(build.path, sampleRelease({ version: '1.0.0' }));
    const git = (...words: string[]) =>
      execFileSync('git', ['-C', build.path, '-c', 'user.name=t', '-c', 'user.email=t@t', ...words], {
        encoding: 'utf8',
      });
    git('init', '-q');
    await publish();
    git('add', '.');
    git('commit', '-qm', 'Build');
    const commit = git('rev-parse', 'HEAD').trim();
    await writeRelease(build.path, sampleRelease({ version: '1.0.1' }));
    await publish();

    const list = listSchema.parse(await (await fetch(`${registry.url}/api/releases/sample`)).json());
    expect(list.releases.map(({ version, by, commit: from }) => [version, by, from])).toEqual([
      ['1.0.1', 'local', `${commit}-dirty`],
      ['1.0.0', 'local', undefined],
    ]);
  });

  it('marks development builds, which shells of visitors refuse', async () => {
    const release = sampleRelease({ version: '1.0.0-build.x1' });
    await writeRelease(build.path, { ...release, manifest: { ...release.manifest, development: true } });
    await publish();
    await writeRelease(build.path, sampleRelease({ version: '1.0.0' }));
    await publish();
    const list = listSchema.parse(await (await fetch(`${registry.url}/api/releases/sample`)).json());
    expect(list.releases.map(({ version, development }) => [version, development])).toEqual([
      ['1.0.0', undefined],
      ['1.0.0-build.x1', true],
    ]);
  });

  it('lists builds that are named by their content in the order of their publication, newest first', async () => {
    const versions = ['xb', 'xc', 'xa'].map((hash) => `1.0.0-build.${hash}`);
    for (const version of versions) {
      await writeRelease(build.path, sampleRelease({ version }));
      await publish();
      // Publications are told apart by the millisecond.
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
    const list = (await (await fetch(`${registry.url}/api/releases/sample`)).json()) as {
      releases: { version: string }[];
    };
    expect(list.releases.map(({ version }) => version)).toEqual(versions.toReversed());
  });

  it('lists the versions of a remote in semver order, newest first', async () => {
    for (const version of ['1.9.0', '1.10.0', '1.10.0-rc.1']) {
      await writeRelease(build.path, sampleRelease({ version }));
      await publish();
    }
    const list = (await (await fetch(`${registry.url}/api/releases/sample`)).json()) as {
      releases: { version: string }[];
    };
    expect(list.releases.map(({ version }) => version)).toEqual(['1.10.0', '1.10.0-rc.1', '1.9.0']);
    expect((await fetch(`${registry.url}/api/releases/unknown`)).status).toBe(404);
    expect((await fetch(`${registry.url}/api/releases/sample/9.9.9`)).status).toBe(404);
  });

  it('rejects a version that is already published', async () => {
    await writeRelease(build.path, sampleRelease());
    await publish();
    await expect(publish()).rejects.toMatchObject({ code: 'RELEASE_EXISTS' });
  });

  it('accepts exactly one of two concurrent publishes', async () => {
    await writeRelease(build.path, sampleRelease());
    const outcomes = await Promise.allSettled([publish(), publish()]);
    expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    expect(outcomes.find((outcome) => outcome.status === 'rejected')).toMatchObject({
      reason: { code: 'RELEASE_EXISTS' },
    });
  });

  it('rejects a build that does not match its manifest before uploading', async () => {
    await writeRelease(build.path, sampleRelease());
    await writeFile(join(build.path, 'web/icon.svg'), 'tampered');
    await expect(publish()).rejects.toMatchObject({ code: 'RELEASE_INVALID' });
  });

  it('rejects a release whose style sheet reaches beyond its own slots, and says what in it', async () => {
    const files = { 'web/panel.css': 'body > * { position: fixed; inset: 0 }' };
    await writeRelease(build.path, sampleRelease({ files }));
    await expect(publish()).rejects.toMatchObject({
      code: 'RELEASE_INVALID',
      message: expect.stringMatching(/STYLE_NOT_OWN: .*found body > \* in web\/panel\.css/) as unknown,
    });
    const list = (await (await fetch(`${registry.url}/api/releases`)).json()) as { releases: object[] };
    expect(list.releases).toEqual([]);
  });

  it('rejects an archive of another release', async () => {
    await writeRelease(build.path, sampleRelease());
    const { packArchive } = await import('@forecourt/release-kit/archive');
    const archive = await packArchive(build.path, ['web', 'node']);
    const response = await put('other/1.0.0', archive);
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ error: { code: 'RELEASE_INVALID' } });
    expect((await put('sample/2.0.0', archive)).status).toBe(400);
    expect((await put('sample/1.0.0', archive)).status).toBe(201);
  });

  it.each(['Sample/1.0.0', 'sample/1.0', 'sample/..%2f..%2f1.0.0', '__proto__/1.0.0'])(
    'rejects the release id %s',
    async (path) => {
      expect((await put(path, Buffer.from('x'))).status).toBe(400);
    },
  );

  it('rejects a publish whose body is missing, not an archive, or too large', async () => {
    expect((await put('sample/1.0.0', Buffer.from('hello'))).status).toBe(400);
    expect((await fetch(`${registry.url}/api/releases/sample/1.0.0`, { method: 'PUT' })).status).toBe(400);
    const large = await put('sample/1.0.0', Buffer.alloc(MAX_RELEASE_BYTES + 1));
    expect(large.status).toBe(413);
    expect(await large.json()).toMatchObject({ error: { code: 'TOO_LARGE', requestId: expect.any(String) } });
    expect(await registry.storage.releases.listReleases()).toEqual([]);
  });

  it.each([
    ['a release', 'findRelease', 'sample/1.0.0'],
    ['the list of releases', 'listReleases', 'sample'],
  ] as const)('reports a failure of the storage to read %s as 500, not as unknown', async (_, read, path) => {
    await writeRelease(build.path, sampleRelease());
    await publish();
    const failing = jest.spyOn(registry.storage.releases, read).mockRejectedValue(new Error('EIO'));
    expect((await fetch(`${registry.url}/api/releases/${path}`)).status).toBe(500);
    failing.mockRestore();
    expect((await fetch(`${registry.url}/api/releases/${path}`)).status).toBe(200);
  });

  it('counts each publish by outcome', async () => {
    await writeRelease(build.path, sampleRelease());
    await publish();
    await publish().catch(() => undefined);
    const metrics = await (await fetch(`${registry.url}/metrics`)).text();
    expect(metrics).toContain('registry_publishes_total{outcome="published"} 1');
    expect(metrics).toContain('registry_publishes_total{outcome="RELEASE_EXISTS"} 1');
  });
});

describe('garbage collection', () => {
  it('collects no recent release, and defaults to a dry run', async () => {
    await writeRelease(build.path, sampleRelease());
    await publish();
    const post = (path: string, body: unknown) => postJson(`${registry.url}/api/${path}`, body);
    await post('remotes/sample/promote', { version: '1.0.0' });
    expect(await post('gc', {})).toEqual({ status: 200, body: { removed: [], dryRun: true } });
    expect(await post('gc', { keepDays: 0, dryRun: false })).toMatchObject({ status: 400 });
    expect((await fetch(`${registry.url}/api/releases/sample`)).status).toBe(200);
  });
});
