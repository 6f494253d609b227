/** Parts written together; `isFlushed` sends them to the browser at once. */
interface Chunk {
  readonly parts: readonly PagePart[];
  readonly isFlushed: boolean;
}

export type PageLog = ReturnType<typeof createPageLog>;

interface PageChunk {
  readonly html: string | Buffer;
  readonly isFlushed: boolean;
}

const toBytes = (part: Buffer | PagePart, fills: PageFills): Buffer =>
  Buffer.isBuffer(part) ? part : Buffer.from(fillParts([part], fills));

/**
 * A page during and after composition: one writer appends, any number of responses
 * read it from the start at their own pace.
 */
export function createPageLog() {
  let chunks: Chunk[] = [];
  let whole: readonly (Buffer | PagePart)[] | undefined;
  let size = 0;
  let hasEnded = false;
  let failure: { readonly error: unknown } | undefined;
  let change = Promise.withResolvers<void>();
  const done = Promise.withResolvers<void>();
  // Readers get the error themselves; an unobserved `done` is not an unhandled rejection.
  done.promise.catch(() => {});

  const announce = () => {
    change.resolve();
    change = Promise.withResolvers<void>();
  };

  return {
    /** Resolves when the page has ended, rejects when it has failed. */
    done: done.promise,
    /** Bytes of text. */
    size: () => size,
    write(parts: readonly PagePart[], { isFlushed = false } = {}): void {
      chunks.push({ parts, isFlushed });
      for (const part of parts) if (typeof part === 'string') size += Buffer.byteLength(part);
      announce();
    },
    /** Reduces the memory of an ended page. */
    compact(): void {
      if (!hasEnded) return;
      whole = mergeParts(chunks.flatMap(({ parts }) => parts));
      chunks = [];
    },
    end(): void {
      hasEnded = true;
      announce();
      done.resolve();
    },
    fail(error: unknown): void {
      failure = { error };
      announce();
      done.reject(error);
    },
    /** The whole page with its placeholders filled; ends early when `signal` is aborted, throws when the page fails. */
    async *read(fills: PageFills, signal: AbortSignal): AsyncGenerator<PageChunk, void> {
      if (whole) {
        yield { html: Buffer.concat(whole.map((part) => toBytes(part, fills))), isFlushed: true };
        return;
      }
      // `compact` replaces the array of a page that is being read.
      const own = chunks;
      const aborted = Promise.withResolvers<void>();
      const leave = () => aborted.resolve();
      signal.addEventListener('abort', leave, { once: true });
      try {
        for (let index = 0; !signal.aborted;) {
          const chunk = own[index];
          if (chunk) {
            index += 1;
            yield { html: fillParts(chunk.parts, fills), isFlushed: chunk.isFlushed };
          } else if (failure) throw failure.error;
          else if (hasEnded) return;
          else await Promise.race([change.promise, aborted.promise]);
        }
      } finally {
        signal.removeEventListener('abort', leave);
      }
    },
  };
}

/** Placeholder for the nonce of the response's Content Security Policy. */
export const NONCE: unique symbol = Symbol('nonce');
/** Placeholder for the request id. */
export const REQUEST_ID: unique symbol = Symbol('request id');
/** Placeholder for the claim with which the page reports failures (`failureClaims.ts`). */
export const FAILURE_CLAIM: unique symbol = Symbol('failure claim');

type Placeholder = typeof NONCE | typeof REQUEST_ID | typeof FAILURE_CLAIM;

/**
 * A piece of a page: HTML or a placeholder that is filled per response. Symbols
 * instead of markers in the text: no listing can contain one.
 */
export type PagePart = string | Placeholder;

/** Values of the placeholders in one response. */
export interface PageFills {
  readonly nonce: string;
  readonly requestId: string;
  readonly failureClaim: string;
}

/** HTML with placeholders: filled`<style nonce="${NONCE}">`. Texts must be escaped already. */
export const filled = (texts: TemplateStringsArray, ...values: readonly PagePart[]): PagePart[] =>
  texts.flatMap((text, index) => (index < values.length ? [text, values[index] as PagePart] : [text]));

export function fillParts(parts: readonly PagePart[], { nonce, requestId, failureClaim }: PageFills): string {
  const values = { [NONCE]: nonce, [REQUEST_ID]: requestId, [FAILURE_CLAIM]: failureClaim };
  return parts.map((part) => (typeof part === 'string' ? part : values[part])).join('');
}

/** The same parts with adjacent texts merged into UTF-8 buffers. */
function mergeParts(parts: readonly PagePart[]): (Buffer | Placeholder)[] {
  const merged: (Buffer | Placeholder)[] = [];
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
