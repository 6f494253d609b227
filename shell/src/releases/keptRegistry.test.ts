import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createHash } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { textSlot, tinyRelease } from '../rendering/testing/tinyRelease.ts';
import { keepReleases } from './keptRegistry.ts';
import type { RegistryClient } from './registryClient.ts';

const BYTES = Buffer.from('module.exports = 1;');
const integrity = `sha384-${createHash('sha384').update(BYTES).digest('base64')}`;
const FILE = 'node/remoteEntry.cjs';

let directory: string;
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'kept-'));
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
  return { registry, manifest, file, log, kept: keepReleases(registry, directory, log) };
}

describe('releases on the disk of the shell', () => {
  it('come from the registry once, and from the disk after a restart', async () => {
    const first = rig();
    const manifest = await first.kept.manifest('mfe-tiny', '1.0.0');
    expect(await first.kept.file(manifest, FILE)).toEqual(BYTES);
    const restarted = rig();
    const again = await restarted.kept.manifest('mfe-tiny', '1.0.0');
    expect(again).toEqual(manifest);
    expect(await restarted.kept.file(again, FILE)).toEqual(BYTES);
    expect(restarted.manifest).not.toHaveBeenCalled();
    expect(restarted.file).not.toHaveBeenCalled();
  });

  it('are asked for again when the disk has something else', async () => {
    const { kept, file } = rig();
    const manifest = await kept.manifest('mfe-tiny', '1.0.0');
    await kept.file(manifest, FILE);
    await writeFile(join(directory, 'mfe-tiny/1.0.0', FILE), 'evil()');
    expect(await kept.file(manifest, FILE)).toEqual(BYTES);
    expect(file).toHaveBeenCalledTimes(2);
  });

  it('stay while pages are composed of them, and their versions are remembered', async () => {
    const { kept } = rig();
    for (const version of ['1.0.0', '1.1.0', '2.0.0']) await kept.manifest('mfe-tiny', version);
    const remotes = { 'mfe-tiny': { live: '2.0.0', canary: { version: '1.1.0', weight: 5 } } };
    await kept.keep(remotes);
    expect((await readdir(join(directory, 'mfe-tiny'))).sort()).toEqual(['1.1.0', '2.0.0']);
    expect(await rig().kept.lastGood()).toEqual(remotes);
  });

  it('give way only to a release that the disk has whole', async () => {
    const { kept } = rig();
    await kept.file(await kept.manifest('mfe-tiny', '1.0.0'), FILE);
    await kept.keep({ 'mfe-tiny': { live: '1.0.0' } });
    // As a full disk leaves it: the manifest, but not the file.
    const next = await kept.manifest('mfe-tiny', '1.1.0');
    await kept.keep({ 'mfe-tiny': { live: '1.1.0' } });
    expect(await rig().kept.lastGood()).toEqual({ 'mfe-tiny': { live: '1.0.0' } });
    expect(await readdir(join(directory, 'mfe-tiny'))).toEqual(['1.0.0']);
    await kept.manifest('mfe-tiny', '1.1.0');
    await kept.file(next, FILE);
    await kept.keep({ 'mfe-tiny': { live: '1.1.0' } });
    expect(await rig().kept.lastGood()).toEqual({ 'mfe-tiny': { live: '1.1.0' } });
    expect(await readdir(join(directory, 'mfe-tiny'))).toEqual(['1.1.0']);
  });

  it('stay when it cannot be written down what takes their place', async () => {
    const { kept } = rig();
    await kept.file(await kept.manifest('mfe-tiny', '1.0.0'), FILE);
    await kept.file(await kept.manifest('mfe-tiny', '1.1.0'), FILE);
    await mkdir(join(directory, 'snapshot.json'));
    await kept.keep({ 'mfe-tiny': { live: '1.1.0' } });
    expect((await readdir(join(directory, 'mfe-tiny'))).sort()).toEqual(['1.0.0', '1.1.0']);
  });

  it('begin with nothing, also when what was kept cannot be read', async () => {
    expect(await rig().kept.lastGood()).toEqual({});
    await writeFile(join(directory, 'snapshot.json'), '{"mfe-tiny":');
    expect(await rig().kept.lastGood()).toEqual({});
  });

  it('are served all the same when the disk takes nothing', async () => {
    const blocked = join(directory, 'file');
    await writeFile(blocked, '');
    const log = jest.fn();
    const kept = keepReleases(rig().registry, join(blocked, 'x'), log);
    expect(await kept.file(await kept.manifest('mfe-tiny', '1.0.0'), FILE)).toEqual(BYTES);
    await kept.keep({ 'mfe-tiny': { live: '1.0.0' } });
    expect(log).toHaveBeenCalled();
  });
});
