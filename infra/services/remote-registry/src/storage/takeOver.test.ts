import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { S3Bucket } from '@forecourt/service-kit/bucket';
import { createSqliteSql, openDatabase } from '@forecourt/service-kit/database';
import { FolderBucket } from '@forecourt/service-kit/folderBucket';
import { startS3TestServer } from '@forecourt/service-kit/s3Server';
import type { Sql } from '@forecourt/service-kit/sql';
import {
  manifestBytesOf,
  sampleRelease,
  type SampleRelease,
  temporaryDirectory,
} from '@forecourt/release-kit/testing';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { emptyAccess, type PointerRecord, type RegistryStorage } from '../ports.ts';
import { addToStore } from '../releases/addToStore.ts';
import { MIGRATIONS, openDatabaseIn, openLocalStorage } from './openStorage.ts';
import { takeOver } from './takeOver.ts';

const changeAt = (revision: number) => ({
  by: 'dana',
  revision,
  at: '2026-01-02T03:04:05.000Z',
  remote: 'sample',
  verb: 'promote' as const,
  before: null,
  after: { live: '1.0.0' },
});
const POINTERS: PointerRecord = {
  revision: 3,
  remotes: { sample: { live: '1.0.0', canary: { version: '2.0.0', weight: 5 } } },
  history: { sample: [{ version: '0.9.0', replacedAt: '2026-01-01T00:00:00.000Z' }] },
  change: changeAt(3),
};
const ACCESS = {
  ...emptyAccess,
  revision: 1,
  credentials: [
    {
      name: 'sample-ci',
      scopes: [{ remote: 'sample', actions: ['publish' as const] }],
      createdAt: '2026-01-02T03:04:05.000Z',
      createdBy: 'bootstrap',
      tokenHash: 'a'.repeat(64),
    },
  ],
};
const ENTRIES = ['entry 1', 'entry 2', 'entry 3', 'entry 4'];
const MARKER = {
  publishedAt: '2026-01-02T03:04:05.000Z',
  brotli: { 'web/panel.css': 4 },
  signature: { keyId: '0123456789abcdef', signature: 'A'.repeat(86), manifest: '{}' },
  publisher: { by: 'ci' },
};
const numbered = (number: number): string => `${String(number).padStart(10, '0')}.json`;

/** What an earlier version stored beside the releases, in files and in a bucket alike. */
const records = (): [key: string, content: string][] => [
  ['pointers.json', JSON.stringify(POINTERS)],
  ['access.json', JSON.stringify(ACCESS)],
  ...[1, 2].map((revision): [string, string] => [
    `history/${numbered(revision)}`,
    JSON.stringify(changeAt(revision)),
  ]),
  ...ENTRIES.map((entry, at): [string, string] => [`log/${numbered(at + 1)}`, entry]),
];

const filesOf = (release: SampleRelease, folder: string): [key: string, content: string | Buffer][] => [
  [`${folder}release.json`, manifestBytesOf(release)],
  ...[...release.files].map(([path, bytes]): [string, Buffer] => [folder + path, bytes]),
  [`${folder}web/panel.css.br`, 'tiny'],
];

/** Storage below a folder: release 1.0.0, 0.9.0 that was removed, and folders that are no releases. */
const inFolder = (): [key: string, content: string | Buffer][] => [
  ...records(),
  ...filesOf(sampleRelease(), 'releases/sample/1.0.0/'),
  ['releases/sample/1.0.0/.complete', JSON.stringify(MARKER)],
  ['releases/sample/0.9.0/.removed', '2026-01-02T03:04:05.000Z'],
  ['releases/sample/0.8.0/release.json', '{}'],
  ['releases/sample/backup/.complete', '{}'],
  ['releases/.trash/1.0.0/.complete', '{}'],
  ['releases/notes', ''],
];

