import { createHash } from 'node:crypto';
import { zstdDecompressSync } from 'node:zlib';
import { afterEach, describe, expect, it } from '@jest/globals';
import type { LiveRemotes } from '../releases/snapshot.ts';
import { liveReleases, tinyRelease } from '../rendering/testing/tinyRelease.ts';
import type { TestResponse } from '../testing/appRig.ts';
import { LIBRARY_PLAN, SHELF_LAYOUT } from '../testing/libraryPlan.ts';
import { type LibraryRig, startLibrary } from '../testing/startLibrary.ts';

const SHELF = '/library/shelf';
/** A page that was not requested before: one that is kept may be compressed again, with Brotli. */
const newShelf = (number: number): string => `${SHELF}?number=${number}`;
/** Longer than the bytes that name the dictionary. */
const TEXT = 'Books of all branches, sorted by title. '.repeat(20);

const rigs: LibraryRig[] = [];
afterEach(() => Promise.all(rigs.splice(0).map((rig) => rig.stop())));

const liveOf = (version: string): LiveRemotes =>
  new Map([
    ...liveReleases(SHELF_LAYOUT),
    ['mfe-shelf', { live: tinyRelease({ shelf: '1' }, { name: 'mfe-shelf', version }) }],
  ]);

/** The library with a dictionary of its shelf; `follow` makes other releases live. */
async function start(options: Parameters<typeof startLibrary>[0] = {}) {
  let live = liveOf('1.0.0');
  const rig = await startLibrary({
    render: ({ slot }) => Promise.resolve({ html: `<p>${slot}: ${TEXT}</p>`, data: null }),
    adapters: {
      releases: { live: () => live, find: () => undefined },
    },
    ...options,
    site: { dictionaryKinds: ['shelf'], ...options.site },
  });
  rigs.push(rig);
  const follow = (version: string) => (live = liveOf(version));
  return { rig, follow };
}

const DOCUMENT = { 'Sec-Fetch-Dest': 'document', 'Accept-Encoding': 'gzip, br, zstd' };
/** What Chromium sends that has a dictionary. */
const withDictionary = (hash: string) => ({
  'Sec-Fetch-Dest': 'document',
  'Accept-Encoding': 'gzip, deflate, br, zstd, dcb, dcz',
  'Available-Dictionary': `:${Buffer.from(hash, 'base64url').toString('base64')}:`,
});

const offerIn = ({ headers }: TestResponse): string | undefined =>
  /dictionary;desc="([\w-]+)"/.exec(String(headers['server-timing']))?.[1];

/** The hash that a document offers, once its dictionary is made. */
async function offered(rig: LibraryRig, headers: Record<string, string> = DOCUMENT): Promise<string> {
  for (;;) {
    const offer = offerIn(await rig.send(SHELF, { headers }));
    if (offer !== undefined) return offer;
  }
}

async function fetched(rig: LibraryRig, hash: string): Promise<Buffer> {
  const { status, body } = await rig.send(`/assets/dictionary/${hash}`);
  expect(status).toBe(200);
  return body;
}

const decoded = ({ body }: TestResponse, dictionary: Buffer): string =>
  zstdDecompressSync(body.subarray(40), { dictionary }).toString();

