import { readdir, symlink, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { sampleRelease, temporaryDirectory, writeRelease } from '@forecourt/release-kit/testing';
import { openLocalStorage, publishToStore, setLive } from './offline.ts';

let build: Awaited<ReturnType<typeof temporaryDirectory>>;
let data: Awaited<ReturnType<typeof temporaryDirectory>>;
beforeEach(async () => {
  build = await temporaryDirectory();
  data = await temporaryDirectory();
});
afterEach(async () => {
  await build.remove();
  await data.remove();
});

const publish = async () =>
  publishToStore(await openLocalStorage(data.path), build.path, { brotliQuality: 5 });

describe('publishing offline', () => {
  it('publishes a build offline once and makes it live', async () => {
    const release = sampleRelease();
    await writeRelease(build.path, release);
    expect(await publish()).toEqual(release.manifest);
    const store = await openLocalStorage(data.path);
    expect(await setLive(store, 'sample', '1.0.0')).toEqual({
      revision: 1,
      remotes: { sample: { live: '1.0.0' } },
    });
    expect(await setLive(store, 'sample', '1.0.0')).toMatchObject({ revision: 1 });
    await expect(setLive(store, 'sample', '2.0.0')).rejects.toMatchObject({ code: 'UNKNOWN_RELEASE' });
    await expect(publish()).rejects.toMatchObject({ code: 'RELEASE_EXISTS' });
  });

  it('publishes only the manifest, web and node files of a build', async () => {
    const release = sampleRelease();
    await writeRelease(build.path, release);
    await writeFile(join(build.path, 'stats.json'), '{}');
    expect(await publish()).toEqual(release.manifest);
    const files = (await readdir(data.path, { recursive: true, withFileTypes: true }))
      .filter((entry) => entry.isFile() && entry.parentPath.includes('1.0.0'))
      .map(({ name }) => name);
    expect(files).toEqual(expect.arrayContaining([...release.files.keys()].map((file) => basename(file))));
    expect(files).not.toContainEqual(expect.stringContaining('stats.json'));
  });

  it('rejects a folder without a build, with a stray file, or with a symbolic link', async () => {
    await expect(publish()).rejects.toMatchObject({
      code: 'RELEASE_INVALID',
      message: expect.stringContaining('build'),
    });
    await writeRelease(build.path, sampleRelease());
    await writeFile(join(build.path, 'web/stray.js'), '');
    await expect(publish()).rejects.toMatchObject({ message: "'web/stray.js' is not in the manifest" });
    await writeRelease(build.path, sampleRelease({ files: { 'web/stray.js': '' } }));
    await symlink('/etc/passwd', join(build.path, 'node/link.js'));
    await expect(publish()).rejects.toMatchObject({ message: "'node/link.js' is not a plain file" });
  });
});
