import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from 'node:zlib';
import { afterEach, describe, expect, it } from '@jest/globals';
import { buildListing } from '@forecourt/search/testing';
import { searchResponseSchema } from '@forecourt/upstream/entities';
import { createPageContents } from '../../engine/cache/pageContents.ts';
import { startShell, type ShellRig } from '../../testing/shellRig.ts';

const PAGE = '/cars-for-sale/all-cars';
const SIGNED_IN = { headers: { Cookie: 'signedIn=true; consumerId=ada' } };

const rigs: ShellRig[] = [];
afterEach(() => Promise.all(rigs.splice(0).map((rig) => rig.stop())));
async function start(): Promise<ShellRig> {
  const rig = await startShell({
    answers: {
      search: () =>
        searchResponseSchema.parse({ listings: [buildListing()], owners: [], totalResultCount: 1 }),
      savedListings: () => ({ listings: [{ listingId: '1001', title: 'saved by Ada' }] }),
    },
  });
  rigs.push(rig);
  return rig;
}
const urlIn = (html: string) =>
  /"content":"(\/cars-for-sale\/api\/page-content\/[^"]+)"/.exec(html)?.[1] ?? '';

describe('content of a results page', () => {
  it('is fetched from the URL in the boot data, and is not in the page', async () => {
    const { send } = await start();
    const { text } = await send(PAGE);
    expect(text).not.toContain('"listings":');
    const {
      status,
      headers,
      text: json,
    } = await send(urlIn(text), {
      headers: { 'Accept-Encoding': 'br' },
    });
    expect(status).toBe(200);
    expect(headers).toMatchObject({
      'content-type': 'application/json; charset=utf-8',
      'content-encoding': 'br',
      'cache-control': 'private, max-age=3600, immutable',
    });
    expect(JSON.parse(json)).toMatchObject({ search: { listings: [{ id: '1001' }] } });
  });

  it('is the same for two visitors, and names neither', async () => {
    const { send } = await start();
    const anonymous = urlIn((await send(PAGE)).text);
    expect(urlIn((await send(PAGE, SIGNED_IN)).text)).toBe(anonymous);
    expect((await send(anonymous)).text).not.toMatch(/Ada|ada/);
  });

  it('is not found once it is no longer stored', async () => {
    const { send } = await start();
    const { status, headers } = await send(`/cars-for-sale/api/page-content/${'x'.repeat(27)}`);
    expect(status).toBe(404);
    expect(headers['cache-control']).not.toContain('immutable');
  });
});

describe('stored contents', () => {
  const hashIn = (url: string) => url.split('/').at(-1) ?? '';

  it('stay within their size, and the least recently used ones go first', () => {
    const { store, find, size } = createPageContents('/content', { maxBytes: 40 });
    const hashOf = (json: string) => hashIn(store(Buffer.from(json)));
    const [first, second] = ['a', 'b'].map((letter) => hashOf(JSON.stringify(letter.repeat(98))));
    find(first ?? '');
    hashOf(JSON.stringify('c'.repeat(98)));
    expect(find(first ?? '')).toBeDefined();
    expect(find(second ?? '')).toBeUndefined();
    expect(size().bytes).toBeLessThanOrEqual(40);
  });

  it('take the size of what is compressed', async () => {
    const { store, find, size } = createPageContents('/content', { maxBytes: 1_000_000 });
    const json = JSON.stringify('a'.repeat(100_000));
    const content = find(hashIn(store(Buffer.from(json))));
    const { bytes } = (await content?.representation(new Set(['zstd'] as const))) ?? {};
    expect(bytes?.length).toBeLessThan(1000);
    expect(size()).toEqual({ entries: 1, bytes: bytes?.length });
    expect(bytes?.buffer.byteLength).toBe(bytes?.length);
    const brotli = await content?.representation(new Set(['br', 'gzip'] as const));
    expect(size().bytes).toBe((bytes?.length ?? 0) + (brotli?.bytes.length ?? 0));
    expect(brotli?.bytes.buffer.byteLength).toBe(brotli?.bytes.length);
  });

  it('are the same JSON in every coding', async () => {
    const { store, find } = createPageContents('/content', { maxBytes: 1_000_000 });
    const json = JSON.stringify({ listings: ['700000001', 'Prix spécial'] });
    const content = find(hashIn(store(Buffer.from(json))));
    const expand = { zstd: zstdDecompressSync, br: brotliDecompressSync, gzip: gunzipSync };
    for (const [coding, decompress] of Object.entries(expand)) {
      const sent = await content?.representation(new Set([coding as keyof typeof expand]));
      expect(sent?.coding).toBe(coding);
      expect(decompress(sent?.bytes ?? Buffer.alloc(0)).toString()).toBe(json);
      expect(content?.hasTag(sent?.etag ?? '')).toBe(true);
    }
    const plain = await content?.representation(new Set());
    expect(plain?.bytes.toString()).toBe(json);
    expect(content?.hasTag('"other-zstd"')).toBe(false);
  });
});
