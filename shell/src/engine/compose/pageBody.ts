import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { ownBytes } from '@forecourt/service-kit/ownBytes';
import type { Completeness } from './completeness.ts';
import { PageDictionary } from './pageDictionary.ts';
import { createPageStream, type PageChunk, type PageStream } from './pageStream.ts';
import { CHUNK, ZSTD } from './zstdOptions.ts';
import { promisify } from 'node:util';
import {
  brotliCompress,
  brotliDecompress,
  constants,
  createBrotliCompress,
  createGzip,
  createZstdCompress,
  gunzip,
  gzip,
  zstdCompress,
  zstdDecompress,
} from 'node:zlib';
import type { Transform } from 'node:stream';

/** Content codings of pages, besides identity. */
export const CODINGS = ['br', 'zstd', 'gzip'] as const;
type Compressed = (typeof CODINGS)[number];
export type Coding = Compressed | 'identity';
/** Also Zstandard with a dictionary that the client has. */
export type ContentCoding = Coding | 'dcz';
/** How bytes are compressed. */
type Method = Compressed | PageDictionary;

const codingOf = (method: Method): ContentCoding => (typeof method === 'string' ? method : 'dcz');

const brotliOptions = (quality: number, windowBits: number) => ({
  params: {
    [constants.BROTLI_PARAM_QUALITY]: quality,
    [constants.BROTLI_PARAM_LGWIN]: windowBits,
    [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT,
  },
});
// A window of 256 KB holds most of a page; the defaults take some megabytes of memory per page.
const QUICK_BROTLI = brotliOptions(5, 18);
// Two thirds of the time, and 8 % more bytes.
const BUSY_BROTLI = brotliOptions(4, 18);
const GZIP = { level: 6 };

/**
 * Codings made while the page is written, once for all its readers (ADR 21 has the figures). Each write is flushed by the
 * job that compresses it; `flush()` would be another one.
 */
const createCompressor: Readonly<Record<Compressed, (isBusy: boolean) => Transform>> = {
  br: (isBusy) =>
    createBrotliCompress({
      ...(isBusy ? BUSY_BROTLI : QUICK_BROTLI),
      ...CHUNK,
      flush: constants.BROTLI_OPERATION_FLUSH,
    }),
  zstd: () => createZstdCompress({ ...ZSTD, ...CHUNK, flush: constants.ZSTD_e_flush }),
  gzip: () => createGzip({ ...GZIP, ...CHUNK, flush: constants.Z_SYNC_FLUSH }),
};

const brotli = promisify(brotliCompress);
const zstd = promisify(zstdCompress);
const gzipped = promisify(gzip);

/** The same for a page that is whole, in the thread pool. */
export const compressWhole: Readonly<Record<Compressed, (bytes: Buffer) => Promise<Buffer>>> = {
  br: (bytes) => brotli(bytes, QUICK_BROTLI),
  zstd: (bytes) => zstd(bytes, ZSTD),
  gzip: (bytes) => gzipped(bytes, GZIP),
};

/** The bytes that were compressed, in the thread pool. */
export const expand: Readonly<Record<Compressed, (compressed: Buffer) => Promise<Buffer>>> = {
  br: promisify(brotliDecompress),
  zstd: promisify(zstdDecompress),
  gzip: promisify(gunzip),
};

const compressBy = (method: Method, bytes: Buffer): Promise<Buffer> =>
  typeof method === 'string' ? compressWhole[method](bytes) : method.compress(bytes);

/** Takes tens of milliseconds in the thread pool: for pages that are requested again. */
const compressWell = (bytes: Buffer): Promise<Buffer> => brotli(bytes, brotliOptions(9, 20));

/** A whole page in one content coding. */
export interface Representation {
  readonly coding: ContentCoding;
  readonly bytes: Buffer;
  /** Strong: another one for other bytes. */
  readonly etag: string;
}

/** For a page that is being written: the codings that cost the least first. */
const QUICK_FIRST = ['zstd', 'br', 'gzip'] as const;

/** Names bytes: 162 bits of their SHA-256. */
export const hashOf = (bytes: Buffer | string): string =>
  createHash('sha256').update(bytes).digest('base64url').slice(0, 27);

const etagOf = (bytes: Buffer): string => `"${hashOf(bytes)}"`;

/**
 * Compresses a page while it is written: what the page flushes is flushed. What comes between two flushes is written at
 * once: each write is a job of the thread pool.
 */
async function compressInto(
  target: PageStream,
  source: PageStream,
  { compressor, start }: { readonly compressor: Transform; readonly start?: Buffer | undefined },
): Promise<void> {
  let before = start;
  compressor.on('data', (bytes: Buffer) => {
    target.write(before ? [before, bytes] : bytes);
    before = undefined;
  });
  compressor.on('end', () => target.end());
  compressor.on('error', (error) => target.fail(error));
  let waiting: Buffer[] = [];
  try {
    for await (const { bytes, isFlushed } of source.read()) {
      waiting.push(bytes);
      if (!isFlushed) continue;
      if (!compressor.write(Buffer.concat(waiting))) await once(compressor, 'drain');
      waiting = [];
    }
    compressor.end(Buffer.concat(waiting));
  } catch (error) {
    compressor.destroy();
    target.fail(error);
  }
}

/**
 * The bytes of one page, which are the same in each response: written once as HTML,
 * and compressed once per content coding, however many responses read them.
 */
export class PageBody {
  /** The HTML, to which the page is written. */
  readonly html = createPageStream();
  readonly #streams = new Map<Method, PageStream>();
  /** As soon as they are whole. */
  readonly #representations = new Map<Method | 'identity', Promise<Representation>>();
  /** Of every representation that was sent, also of those that a smaller one has replaced. */
  readonly #etags = new Set<string>();
  /** Bytes of the representations. */
  #storedSize = 0;
  /** What the HTML is made of again once it is dropped, and the tag of the HTML. */
  #kept: { readonly method: Method; readonly bytes: Buffer; readonly htmlTag: string } | undefined;
  #isWellCompressed = false;
  #onResize: () => void = () => {};
  readonly #isBusy: boolean;

  /** `isBusy`: many other pages are being written. Brotli, which costs the most, then takes less time. */
  constructor({ isBusy }: { readonly isBusy: boolean } = { isBusy: false }) {
    this.#isBusy = isBusy;
  }

  /** Resolves when the page has ended to how complete it is; rejects when it has failed. */
  get done(): Promise<Completeness> {
    return this.html.done;
  }

  get isWhole(): boolean {
    return this.#kept !== undefined || this.html.whole() !== undefined;
  }

  /** Bytes that it holds. */
  get size(): number {
    const streams = [...this.#streams.values()].reduce((sum, stream) => sum + stream.size(), 0);
    return this.html.size() + streams + this.#storedSize;
  }

  set onResize(listener: () => void) {
    this.#onResize = listener;
  }

  /**
   * The page from its start, while it is being written, in the quickest of the `accepted` codings; with the `dictionary`
   * that the client has, if it has one.
   */
  stream(
    accepted: ReadonlySet<Coding>,
    signal: AbortSignal,
    dictionary?: PageDictionary,
  ): { readonly coding: ContentCoding; readonly chunks: AsyncIterable<PageChunk> } {
    const method = dictionary ?? QUICK_FIRST.find((name) => accepted.has(name));
    if (!method) return { coding: 'identity', chunks: this.html.read(signal) };
    return { coding: codingOf(method), chunks: this.#streamOf(method).read(signal) };
  }

  #streamOf(method: Method): PageStream {
    const existing = this.#streams.get(method);
    if (existing) return existing;
    const stream = createPageStream();
    this.#streams.set(method, stream);
    void compressInto(
      stream,
      this.html,
      typeof method === 'string'
        ? { compressor: createCompressor[method](this.#isBusy) }
        : { compressor: method.createCompressor(), start: method.start },
    );
    return stream;
  }

  #isReady(method: Method): boolean {
    return this.#representations.has(method) || this.#streams.has(method);
  }

  /**
   * The whole page with the `dictionary` that the client has, or in the smallest of the `accepted` codings that exists, or
   * in the quickest one.
   */
  representation(accepted: ReadonlySet<Coding>, dictionary?: PageDictionary): Promise<Representation> {
    const method =
      dictionary ??
      (this.#isWellCompressed && accepted.has('br') ? 'br' : undefined) ??
      QUICK_FIRST.find((name) => accepted.has(name) && this.#isReady(name)) ??
      QUICK_FIRST.find((name) => accepted.has(name)) ??
      'identity';
    return this.#representations.get(method) ?? this.#start(method, () => this.#onResize());
  }

  /** `onEnd` is called when it is there, and before it is used. */
  #start(method: Method | 'identity', onEnd: () => void): Promise<Representation> {
    const representation = this.#represent(method);
    this.#representations.set(method, representation);
    // After a failure, the next response tries again.
    representation.then(onEnd, () => this.#representations.delete(method));
    return representation;
  }

  async #represent(method: Method | 'identity'): Promise<Representation> {
    if (!this.isWhole) throw new Error('the page is still being written');
    if (method === 'identity') {
      // Until the HTML is dropped, these are its own bytes.
      const isMade = this.#kept !== undefined;
      const html = await this.#wholeHtml();
      return this.#add('identity', html, isMade ? html.length : 0);
    }
    const stream = this.#streams.get(method);
    await stream?.done;
    const bytes = stream?.whole() ?? (await compressBy(method, await this.#wholeHtml()));
    this.#streams.delete(method);
    return this.#add(codingOf(method), ownBytes(bytes), bytes.length);
  }

  /** The HTML of a page that has ended. */
  async #wholeHtml(): Promise<Buffer> {
    const html = this.html.whole();
    if (html) return html;
    if (!this.#kept) throw new Error('the page is still being written');
    const { method, bytes } = this.#kept;
    return typeof method === 'string' ? expand[method](bytes) : method.expand(bytes);
  }

  #add(coding: ContentCoding, bytes: Buffer, size: number): Representation {
    const etag = etagOf(bytes);
    this.#etags.add(etag);
    this.#storedSize += size;
    return { coding, bytes, etag };
  }

  /** Whether a client that has the representation with this tag has the current page. */
  hasTag(etag: string): boolean {
    return this.#etags.has(etag);
  }

  get isWellCompressed(): boolean {
    return this.#isWellCompressed;
  }

  /** Replaces the Brotli representation by a smaller one. */
  async compressWell(): Promise<void> {
    const bytes = ownBytes(await compressWell(await this.#wholeHtml()));
    const previous = this.#isWellCompressed ? undefined : await this.#representations.get('br');
    this.#isWellCompressed = true;
    if (this.#kept?.method === 'br') this.#kept = { ...this.#kept, bytes };
    this.#representations.set(
      'br',
      Promise.resolve(this.#add('br', bytes, bytes.length - (previous?.bytes.length ?? 0))),
    );
    this.#onResize();
  }

  /**
   * Drops the HTML of a page that has ended, and keeps it compressed: a fifth of the bytes. Takes over what `older`, which
   * does so already, was compressed to, if both have the same HTML.
   */
  async keepCompressed(older?: PageBody): Promise<void> {
    const html = this.html.whole();
    if (!html) return;
    const htmlTag = etagOf(html);
    if (older && older.#kept?.htmlTag === htmlTag) this.#adopt(older);
    else {
      const method = this.#methodInUse ?? QUICK_FIRST[0];
      const { bytes } = await (this.#representations.get(method) ?? this.#start(method, () => {}));
      this.#kept = { method, bytes, htmlTag };
    }
    this.#representations.delete('identity');
    this.html.drop();
    this.#onResize();
  }

  /** How it is compressed already, for a response. */
  get #methodInUse(): Method | undefined {
    const dictionaries = [...this.#streams.keys(), ...this.#representations.keys()].filter(
      (method) => method instanceof PageDictionary,
    );
    return [...QUICK_FIRST, ...dictionaries].find((method) => this.#isReady(method));
  }

  #adopt(older: PageBody): void {
    for (const [method, representation] of older.#representations)
      this.#representations.set(method, representation);
    for (const etag of older.#etags) this.#etags.add(etag);
    this.#streams.clear();
    this.#kept = older.#kept;
    this.#storedSize = older.#storedSize;
    this.#isWellCompressed = older.#isWellCompressed;
  }
}