/** Storage in a bucket of S3. */
const inObjects = (): [key: string, content: string | Buffer][] => {
  const release = sampleRelease();
  const files = 'files/sample/1.0.0/3f0c2a52/';
  return [
    ...records(),
    ...filesOf(release, files),
    ['releases/sample/1.0.0.json', JSON.stringify({ ...MARKER, files, manifest: release.manifest })],
    ['releases/sample/0.9.0.json', JSON.stringify({ removedAt: '2026-01-02T03:04:05.000Z' })],
    ['releases/sample/notes.txt', ''],
  ];
};

const id = { name: 'sample', version: '1.0.0' };

/** Everything that the earlier version stored is there. */
async function expectAll(storage: RegistryStorage): Promise<void> {
  expect(await storage.pointers.readPointers()).toEqual(POINTERS);
  expect(await storage.pointers.readChanges({ limit: 10 })).toEqual([3, 2, 1].map(changeAt));
  expect(await storage.access.readAccess()).toEqual(ACCESS);
  expect(await storage.log.readEntries(0, 10)).toEqual(ENTRIES);
  expect(await storage.releases.listReleases()).toEqual([id]);
  const release = sampleRelease();
  expect(await storage.releases.findRelease(id)).toEqual({ ...MARKER, manifest: release.manifest });
  const read = async (path: string, encoding: 'identity' | 'br') =>
    text((await storage.releases.openFile(id, path, encoding))!);
  expect(await read('release.json', 'identity')).toBe(manifestBytesOf(release).toString());
  expect(await read('web/icon.svg', 'identity')).toBe(release.files.get('web/icon.svg')?.toString());
  expect(await read('web/panel.css', 'br')).toBe('tiny');
  const removed = sampleRelease({ version: '0.9.0' });
  await expect(
    addToStore(storage.releases, { manifestBytes: manifestBytesOf(removed), files: removed.files }),
  ).rejects.toMatchObject({ code: 'RELEASE_EXISTS' });
}

