import type { Completeness } from './completeness.ts';

/** Bytes of a page that are written together; `isFlushed` sends them to the browser at once. */
export interface PageChunk {
  readonly bytes: Buffer;
  readonly isFlushed: boolean;
}

const bytesOf = (part: string | Buffer): Buffer => (typeof part === 'string' ? Buffer.from(part) : part);

export type PageStream = ReturnType<typeof createPageStream>;

/**
 * A page during and after composition: one writer appends, any number of responses
 * read it from the start at their own pace. All of them get the same bytes.
 */
export function createPageStream() {
  let chunks: PageChunk[] = [];
  let size = 0;
  let hasEnded = false;
  let isDropped = false;
  let failure: { readonly error: unknown } | undefined;
  let change = Promise.withResolvers<void>();
  const done = Promise.withResolvers<Completeness>();
  // Readers get the error themselves; an unobserved `done` is not an unhandled rejection.
  done.promise.catch(() => {});

  const announce = () => {
    change.resolve();
    change = Promise.withResolvers<void>();
  };

  async function* readFrom(own: readonly PageChunk[], signal?: AbortSignal): AsyncGenerator<PageChunk, void> {
    const aborted = Promise.withResolvers<void>();
    const leave = () => aborted.resolve();
    signal?.addEventListener('abort', leave, { once: true });
    try {
      for (let index = 0; !signal?.aborted;) {
        const chunk = own[index];
        if (chunk) {
          index += 1;
          yield chunk;
        } else if (failure) throw failure.error;
        else if (hasEnded) return;
        else await Promise.race([change.promise, aborted.promise]);
      }
    } finally {
      signal?.removeEventListener('abort', leave);
    }
  }

  return {
    /** Resolves when the page has ended to how complete it is; rejects when it has failed. */
    done: done.promise,
    size: () => size,
    write(part: string | Buffer | readonly (string | Buffer)[], { isFlushed = false } = {}): void {
      const bytes = part instanceof Array ? Buffer.concat(part.map(bytesOf)) : bytesOf(part);
      chunks.push({ bytes, isFlushed });
      size += bytes.length;
      announce();
    },
    end(completeness: Completeness = 'full'): void {
      hasEnded = true;
      announce();
      done.resolve(completeness);
    },
    fail(error: unknown): void {
      failure = { error };
      announce();
      done.reject(error);
    },
    /** All bytes of a page that has ended; undefined before, if it has failed, and when they were dropped. */
    whole(): Buffer | undefined {
      if (!hasEnded || isDropped) return undefined;
      // A new array: readers keep the chunks that they have started with.
      if (chunks.length !== 1)
        chunks = [{ bytes: Buffer.concat(chunks.map(({ bytes }) => bytes)), isFlushed: true }];
      return chunks[0]?.bytes;
    },
    /** Forgets the bytes of a page that has ended; who reads it already gets them all. */
    drop(): void {
      chunks = [];
      size = 0;
      isDropped = true;
    },
    /** The page from its start; ends early when `signal` is aborted, throws when the page fails. */
    read: (signal?: AbortSignal): AsyncGenerator<PageChunk, void> => readFrom(chunks, signal),
  };
}
