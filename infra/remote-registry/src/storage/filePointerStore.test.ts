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
    expect(await readdir(root.path)).toEqual(['history', 'pointers.json']);
  });

  it('keeps every change, newest first, and none of a write that failed', async () => {
    const change = (revision: number) => ({
      by: 'dana',
      revision,
      at: '2026-01-02T03:04:05.000Z',
      remote: 'sample',
      verb: 'promote' as const,
      before: null,
      after: { live: '1.0.0' },
    });
    for (let revision = 1; revision <= 12; revision += 1)
      await store.writePointers({ ...at(revision), change: change(revision) }, revision - 1);
    await expect(store.writePointers({ ...at(9), change: change(9) }, 8)).rejects.toMatchObject({
      code: 'REVISION_CHANGED',
    });
    const reopened = await FilePointerStore.open(root.path);
    const revisions = async (options: { limit: number; beforeRevision?: number }) =>
      (await reopened.readChanges(options)).map(({ revision }) => revision);
    expect(await revisions({ limit: 100 })).toEqual([12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1]);
    expect(await revisions({ limit: 3 })).toEqual([12, 11, 10]);
    expect(await revisions({ limit: 3, beforeRevision: 10 })).toEqual([9, 8, 7]);
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