describe('dictionary of pages', () => {
  it('is offered to documents, and immutable at the URL of its hash', async () => {
    const { rig } = await start();
    const hash = await offered(rig);
    const { headers, body } = await rig.send(`/assets/dictionary/${hash}`);
    expect(createHash('sha256').update(body).digest('base64url')).toBe(hash);
    expect(headers).toMatchObject({
      'cache-control': 'public, max-age=31536000, immutable',
      'use-as-dictionary': 'match="/library/*", match-dest=("document")',
      vary: 'Accept-Encoding',
    });
    expect(headers['set-cookie']).toBeUndefined();
    expect((await rig.send(`/assets/dictionary/${hash.replace(/^./, '_')}`)).status).toBe(404);
  });

  it('is not offered to programs, to who saves data, or to a browser that has it', async () => {
    const { rig } = await start();
    const hash = await offered(rig);
    const offers = await Promise.all(
      [
        {},
        { ...DOCUMENT, 'Sec-Fetch-Dest': 'empty' },
        { ...DOCUMENT, 'Save-Data': 'on' },
        withDictionary(hash),
      ].map(async (headers) => offerIn(await rig.send(SHELF, { headers }))),
    );
    expect(offers).toEqual([undefined, undefined, undefined, undefined]);
  });

  it('is not made for a site that names no pages', async () => {
    const { rig } = await start({ site: { dictionaryKinds: [] } });
    for (let page = 0; page < 3; page += 1)
      expect(offerIn(await rig.send(SHELF, { headers: DOCUMENT }))).toBeUndefined();
  });

  it('makes the same page of fewer bytes, streamed and stored', async () => {
    const { rig } = await start();
    const hash = await offered(rig);
    const dictionary = await fetched(rig, hash);
    const plain = await rig.send(`${SHELF}/1`, { headers: DOCUMENT });
    for (const path of [`${SHELF}/2`, `${SHELF}/2`, `${SHELF}/1`]) {
      const { text } = await rig.send(path, { headers: { 'Accept-Encoding': 'identity' } });
      const response = await rig.send(path, { headers: withDictionary(hash) });
      expect(response.headers).toMatchObject({
        'content-encoding': 'dcz',
        vary: 'Available-Dictionary, Accept-Encoding',
      });
      expect(response.body.subarray(8, 40).toString('base64url')).toBe(hash);
      expect(decoded(response, dictionary)).toBe(text);
      expect(response.body.length).toBeLessThan(plain.body.length / 2);
    }
  });

  it('has a tag for the page in it, and 304 for who has the page in any coding', async () => {
    const { rig } = await start();
    const hash = await offered(rig);
    const send = (headers: Record<string, string>) => rig.send(SHELF, { headers });
    const responses = [await send(DOCUMENT), await send(withDictionary(hash))];
    const [plainTag, tag] = responses.map(({ headers }) => String(headers.etag));
    expect(tag).not.toBe(plainTag);
    for (const known of [plainTag!, tag!])
      for (const headers of [DOCUMENT, withDictionary(hash)])
        expect((await send({ ...headers, 'If-None-Match': known })).status).toBe(304);
  });

  it('serves visitors with a session, whose pages are compressed for them alone', async () => {
    const { rig } = await start();
    const hash = await offered(rig);
    const dictionary = await fetched(rig, hash);
    const response = await rig.send(SHELF, { headers: { ...withDictionary(hash), Cookie: 'card=Ada' } });
    expect(response.headers['content-encoding']).toBe('dcz');
    expect(decoded(response, dictionary)).toContain('Ada');
    expect(dictionary.toString()).not.toContain('Ada');
  });

  it('leaves clients alone that have another one, none, or do not accept the coding', async () => {
    const { rig } = await start();
    const hash = await offered(rig);
    const own = withDictionary(hash);
    for (const [index, headers] of [
      withDictionary(createHash('sha256').update('of another replica').digest('base64url')),
      { ...own, 'Available-Dictionary': 'none' },
      { ...own, 'Available-Dictionary': own['Available-Dictionary'].slice(1, -1) },
      { ...own, 'Accept-Encoding': 'br, zstd' },
      { ...own, 'Accept-Encoding': 'zstd, dcz;q=0' },
      { 'Accept-Encoding': 'zstd, dcz' },
    ].entries()) {
      const response = await rig.send(newShelf(index), { headers });
      expect(response.headers['content-encoding']).toBe('zstd');
      expect(response.text).toContain(TEXT);
    }
    // It gets the one of this replica for the next page.
    const other = withDictionary('A'.repeat(43));
    expect(offerIn(await rig.send(SHELF, { headers: other }))).toBe(hash);
  });

  it('follows the live releases, and compresses with those before for browsers that still have them', async () => {
    const { rig, follow } = await start();
    const first = await offered(rig);
    const dictionary = await fetched(rig, first);
    follow('1.1.0');
    const second = await offered(rig, withDictionary(first));
    expect(second).not.toBe(first);
    expect((await fetched(rig, second)).toString()).toContain('1.1.0');
    const response = await rig.send(SHELF, { headers: withDictionary(first) });
    expect([response.headers['content-encoding'], offerIn(response)]).toEqual(['dcz', second]);
    expect(decoded(response, dictionary)).toContain('1.1.0');
    // The four latest ones are kept.
    for (const version of ['1.2.0', '1.3.0', '1.4.0']) {
      follow(version);
      let latest = second;
      while ((await fetched(rig, latest)).toString().includes(version) === false)
        latest = await offered(rig, withDictionary(first));
    }
    expect((await rig.send(`/assets/dictionary/${first}`)).status).toBe(404);
    const { headers } = await rig.send(newShelf(0), { headers: withDictionary(first) });
    expect(headers['content-encoding']).toBe('zstd');
  });

  it('is the same on each replica, whatever its visitors saw', async () => {
    const [one, other] = [await start(), await start()];
    await other.rig.send(SHELF, { headers: { ...DOCUMENT, Cookie: 'card=Ada' } });
    expect(await offered(one.rig)).toBe(await offered(other.rig));
  });

  it('leaves pages as they were if it can not be made', async () => {
    const { rig } = await start({
      site: {
        frame: {
          ...LIBRARY_PLAN.frame,
          head(input) {
            // Pages have an origin.
            if (input.origin === '') throw new Error('broken');
            return LIBRARY_PLAN.frame.head(input);
          },
        },
      },
    });
    const pages = [
      await rig.send(SHELF, { headers: DOCUMENT }),
      await rig.send(SHELF, { headers: DOCUMENT }),
    ];
    expect(pages.map((page) => [page.status, offerIn(page)])).toEqual([
      [200, undefined],
      [200, undefined],
    ]);
    expect(rig.log.map(({ msg }) => msg)).toContain('no dictionary for pages could be made');
  });
});
