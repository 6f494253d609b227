import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { noPointers } from '../pointers/pointerStore.ts';
import { temporaryDirectory } from '../testing.ts';
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
  it('begins at revision 0 with nothing', async () => {
    expect(await store.readPointers()).toEqual(noPointers);
  });

  it('keeps what was written, and no draft beside it', async () => {
    await store.writePointers(at(1), 0);
    expect(await (await FilePointerStore.open(root.path)).readPointers()).toEqual(at(1));
    expect(await readdir(root.path)).toEqual(['pointers.json']);
  });

  it('lets one of several writers at the same revision win', async () => {
    const outcomes = await Promise.allSettled(
      ['1.0.0', '2.0.0', '3.0.0'].map((live) => store.writePointers(at(1, live), 0)),
    );
    expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'rejected']);
    expect(await store.readPointers()).toEqual(at(1, '1.0.0'));
  });

  it('neither reads nor overwrites a damaged file', async () => {
    await writeFile(join(root.path, 'pointers.json'), '{"revision": 7, "remo');
    await expect(store.readPointers()).rejects.toMatchObject({ code: 'STORAGE_DAMAGED' });
    await expect(store.writePointers(at(1), 0)).rejects.toMatchObject({ code: 'STORAGE_DAMAGED' });
  });
});
