import { createHash } from 'node:crypto';
import { brotliDecompressSync, constants, gunzipSync, zstdDecompressSync } from 'node:zlib';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { type Coding, CODINGS, type ContentCoding, PageBody } from './pageBody.ts';
import { PageDictionary } from './pageDictionary.ts';

const STAY = new AbortController().signal;
const accept = (...codings: Coding[]): ReadonlySet<Coding> => new Set(codings);
/** What all test pages share. */
const DICTIONARY = new PageDictionary(Buffer.from('<article class="card"><h3>2019 Ford F-150</h3><p>$'));
const decode: Readonly<Record<ContentCoding, (bytes: Buffer) => Buffer>> = {
  br: brotliDecompressSync,
  zstd: zstdDecompressSync,
  gzip: gunzipSync,
  dcz: (bytes) => zstdDecompressSync(bytes.subarray(40), { dictionary: DICTIONARY.bytes }),
  identity: (bytes) => bytes,
};

/** Markup that repeats itself, as a page does. */
const HTML = '<article class="card"><h3>2019 Ford F-150</h3><p>$32,995</p></article>'.repeat(400);
/** Text with much to find for a thorough compressor. */
const BOOKS = JSON.stringify(
  Array.from({ length: 2000 }, (_, at) => ({
    id: (at * 7919) % 10_007,
    title: `${2010 + (at % 17)} book ${at % 97} of branch ${at % 31}`,
  })),
);
const bodyOf = (html: string): PageBody => {
  const body = new PageBody();
  body.html.write(html);
  body.html.end();
  return body;
};
async function bytesOf(chunks: AsyncIterable<{ readonly bytes: Buffer }>): Promise<Buffer> {
  const all: Buffer[] = [];
  for await (const { bytes } of chunks) all.push(bytes);
  return Buffer.concat(all);
}

