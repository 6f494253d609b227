/** Written together; `isFlushed` when the browser should have it at once. */
interface Chunk {
  readonly parts: readonly PagePart[];
  readonly isFlushed: boolean;
}

/**
 * A page while it is composed and after: its writer appends, any number of
 * answers read it from the beginning, each at its own pace.
 */
export interface PageLog {
  readonly write: (parts: readonly PagePart[], options?: { isFlushed?: boolean }) => void;
  readonly end: () => void;
  readonly fail: (error: unknown) => void;
  /** Resolves when it has ended, rejects when it has failed. */
  readonly done: Promise<void>;
  /** Bytes of its text. */
  readonly size: () => number;
  /** An ended page in as little memory as it takes. */
  readonly compact: () => void;
  /** All of it with its places filled; ends early when `signal` is aborted, throws when the page fails. */
  readonly read: (fills: PageFills, signal: AbortSignal) => AsyncGenerator<PageChunk, void>;
}

export interface PageChunk {
  readonly html: string | Buffer;
  readonly isFlushed: boolean;
}

const toBytes = (part: Buffer | PagePart, fills: PageFills): Buffer =>
  Buffer.isBuffer(part) ? part : Buffer.from(fillParts([part], fills));

export function createPageLog(): PageLog {
  let chunks: Chunk[] = [];
  let whole: readonly (Buffer | PagePart)[] | undefined;
  let size = 0;
  let hasEnded = false;
  let failure: { readonly error: unknown } | undefined;
  let news = Promise.withResolvers<void>();
  const done = Promise.withResolvers<void>();
  // Whoever reads hears of it; nobody has to wait for the end.
  done.promise.catch(() => {});

  const announce = () => {
    news.resolve();
    news = Promise.withResolvers<void>();
  };

  return {
    done: done.promise,
    size: () => size,
    write(parts, { isFlushed = false } = {}) {
      chunks.push({ parts, isFlushed });
      for (const part of parts) if (typeof part === 'string') size += Buffer.byteLength(part);
      announce();
    },
    compact() {
      if (!hasEnded) return;
      whole = mergeParts(chunks.flatMap(({ parts }) => parts));
      // Those who read it now keep the chunks until they are done.
      chunks = [];
    },
    end() {
      hasEnded = true;
      announce();
      done.resolve();
    },
    fail(error) {
      failure = { error };
      announce();
      done.reject(error);
    },
    async *read(fills, signal) {
      if (whole) {
        yield { html: Buffer.concat(whole.map((part) => toBytes(part, fills))), isFlushed: true };
        return;
      }
      const mine = chunks;
      const gone = Promise.withResolvers<void>();
      const leave = () => gone.resolve();
      signal.addEventListener('abort', leave, { once: true });
      try {
        for (let at = 0; !signal.aborted;) {
          const chunk = mine[at];
          if (chunk) {
            at += 1;
            yield { html: fillParts(chunk.parts, fills), isFlushed: chunk.isFlushed };
          } else if (failure) throw failure.error;
          else if (hasEnded) return;
          else await Promise.race([news.promise, gone.promise]);
        }
      } finally {
        signal.removeEventListener('abort', leave);
      }
    },
  };
}

/** Where a page carries the nonce of its answer's Content Security Policy. */
export const NONCE: unique symbol = Symbol('nonce');
/** Where it carries the id of the request that it answers. */
export const REQUEST_ID: unique symbol = Symbol('request id');

/**
 * A piece of a page: HTML, or a place that is filled for each answer anew. A
 * page that several visitors get is kept in parts, so that no text of a listing
 * can ever be taken for such a place.
 */
export type PagePart = string | typeof NONCE | typeof REQUEST_ID;

/** What differs between two answers with the same page. */
export interface PageFills {
  readonly nonce: string;
  readonly requestId: string;
}

/** HTML with places in it: filled`<style nonce="${NONCE}">`. Values that are text must be escaped already. */
export const filled = (texts: TemplateStringsArray, ...values: readonly PagePart[]): PagePart[] =>
  texts.flatMap((text, index) => (index < values.length ? [text, values[index] as PagePart] : [text]));

export const fillParts = (parts: readonly PagePart[], { nonce, requestId }: PageFills): string =>
  parts.map((part) => (part === NONCE ? nonce : part === REQUEST_ID ? requestId : part)).join('');

/** The same parts with neighbouring texts as one piece of UTF-8. */
export function mergeParts(parts: readonly PagePart[]): (Buffer | typeof NONCE | typeof REQUEST_ID)[] {
  const merged: (Buffer | typeof NONCE | typeof REQUEST_ID)[] = [];
  let text = '';
  const endText = () => {
    if (text !== '') merged.push(Buffer.from(text));
    text = '';
  };
  for (const part of parts) {
    if (typeof part === 'string') text += part;
    else {
      endText();
      merged.push(part);
    }
  }
  endText();
  return merged;
}
