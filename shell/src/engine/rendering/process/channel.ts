import { nextTick } from 'node:process';
import type { Duplex } from 'node:stream';
import { messageOf } from '../../universal/messageOf.ts';
import { ThreadStopwatch } from '../shellTime.ts';

// A frame: two unsigned 32-bit lengths (big endian), a JSON header, a body of bytes. HTML and state travel as bodies,
// so that they are not escaped and parsed as a string inside of JSON.
const LENGTHS = 8;
const EMPTY = Buffer.alloc(0);

export interface Channel<Out> {
  /** Written together with all that is sent before the next turn, which wakes the other side once. Returns the bytes that wait. */
  readonly send: (header: Out, body?: readonly Buffer[]) => number;
  /** Writes what was sent at once: before work that may not return. */
  readonly flush: () => void;
}

interface Reader {
  /** Limits of a frame; bytes. */
  readonly maxHeaderBytes: number;
  /** Of objects, arrays and their members in a header; by default any number. */
  readonly maxHeaderValues?: number;
  readonly maxBodyBytes: number;
  readonly receive: (header: unknown, body: Buffer) => void;
  /** Receives the CPU time of this thread that reading took; ms. */
  readonly spend?: (ms: number) => void;
  /** The other side broke the format; nothing is read after it. */
  readonly broken: (reason: string) => void;
}

const [COMMA, BRACKET, BRACE] = [0x2c, 0x5b, 0x7b];

/** An upper bound of the values in a JSON text, without parsing it; commas inside of strings count, too. */
function countValues(json: Buffer): number {
  let values = 1;
  for (const byte of json) if (byte === COMMA || byte === BRACKET || byte === BRACE) values += 1;
  return values;
}

/** Collects chunks until a frame is complete, without copying what has already arrived again and again. */
class FrameReader {
  #chunks: Buffer[] = [];
  #bytes = 0;
  #lengths: { header: number; body: number } | undefined;
  #isBroken = false;
  readonly #reader: Reader;

  constructor(reader: Reader) {
    this.#reader = reader;
  }

  push(chunk: Buffer): void {
    if (this.#isBroken) return;
    this.#chunks.push(chunk);
    this.#bytes += chunk.length;
    try {
      while (this.#readFrame());
    } catch (error) {
      this.#isBroken = true;
      this.#chunks = [];
      this.#reader.broken(messageOf(error));
    }
  }

  #take(length: number): Buffer {
    if (length === 0) return EMPTY;
    const [first] = this.#chunks;
    const all = this.#chunks.length === 1 && first ? first : Buffer.concat(this.#chunks, this.#bytes);
    this.#bytes -= length;
    this.#chunks = this.#bytes > 0 ? [all.subarray(length)] : [];
    return all.subarray(0, length);
  }

  #readFrame(): boolean {
    if (!this.#lengths) {
      if (this.#bytes < LENGTHS) return false;
      const lengths = this.#take(LENGTHS);
      this.#lengths = { header: lengths.readUInt32BE(0), body: lengths.readUInt32BE(4) };
      const { header, body } = this.#lengths;
      const { maxHeaderBytes, maxBodyBytes } = this.#reader;
      if (header > maxHeaderBytes || body > maxBodyBytes)
        throw new Error(`a message of ${header + body} bytes`);
    }
    const { header, body } = this.#lengths;
    if (this.#bytes < header + body) return false;
    this.#lengths = undefined;
    const json = this.#take(header);
    const { maxHeaderValues = Infinity } = this.#reader;
    if (maxHeaderValues < Infinity && countValues(json) > maxHeaderValues)
      throw new Error(`a header with more than ${maxHeaderValues} values`);
    const parsed: unknown = JSON.parse(json.toString('utf8'));
    this.#reader.receive(parsed, this.#take(body));
    return !this.#isBroken;
  }
}

/** Limits what the other side sends for one result, because reading it costs time. */
export class SentQuota {
  #messages = 0;
  #bytes = 0;
  readonly #limits: { readonly maxMessages: number; readonly maxSentBytes: number };
  readonly #exceed: (reason: string) => void;

  constructor(limits: { maxMessages: number; maxSentBytes: number }, exceed: (reason: string) => void) {
    this.#limits = limits;
    this.#exceed = exceed;
  }

  count(sent: { readonly messages?: number; readonly bytes?: number }): void {
    this.#messages += sent.messages ?? 0;
    this.#bytes += sent.bytes ?? 0;
    const { maxMessages, maxSentBytes } = this.#limits;
    if (this.#messages > maxMessages)
      this.#exceed(`it sent more than ${maxMessages} messages for one result`);
    else if (this.#bytes > maxSentBytes)
      this.#exceed(`it sent more than ${maxSentBytes} bytes for one result`);
  }

  reset(): void {
    this.#messages = 0;
    this.#bytes = 0;
  }
}

/** Sends and receives frames over a pipe. The caller handles the pipe's own errors. */
export function openChannel<Out>(pipe: Duplex, reader: Reader): Channel<Out> {
  const frames = new FrameReader(reader);
  const { spend } = reader;
  pipe.on('data', (chunk: Buffer) => {
    if (!spend) return frames.push(chunk);
    const stopwatch = new ThreadStopwatch();
    frames.push(chunk);
    return spend(stopwatch.stop());
  });
  return {
    send(header, body = []) {
      const text = Buffer.from(JSON.stringify(header));
      const lengths = Buffer.alloc(LENGTHS);
      lengths.writeUInt32BE(text.length, 0);
      lengths.writeUInt32BE(
        body.reduce((sum, { length }) => sum + length, 0),
        4,
      );
      pipe.cork();
      pipe.write(lengths);
      pipe.write(text);
      for (const piece of body) pipe.write(piece);
      nextTick(() => pipe.uncork());
      return pipe.writableLength;
    },
    flush() {
      while (pipe.writableCorked > 0) pipe.uncork();
    },
  };
}
