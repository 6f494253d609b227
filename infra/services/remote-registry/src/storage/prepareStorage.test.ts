import { randomUUID } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { findPostgres, type PostgresServer, startPostgres } from '@forecourt/service-kit/testing';
import { S3Bucket } from '@forecourt/service-kit/bucket';
import { FolderBucket } from '@forecourt/service-kit/folderBucket';
import { migratePostgres, openPostgres } from '@forecourt/service-kit/postgres';
import { type S3TestServer, startS3TestServer } from '@forecourt/service-kit/s3Server';
import {
  manifestBytesOf,
  sampleRelease,
  type SampleRelease,
  temporaryDirectory,
} from '@forecourt/release-kit/testing';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { emptyAccess, type RegistryStorage } from '../ports.ts';
import { addToStore } from '../releases/addToStore.ts';
import { openLocalStorage, openSharedStorage, registryFolder, SCHEMA } from './openStorage.ts';
import { prepareStorage } from './prepareStorage.ts';

const bin = findPostgres();
let server: PostgresServer;
let s3: S3TestServer;
beforeAll(async () => {
  if (bin) server = await startPostgres(bin);
}, 60_000);
afterAll(() => server?.stop());
if (!bin) it.skip('skipped: no PostgreSQL', () => undefined);

async function createDatabase(): Promise<string> {
  const name = `registry_${randomUUID().replaceAll('-', '')}`;
  const admin = new pg.Client(server.url);
  await admin.connect();
  await admin.query(`CREATE DATABASE ${name}`);
  await admin.end();
  return server.url.replace(/postgres$/, name);
}

const id = { name: 'sample', version: '1.0.0' };
const removed = { name: 'sample', version: '0.9.0' };
const add = (into: RegistryStorage, release: SampleRelease = sampleRelease()) =>
  addToStore(
    into.releases,
    { manifestBytes: manifestBytesOf(release), files: release.files },
    { brotliQuality: 5 },
  );
const at = (revision: number) => ({ revision, remotes: { sample: { live: '1.0.0' } }, history: {} });
const changeAt = (revision: number) => ({
  by: 'dana',
  revision,
  at: '2026-01-02T03:04:05.000Z',
  remote: 'sample',
  verb: 'promote' as const,
  before: null,
  after: { live: '1.0.0' },
});

const FILES = [
  ['release.json', 'identity'],
  ['web/panel.css', 'identity'],
  ['web/panel.css', 'br'],
] as const;

