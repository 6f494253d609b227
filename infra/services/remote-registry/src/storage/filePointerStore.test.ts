import { mkdir, readdir, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { temporaryDirectory } from '@forecourt/release-kit/testing';
import { FileLogStore } from './openStorage.ts';
import { FilePointerStore } from './filePointerStore.ts';

let root: Awaited<ReturnType<typeof temporaryDirectory>>;
let store: FilePointerStore;
beforeEach(async () => {
  root = await temporaryDirectory();
  store = await FilePointerStore.open(root.path);
});
afterEach(() => root.remove());

const at = (revision: number, live = '1.0.0') => ({ revision, remotes: { sample: { live } }, history: {} });

describe('FilePointerStore', () => {
  it('returns the written pointers and leaves no temporary file', async () => {
    await store.writePointers(at(1), 0);
    expect(await (await FilePointerStore.open(root.path)).readPointers()).toEqual(at(1));
    expect(await readdir(root.path)).toEqual(['history', 'pointers.json']);
  });

  it('writes files that only its own user can read, whatever the umask', async () => {
    const umask = process.umask(0);
    await store.writePointers(at(1), 0);
    process.umask(umask);
    expect((await stat(join(root.path, 'pointers.json'))).mode & 0o777).toBe(0o600);
  });

  it('removes the drafts of a killed process when it opens', async () => {
    const draft = '.3f0c2a52-1c5e-4b0e-9d0b-6f3f3b7a1c11.tmp';
    await mkdir(join(root.path, 'log'));
    for (const folder of ['', 'log']) await writeFile(join(root.path, folder, draft), '{"revi');
    await writeFile(join(root.path, '.gitignore'), '*');
    await FilePointerStore.open(root.path);
    await FileLogStore.open(root.path);
    expect((await readdir(root.path)).sort()).toEqual(['.gitignore', 'history', 'log']);
    expect(await readdir(join(root.path, 'log'))).toEqual([]);
  });

  it('rejects reads and writes when the pointer file is damaged', async () => {
    await writeFile(join(root.path, 'pointers.json'), '{"revision": 7, "remo');
    await expect(store.readPointers()).rejects.toMatchObject({ code: 'STORAGE_DAMAGED' });
    await expect(store.writePointers(at(1), 0)).rejects.toMatchObject({ code: 'STORAGE_DAMAGED' });
  });
});