describe('page body', () => {
  it('has the same page in every coding, streamed and whole', async () => {
    const parts = fc.array(fc.tuple(fc.string({ unit: 'binary' }), fc.boolean()), { maxLength: 6 });
    const codings = fc.subarray([...CODINGS]);
    await fc.assert(
      fc.asyncProperty(parts, codings, fc.boolean(), async (written, names, isBusy) => {
        const accepted = accept(...names);
        const body = new PageBody({ isBusy });
        const streams = [body.stream(accepted, STAY), body.stream(accepted, STAY)];
        const read = Promise.all(streams.map(({ chunks }) => bytesOf(chunks)));
        for (const [text, isFlushed] of written) body.html.write(text, { isFlushed });
        body.html.end();
        const expected = written.map(([text]) => Buffer.from(text).toString()).join('');
        for (const [index, bytes] of (await read).entries())
          expect(decode[streams[index]?.coding ?? 'identity'](bytes).toString()).toBe(expected);
        const { coding, bytes } = await body.representation(accepted);
        expect(names.length === 0 ? ['identity'] : names).toContain(coding);
        expect(decode[coding](bytes).toString()).toBe(expected);
      }),
    );
  });

  it('sends what is flushed before the page has ended', async () => {
    for (const coding of CODINGS) {
      const body = new PageBody();
      const reading = body.stream(accept(coding), STAY).chunks[Symbol.asyncIterator]();
      body.html.write(HTML, { isFlushed: true });
      const first = (await reading.next()).value as { bytes: Buffer };
      expect(first.bytes.length).toBeGreaterThan(0);
      expect(first.bytes.length).toBeLessThan(HTML.length / 10);
      body.html.end();
      while (!(await reading.next()).done);
    }
  });

  it('streams a larger Brotli while many pages are written, and the same zstd and gzip', async () => {
    const streamed = async (coding: Coding, isBusy: boolean) => {
      const body = new PageBody({ isBusy });
      const { chunks } = body.stream(accept(coding), STAY);
      body.html.write(BOOKS);
      body.html.end();
      return (await bytesOf(chunks)).length;
    };
    expect(await streamed('br', true)).toBeGreaterThan(await streamed('br', false));
    for (const coding of ['zstd', 'gzip'] as const)
      expect(await streamed(coding, true)).toBe(await streamed(coding, false));
  });

  it('uses the bytes of the stream, and replaces its Brotli by a smaller one', async () => {
    const body = new PageBody();
    const { chunks } = body.stream(accept('br'), STAY);
    body.html.write(BOOKS);
    body.html.end();
    const streamed = await bytesOf(chunks);
    const quick = await body.representation(accept('br', 'zstd'));
    expect(quick).toMatchObject({ coding: 'br', bytes: streamed });
    await body.compressWell();
    const small = await body.representation(accept('br', 'zstd'));
    expect(small.bytes.length).toBeLessThan(quick.bytes.length);
    expect(small.etag).not.toBe(quick.etag);
    expect(brotliDecompressSync(small.bytes)).toEqual(body.html.whole());
    // Clients with the first one have the current page.
    expect([quick.etag, small.etag].map((etag) => body.hasTag(etag))).toEqual([true, true]);
    expect(body.size).toBe(body.html.size() + small.bytes.length);
  });

  it('has a strong tag per coding, and none of another page', async () => {
    const [one, other] = [bodyOf(HTML), bodyOf(`${HTML} `)];
    const tags = await Promise.all(
      [...CODINGS, 'identity' as const].map(
        async (coding) => (await one.representation(accept(coding))).etag,
      ),
    );
    expect(new Set(tags).size).toBe(4);
    for (const tag of tags) {
      expect(tag).toMatch(/^"[\w-]{27}"$/);
      expect(other.hasTag(tag)).toBe(false);
    }
  });

  it('keeps no HTML once it is stored, and has the same page in every coding', async () => {
    const codings = fc.subarray([...CODINGS, 'identity' as const]);
    const text = fc.string({ unit: 'binary', maxLength: 2000 });
    await fc.assert(
      fc.asyncProperty(text, codings, codings, fc.boolean(), async (written, before, after, isGood) => {
        const body = new PageBody();
        const streams = before.map((coding) => body.stream(accept(coding), STAY));
        body.html.write(written);
        body.html.end();
        const expected = Buffer.from(written).toString();
        const reading = streams.map(async ({ coding, chunks }) =>
          decode[coding](await bytesOf(chunks)).toString(),
        );
        if (isGood) await body.compressWell();
        await body.keepCompressed();
        expect(await Promise.all(reading)).toEqual(before.map(() => expected));
        expect([body.isWhole, body.html.whole(), body.html.size()]).toEqual([true, undefined, 0]);
        for (const accepted of after) {
          const { coding, bytes } = await body.representation(accept(accepted));
          expect([coding, decode[coding](bytes).toString()]).toEqual([accepted, expected]);
        }
      }),
      { numRuns: 20 },
    );
  });

  it('takes a fraction of its HTML, and says so', async () => {
    const body = bodyOf(HTML);
    const sizes: number[] = [];
    body.onResize = () => sizes.push(body.size);
    await body.representation(accept('identity'));
    await body.keepCompressed();
    expect(sizes.at(-1)).toBe(body.size);
    expect(body.size).toBeLessThan(HTML.length / 10);
    const { bytes } = await body.representation(accept('identity'));
    expect(bytes.toString()).toBe(HTML);
  });

  it('takes over the representations of an older page with the same bytes only', async () => {
    const older = bodyOf(HTML);
    await older.keepCompressed();
    const { etag } = await older.representation(accept('gzip'));
    await older.compressWell();
    const [same, changed] = [bodyOf(HTML), bodyOf(`${HTML} `)];
    await same.keepCompressed(older);
    await changed.keepCompressed(older);
    expect([same.isWellCompressed, changed.isWellCompressed]).toEqual([true, false]);
    expect([same.hasTag(etag), changed.hasTag(etag)]).toEqual([true, false]);
    expect(await same.representation(accept('gzip'))).toBe(await older.representation(accept('gzip')));
    expect(same.size).toBe(older.size);
  });

  it.each(['br', 'zstd', 'gzip'] as const)(
    'kept with %s, keeps no more memory alive than its size',
    async (coding) => {
      const body = bodyOf(HTML);
      await bytesOf(body.stream(accept(coding), STAY).chunks);
      await body.keepCompressed();
      const { bytes } = await body.representation(accept(coding));
      expect(bytes.buffer.byteLength).toBe(body.size);
      if (coding !== 'br') return;
      await body.compressWell();
      expect((await body.representation(accept('br'))).bytes.buffer.byteLength).toBe(body.size);
    },
  );

  it('compresses once for concurrent requests and tells what it has grown by', async () => {
    const body = bodyOf(HTML);
    const sizes: number[] = [];
    body.onResize = () => sizes.push(body.size);
    const [one, two] = await Promise.all([
      body.representation(accept('gzip')),
      body.representation(accept('gzip')),
    ]);
    expect(one).toBe(two);
    expect(sizes).toEqual([HTML.length + one.bytes.length]);
  });

  it('fails for its readers when the page fails', async () => {
    const body = new PageBody();
    const read = bytesOf(body.stream(accept('zstd'), STAY).chunks);
    body.html.write(HTML);
    body.html.fail(new Error('cut'));
    await expect(read).rejects.toThrow('cut');
    await expect(body.representation(accept('zstd'))).rejects.toThrow('still being written');
  });
});

