import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createHash } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { textSlot, tinyRelease } from '../rendering/testing/tinyRelease.ts';
import { storeReleases } from './releaseStore.ts';
import type { RegistryClient } from './registryClient.ts';

const BYTES = Buffer.from('module.exports = 1;');
const integrity = `sha384-${createHash('sha384').update(BYTES).digest('base64')}`;
const FILE = 'node/remoteEntry.cjs';

let directory: string;
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'store-'));
});
afterEach(() => rm(directory, { recursive: true }));

const live = (version: string) => ({ revision: 1, remotes: { 'mfe-tiny': { live: version } } });

function rig() {
  const manifest = jest.fn<RegistryClient['manifest']>(async (name, version) => ({
    ...tinyRelease({ tiny: textSlot(version) }, { name, version }).manifest,
    files: { [FILE]: { integrity, bytes: BYTES.length } },
  }));
  const file = jest.fn<RegistryClient['file']>(async () => BYTES);
  const log = jest.fn();
  const registry: RegistryClient = {
    pointers: async () => undefined,
    endCanary: async () => {},
    rollBack: async () => {},
    manifest,
    file,
  };
  return { registry, manifest, file, log, store: storeReleases(registry, directory, log) };
}

describe('release store', () => {
  it('fetches releases once, and reads them from disk after a restart', async () => {
    const first = rig();
    const manifest = await first.store.manifest('mfe-tiny', '1.0.0');
    expect(await first.store.file(manifest, FILE)).toEqual(BYTES);
    const restarted = rig();
    const again = await restarted.store.manifest('mfe-tiny', '1.0.0');
    expect(again).toEqual(manifest);
    expect(await restarted.store.file(again, FILE)).toEqual(BYTES);
    expect(restarted.manifest).not.toHaveBeenCalled();
    expect(restarted.file).not.toHaveBeenCalled();
  });

  it.each([0o000, 0o022])('keeps releases for their owner only, with the umask %o', async (mask) => {
    const umask = process.umask(mask);
    const data = join(directory, 'data/releases');
    const store = storeReleases(rig().registry, data, jest.fn());
    await store.file(await store.manifest('mfe-tiny', '1.0.0'), FILE);
    await store.save(live('1.0.0'));
    process.umask(umask);
    const entries = await readdir(directory, { recursive: true, withFileTypes: true });
    const modes = await Promise.all(
      entries.map(async (entry) => {
        const { mode } = await stat(join(entry.parentPath, entry.name));
        return `${entry.isFile() ? 'file' : 'folder'} ${(mode & 0o777).toString(8)}`;
      }),
    );
    expect([...new Set(modes)].sort()).toEqual(['file 600', 'folder 700']);
  });

  it('fetches a file again when the disk has other bytes', async () => {
    const { store, file } = rig();
    const manifest = await store.manifest('mfe-tiny', '1.0.0');
    await store.file(manifest, FILE);
    await writeFile(join(directory, 'mfe-tiny/1.0.0', FILE), 'evil()');
    expect(await store.file(manifest, FILE)).toEqual(BYTES);
    expect(file).toHaveBeenCalledTimes(2);
  });

  it('keeps live releases and remembers their versions', async () => {
    const { store } = rig();
    for (const version of ['1.0.0', '1.1.0', '2.0.0']) await store.manifest('mfe-tiny', version);
    const remotes = { 'mfe-tiny': { live: '2.0.0', canary: { version: '1.1.0', weight: 5 } } };
    await store.save({ revision: 3, remotes });
    expect((await readdir(join(directory, 'mfe-tiny'))).sort()).toEqual(['1.1.0', '2.0.0']);
    expect(await rig().store.lastGood()).toEqual({ revision: 3, remotes });
  });

  it('replaces a release only when the new one is complete on disk', async () => {
    const { store, file } = rig();
    await store.file(await store.manifest('mfe-tiny', '1.0.0'), FILE);
    await store.save(live('1.0.0'));
    // The manifest is stored, but not the file.
    file.mockRejectedValueOnce(new Error('away'));
    const next = await store.manifest('mfe-tiny', '1.1.0');
    await store.save(live('1.1.0'));
    expect(await rig().store.lastGood()).toEqual(live('1.0.0'));
    expect(await readdir(join(directory, 'mfe-tiny'))).toEqual(['1.0.0']);
    await store.manifest('mfe-tiny', '1.1.0');
    await store.file(next, FILE);
    await store.save(live('1.1.0'));
    expect(await rig().store.lastGood()).toEqual(live('1.1.0'));
    // The previous release stays for a rollback.
    expect((await readdir(join(directory, 'mfe-tiny'))).sort()).toEqual(['1.0.0', '1.1.0']);
    await store.save(live('1.2.0'));
    expect((await readdir(join(directory, 'mfe-tiny'))).sort()).toEqual(['1.1.0', '1.2.0']);
  });

  it('stores a rollback, although the release was not loaded again', async () => {
    const { store, manifest, file } = rig();
    for (const version of ['1.0.0', '1.1.0']) {
      await store.file(await store.manifest('mfe-tiny', version), FILE);
      await store.save(live(version));
    }
    for (const request of [manifest, file]) request.mockRejectedValue(new Error('away'));
    await store.save(live('1.0.0'));
    const restarted = rig().store;
    expect(await restarted.lastGood()).toEqual(live('1.0.0'));
  });

  it('fetches missing and damaged files of a live release before it stores the pointer', async () => {
    const { store, file } = rig();
    await store.file(await store.manifest('mfe-tiny', '1.0.0'), FILE);
    await writeFile(join(directory, 'mfe-tiny/1.0.0', FILE), 'evil()');
    await store.save(live('1.0.0'));
    expect(file).toHaveBeenCalledTimes(2);
    expect(await readFile(join(directory, 'mfe-tiny/1.0.0', FILE))).toEqual(BYTES);
  });

  it('keeps the files of a remote that the pointers no longer name', async () => {
    const { store } = rig();
    await store.save(live('1.0.0'));
    await store.save({ revision: 2, remotes: {} });
    expect(await readdir(join(directory, 'mfe-tiny'))).toEqual(['1.0.0']);
  });

  it('reads the pointers that an older shell stored, and removes drafts of a killed one', async () => {
    await writeFile(join(directory, 'snapshot.json'), JSON.stringify(live('1.0.0').remotes));
    await writeFile(join(directory, '.3f0c2a52-1c5e-4b0e-9d0b-6f3f3b7a1c11'), 'half');
    expect(await rig().store.lastGood()).toEqual({ ...live('1.0.0'), revision: 0 });
    expect(await readdir(directory)).toEqual(['snapshot.json']);
  });

  it('keeps releases when the new pointers cannot be written', async () => {
    const { store } = rig();
    await store.file(await store.manifest('mfe-tiny', '1.0.0'), FILE);
    await store.file(await store.manifest('mfe-tiny', '1.1.0'), FILE);
    await mkdir(join(directory, 'snapshot.json'));
    await store.save(live('1.1.0'));
    expect((await readdir(join(directory, 'mfe-tiny'))).sort()).toEqual(['1.0.0', '1.1.0']);
  });

  it('starts empty, also when the stored pointers cannot be read', async () => {
    expect(await rig().store.lastGood()).toEqual({ revision: 0, remotes: {} });
    await writeFile(join(directory, 'snapshot.json'), '{"mfe-tiny":');
    expect(await rig().store.lastGood()).toEqual({ revision: 0, remotes: {} });
  });

  it('serves releases when the disk is not writable', async () => {
    const blocked = join(directory, 'file');
    await writeFile(blocked, '');
    const log = jest.fn();
    const store = storeReleases(rig().registry, join(blocked, 'x'), log);
    expect(await store.file(await store.manifest('mfe-tiny', '1.0.0'), FILE)).toEqual(BYTES);
    await store.save(live('1.0.0'));
    expect(log).toHaveBeenCalled();
  });
});
