import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { manifestBytesOf, sampleRelease, temporaryDirectory } from '@forecourt/release-kit/testing';
import { PointerBoard } from '../pointers/pointerBoard.ts';
import { createSqliteSql, openDatabase } from '@forecourt/service-kit/database';
import { FolderBucket } from '@forecourt/service-kit/folderBucket';
import type { PointerStore, ReleaseStore } from '../ports.ts';
import { PointerWaits } from '../pointers/pointerChanges.ts';
import { BucketReleaseStore } from '../storage/bucketReleaseStore.ts';
import { MIGRATIONS } from '../storage/openStorage.ts';
import { SqlPointerStore } from '../storage/sqlRecords.ts';
import { addToStore } from './addToStore.ts';
import { collectGarbage } from './garbage.ts';

const NOW = new Date('2026-06-30T00:00:00Z');
const RULES = { keepDays: 30, keepVersions: 1, isDryRun: false };

let root: Awaited<ReturnType<typeof temporaryDirectory>>;
let now: Date;
let releases: BucketReleaseStore;
let pointers: SqlPointerStore;
let board: PointerBoard;
beforeEach(async () => {
  root = await temporaryDirectory();
  now = new Date('2026-01-01T00:00:00Z');
  const sql = createSqliteSql(openDatabase(':memory:', { durability: 'normal', migrations: MIGRATIONS }));
  releases = new BucketReleaseStore(sql, await FolderBucket.open(root.path), () => now);
  pointers = new SqlPointerStore(sql);
  board = new PointerBoard({ releases, pointers, waits: new PointerWaits() }, () => now);
  for (const version of ['1.0.0', '2.0.0', '3.0.0', '4.0.0']) {
    const release = sampleRelease({ version });
    await addToStore(releases, { manifestBytes: manifestBytesOf(release), files: release.files });
  }
});
afterEach(() => root.remove());

const versions = async () => (await releases.listReleases()).map(({ version }) => version).sort();

describe('collectGarbage', () => {
  it('removes old releases from disk, except those that tabs, rollbacks or visitors need', async () => {
    await board.promote('sample', '1.0.0');
    await board.promote('sample', '2.0.0');
    now = new Date('2026-06-20T00:00:00Z');
    await board.promote('sample', '3.0.0');
    const rules = { ...RULES, keepVersions: 1 };
    expect(
      (await collectGarbage({ releases, pointers, board }, { ...rules, isDryRun: true }, NOW)).length,
    ).toBe(1);
    expect(await versions()).toHaveLength(4);
    // 2.0.0 was live ten days ago, 4.0.0 is the newest; 1.0.0 is unused.
    const removed = await collectGarbage({ releases, pointers, board }, rules, NOW);
    expect(removed.map(({ version }) => version)).toEqual(['1.0.0']);
    expect(await versions()).toEqual(['2.0.0', '3.0.0', '4.0.0']);
    expect((await readdir(join(root.path, 'files/sample'))).sort()).toEqual(['2.0.0', '3.0.0', '4.0.0']);
    expect(await readdir(join(root.path, 'drafts'))).toEqual([]);
    await expect(board.promote('sample', '1.0.0')).rejects.toMatchObject({ code: 'UNKNOWN_RELEASE' });
  });

  it('rejects publishing a removed version again', async () => {
    await board.promote('sample', '4.0.0');
    await collectGarbage({ releases, pointers, board }, RULES, NOW);
    expect(await versions()).toEqual(['4.0.0']);
    const release = sampleRelease({ version: '1.0.0', files: { 'web/icon.svg': 'others' } });
    await expect(
      addToStore(releases, { manifestBytes: manifestBytesOf(release), files: release.files }),
    ).rejects.toMatchObject({ code: 'RELEASE_EXISTS' });
    expect(await versions()).toEqual(['4.0.0']);
  });

  it('reads the history once, and again only after a pointer has moved', async () => {
    await board.promote('sample', '4.0.0');
    let reads = 0;
    const counted: PointerStore = {
      readPointers: () => pointers.readPointers(),
      writePointers: (...given) => pointers.writePointers(...given),
      readChanges: (options) => {
        reads += 1;
        return pointers.readChanges(options);
      },
    };
    let moved: Promise<unknown> | undefined;
    const moving: ReleaseStore = {
      listReleases: () => releases.listReleases(),
      findRelease: (id) => releases.findRelease(id),
      addRelease: (release) => releases.addRelease(release),
      openFile: (...given) => releases.openFile(...given),
      // While the first release is removed, a client requests the last one.
      removeRelease: async (id) => {
        moved ??= board.promote('sample', id.version === '3.0.0' ? '1.0.0' : '3.0.0');
        await releases.removeRelease(id);
      },
    };
    const removed = await collectGarbage({ releases: moving, pointers: counted, board }, RULES, NOW);
    await moved;
    expect(removed).toHaveLength(2);
    const { remotes } = await board.read();
    expect(await versions()).toEqual([remotes['sample']?.live, '4.0.0']);
    const [readsWhenMoved] = [reads, (reads = 0)];
    await collectGarbage({ releases, pointers: counted, board }, { ...RULES, isDryRun: true }, NOW);
    expect(readsWhenMoved).toBe(2 * reads);
  });
});
