import { isUtf8 } from 'node:buffer';
import iconv from 'iconv-lite';
import type { FeedMapping } from './mapping.ts';

/** Where a feed that should be UTF-8 first isn't. */
export interface InvalidByte {
  /** Both from 1. */
  readonly byte: number;
  readonly line: number;
}

const WESTERN = new TextDecoder('windows-1252');
/** The UTF-8 of each byte from 0x80 on, read as Windows' Western code page. */
const WESTERN_BYTES: readonly Buffer[] = Array.from({ length: 128 }, (_, index) =>
  Buffer.from(WESTERN.decode(Uint8Array.of(index + 128))),
);
const NEW_LINE = 10;
const BYTE_ORDER_MARK = Buffer.from('\ufeff');

/** Bytes of the character that a byte begins; 1 for a byte that begins none. */
const lengthOfCharacter = (first: number): number =>
  first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : first >= 0xc0 ? 2 : 1;

/** Where the last character begins that the bytes cut off; their length if they cut none. */
function completeLength(bytes: Buffer): number {
  for (let back = 1; back <= Math.min(3, bytes.length); back += 1) {
    const byte = bytes[bytes.length - back]!;
    if (byte < 0x80) break;
    if (byte >= 0xc0) return lengthOfCharacter(byte) > back ? bytes.length - back : bytes.length;
  }
  return bytes.length;
}

/** Reads each byte that is not part of a UTF-8 character as Windows' Western code page. */
function repair(bytes: Buffer, onInvalid: (at: number) => void): Buffer {
  const parts: Buffer[] = [];
  let copied = 0;
  for (let at = 0; at < bytes.length;) {
    const byte = bytes[at]!;
    const length = lengthOfCharacter(byte);
    if (byte < 0x80 || (length > 1 && isUtf8(bytes.subarray(at, at + length)))) {
      at += length;
      continue;
    }
    onInvalid(at);
    parts.push(bytes.subarray(copied, at), WESTERN_BYTES[byte - 128]!);
    at += 1;
    copied = at;
  }
  parts.push(bytes.subarray(copied));
  return Buffer.concat(parts);
}

function linesIn(bytes: Buffer, end = bytes.length): number {
  let lines = 0;
  for (let at = bytes.indexOf(NEW_LINE); at >= 0 && at < end; at = bytes.indexOf(NEW_LINE, at + 1))
    lines += 1;
  return lines;
}

async function* checkedUtf8(
  chunks: AsyncIterable<Buffer>,
  onInvalid: (at: InvalidByte) => void,
): AsyncIterable<Buffer> {
  let [before, line] = [0, 1];
  let rest: Buffer = Buffer.alloc(0);
  let isReported = false;
  const check = (bytes: Buffer): Buffer => {
    const text = before === 0 && bytes.indexOf(BYTE_ORDER_MARK) === 0 ? bytes.subarray(3) : bytes;
    const checked = isUtf8(text)
      ? text
      : repair(text, (at) => {
          if (!isReported) onInvalid({ byte: before + at + 1, line: line + linesIn(bytes, at) });
          isReported = true;
        });
    before += bytes.length;
    if (!isReported) line += linesIn(bytes);
    return checked;
  };
  for await (const chunk of chunks) {
    const bytes = rest.length > 0 ? Buffer.concat([rest, chunk]) : chunk;
    const end = completeLength(bytes);
    rest = bytes.subarray(end);
    yield check(bytes.subarray(0, end));
  }
  if (rest.length > 0) yield check(rest);
}

async function* converted(chunks: AsyncIterable<Buffer>, encoding: string): AsyncIterable<Buffer> {
  const decoder = iconv.getDecoder(encoding);
  for await (const chunk of chunks) yield Buffer.from(decoder.write(chunk));
  yield Buffer.from(decoder.end() ?? '');
}

const hasZeros = (head: Buffer, from: 0 | 1): boolean =>
  head.length >= 4 && [0, 2].every((at) => head[at + from] === 0 && head[at + 1 - from] !== 0);

/** By byte order mark, zero bytes, or an XML declaration; otherwise UTF-8. */
function encodingOf(head: Buffer): string {
  if (head[0] === 0xff && head[1] === 0xfe) return 'utf-16le';
  if (head[0] === 0xfe && head[1] === 0xff) return 'utf-16be';
  if (hasZeros(head, 1)) return 'utf-16le';
  if (hasZeros(head, 0)) return 'utf-16be';
  const declared = /^(?:\xef\xbb\xbf)?<\?xml[^>]*?encoding\s*=\s*["']([\w.-]+)["']/i.exec(
    head.toString('latin1', 0, 200),
  )?.[1];
  // Only the form without zero bytes can be read as far as its declaration.
  if (declared === undefined || /^utf-?(?:8|16)|^ucs/i.test(declared)) return 'utf-8';
  // As browsers do: what calls itself Latin-1 or ASCII has been written on Windows.
  if (/^(?:iso-?8859-1|latin-?1|us-ascii|ascii)$/i.test(declared)) return 'windows-1252';
  return iconv.encodingExists(declared) ? declared : 'utf-8';
}

/** The same text in UTF-8. `head` are the first bytes of the chunks. */
export function decodeFeed(
  chunks: AsyncIterable<Buffer>,
  { head, encoding }: { readonly head: Buffer; readonly encoding: FeedMapping['encoding'] },
  onInvalid: (at: InvalidByte) => void,
): AsyncIterable<Buffer> {
  const chosen = encoding === 'auto' ? encodingOf(head) : encoding;
  return chosen === 'utf-8' ? checkedUtf8(chunks, onInvalid) : converted(chunks, chosen);
}
