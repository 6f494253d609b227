import { get } from 'node:http';
import { brotliDecompressSync, constants } from 'node:zlib';

/** The body as it travels, compressed. */
export const compressedBody = (url: string): Promise<Buffer> =>
  new Promise((resolve, reject) => {
    get(url, { headers: { 'accept-encoding': 'br' } }, (response) => {
      const parts: Buffer[] = [];
      response.on('data', (part: Buffer) => parts.push(part));
      response.on('end', () => resolve(Buffer.concat(parts)));
      response.on('error', reject);
    }).on('error', reject);
  });

/** The text which the first bytes of a brotli stream give. */
export const textOfFirst = (body: Buffer, bytes: number): string =>
  brotliDecompressSync(body.subarray(0, bytes), { finishFlush: constants.BROTLI_OPERATION_FLUSH }).toString(
    'utf8',
  );

/**
 * How many compressed bytes it takes until a text is there, e.g. the end of
 * the first result; NaN when it never comes. `after` must have come before.
 */
export function bytesUntil(body: Buffer, text: string, after: string): number {
  const holds = (bytes: number) => {
    const html = textOfFirst(body, bytes);
    const start = html.indexOf(after);
    return start >= 0 && html.includes(text, start);
  };
  if (!holds(body.length)) return Number.NaN;
  let [without, within] = [0, body.length];
  while (within - without > 1) {
    const middle = Math.floor((without + within) / 2);
    if (holds(middle)) within = middle;
    else without = middle;
  }
  return within;
}
