import { zstdCompressSync } from 'node:zlib';
import { createLruCache } from '@forecourt/service-kit/lruCache';
import { ownBytes } from '@forecourt/service-kit/ownBytes';
import { type Coding, compressWhole, expand, hashOf, type Representation } from '../compose/pageBody.ts';
import { CHUNK, zstdOptions } from '../compose/zstdOptions.ts';

export type PageContents = ReturnType<typeof createPageContents>;

/** Enough for about 900 contents, as many as there are cached pages. */
const MAX_BYTES = 24 * 1024 * 1024;

/** For browsers without zstd: the codings that cost the least first. */
const OTHERS = ['br', 'gzip'] as const;

const ZSTD = { ...zstdOptions(1, 13), ...CHUNK };

/**
 * In this thread, 0.2 ms for 150 kB: to hand it to the thread pool and take it back costs this thread as much, and the
 * pool's thread the same again. Level 3 would save 5 % of the bytes.
 */
const compressNow = (json: Buffer): Buffer => ownBytes(zstdCompressSync(json, ZSTD));

/** The content of a page, stored with zstd only: a seventh of its JSON. */
class PageContent {
  readonly #hash: string;
  readonly #zstd: Buffer;
  readonly #others = new Map<Coding, Promise<Buffer>>();
  readonly #onGrow: () => void;
  #size: number;

  /** `onGrow` is called when a further coding is stored. */
  constructor(hash: string, json: Buffer, onGrow: () => void) {
    this.#hash = hash;
    this.#onGrow = onGrow;
    this.#zstd = compressNow(json);
    this.#size = this.#zstd.length;
  }

  /** Bytes that are stored. */
  get size(): number {
    return this.#size;
  }

  async representation(accepted: ReadonlySet<Coding>): Promise<Representation> {
    const coding = accepted.has('zstd')
      ? 'zstd'
      : (OTHERS.find((name) => this.#others.has(name) && accepted.has(name)) ??
        OTHERS.find((name) => accepted.has(name)) ??
        'identity');
    return { coding, bytes: await this.#bytesOf(coding), etag: `"${this.#hash}-${coding}"` };
  }

  async #bytesOf(coding: Coding): Promise<Buffer> {
    if (coding === 'zstd') return this.#zstd;
    if (coding === 'identity') return expand.zstd(this.#zstd);
    const existing = this.#others.get(coding);
    if (existing) return existing;
    const compressed = this.#recode(coding);
    this.#others.set(coding, compressed);
    // The next response tries again.
    compressed.catch(() => this.#others.delete(coding));
    return compressed;
  }

  async #recode(coding: Exclude<Coding, 'identity'>): Promise<Buffer> {
    const bytes = ownBytes(await compressWhole[coding](await expand.zstd(this.#zstd)));
    this.#size += bytes.length;
    this.#onGrow();
    return bytes;
  }

  /** A content never changes, so a client with any coding of it is up to date. */
  hasTag(etag: string): boolean {
    return etag.startsWith(`"${this.#hash}-`);
  }
}

/**
 * The content of pages (`PageContent`), each under the hash of its JSON. Nothing in it is personal, and equal pages share
 * one. `path`: where they are served. A browser that requests an evicted one loads the content again.
 */
export function createPageContents(
  path: string,
  { maxBytes = MAX_BYTES }: { readonly maxBytes?: number } = {},
) {
  const contents = createLruCache<PageContent>({ maxBytes });
  return {
    /** Stores a page's content and returns its URL. */
    store(json: Buffer): string {
      const hash = hashOf(json);
      if (!contents.get(hash)) {
        const content = new PageContent(hash, json, () => contents.resize(hash, content, content.size));
        contents.set(hash, content, content.size);
      }
      return `${path}/${hash}`;
    },
    find: (hash: string): PageContent | undefined => contents.get(hash),
    size: contents.size,
  };
}
