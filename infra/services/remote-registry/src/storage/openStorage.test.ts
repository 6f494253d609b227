import { randomUUID } from 'node:crypto';
import { text } from 'node:stream/consumers';
import { findPostgres, type PostgresServer, startPostgres } from '@forecourt/service-kit/testing';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import {
  manifestBytesOf,
  sampleRelease,
  type SampleRelease,
  temporaryDirectory,
} from '@forecourt/release-kit/testing';
import { S3Bucket } from '@forecourt/service-kit/bucket';
import { FolderBucket } from '@forecourt/service-kit/folderBucket';
import { migratePostgres } from '@forecourt/service-kit/postgres';
import { startS3TestServer } from '@forecourt/service-kit/s3Server';
import pg from 'pg';
import { PointerBoard } from '../pointers/pointerBoard.ts';
import { emptyAccess, emptyPointers, type RegistryStorage } from '../ports.ts';
import { PointerWaits } from '../pointers/pointerWaits.ts';
import { addToStore } from '../releases/addToStore.ts';
import { openDatabaseIn, openLocalStorage, openSharedStorage, SCHEMA } from './openStorage.ts';

/** Opens the same storage, again and again, as processes that share it do. */
interface OpenedStorage {
  open(): Promise<RegistryStorage>;
  close(): Promise<unknown>;
}

async function fileStorage(): Promise<OpenedStorage> {
  const root = await temporaryDirectory();
  return { open: () => openLocalStorage(root.path), close: root.remove };
}

async function s3Storage(): Promise<OpenedStorage> {
  const server = await startS3TestServer();
  const root = await temporaryDirectory();
  const credentials = { accessKeyId: 'test', secretAccessKey: 'test' };
  const bucket = new S3Bucket({
    bucket: 'releases',
    prefix: 'registry/',
    region: 'us-east-1',
    endpoint: server.url,
    isPathStyle: true,
    credentials,
  });
  return {
    open: () => openDatabaseIn(root.path, bucket),
    close: () => Promise.all([server.close(), root.remove()]),
  };
}

// A real server, wherever one is at hand; see the README. Credentials come from the environment, as in service.
const { S3_TEST_ENDPOINT: endpoint, S3_TEST_BUCKET: bucket = 'forecourt-test' } = process.env;

async function realS3Storage(): Promise<OpenedStorage> {
  const prefix = `test-${randomUUID()}/`;
  const root = await temporaryDirectory();
  const real = new S3Bucket({ bucket, prefix, region: 'us-east-1', endpoint, isPathStyle: true });
  return { open: () => openDatabaseIn(root.path, real), close: root.remove };
}

const bin = findPostgres();
let server: PostgresServer;
beforeAll(async () => {
  if (bin) server = await startPostgres(bin);
}, 60_000);
afterAll(() => server?.stop());
if (!bin) it.skip('skipped: no PostgreSQL', () => undefined);

/** Migrated tables in a database of their own. */
async function createDatabase() {
  const name = `registry_${randomUUID().replaceAll('-', '')}`;
  const admin = new pg.Client(server.url);
  await admin.connect();
  await admin.query(`CREATE DATABASE ${name}`);
  await admin.end();
  const options = { url: server.url.replace(/postgres$/, name), maxConnections: 4 };
  await migratePostgres({ ...options, ...SCHEMA });
  return options;
}

async function postgresStorage(): Promise<OpenedStorage> {
  const options = await createDatabase();
  const root = await temporaryDirectory();
  const files = await FolderBucket.open(root.path);
  const all: RegistryStorage[] = [];
  return {
    async open() {
      all.push(await openSharedStorage(options, files));
      return all.at(-1)!;
    },
    async close() {
      await Promise.all(all.map(async (storage) => storage.close?.()));
      await root.remove();
    },
  };
}

const storages: readonly (readonly [string, () => Promise<OpenedStorage>])[] = [
  ['SQLite and a folder', fileStorage],
  ['SQLite and S3’s protocol', s3Storage],
  ...(bin === undefined ? [] : [['PostgreSQL and a folder', postgresStorage] as const]),
  ...(endpoint === undefined ? [] : [['SQLite and a real S3 server', realS3Storage] as const]),
];

