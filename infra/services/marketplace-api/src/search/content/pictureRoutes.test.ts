import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { SearchResponse } from '@forecourt/upstream/entities';
import { createPhotoFolder, PhotosUnavailable } from '../../inventory/photos/photoFiles.ts';
import { type TestApp, generatedStock, startTestApp } from '../../testing/testApp.ts';
import { aListing, anOwner } from '../../testing/arbitraries.ts';
import sharp, { type Sharp } from 'sharp';

describe('picture routes', () => {
  let app: TestApp;
  beforeAll(async () => {
    app = await startTestApp(generatedStock(300));
  });
  afterAll(() => app.stop());

  // rows: A3-LISTING-11, B3-LISTING-04
  it('serves an immutable picture for every listing', async () => {
    const { listings } = await app.json<SearchResponse>('/rest/lsc/listing?numRecords=100');
    const sources = listings.flatMap(({ images }) => images.sources);
    expect(sources.every(({ alt }) => alt.length > 0)).toBe(true);
    for (const src of new Set(sources.map((source) => source.src))) {
      const response = await app.get(src);
      expect([src, response.status]).toEqual([src, 200]);
      expect(response.headers.get('content-type')).toContain('image/svg+xml');
      expect(response.headers.get('cache-control')).toContain('immutable');
      expect(await response.text()).toMatch(/^<svg/);
    }
  });

  it('serves a photo in the best format that the browser accepts, under one immutable URL', async () => {
    const hash = 'ab'.repeat(16);
    await createPhotoFolder(app.photoFolder).write(hash, [
      { width: 640, format: 'avif', bytes: Buffer.from('as AVIF') },
      { width: 640, format: 'webp', bytes: Buffer.from('as WebP') },
    ]);
    const path = `/pictures/photos/${hash}-640`;
    const modern = await app.get(path, { Accept: 'image/avif,image/webp,*/*;q=0.8' });
    expect([modern.headers.get('content-type'), await modern.text()]).toEqual(['image/avif', 'as AVIF']);
    const older = await app.get(path, { Accept: 'image/webp,*/*' });
    expect([older.headers.get('content-type'), await older.text()]).toEqual(['image/webp', 'as WebP']);
    expect(older.headers.get('vary')).toContain('Accept');
    expect(older.headers.get('cache-control')).toContain('immutable');
    const etag = modern.headers.get('etag')!;
    const refused = await app.get(path, { Accept: 'image/avif;q=0, image/webp' });
    expect(refused.headers.get('content-type')).toBe('image/webp');
    const again = await app.get(path, { Accept: 'image/avif', 'If-None-Match': `W/${etag}` });
    expect([again.status, again.headers.get('cache-control')]).toEqual([
      304,
      expect.stringContaining('immutable'),
    ]);
    expect(older.headers.get('etag')).not.toBe(etag);
    expect((await app.get(path, { Accept: 'image/webp', 'If-None-Match': etag })).status).toBe(200);
    for (const absent of [
      `${path}0`,
      `/pictures/photos/${'0'.repeat(32)}-640`,
      '/pictures/photos/..%2fx-640',
    ])
      expect((await app.get(absent)).status).toBe(404);
  });

  it('costs only pictures when the storage of photos fails: searches and drawings are still there', async () => {
    const fail = () => Promise.reject(new PhotosUnavailable('no storage'));
    const photoFiles = { write: fail, read: fail, remove: fail };
    const away = await startTestApp(generatedStock(20), { photoFiles });
    const photo = await away.get(`/pictures/photos/${'ab'.repeat(16)}-640`);
    expect([photo.status, photo.headers.get('cache-control'), photo.headers.get('retry-after')]).toEqual([
      503,
      'no-store',
      '30',
    ]);
    const { listings } = await away.json<SearchResponse>('/rest/lsc/listing');
    expect(listings).toHaveLength(20);
    expect((await away.get(listings[0]!.images.sources[0]!.src)).status).toBe(200);
    await away.stop();
  });

  it.each([
    '/pictures/trucks/blue/side.png',
    '/pictures/boat/blue/side.svg',
    '/pictures/trucks/plaid/side.svg',
  ])('returns 404 for the unknown picture %s', async (path) => {
    expect((await app.get(path)).status).toBe(404);
  });
});

