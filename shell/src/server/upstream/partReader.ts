import { BATCH } from '@forecourt/shared-contracts/calls';
import type { z } from 'zod';

type Head = z.infer<typeof BATCH.part>;

/** A response that arrived as a part of a batch. */
export type ReceivedPart = Omit<Head, 'bytes'> & { readonly body: string };

const LINE_END = 0x0a;
/** Bytes; a head has a few hundred. */
const MAX_HEAD = 16_384;
const EMPTY = Buffer.alloc(0);

/** Reads the parts of a batch: each is one line of JSON, followed by as many bytes of body as the line says. */
export class PartReader {
  #rest: Buffer = EMPTY;
  #head: Head | undefined;
  readonly #maxBytes: number;

  constructor(maxBytes = Infinity) {
    this.#maxBytes = maxBytes;
  }

  /** Throws for what is no batch, and for a part with more bytes than allowed. */
  async *read(chunks: AsyncIterable<Buffer>): AsyncGenerator<ReceivedPart> {
    // A large body arrives in many chunks: they are joined once, when enough of them are there.
    const waiting: Buffer[] = [];
    let bytes = 0;
    for await (const chunk of chunks) {
      waiting.push(chunk);
      bytes += chunk.length;
      if (this.#head && bytes < this.#head.bytes) continue;
      this.#rest = waiting.length === 1 ? chunk : Buffer.concat(waiting);
      yield* this.#parts();
      waiting.splice(0, waiting.length, this.#rest);
      bytes = this.#rest.length;
    }
  }

  *#parts(): Generator<ReceivedPart> {
    for (;;) {
      this.#head ??= this.#nextHead();
      if (!this.#head || this.#rest.length < this.#head.bytes) return;
      const { bytes, ...head } = this.#head;
      this.#head = undefined;
      const body = this.#rest.toString('utf8', 0, bytes);
      this.#rest = this.#rest.subarray(bytes);
      yield { ...head, body };
    }
  }

  #nextHead(): Head | undefined {
    const end = this.#rest.indexOf(LINE_END);
    if (end < 0) {
      if (this.#rest.length > MAX_HEAD) throw new Error('the batch is malformed');
      return undefined;
    }
    const head = BATCH.part.parse(JSON.parse(this.#rest.toString('utf8', 0, end)));
    if (head.bytes > this.#maxBytes) throw new Error(`a response has more than ${this.#maxBytes} bytes`);
    this.#rest = this.#rest.subarray(end + 1);
    const headers = Object.entries(head.headers).map(([name, value]) => [name.toLowerCase(), value]);
    const length = head.status === 304 ? [] : [['content-length', String(head.bytes)]];
    return { ...head, headers: Object.fromEntries([...headers, ...length]) as Record<string, string> };
  }
}