const id = { name: 'sample', version: '1.0.0' };
const add = (into: RegistryStorage, release: SampleRelease = sampleRelease()) =>
  addToStore(
    into.releases,
    { manifestBytes: manifestBytesOf(release), files: release.files },
    { brotliQuality: 5 },
  );
const at = (revision: number, live = '1.0.0') => ({ revision, remotes: { sample: { live } }, history: {} });
const changeAt = (revision: number) => ({
  by: 'dana',
  revision,
  at: '2026-01-02T03:04:05.000Z',
  remote: 'sample',
  verb: 'promote' as const,
  before: null,
  after: { live: '1.0.0' },
});

describe.each(storages)('a registry over %s', (_, openStorage) => {
  let opened: OpenedStorage;
  let storage: RegistryStorage;
  beforeEach(async () => {
    opened = await openStorage();
    storage = await opened.open();
  });
  afterEach(() => opened.close());

  const fileOf = async (path: string, encoding: 'identity' | 'br' = 'identity') => {
    const stream = await storage.releases.openFile(id, path, encoding);
    return stream && (await text(stream));
  };

  it('returns the added release, also in another process', async () => {
    const release = sampleRelease();
    await add(storage, release);
    expect((await storage.releases.findRelease(id))?.manifest).toEqual(release.manifest);
    expect(await fileOf('web/icon.svg')).toBe(release.files.get('web/icon.svg')?.toString());
    const { brotli } = (await storage.releases.findRelease(id))!;
    expect(Buffer.from((await fileOf('web/panel.css', 'br'))!, 'utf8').length).toBeGreaterThan(0);
    expect(Object.keys(brotli)).toContain('web/panel.css');
    const other = await opened.open();
    expect(await other.releases.listReleases()).toEqual([id]);
    expect((await other.releases.findRelease(id))?.brotli).toEqual(brotli);
  });

  it('returns undefined for an unpublished release', async () => {
    expect(await storage.releases.listReleases()).toEqual([]);
    expect(await storage.releases.findRelease(id)).toBeUndefined();
    expect(await fileOf('web/icon.svg')).toBeUndefined();
    await add(storage);
    expect(await fileOf('web/other.svg')).toBeUndefined();
  });

  it('rejects an existing version and leaves it unchanged', async () => {
    await add(storage);
    await expect(add(storage, sampleRelease({ files: { 'web/icon.svg': 'other' } }))).rejects.toMatchObject({
      code: 'RELEASE_EXISTS',
      message: expect.stringContaining('with other files'),
    });
    await expect(add(storage)).rejects.toMatchObject({
      message: expect.stringContaining('with the same files'),
    });
    expect(await fileOf('web/icon.svg')).toContain('<svg');
  });

  it('accepts exactly one of many concurrent publishes, also across processes', async () => {
    const other = await opened.open();
    const attempts = Array.from({ length: 8 }, (_unused, index) =>
      add(index % 2 ? storage : other, sampleRelease({ files: { 'web/icon.svg': `publisher ${index}` } })),
    );
    const outcomes = await Promise.allSettled(attempts);
    const winner = outcomes.findIndex(({ status }) => status === 'fulfilled');
    const losers = outcomes.filter((outcome) => outcome.status === 'rejected');
    expect(losers.map(({ reason }) => reason.code)).toEqual(
      Array.from({ length: 7 }, () => 'RELEASE_EXISTS'),
    );
    expect(await fileOf('web/icon.svg')).toBe(`publisher ${winner}`);
  });

  it('deletes a release permanently and keeps the others', async () => {
    await add(storage);
    await add(storage, sampleRelease({ version: '2.0.0' }));
    await storage.releases.removeRelease(id);
    await storage.releases.removeRelease(id);
    expect(await storage.releases.findRelease(id)).toBeUndefined();
    expect(await fileOf('web/icon.svg')).toBeUndefined();
    const other = await opened.open();
    expect(await other.releases.listReleases()).toEqual([{ name: 'sample', version: '2.0.0' }]);
    await expect(add(other)).rejects.toMatchObject({ code: 'RELEASE_EXISTS' });
  });

  it('starts at revision 0 without pointers and returns what was written', async () => {
    expect(await storage.pointers.readPointers()).toEqual(emptyPointers);
    await storage.pointers.writePointers(at(1), 0);
    expect(await (await opened.open()).pointers.readPointers()).toEqual(at(1));
  });

  it('accepts one of several concurrent writes with the same revision', async () => {
    const outcomes = await Promise.allSettled(
      ['1.0.0', '2.0.0', '3.0.0'].map((live) => storage.pointers.writePointers(at(1, live), 0)),
    );
    expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'rejected']);
    expect(await storage.pointers.readPointers()).toEqual(at(1, '1.0.0'));
  });

  it('stores every change, newest first, and none of a failed write', async () => {
    for (let revision = 1; revision <= 12; revision += 1)
      await storage.pointers.writePointers({ ...at(revision), change: changeAt(revision) }, revision - 1);
    await expect(storage.pointers.writePointers({ ...at(9), change: changeAt(9) }, 8)).rejects.toMatchObject({
      code: 'REVISION_CHANGED',
    });
    const { pointers } = await opened.open();
    const revisions = async (options: { limit: number; beforeRevision?: number }) =>
      (await pointers.readChanges(options)).map(({ revision }) => revision);
    expect(await revisions({ limit: 100 })).toEqual([12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1]);
    expect(await revisions({ limit: 3 })).toEqual([12, 11, 10]);
    expect(await revisions({ limit: 3, beforeRevision: 10 })).toEqual([9, 8, 7]);
  });

  it('stores access by compare-and-set', async () => {
    expect(await storage.access.readAccess()).toEqual(emptyAccess);
    const credential = {
      name: 'sample-ci',
      scopes: [{ remote: 'sample', actions: ['publish' as const] }],
      createdAt: '2026-01-02T03:04:05.000Z',
      createdBy: 'bootstrap',
      tokenHash: 'a'.repeat(64),
    };
    const record = { ...emptyAccess, revision: 1, credentials: [credential] };
    const outcomes = await Promise.allSettled([1, 2].map(() => storage.access.writeAccess(record, 0)));
    expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected']);
    expect(await (await opened.open()).access.readAccess()).toEqual(record);
  });

  it('stores each log entry once and returns the entries in order', async () => {
    const other = await opened.open();
    for (let sequence = 1; sequence <= 20; sequence += 1)
      expect(await (sequence % 2 ? storage : other).log.appendEntry(sequence, `entry ${sequence}`)).toBe(
        true,
      );
    expect(await other.log.appendEntry(20, 'another')).toBe(false);
    const all = Array.from({ length: 20 }, (_unused, index) => `entry ${index + 1}`);
    expect(await storage.log.readEntries(0, 100)).toEqual(all);
    expect(await storage.log.readEntries(8, 4)).toEqual(all.slice(8, 12));
    expect(await storage.log.readEntries(20, 4)).toEqual([]);
  });

  it('returns the signature that a release was published with', async () => {
    const signature = { keyId: '0123456789abcdef', signature: 'A'.repeat(86), manifest: '{}' };
    const release = sampleRelease();
    await addToStore(
      storage.releases,
      { manifestBytes: manifestBytesOf(release), files: release.files },
      { brotliQuality: 0, signature },
    );
    expect((await (await opened.open()).releases.findRelease(id))?.signature).toEqual(signature);
  });

  it('applies all of 50 concurrent promotions', async () => {
    const remotes = Array.from({ length: 50 }, (_unused, index) => `remote-${index}`);
    await add(storage, sampleRelease({ name: 'remote-0' }));
    // One release is enough: this test is about pointers.
    const release = await storage.releases.findRelease({ name: 'remote-0', version: '1.0.0' });
    const releases = { ...storage.releases, findRelease: async () => release } as typeof storage.releases;
    const boards = [storage, ...(storage.isShared ? [await opened.open()] : [])].map(
      ({ pointers }) => new PointerBoard({ pointers, releases, waits: new PointerWaits() }),
    );
    await Promise.all(remotes.map((name, index) => boards[index % boards.length]!.promote(name, '1.0.0')));
    const { revision, remotes: promoted } = await storage.pointers.readPointers();
    expect(revision).toBe(50);
    expect(Object.keys(promoted).sort()).toEqual(remotes.sort());
    const changes = await storage.pointers.readChanges({ limit: 100 });
    expect(changes.map(({ revision: changed }) => changed)).toEqual(
      Array.from({ length: 50 }, (_unused, index) => 50 - index),
    );
  });
});
