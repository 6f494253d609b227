import fc from 'fast-check';
import type { PointerChange } from '@forecourt/release-kit/registryResponses';
import { emptyPointers, type PointerRecord, type PointerStore, type ReleaseStore } from '../ports.ts';
import { BucketReleaseStore } from '../storage/bucketReleaseStore.ts';
import { FolderBucket } from '@forecourt/service-kit/folderBucket';
import { MIGRATIONS } from '../storage/openStorage.ts';
import { PointerBoard } from '../pointers/pointerBoard.ts';
import { PointerWaits } from '../pointers/pointerWaits.ts';
import { SqlPointerStore } from '../storage/sqlRecords.ts';
import { addToStore } from './addToStore.ts';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { collectGarbage, removableReleases } from './garbage.ts';
import { createSqliteSql, openDatabase } from '@forecourt/service-kit/database';
import { join } from 'node:path';
import { manifestBytesOf, sampleRelease, temporaryDirectory } from '@forecourt/release-kit/testing';
import { readdir } from 'node:fs/promises';

const NOW = new Date('2026-06-30T00:00:00Z');
const daysAgo = (days: number) => new Date(NOW.getTime() - days * 86_400_000).toISOString();
const release = (version: string, days: number, name = 'sample') => ({
  name,
  version,
  publishedAt: daysAgo(days),
});
const change = (days: number, before: string | null, after: string): PointerChange => ({
  by: 'dana',
  revision: 1,
  at: daysAgo(days),
  remote: 'sample',
  verb: 'promote',
  before: before === null ? null : { live: before },
  after: { live: after },
});
const rules = { keepDays: 30, keepVersions: 0 };
const versions = (
  releases: readonly ReturnType<typeof release>[],
  { pointers = emptyPointers, changes = [] as PointerChange[], keep = rules } = {},
) => removableReleases(releases, pointers, changes, keep, NOW).map(({ version }) => version);

const live = (version: string, canary?: string): PointerRecord => ({
  ...emptyPointers,
  remotes: { sample: { live: version, ...(canary ? { canary: { version: canary, weight: 5 } } : {}) } },
});

describe('removableReleases', () => {
  it('removes old releases without a pointer', () => {
    const releases = [release('1.0.0', 90), release('2.0.0', 80), release('3.0.0', 70), release('4.0.0', 5)];
    expect(versions(releases, { pointers: live('2.0.0', '3.0.0') })).toEqual(['1.0.0']);
  });

  it('keeps releases that were live within keepDays', () => {
    const releases = [release('1.0.0', 400), release('2.0.0', 300), release('3.0.0', 200)];
    // 1.0.0 was live until 10 days ago, when 3.0.0 replaced it; 2.0.0 was replaced long before.
    const changes = [change(10, '1.0.0', '3.0.0'), change(100, '2.0.0', '1.0.0')];
    expect(versions(releases, { pointers: live('3.0.0'), changes })).toEqual(['2.0.0']);
  });

  it('keeps the newest versions and rollback targets', () => {
    const releases = ['1.0.0', '2.0.0', '3.0.0', '10.0.0'].map((version) => release(version, 99));
    const pointers = {
      ...live('3.0.0'),
      history: { sample: [{ version: '1.0.0', replacedAt: daysAgo(90) }] },
    };
    expect(versions(releases, { pointers, keep: { keepDays: 30, keepVersions: 1 } })).toEqual(['2.0.0']);
  });

  it('keeps releases with a current or recent pointer', () => {
    const version = fc.constantFrom('1.0.0', '2.0.0', '3.0.0', '4.0.0');
    fc.assert(
      fc.property(
        version,
        fc.option(version, { nil: undefined }),
        fc.array(fc.tuple(fc.nat(100), version, version), { maxLength: 10 }),
        fc.nat(60),
        fc.nat(4),
        (liveVersion, canary, moves, keepDays, keepVersions) => {
          const removed = versions(
            ['1.0.0', '2.0.0', '3.0.0', '4.0.0'].map((each) => release(each, 200)),
            {
              pointers: live(liveVersion, canary),
              changes: moves.map(([days, from, to]) => change(days, from, to)),
              keep: { keepDays, keepVersions },
            },
          );
          expect(removed).not.toContain(liveVersion);
          expect(removed).not.toContain(canary);
          for (const [days, from, to] of moves)
            if (days < keepDays) for (const used of [from, to]) expect(removed).not.toContain(used);
        },
      ),
    );
  });
});

describe('collectGarbage', () => {
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

  const storedVersions = async () => (await releases.listReleases()).map(({ version }) => version).sort();

  it('removes old releases from disk, except those that tabs, rollbacks or visitors need', async () => {
    await board.promote('sample', '1.0.0');
    await board.promote('sample', '2.0.0');
    now = new Date('2026-06-20T00:00:00Z');
    await board.promote('sample', '3.0.0');
    const rules = { ...RULES, keepVersions: 1 };
    expect(
      (await collectGarbage({ releases, pointers, board }, { ...rules, isDryRun: true }, NOW)).length,
    ).toBe(1);
    expect(await storedVersions()).toHaveLength(4);
    // 2.0.0 was live ten days ago, 4.0.0 is the newest; 1.0.0 is unused.
    const removed = await collectGarbage({ releases, pointers, board }, rules, NOW);
    expect(removed.map(({ version }) => version)).toEqual(['1.0.0']);
    expect(await storedVersions()).toEqual(['2.0.0', '3.0.0', '4.0.0']);
    expect((await readdir(join(root.path, 'files/sample'))).sort()).toEqual(['2.0.0', '3.0.0', '4.0.0']);
    expect(await readdir(join(root.path, 'drafts'))).toEqual([]);
    await expect(board.promote('sample', '1.0.0')).rejects.toMatchObject({ code: 'UNKNOWN_RELEASE' });
  });

  it('rejects publishing a removed version again', async () => {
    await board.promote('sample', '4.0.0');
    await collectGarbage({ releases, pointers, board }, RULES, NOW);
    expect(await storedVersions()).toEqual(['4.0.0']);
    const release = sampleRelease({ version: '1.0.0', files: { 'web/icon.svg': 'others' } });
    await expect(
      addToStore(releases, { manifestBytes: manifestBytesOf(release), files: release.files }),
    ).rejects.toMatchObject({ code: 'RELEASE_EXISTS' });
    expect(await storedVersions()).toEqual(['4.0.0']);
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
    expect(await storedVersions()).toEqual([remotes['sample']?.live, '4.0.0']);
    const [readsWhenMoved] = [reads, (reads = 0)];
    await collectGarbage({ releases, pointers: counted, board }, { ...RULES, isDryRun: true }, NOW);
    expect(readsWhenMoved).toBe(2 * reads);
  });
});
