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

describe('releases on the disk of the shell', () => {
  it('come from the registry once, and from the disk after a restart', async () => {
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

  it('are asked for again when the disk has something else', async () => {
    const { store, file } = rig();
    const manifest = await store.manifest('mfe-tiny', '1.0.0');
    await store.file(manifest, FILE);
    await writeFile(join(directory, 'mfe-tiny/1.0.0', FILE), 'evil()');
    expect(await store.file(manifest, FILE)).toEqual(BYTES);
    expect(file).toHaveBeenCalledTimes(2);
  });

  it('stay while pages are composed of them, and their versions are remembered', async () => {
    const { store } = rig();
    for (const version of ['1.0.0', '1.1.0', '2.0.0']) await store.manifest('mfe-tiny', version);
    const remotes = { 'mfe-tiny': { live: '2.0.0', canary: { version: '1.1.0', weight: 5 } } };
    await store.save(remotes);
    expect((await readdir(join(directory, 'mfe-tiny'))).sort()).toEqual(['1.1.0', '2.0.0']);
    expect(await rig().store.lastGood()).toEqual(remotes);
  });

  it('give way only to a release that the disk has whole', async () => {
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

  it('stay when it cannot be written down what takes their place', async () => {
    const { store } = rig();
    await store.file(await store.manifest('mfe-tiny', '1.0.0'), FILE);
    await store.file(await store.manifest('mfe-tiny', '1.1.0'), FILE);
    await mkdir(join(directory, 'snapshot.json'));
    await store.save({ 'mfe-tiny': { live: '1.1.0' } });
    expect((await readdir(join(directory, 'mfe-tiny'))).sort()).toEqual(['1.0.0', '1.1.0']);
  });

  it('begin with nothing, also when what was kept cannot be read', async () => {
    expect(await rig().store.lastGood()).toEqual({});
    await writeFile(join(directory, 'snapshot.json'), '{"mfe-tiny":');
    expect(await rig().store.lastGood()).toEqual({});
  });

  it('are served all the same when the disk takes nothing', async () => {
    const blocked = join(directory, 'file');
    await writeFile(blocked, '');
    const log = jest.fn();
    const store = storeReleases(rig().registry, join(blocked, 'x'), log);
    expect(await store.file(await store.manifest('mfe-tiny', '1.0.0'), FILE)).toEqual(BYTES);
    await store.save({ 'mfe-tiny': { live: '1.0.0' } });
    expect(log).toHaveBeenCalled();
  });
});
