import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { S3Bucket } from '@forecourt/service-kit/bucket';
import { createSqliteSql, openDatabase } from '@forecourt/service-kit/database';
import { FolderBucket } from '@forecourt/service-kit/folderBucket';
import { type S3TestServer, startS3TestServer } from '@forecourt/service-kit/s3Server';
import { DatabaseUnavailableError, type Sql } from '@forecourt/service-kit/sql';
import {
  manifestBytesOf,
  sampleRelease,
  type SampleRelease,
  temporaryDirectory,
} from '@forecourt/release-kit/testing';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { ReleaseStore } from '../ports.ts';
import { addToStore } from '../releases/addToStore.ts';
import { BucketReleaseStore } from './bucketReleaseStore.ts';
import { MIGRATIONS } from './openStorage.ts';

const id = { name: 'sample', version: '1.0.0' };
const add = (store: ReleaseStore, release: SampleRelease = sampleRelease()) =>
  addToStore(store, { manifestBytes: manifestBytesOf(release), files: release.files }, { brotliQuality: 5 });
const hoursAfter = (hours: number, from = new Date()) => new Date(from.getTime() + hours * 3600 * 1000);

let sql: Sql;
beforeEach(() => {
  sql = createSqliteSql(openDatabase(':memory:', { durability: 'normal', migrations: MIGRATIONS }));
});
afterEach(() => sql.close());

describe('releases in a bucket of S3', () => {
  let server: S3TestServer;
  let bucket: S3Bucket;
  let store: BucketReleaseStore;
  beforeEach(async () => {
    server = await startS3TestServer();
    bucket = new S3Bucket({
      bucket: 'releases',
      prefix: 'registry/',
      region: 'us-east-1',
      endpoint: server.url,
      isPathStyle: true,
      credentials: { accessKeyId: 'test', secretAccessKey: 'test' },
    });
    store = new BucketReleaseStore(sql, bucket);
  });
  afterEach(() => server.close());
  const keys = (folder: string) =>
    [...server.objects.keys()].filter((key) => key.startsWith(`registry/${folder}`));

  it('are published when the responses to all writes are lost', async () => {
    const failedKeys = new Set<string>();
    server.onWrite = (key) => (failedKeys.has(key) || !failedKeys.add(key) ? 'write' : 'lose-response');
    await add(store);
    expect(await store.listReleases()).toEqual([id]);
  });

  it('are hidden when a publish fails, which removes its files', async () => {
    server.onWrite = (key) => (key.endsWith('web/icon.svg') ? 'fail' : 'write');
    await expect(add(store)).rejects.toThrow();
    expect(await store.findRelease(id)).toBeUndefined();
    expect(keys('files/')).toEqual([]);
    server.onWrite = () => 'write';
    await add(store);
    expect(await store.findRelease(id)).toBeDefined();
  });

  it('lose only the files of crashed publishes when the registry starts', async () => {
    await add(store);
    const published = keys('files/');
    const left = [
      'registry/files/sample/2.0.0/dead/web/entry.js',
      'registry/files/sample/1.0.0/dead/web/entry.js',
    ];
    const { writtenAt, ...object } = server.objects.get(published[0]!)!;
    for (const key of left) server.objects.set(key, { ...object, writtenAt });
    const sweptAt = (now: Date) => new BucketReleaseStore(sql, bucket, () => now).sweep();
    await sweptAt(writtenAt);
    expect(keys('files/').sort()).toEqual([...published, ...left].sort());
    await sweptAt(hoursAfter(2, writtenAt));
    expect(keys('files/')).toEqual(published);
  });

  it('keep all files beside an empty database, which is rather a lost one', async () => {
    await bucket.put('files/sample/2.0.0/dead/web/entry.js', 'x');
    await new BucketReleaseStore(sql, bucket, () => hoursAfter(2)).sweep();
    expect(keys('files/')).toHaveLength(1);
  });
});

