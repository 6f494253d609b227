import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import sharp from 'sharp';
import type { Sql } from '@forecourt/service-kit/sql';
import { startTestInternet } from '@forecourt/service-kit/testInternet';
import { aListing, anOwner } from '../../testing/arbitraries.ts';
import { createInventoryWriter } from '../store/inventoryWriter.ts';
import { openInventory } from '../store/inventoryTables.ts';
import { createListingStore } from '../store/listingStore.ts';
import { createPhotoFetcher } from './fetchPhotos.ts';
import {
  createPhotoEncoder,
  createPictureProcesses,
  type PhotoEncoder,
  type PictureProcess,
} from './photoEncoder.ts';
import { createPhotoFolder, type PhotoFiles } from './photoFiles.ts';
import { createPhotoStore } from './photoStore.ts';

const picture = (width: number, height: number, background = '#aa2222') =>
  sharp({ create: { width, height, channels: 3, background } });

const MINUTE = 60_000;

describe('photos of listings', () => {
  let folder: string;
  let db: Sql;
  let server: Server;
  let origin: string;
  let requests: string[];
  let pages: Record<string, Buffer | RequestListener>;
  let encoder: PhotoEncoder;
  let time: number;

  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'photos-'));
    db = openInventory(join(folder, 'marketplace.sqlite'));
    requests = [];
    pages = {};
    time = Date.UTC(2026, 10, 1);
    server = createServer((request, response) => {
      requests.push(request.url!);
      const page = pages[request.url!];
      if (typeof page === 'function') page(request, response);
      else if (page) response.writeHead(200, { 'Content-Type': 'text/plain' }).end(page);
      else response.writeHead(404).end();
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    encoder = createPhotoEncoder();
    await createInventoryWriter(db).upsertOwners([anOwner()]);
  });
  afterEach(async () => {
    encoder.close();
    await db.close();
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
    rmSync(folder, { recursive: true });
  });

  const parts = () => ({
    store: createPhotoStore(db),
    files: createPhotoFolder(join(folder, 'photos')),
    encoder,
    logger: pino({ level: 'silent' }),
    now: () => time,
  });
  const fetcher = (more = {}) => createPhotoFetcher({ ...parts(), internalOrigins: [origin], ...more });
  const write = (id: string, ...paths: string[]) =>
    createInventoryWriter(db, () => time).upsertListings(
      [aListing({ id, vin: id, ...(paths.length > 0 && { photoUrls: paths.map((path) => origin + path) }) })],
      'feed',
    );
  const photosOf = async (id: string) => (await createListingStore(db).listings([id]))[0]?.photos ?? [];
  const problems = async () =>
    (await createPhotoStore(db).missing('feed')).map(({ position, problem }) => [position, problem]);

  it('are fetched, stored in two formats at the widths of the layout, and written into the listing', async () => {
    pages['/a.jpg'] = await picture(1600, 1200).jpeg().toBuffer();
    await write('1', '/a.jpg');
    expect(await fetcher().run()).toBe(1);
    const [photo] = await photosOf('1');
    expect(photo).toMatchObject({ width: 1280, height: 960, widths: [320, 640, 1280], color: '#a82828' });
    const files = createPhotoFolder(join(folder, 'photos'));
    for (const width of photo!.widths)
      for (const format of ['avif', 'webp'] as const) {
        const bytes = await files.read({ hash: photo!.hash, width, format });
        const { width: actual, format: kind } = await sharp(bytes).metadata();
        expect([actual, kind]).toEqual([width, format === 'avif' ? 'heif' : format]);
      }
  });

  it('are upright, in sRGB and without metadata, whatever the camera wrote', async () => {
    const rotated = picture(400, 200)
      .jpeg()
      .withExif({ IFD0: { Copyright: 'Camera' } });
    pages['/rotated.jpg'] = await rotated.withMetadata({ orientation: 6 }).toBuffer();
    pages['/cmyk.jpg'] = await picture(300, 200).toColorspace('cmyk').jpeg().toBuffer();
    await write('1', '/rotated.jpg', '/cmyk.jpg');
    await fetcher().run();
    const [upright, cmyk] = await photosOf('1');
    expect([upright?.width, upright?.height]).toEqual([200, 400]);
    const files = createPhotoFolder(join(folder, 'photos'));
    const metadata = await sharp(
      await files.read({ hash: upright!.hash, width: 200, format: 'webp' }),
    ).metadata();
    expect([metadata.exif, metadata.icc, metadata.orientation]).toEqual([undefined, undefined, undefined]);
    const stored = await files.read({ hash: cmyk!.hash, width: 300, format: 'webp' });
    expect((await sharp(stored).metadata()).space).toBe('srgb');
  });

  it('report files that are not pictures, too large, missing or broken, and store the others', async () => {
    pages['/page.jpg'] = Buffer.from('<!doctype html><title>Not found</title>'.padEnd(200));
    pages['/drawing.jpg'] = Buffer.from(
      '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><script>alert(1)</script></svg>',
    );
    pages['/bomb.png'] = await picture(12_000, 12_000).png({ compressionLevel: 9 }).toBuffer();
    pages['/cut.jpg'] = (await picture(900, 600).jpeg().toBuffer()).subarray(0, 700);
    pages['/good.png'] = await picture(30, 20).png().toBuffer();
    await write('1', '/page.jpg', '/drawing.jpg', '/bomb.png', '/cut.jpg', '/absent.jpg', '/good.png');
    await fetcher().run();
    expect(await problems()).toEqual([
      [1, 'NOT_A_PICTURE'],
      [2, 'NOT_A_PICTURE'],
      [3, 'TOO_LARGE'],
      [4, 'BROKEN'],
      [5, 'HTTP_404'],
    ]);
    expect((await photosOf('1')).map(({ widths }) => widths)).toEqual([[30]]);
  });

  it('show the first frame of an animation', async () => {
    const frames = Buffer.concat([
      await picture(20, 10, '#ff0000').raw().toBuffer(),
      await picture(20, 10, '#0000ff').raw().toBuffer(),
    ]);
    const raw = { width: 20, height: 20, channels: 3 as const, pageHeight: 10 };
    pages['/moving.gif'] = await sharp(frames, { raw }).gif().toBuffer();
    await write('1', '/moving.gif');
    await fetcher().run();
    expect(await photosOf('1')).toMatchObject([{ width: 20, height: 10, color: '#f80808' }]);
  });

  it('come from the hosts that the mapping allows only, and never from an internal network', async () => {
    pages['/a.png'] = await picture(30, 20).png().toBuffer();
    pages['/moved.png'] = (_, response) =>
      void response.writeHead(302, { Location: 'http://169.254.169.254/latest' }).end();
    await write('1', '/a.png', '/moved.png');
    await fetcher({ internalOrigins: [] }).run();
    await createInventoryWriter(db, () => time).allowPhotoHosts('feed', ['127.0.0.1']);
    expect(await fetcher({ internalOrigins: [] }).run()).toBe(2);
    expect(await problems()).toEqual([
      [1, 'REFUSED'],
      [2, 'REFUSED'],
    ]);
    expect(requests).toEqual([]);
    await createPhotoStore(db).retry('feed', time);
    await fetcher().run();
    expect(await problems()).toEqual([[2, 'REFUSED']]);
    expect(requests).toEqual(['/a.png', '/moved.png']);
  });

  it('come from addresses of the Internet, as the names of dealers lead to', async () => {
    const internet = startTestInternet(
      { 'photos.dealer.example': ['93.184.216.34'], 'inside.dealer.example': ['10.1.2.3'] },
      Number(new URL(origin).port),
    );
    try {
      pages['/a.jpg'] = await picture(400, 300).jpeg().toBuffer();
      await createInventoryWriter(db, () => time).allowPhotoHosts('feed', ['*.dealer.example']);
      const photoUrls = ['photos', 'inside'].map((name) => `http://${name}.dealer.example/a.jpg`);
      await createInventoryWriter(db, () => time).upsertListings(
        [aListing({ id: '1', vin: '1', photoUrls })],
        'feed',
      );
      await createPhotoFetcher(parts()).run();
      expect(await problems()).toEqual([[2, 'REFUSED']]);
      expect(await photosOf('1')).toMatchObject([{ width: 400, height: 300 }]);
      expect(internet.connections).toEqual([{ address: '93.184.216.34', port: 80 }]);
    } finally {
      internet.stop();
    }
  });

  it('are fetched once for all listings, and the same bytes are stored once', async () => {
    pages['/a.png'] = pages['/b.png'] = await picture(30, 20).png().toBuffer();
    await write('1', '/a.png');
    await write('2', '/a.png', '/b.png');
    await fetcher().run();
    expect(requests.toSorted()).toEqual(['/a.png', '/b.png']);
    expect(await photosOf('2')).toEqual(await photosOf('1'));
    expect(readdirSync(join(folder, 'photos'))).toHaveLength(1);
  });

  it('are retried later and later, and then given up', async () => {
    await write('1', '/late.png');
    const attempts = [0, 4 * MINUTE, 5 * MINUTE, 65 * MINUTE, 500 * MINUTE, 2000 * MINUTE, 9000 * MINUTE];
    const tried: number[] = [];
    for (const minutes of attempts) {
      time = Date.UTC(2026, 10, 1) + minutes;
      tried.push(await fetcher().run());
    }
    expect(tried).toEqual([1, 0, 1, 1, 1, 1, 0]);
    pages['/late.png'] = await picture(30, 20).png().toBuffer();
    expect(await createPhotoStore(db).retry('feed', time)).toBe(1);
    await fetcher().run();
    expect(await photosOf('1')).toHaveLength(1);
  });

  it('of a host that does not answer wait together instead of one timeout each', async () => {
    const busy: RequestListener = (_, response) => void response.writeHead(503).end();
    const paths = Array.from({ length: 40 }, (_, index) => `/${index}.png`);
    for (const path of paths) pages[path] = busy;
    await write('1', ...paths);
    await fetcher().run();
    expect(requests.length).toBeLessThan(15);
    time += 6 * MINUTE;
    for (const path of paths) pages[path] = await picture(30, 20).png().toBuffer();
    await fetcher().run();
    expect(await problems()).toEqual([]);
  });

  it('follow the feed: a listing loses photos that it no longer names, without another fetch', async () => {
    pages['/a.png'] = await picture(30, 20).png().toBuffer();
    pages['/b.png'] = await picture(60, 20).png().toBuffer();
    await write('1', '/a.png', '/b.png');
    await fetcher().run();
    await write('1', '/b.png');
    expect((await photosOf('1')).map(({ width }) => width)).toEqual([60]);
    await write('1');
    expect([await photosOf('1'), requests.length]).toEqual([[], 2]);
  });

  it('are deleted with the last listing that uses them', async () => {
    pages['/a.png'] = await picture(30, 20).png().toBuffer();
    await write('1', '/a.png');
    await write('2', '/a.png');
    await fetcher().run();
    const expire = (...ids: string[]) =>
      createInventoryWriter(db, () => time).expireMissing('feed', (id) => !ids.includes(id));
    await expire('1');
    time += 120 * MINUTE;
    expect(await fetcher().sweep()).toBe(0);
    await expire('2');
    expect(await fetcher().sweep()).toBe(0);
    time += 120 * MINUTE;
    expect(await fetcher().sweep()).toBe(1);
    const [parent] = readdirSync(join(folder, 'photos'));
    expect(readdirSync(join(folder, 'photos', parent!))).toEqual([]);
    await write('1', '/a.png');
    await fetcher().run();
    expect(await photosOf('1')).toHaveLength(1);
  });

  it('are deleted later when the storage fails, and not if a listing has them again by then', async () => {
    pages['/a.png'] = await picture(30, 20).png().toBuffer();
    pages['/b.png'] = await picture(60, 20).png().toBuffer();
    await write('1', '/a.png');
    await write('2', '/b.png');
    const files = createPhotoFolder(join(folder, 'photos'));
    let isDown = false;
    const remove = (hash: string) => (isDown ? Promise.reject(new Error('no storage')) : files.remove(hash));
    const photos = fetcher({ files: { ...files, remove } });
    await photos.run();
    const [kept] = await photosOf('1');
    await createInventoryWriter(db, () => time).expireMissing('feed', () => false);
    time += 120 * MINUTE;
    isDown = true;
    await expect(photos.sweep()).rejects.toThrow('no storage');
    await write('1', '/a.png');
    await photos.run();
    isDown = false;
    expect(await photos.sweep()).toBe(1);
    expect(await files.read({ hash: kept!.hash, width: 30, format: 'webp' })).toBeDefined();
    const folders = readdirSync(join(folder, 'photos')).flatMap((name) =>
      readdirSync(join(folder, 'photos', name)),
    );
    expect(folders).toEqual([kept!.hash]);
  });

  it('stay due while the storage fails, which is tried again later and later, and those stored before are shown', async () => {
    const paths = Array.from({ length: 9 }, (_, index) => `/${index}.png`);
    for (const [index, path] of paths.entries())
      pages[path] = await picture(30 + index, 20)
        .png()
        .toBuffer();
    await write('1', ...paths);
    const files = createPhotoFolder(join(folder, 'photos'));
    let room = 2;
    const writeSome: PhotoFiles['write'] = (hash, encoded) =>
      (room -= 1) < 0 ? Promise.reject(new Error('no storage')) : files.write(hash, encoded);
    const photos = fetcher({ files: { ...files, write: writeSome } });
    await expect(photos.run()).rejects.toThrow('no storage');
    expect(await photosOf('1')).toHaveLength(2);
    const waits: number[] = [];
    for (let failures = 0; failures < 3; failures += 1) {
      const before = time;
      const asked = requests.length;
      while ((await photos.run().catch(() => 'failed')) === 0) time += 1_000;
      waits.push((time - before) / 1_000);
      expect(requests.length).toBeGreaterThan(asked);
    }
    expect(waits).toEqual([5, 10, 20]);
    expect((await problems()).every(([, problem]) => problem === null)).toBe(true);
    room = 9;
    time += 40_000;
    await photos.run();
    expect([(await photosOf('1')).length, await problems()]).toEqual([9, []]);
  });

  it('are tried in a new process when one stalls or crashes', async () => {
    const good = await picture(30, 20).png().toBuffer();
    const stalling = createPhotoEncoder({ timeoutMs: 1 });
    expect(await stalling.run(good)).toBe('BROKEN');
    stalling.close();
    const replaced = createPhotoEncoder({ maxRssBytes: 1 });
    expect([await replaced.run(good), await replaced.run(good)]).toMatchObject([
      { photo: { width: 30 } },
      { photo: { width: 30 } },
    ]);
    replaced.close();
  });

  it('are encoded by several processes at a time, the least busy one first', async () => {
    const running: number[] = [];
    const ends: (() => void)[] = [];
    const create = (): PictureProcess<string, string> => {
      const at = running.push(0) - 1;
      return {
        async run(input) {
          running[at]! += 1;
          await new Promise<void>((resolve) => ends.push(resolve));
          running[at]! -= 1;
          return `${input} by ${at}`;
        },
        close: () => void (running[at] = -1),
      };
    };
    const both = createPictureProcesses(2, create);
    const results = ['a', 'b', 'c'].map((input) => both.run(input));
    expect(running).toEqual([2, 1]);
    ends[1]!();
    expect(await results[1]).toBe('b by 1');
    const last = both.run('d');
    expect(running).toEqual([2, 1]);
    for (const end of ends) end();
    expect(await Promise.all([...results, last])).toEqual(['a by 0', 'b by 1', 'c by 0', 'd by 1']);
    both.close();
    expect(running).toEqual([-1, -1]);
  });

  it('are decoded by a process that reads only its own code', async () => {
    const entry = join(import.meta.dirname, 'testing/readingEntry.ts');
    const reading = createPhotoEncoder({ entry });
    const attempt = (path: string) => reading.run(Buffer.from(path));
    expect(await attempt(entry)).toBe('HTTP_200');
    expect(await attempt(join(folder, 'marketplace.sqlite'))).toBe('REFUSED');
    expect(await attempt('/etc/passwd')).toBe('REFUSED');
    reading.close();
  });
});
