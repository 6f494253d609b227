import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { SearchResponse } from '@forecourt/shared-contracts/entities';
import { createPhotoFolder } from '../photos/photoFiles.ts';
import type { TestApp } from '../testing/testApp.ts';
import { generatedStock, startTestApp } from '../testing/testApp.ts';

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
    for (const absent of [
      `${path}0`,
      `/pictures/photos/${'0'.repeat(32)}-640`,
      '/pictures/photos/..%2fx-640',
    ])
      expect((await app.get(absent)).status).toBe(404);
  });

  it.each([
    '/pictures/trucks/blue/side.png',
    '/pictures/boat/blue/side.svg',
    '/pictures/trucks/plaid/side.svg',
  ])('returns 404 for the unknown picture %s', async (path) => {
    expect((await app.get(path)).status).toBe(404);
  });
});