describe('releases in a folder', () => {
  let root: Awaited<ReturnType<typeof temporaryDirectory>>;
  let bucket: FolderBucket;
  let store: BucketReleaseStore;
  beforeEach(async () => {
    root = await temporaryDirectory();
    bucket = await FolderBucket.open(root.path);
    store = new BucketReleaseStore(sql, bucket);
  });
  afterEach(() => root.remove());

  it('have their files below a folder of their upload, and leave no drafts', async () => {
    const release = sampleRelease();
    await add(store, release);
    const [upload = ''] = await readdir(join(root.path, 'files/sample/1.0.0'));
    const files = await readdir(join(root.path, 'files/sample/1.0.0', upload));
    expect(files.sort()).toEqual(['node', 'release.json', 'web']);
    const stream = await store.openFile(id, 'web/icon.svg', 'identity');
    expect(stream && (await text(stream))).toBe(release.files.get('web/icon.svg')?.toString());
    expect(await readdir(join(root.path, 'drafts'))).toEqual([]);
  });

  it('leave only the files of the winner of many concurrent publishes', async () => {
    const other = new BucketReleaseStore(sql, bucket);
    await Promise.allSettled(
      Array.from({ length: 8 }, (_, index) =>
        add(index % 2 ? store : other, sampleRelease({ files: { 'web/icon.svg': `publisher ${index}` } })),
      ),
    );
    expect(await readdir(join(root.path, 'files/sample/1.0.0'))).toHaveLength(1);
    expect(await readdir(join(root.path, 'drafts'))).toEqual([]);
  });

  it('leave no files when a write fails', async () => {
    await writeFile(join(root.path, 'files'), 'a file where a folder should be');
    await expect(add(store)).rejects.toBeDefined();
    expect((await readdir(root.path)).sort()).toEqual(['drafts', 'files']);
    expect(await readdir(join(root.path, 'drafts'))).toEqual([]);
  });

  it('leave no files when the row cannot be written', async () => {
    const full: Sql = {
      ...sql,
      run: () => Promise.reject(Object.assign(new Error('full'), { code: 'SQLITE_FULL' })),
    };
    await expect(add(new BucketReleaseStore(full, bucket))).rejects.toMatchObject({ code: 'SQLITE_FULL' });
    expect(await readdir(root.path)).toEqual(['drafts']);
  });

  it('keep their files when the database takes the row, but its response is lost', async () => {
    const losing: Sql = {
      ...sql,
      run: async (...statement) => {
        await sql.run(...statement);
        throw new DatabaseUnavailableError('lost');
      },
    };
    await expect(add(new BucketReleaseStore(losing, bucket))).rejects.toMatchObject({
      code: 'DATABASE_UNAVAILABLE',
    });
    expect(await store.listReleases()).toEqual([id]);
    expect(await store.openFile(id, 'web/icon.svg', 'identity')).toBeDefined();
  });

  it('are reported when their row is damaged', async () => {
    await add(store);
    await sql.run(`UPDATE release SET body = '{"manifest":1'`);
    await expect(new BucketReleaseStore(sql, bucket).findRelease(id)).rejects.toMatchObject({
      code: 'STORAGE_DAMAGED',
    });
  });

  it('disappear within a minute after another process has removed them', async () => {
    let now = new Date();
    const caching = new BucketReleaseStore(sql, bucket, () => now);
    await add(store);
    expect(await caching.findRelease(id)).toBeDefined();
    await store.removeRelease(id);
    now = new Date(now.getTime() + 60_001);
    expect(await caching.findRelease(id)).toBeUndefined();
    expect(await caching.openFile(id, 'web/icon.svg', 'identity')).toBeUndefined();
    expect(await readdir(root.path)).toEqual(['drafts']);
  });

  it('have no file that an operator deleted', async () => {
    await add(store);
    const [upload = ''] = await readdir(join(root.path, 'files/sample/1.0.0'));
    await bucket.remove(`files/sample/1.0.0/${upload}/web/icon.svg`);
    expect(await store.openFile(id, 'web/icon.svg', 'identity')).toBeUndefined();
  });
});