describe('page body for clients with a dictionary', () => {
  const NONE = accept();

  it('has the same page streamed, whole, and once its HTML is dropped, for any size', async () => {
    const card = fc.string({ unit: 'binary', maxLength: 300 });
    const parts = fc.array(fc.tuple(card, fc.boolean(), fc.constantFrom(1, 2, 900)), { maxLength: 5 });
    await fc.assert(
      fc.asyncProperty(parts, fc.subarray([...CODINGS, 'identity' as const]), async (written, others) => {
        const body = new PageBody();
        const { coding, chunks } = body.stream(accept('zstd', 'br'), STAY, DICTIONARY);
        const reading = bytesOf(chunks);
        for (const [text, isFlushed, times] of written)
          body.html.write(`${HTML.slice(0, 60)}${text}`.repeat(times), { isFlushed });
        body.html.end();
        const html = body.html.whole();
        const streamed = await reading;
        expect(coding).toBe('dcz');
        expect(decode.dcz(streamed).equals(html!)).toBe(true);
        // Compressed for this client only, and kept like that.
        await body.keepCompressed();
        const whole = await body.representation(NONE, DICTIONARY);
        expect([whole.coding, whole.bytes.equals(streamed)]).toEqual(['dcz', true]);
        expect(body.size).toBe(streamed.length);
        for (const other of others) {
          const { coding: name, bytes } = await body.representation(accept(other));
          expect([name, decode[name](bytes).equals(html!)]).toEqual([other, true]);
        }
      }),
      { numRuns: 30 },
    );
  });

  it('starts with a frame that names the dictionary (RFC 9842, 5)', async () => {
    const { bytes } = await bodyOf(HTML).representation(NONE, DICTIONARY);
    expect(bytes.subarray(0, 8).toString('hex')).toBe('5e2a4d1820000000');
    expect(bytes.subarray(8, 40)).toEqual(createHash('sha256').update(DICTIONARY.bytes).digest());
  });

  it('sends what is flushed before the page has ended', async () => {
    const body = new PageBody();
    const reading = body.stream(NONE, STAY, DICTIONARY).chunks[Symbol.asyncIterator]();
    body.html.write(HTML, { isFlushed: true });
    const { bytes } = (await reading.next()).value as { bytes: Buffer };
    const flushed = zstdDecompressSync(bytes.subarray(40), {
      dictionary: DICTIONARY.bytes,
      finishFlush: constants.ZSTD_e_flush,
    });
    expect(flushed.equals(Buffer.from(HTML))).toBe(true);
    body.html.end();
    while (!(await reading.next()).done);
  });

  it('has one representation and one tag per dictionary', async () => {
    const other = new PageDictionary(Buffer.from('<p>$32,995</p>'));
    const body = bodyOf(HTML);
    const made = await Promise.all(
      [DICTIONARY, other, undefined].map((dictionary) => body.representation(accept('zstd'), dictionary)),
    );
    expect(new Set(made.map(({ etag }) => etag)).size).toBe(3);
    const decoded = zstdDecompressSync(made[1]!.bytes.subarray(40), { dictionary: other.bytes });
    expect(decoded.equals(Buffer.from(HTML))).toBe(true);
    expect(await body.representation(NONE, DICTIONARY)).toBe(made[0]);
    expect(made.every(({ etag }) => body.hasTag(etag))).toBe(true);
  });

  it('keeps Zstandard, if another client has it', async () => {
    const body = new PageBody();
    const reading = [body.stream(NONE, STAY, DICTIONARY), body.stream(accept('zstd'), STAY)].map(
      ({ chunks }) => bytesOf(chunks),
    );
    body.html.write(HTML);
    body.html.end();
    const [, zstd] = await Promise.all(reading);
    await body.keepCompressed();
    expect(await body.representation(accept('zstd'))).toMatchObject({ bytes: zstd });
  });
});
