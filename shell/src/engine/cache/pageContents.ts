import { createLruCache } from '@forecourt/service-kit/lruCache';
import { type Coding, compressWhole, expand, hashOf, type Representation } from '../compose/pageBody.ts';

export type PageContents = ReturnType<typeof createPageContents>;

/** Enough for about 900 contents, as many as there are cached pages. */
const MAX_BYTES = 24 * 1024 * 1024;

/** For browsers without zstd: the codings that cost the least first. */
const OTHERS = ['br', 'gzip'] as const;

/** The content of a page, stored with zstd only: a seventh of its JSON. */
class PageContent {
  readonly #hash: string;
  readonly #zstd: Promise<Buffer>;
  readonly #others = new Map<Coding, Promise<Buffer>>();
  readonly #onGrow: (bytes: number) => void;

  /** `onGrow` gets the bytes of each coding that is stored. */
  constructor(hash: string, json: Buffer, onGrow: (bytes: number) => void) {
    this.#hash = hash;
    this.#onGrow = onGrow;
    this.#zstd = this.#counted(compressWhole.zstd(json));
  }

  async #counted(compressed: Promise<Buffer>): Promise<Buffer> {
    const bytes = await compressed;
    this.#onGrow(bytes.length);
    return bytes;
  }

  /** Resolves when it is stored. */
  get stored(): Promise<unknown> {
    return this.#zstd;
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
    const json = async () => expand.zstd(await this.#zstd);
    if (coding === 'identity') return json();
    const existing = this.#others.get(coding);
    if (existing) return existing;
    const compressed = this.#counted(json().then(compressWhole[coding]));
    this.#others.set(coding, compressed);
    // The next response tries again.
    compressed.catch(() => this.#others.delete(coding));
    return compressed;
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
        let size = 0;
        const content = new PageContent(hash, json, (added) =>
          contents.resize(hash, content, (size += added)),
        );
        // Counted whole until it is compressed.
        contents.set(hash, content, json.length);
        content.stored.catch(() => contents.delete(hash));
      }
      return `${path}/${hash}`;
    },
    find: (hash: string): PageContent | undefined => contents.get(hash),
    size: contents.size,
  };
}
