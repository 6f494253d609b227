import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { createServer, type Server, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { S3Bucket, type S3Options } from '@forecourt/service-kit/bucket';
import {
  canStartJavaServer,
  type JavaServer,
  OBJECT_STORE,
  startObjectStore,
} from '@forecourt/service-kit/javaServer';
import { PHOTO_FORMATS } from '../../domain/stock.ts';
import { createPhotoBucket, createPhotoFolder, type PhotoFiles } from './photoFiles.ts';

const HASH = `3f${'ab'.repeat(15)}`;
const OTHER = `3f${'cd'.repeat(15)}`;

const encoded = (text = 'photo') =>
  [320, 640].flatMap((width) =>
    PHOTO_FORMATS.map((format) => ({ width, format, bytes: Buffer.from(`${text} ${width} ${format}`) })),
  );
const textOf = async (files: PhotoFiles, hash: string) =>
  (await files.read({ hash, width: 640, format: 'avif' }))?.toString();

const hasJava = canStartJavaServer();
if (!hasJava) it.skip('skipped: no Java', () => undefined);

let server: JavaServer;
beforeAll(async () => {
  if (hasJava) server = await startObjectStore();
}, 240_000);
afterAll(() => server?.stop(), 60_000);

const bucket = (options: Partial<S3Options> = {}) =>
  new S3Bucket({
    ...OBJECT_STORE,
    prefix: 'photos/',
    region: 'us-east-1',
    endpoint: server?.url,
    isPathStyle: true,
    ...options,
  });

it.each([0o000, 0o022])('photos are for their owner only, with the umask %o', async (mask) => {
  const folder = mkdtempSync(join(tmpdir(), 'photos-'));
  const umask = process.umask(mask);
  await createPhotoFolder(join(folder, 'data/photos')).write(HASH, encoded());
  process.umask(umask);
  const modes = readdirSync(folder, { recursive: true, withFileTypes: true }).map((entry) => {
    const { mode } = statSync(join(entry.parentPath, entry.name));
    return [entry.isFile(), (mode & 0o777).toString(8)].join(' ');
  });
  rmSync(folder, { recursive: true });
  expect([...new Set(modes)].sort()).toEqual(['false 700', 'true 600']);
});

describe.each([['a folder'], ...(hasJava ? [['a bucket']] : [])])('photos in %s', (storage) => {
  let folder: string;
  let files: PhotoFiles;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'photos-'));
    files =
      storage === 'a folder' ? createPhotoFolder(folder) : createPhotoBucket(bucket(), 'first-inventory');
  });
  afterEach(async () => {
    for (const hash of [HASH, OTHER]) await files.remove(hash);
    rmSync(folder, { recursive: true });
  });

  it('are read as they were written, in each width and format', async () => {
    await files.write(HASH, encoded());
    for (const { width, format, bytes } of encoded())
      expect(await files.read({ hash: HASH, width, format })).toEqual(bytes);
  });

  it('do not exist before they are written, in other widths, or after they were removed', async () => {
    expect(await textOf(files, HASH)).toBeUndefined();
    await files.write(HASH, encoded());
    expect(await files.read({ hash: HASH, width: 1280, format: 'avif' })).toBeUndefined();
    await files.remove(HASH);
    for (const { width, format } of encoded())
      expect(await files.read({ hash: HASH, width, format })).toBeUndefined();
  });

  it('may be written and removed again', async () => {
    await files.remove(HASH);
    await files.write(HASH, encoded());
    await files.write(HASH, encoded());
    expect(await textOf(files, HASH)).toBe('photo 640 avif');
    await files.remove(HASH);
    await files.remove(HASH);
    await files.write(HASH, encoded());
    expect(await textOf(files, HASH)).toBe('photo 640 avif');
  });

  it('are removed without their neighbors', async () => {
    await files.write(HASH, encoded());
    await files.write(OTHER, encoded('other'));
    await files.remove(HASH);
    expect(await textOf(files, OTHER)).toBe('other 640 avif');
  });

  it('keep every byte of a large picture', async () => {
    const bytes = Buffer.from(Array.from({ length: 300_000 }, (_, at) => (at * 31) % 256));
    await files.write(HASH, [{ width: 640, format: 'avif', bytes }]);
    expect((await files.read({ hash: HASH, width: 640, format: 'avif' }))?.equals(bytes)).toBe(true);
  });
});

(hasJava ? describe : describe.skip)('a bucket with photos', () => {
  it('keeps a photo until the last inventory that has it removes it', async () => {
    const first = createPhotoBucket(bucket(), 'first');
    const second = createPhotoBucket(bucket(), 'second');
    await first.write(HASH, encoded());
    expect(await textOf(second, HASH)).toBe('photo 640 avif');
    await second.write(HASH, encoded());
    await first.remove(HASH);
    expect(await textOf(first, HASH)).toBe('photo 640 avif');
    await second.remove(HASH);
    const keys: string[] = [];
    for await (const { key } of bucket().list('')) keys.push(key);
    expect(keys).toEqual([]);
  });

  it.each([
    ['a secret key that is wrong', { credentials: { accessKeyId: 'test-access', secretAccessKey: 'wrong' } }],
    ['a bucket that does not exist', { bucket: 'forecourt-missing' }],
  ])('is unavailable with %s, for reads and for writes', async (_, options) => {
    const files = createPhotoBucket(bucket(options), 'first');
    const unavailable = { code: 'PHOTOS_UNAVAILABLE', message: expect.stringContaining(`photos/3f/${HASH}`) };
    await expect(files.write(HASH, encoded())).rejects.toMatchObject(unavailable);
    await expect(textOf(files, HASH)).rejects.toMatchObject(unavailable);
    await expect(files.remove(HASH)).rejects.toMatchObject(unavailable);
  });
});

describe('a bucket that stalls', () => {
  let stalled: Server;
  let answer: string;
  beforeEach(async () => {
    answer = '';
    stalled = createServer((socket) => {
      socket.on('error', () => undefined).once('data', () => answer && socket.write(answer));
    });
    await new Promise<void>((resolve) => stalled.listen(0, '127.0.0.1', resolve));
  });
  afterEach(() => new Promise((resolve) => stalled.close(resolve)));

  it.each([
    ['before its response', ''],
    ['within a picture', 'HTTP/1.1 200 OK\r\nContent-Length: 900\r\n\r\nsome bytes'],
  ])('%s ends the read after its time', async (_, text) => {
    answer = text;
    const { port } = stalled.address() as AddressInfo;
    const endpoint = `http://127.0.0.1:${port}`;
    const files = createPhotoBucket(bucket({ endpoint }), 'first', 300);
    await expect(textOf(files, HASH)).rejects.toMatchObject({ code: 'PHOTOS_UNAVAILABLE' });
  });
});