if (bin)
  describe('data of a registry that is copied to PostgreSQL', () => {
    let data: Awaited<ReturnType<typeof temporaryDirectory>>;
    let local: RegistryStorage;
    const bucketOptions = () => ({
      bucket: 'releases',
      prefix: 'registry/',
      region: 'us-east-1',
      endpoint: s3.url,
      isPathStyle: true,
    });
    const configFor = (url: string) => ({
      DATABASE_URL: url,
      DATA_DIR: data.path,
      BUCKET: bucketOptions(),
    });
    const openCopy = (url: string) => openSharedStorage({ url }, new S3Bucket(bucketOptions()));
    beforeEach(async () => {
      process.env['AWS_ACCESS_KEY_ID'] = process.env['AWS_SECRET_ACCESS_KEY'] = 'test';
      s3 = await startS3TestServer();
      data = await temporaryDirectory();
      local = await openLocalStorage(data.path);
      await add(local);
      await add(local, sampleRelease(removed));
      await local.releases.removeRelease(removed);
      for (let revision = 1; revision <= 3; revision += 1)
        await local.pointers.writePointers({ ...at(revision), change: changeAt(revision) }, revision - 1);
      await local.access.writeAccess({ ...emptyAccess, revision: 1 }, 0);
      for (let sequence = 1; sequence <= 4; sequence += 1)
        await local.log.appendEntry(sequence, `entry ${sequence}`);
    });
    afterEach(async () => {
      await local.close?.();
      await data.remove();
      await s3.close();
    });

    it('is all there: releases, removed versions, pointers with their history, credentials, log', async () => {
      const url = await createDatabase();
      expect(await prepareStorage(configFor(url), 'copy')).toContain('copied 1 releases');
      const copy = await openCopy(url);
      expect(await copy.releases.listReleases()).toEqual([id]);
      // Also when it was published.
      expect(await copy.releases.findRelease(id)).toEqual(await local.releases.findRelease(id));
      for (const [path, encoding] of FILES) {
        const [copied, original] = await Promise.all(
          [copy, local].map(async ({ releases }) => (await releases.openFile(id, path, encoding))!),
        );
        expect((await buffer(copied!)).equals(await buffer(original!))).toBe(true);
      }
      await expect(add(copy, sampleRelease(removed))).rejects.toMatchObject({ code: 'RELEASE_EXISTS' });
      expect(await copy.pointers.readPointers()).toEqual(await local.pointers.readPointers());
      const changes = await copy.pointers.readChanges({ limit: 10 });
      expect(changes).toEqual(await local.pointers.readChanges({ limit: 10 }));
      expect(changes).toHaveLength(3);
      expect((await copy.access.readAccess()).revision).toBe(1);
      expect(await copy.log.readEntries(0, 10)).toEqual(await local.log.readEntries(0, 10));
      await copy.close?.();
    });

    it('is refused when the tables have rows already', async () => {
      const url = await createDatabase();
      await prepareStorage(configFor(url), 'copy');
      await expect(prepareStorage(configFor(url), 'copy')).rejects.toThrow(
        'has rows already; nothing was copied',
      );
      // Without --copy, as before each later start.
      await prepareStorage(configFor(url));
    });

    it('is not copied in part when a release is damaged', async () => {
      const row = await local.releases.findRelease(id);
      const bucket = await FolderBucket.open(registryFolder(data.path));
      for await (const { key } of bucket.list('files/sample/1.0.0/'))
        if (key.endsWith('web/panel.css')) await writeFile(join(registryFolder(data.path), key), 'damaged');
      expect(row).toBeDefined();
      const url = await createDatabase();
      await expect(prepareStorage(configFor(url), 'copy')).rejects.toMatchObject({ code: 'RELEASE_INVALID' });
      const copy = await openCopy(url);
      expect((await copy.pointers.readPointers()).revision).toBe(0);
      expect(await copy.log.readEntries(0, 10)).toEqual([]);
      await copy.close?.();
    });

    it('needs a decision, and can be left behind', async () => {
      const url = await createDatabase();
      await expect(prepareStorage(configFor(url))).rejects.toThrow(
        /^DATA_DIR has data of a registry: .*--copy.*--empty$/,
      );
      await prepareStorage(configFor(url), 'leave');
      await prepareStorage(configFor(url));
      const empty = await openCopy(url);
      expect(await empty.releases.listReleases()).toEqual([]);
      await empty.close?.();
    });

    it('has its files in the bucket when an earlier version stored them in the tables', async () => {
      const url = await createDatabase();
      await migratePostgres({ url, ...SCHEMA });
      const sql = await openPostgres({ url, ...SCHEMA });
      const stored = (await local.releases.findRelease(id))!;
      await sql.run(
        'INSERT INTO release (name, version, body) VALUES (?, ?, ?)',
        'sample',
        '1.0.0',
        JSON.stringify(stored),
      );
      for (const path of ['release.json', ...Object.keys(stored.manifest.files)])
        for (const encoding of ['identity', 'br'] as const) {
          const file = await local.releases.openFile(id, path, encoding);
          if (file)
            await sql.run(
              'INSERT INTO release_file (name, version, path, encoding, bytes) VALUES (?, ?, ?, ?, ?)',
              'sample',
              '1.0.0',
              path,
              encoding,
              (await buffer(file)).toString('base64'),
            );
        }
      await sql.run(
        'INSERT INTO record (name, revision, body) VALUES (?, ?, ?)',
        'pointers',
        1,
        JSON.stringify(at(1)),
      );
      await sql.close();
      for (let run = 1; run <= 2; run += 1) await prepareStorage(configFor(url));
      const moved = await openCopy(url);
      expect((await moved.pointers.readPointers()).revision).toBe(1);
      expect(await moved.releases.findRelease(id)).toEqual(stored);
      for (const [path, encoding] of FILES) {
        const [file, original] = await Promise.all(
          [moved, local].map(async ({ releases }) => (await releases.openFile(id, path, encoding))!),
        );
        expect((await buffer(file!)).equals(await buffer(original!))).toBe(true);
      }
      await moved.close?.();
    });
  });