describe('files of an earlier version', () => {
  let data: Awaited<ReturnType<typeof temporaryDirectory>>;
  const path = (key: string) => join(data.path, 'registry', key);
  beforeEach(async () => {
    data = await temporaryDirectory();
    for (const [key, content] of inFolder()) {
      await mkdir(dirname(path(key)), { recursive: true });
      await writeFile(path(key), content);
    }
  });
  afterEach(() => data.remove());

  async function opened<T>(work: (storage: RegistryStorage) => Promise<T>): Promise<T> {
    const storage = await openLocalStorage(data.path);
    try {
      return await work(storage);
    } finally {
      await storage.close?.();
    }
  }

  it('are all taken over, once, and stay where they are', async () => {
    await opened(expectAll);
    await opened(async ({ pointers, access }) => {
      await pointers.writePointers({ ...POINTERS, revision: 4, change: changeAt(4) }, 3);
      await access.writeAccess({ ...emptyAccess, revision: 2 }, 1);
    });
    await opened(async ({ pointers, access, log }) => {
      expect((await pointers.readPointers()).revision).toBe(4);
      expect(await access.readAccess()).toEqual({ ...emptyAccess, revision: 2 });
      expect(await log.readEntries(0, 10)).toEqual(ENTRIES);
    });
    expect(JSON.parse(await readFile(path('taken-over/pointers.json'), 'utf8'))).toEqual(POINTERS);
    expect(JSON.parse(await readFile(path('taken-over/access.json'), 'utf8'))).toEqual(ACCESS);
    expect(await readdir(path('log'))).toHaveLength(4);
    expect(await readdir(path('history'))).toHaveLength(2);
  });

  it('can be removed with their release', async () => {
    await opened(async ({ releases }) => {
      await releases.removeRelease(id);
      expect(await releases.listReleases()).toEqual([]);
      expect((await readdir(path('releases/sample'))).sort()).toEqual(['0.8.0', '0.9.0', 'backup']);
    });
  });

  it.each([
    ['pointers.json', '{"revision": 7, "remo'],
    ['access.json', '{"revi'],
    [`history/${numbered(1)}`, '{}'],
    ['releases/sample/1.0.0/.complete', '{'],
    ['releases/sample/1.0.0/release.json', '{"schema":1'],
  ])('stop the start while %s is damaged, and are taken over when it is restored', async (key, damage) => {
    const intact = await readFile(path(key), 'utf8');
    await writeFile(path(key), damage);
    await expect(openLocalStorage(data.path)).rejects.toMatchObject({ code: 'STORAGE_DAMAGED' });
    await writeFile(path(key), intact);
    await opened(expectAll);
  });

  it('provide the pointers when the database has lost them', async () => {
    await rm(path('pointers.json'));
    await opened(async ({ pointers, log }) => {
      expect((await pointers.readPointers()).revision).toBe(0);
      expect(await log.readEntries(0, 10)).toEqual(ENTRIES);
    });
    await writeFile(path('pointers.json'), JSON.stringify({ revision: 3, remotes: {}, history: {} }));
    await opened(async ({ pointers }) =>
      expect(await pointers.readPointers()).toEqual({ revision: 3, remotes: {}, history: {} }),
    );
  });

  it('are taken over whole when a process is killed after any of its writes', async () => {
    const { path: root } = data;
    for (let survived = 0; ; survived += 1) {
      const folder = join(root, `killed-${survived}`);
      for (const [key, content] of inFolder()) {
        await mkdir(dirname(join(folder, key)), { recursive: true });
        await writeFile(join(folder, key), content);
      }
      const bucket = await FolderBucket.open(folder);
      const open = () =>
        createSqliteSql(
          openDatabase(join(folder, 'registry.sqlite'), { durability: 'normal', migrations: MIGRATIONS }),
        );
      const killed = open();
      let left = survived;
      const mayWrite = () => {
        if (left === 0) throw new Error('killed');
        left -= 1;
      };
      const dying: Sql = {
        ...killed,
        run: async (...statement) => {
          mayWrite();
          return killed.run(...statement);
        },
      };
      const dyingBucket = new Proxy(bucket, {
        get: (target, name) => {
          const method = Reflect.get(target, name) as (...values: unknown[]) => unknown;
          return (...values: unknown[]) => {
            if (name === 'put' || name === 'remove') mayWrite();
            return method.apply(target, values);
          };
        },
      });
      const isDone = await takeOver(dying, dyingBucket).then(
        () => true,
        () => false,
      );
      await killed.close();
      const sql = open();
      await takeOver(sql, bucket);
      const count = async (table: string) =>
        (await sql.get<{ count: number }>(`SELECT count(*) AS count FROM ${table}`))?.count;
      expect([await count('log_entry'), await count('change'), await count('release')]).toEqual([4, 3, 2]);
      const [row] = await sql.all<{ body: string }>("SELECT body FROM record WHERE name = 'pointers'");
      expect(JSON.parse(row!.body)).toEqual(POINTERS);
      await sql.close();
      if (isDone) return expect(survived).toBeGreaterThan(10);
    }
  });
});

describe('objects of an earlier version in S3', () => {
  it('are all taken over', async () => {
    const server = await startS3TestServer();
    const data = await temporaryDirectory();
    const bucket = new S3Bucket({
      bucket: 'releases',
      prefix: 'registry/',
      region: 'us-east-1',
      endpoint: server.url,
      isPathStyle: true,
      credentials: { accessKeyId: 'test', secretAccessKey: 'test' },
    });
    for (const [key, content] of inObjects()) await bucket.put(key, content);
    const storage = await openDatabaseIn(data.path, bucket);
    await expectAll(storage);
    expect(await bucket.readText('pointers.json')).toBeUndefined();
    expect(JSON.parse((await bucket.readText('taken-over/pointers.json'))!)).toEqual(POINTERS);
    await storage.close?.();
    await data.remove();
    await server.close();
  });
});
