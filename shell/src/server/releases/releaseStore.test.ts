import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
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
    await store.save(remotes);
    expect((await readdir(join(directory, 'mfe-tiny'))).sort()).toEqual(['1.1.0', '2.0.0']);
    expect(await rig().store.lastGood()).toEqual(remotes);
  });

  it('replaces a release only when the new one is complete on disk', async () => {
    const { store } = rig();
    await store.file(await store.manifest('mfe-tiny', '1.0.0'), FILE);
    await store.save({ 'mfe-tiny': { live: '1.0.0' } });
    // As a full disk leaves it: the manifest, but not the file.
    const next = await store.manifest('mfe-tiny', '1.1.0');
    await store.save({ 'mfe-tiny': { live: '1.1.0' } });
    expect(await rig().store.lastGood()).toEqual({ 'mfe-tiny': { live: '1.0.0' } });
    expect(await readdir(join(directory, 'mfe-tiny'))).toEqual(['1.0.0']);
    await store.manifest('mfe-tiny', '1.1.0');
    await store.file(next, FILE);
    await store.save({ 'mfe-tiny': { live: '1.1.0' } });
    expect(await rig().store.lastGood()).toEqual({ 'mfe-tiny': { live: '1.1.0' } });
    expect(await readdir(join(directory, 'mfe-tiny'))).toEqual(['1.1.0']);
  });

  it('keeps releases when the new pointers cannot be written', async () => {
    const { store } = rig();
    await store.file(await store.manifest('mfe-tiny', '1.0.0'), FILE);
    await store.file(await store.manifest('mfe-tiny', '1.1.0'), FILE);
    await mkdir(join(directory, 'snapshot.json'));
    await store.save({ 'mfe-tiny': { live: '1.1.0' } });
    expect((await readdir(join(directory, 'mfe-tiny'))).sort()).toEqual(['1.0.0', '1.1.0']);
  });

  it('starts empty, also when the stored pointers cannot be read', async () => {
    expect(await rig().store.lastGood()).toEqual({});
    await writeFile(join(directory, 'snapshot.json'), '{"mfe-tiny":');
    expect(await rig().store.lastGood()).toEqual({});
  });

  it('serves releases when the disk is not writable', async () => {
    const blocked = join(directory, 'file');
    await writeFile(blocked, '');
    const log = jest.fn();
    const store = storeReleases(rig().registry, join(blocked, 'x'), log);
    expect(await store.file(await store.manifest('mfe-tiny', '1.0.0'), FILE)).toEqual(BYTES);
    await store.save({ 'mfe-tiny': { live: '1.0.0' } });
    expect(log).toHaveBeenCalled();
  });
});