describe('share pictures', () => {
  const HASH = 'cd'.repeat(16);
  const photographed = aListing({
    id: 'with-photo',
    photos: [{ hash: HASH, width: 1280, height: 960, widths: [1280], color: '#00ff00', blur: '' }],
  });
  const drawn = aListing({ id: 'drawn <&>', vin: 'DRAWN' });
  let app: TestApp;
  beforeAll(async () => {
    app = await startTestApp({ owners: [anOwner()], listings: [photographed, drawn] });
    const green = sharp({ create: { width: 1280, height: 960, channels: 3, background: '#00ff00' } });
    const bytes = await green.webp().toBuffer();
    await createPhotoFolder(app.photoFolder).write(HASH, [{ width: 1280, format: 'webp', bytes }]);
  });
  afterAll(() => app.stop());

  const decode = async (path: string) => {
    const response = await app.get(path);
    expect([path, response.status, response.headers.get('content-type')]).toEqual([path, 200, 'image/jpeg']);
    expect(response.headers.get('cache-control')).toBe('public, max-age=3600');
    const image = sharp(Buffer.from(await response.arrayBuffer()));
    const { width, height } = await image.metadata();
    expect([width, height]).toEqual([1200, 630]);
    return image;
  };
  /** Mean brightness of a part, from 0 to 255. */
  const meanOf = async (image: Sharp, left: number, width: number) => {
    const part = await image.clone().extract({ left, top: 0, width, height: 400 }).png().toBuffer();
    const { channels } = await sharp(part).stats();
    return channels.slice(0, 3).map(({ mean }) => Math.round(mean));
  };

  it('show the photo of a vehicle, and beside it text in a font of their own', async () => {
    const image = await decode('/pictures/share/vehicles/with-photo.jpg');
    const [red = 255, green = 0] = await meanOf(image, 0, 840);
    expect(green).toBeGreaterThan(240);
    expect(red).toBeLessThan(15);
    const [text = 255] = await meanOf(image, 872, 296);
    expect(text).toBeLessThan(250);
  });

  it.each([
    '/pictures/share/vehicles/drawn%20%3C&%3E.jpg',
    `/pictures/share/searches/all.jpg`,
    `/pictures/share/searches/${drawn.make.code}.jpg`,
    `/pictures/share/searches/${drawn.make.code}.${drawn.model.code}.jpg`,
  ])('show drawings where there are no photos: %s', async (path) => {
    const [text = 255] = await meanOf(await decode(path), 872, 296);
    expect(text).toBeLessThan(250);
  });

  it.each([
    '/pictures/share/vehicles/unknown.jpg',
    '/pictures/share/searches/NO_SUCH_MAKE.jpg',
    '/pictures/share/searches/a.b.c.jpg',
    '/pictures/share/dealers/d1.jpg',
    '/pictures/share/vehicles/with-photo.png',
  ])('respond with 404 to %s', async (path) => {
    expect((await app.get(path)).status).toBe(404);
  });

  it('are drawn once for simultaneous and later requests, and refused when many wait', async () => {
    const cards: string[] = [];
    let release = () => {};
    const gate = new Promise<void>((resolve) => (release = resolve));
    const painter = {
      async run({ title }: { title: string }) {
        cards.push(title);
        await gate;
        return Buffer.from('JPEG');
      },
      close() {},
    };
    const listings = Array.from({ length: 20 }, (_, at) => aListing({ id: `v${at}`, vin: `VIN${at}` }));
    const busy = await startTestApp({ owners: [anOwner()], listings }, { sharePainter: painter });
    try {
      const paths = [listings[0]!, ...listings].map(({ id }) => `/pictures/share/vehicles/${id}.jpg`);
      const statuses: number[] = [];
      const responses = paths.map(async (path) => void statuses.push((await busy.get(path)).status));
      // Until four are refused: one that comes after the first is drawn finds a free place.
      while (statuses.length < 4) await new Promise((resolve) => setTimeout(resolve, 5));
      release();
      await Promise.all(responses);
      expect(statuses.filter((status) => status === 200)).toHaveLength(17);
      expect(statuses.filter((status) => status === 503)).toHaveLength(4);
      expect((await busy.get(paths[0]!)).status).toBe(200);
      expect(cards).toHaveLength(16);
    } finally {
      await busy.stop();
    }
  });
});
