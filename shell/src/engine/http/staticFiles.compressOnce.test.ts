import { randomBytes } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { brotliDecompressSync } from 'node:zlib';
import { describe, expect, it } from '@jest/globals';
import { createCompressOnce } from './staticFiles.ts';

/** Text with much to find for a thorough compressor; no two are equal. */
const text = (): Buffer =>
  Buffer.from(
    randomBytes(4).toString('hex') +
      JSON.stringify(
        Array.from({ length: 2000 }, (_, at) => ({
          id: (at * 7919) % 10_007,
          title: `${2010 + (at % 17)} book ${at % 97} of branch ${at % 31}`,
        })),
      ),
  );

describe('createCompressOnce', () => {
  it('returns a quick version first and the smallest one later, both of the same bytes', async () => {
    const compress = createCompressOnce();
    const bytes = text();
    const first = await compress(bytes);
    expect(first.isBest).toBe(false);
    expect(brotliDecompressSync(first.body)).toEqual(bytes);
    let later = first;
    for (let round = 0; round < 200 && !later.isBest; round += 1) {
      await pause(10);
      later = await compress(bytes);
    }
    expect(later.body.length).toBeLessThan(first.body.length);
    expect(brotliDecompressSync(later.body)).toEqual(bytes);
  });

  it('has quick versions of all files before it works on the best of more than one', async () => {
    const compress = createCompressOnce();
    const files = Array.from({ length: 8 }, text);
    await Promise.all(files.map(compress));
    const known = await Promise.all(files.map(compress));
    expect(known.filter(({ isBest }) => isBest).length).toBeLessThan(2);
  });

  it('compresses once for concurrent requests', async () => {
    const compress = createCompressOnce();
    const bytes = text();
    const [left, right] = await Promise.all([compress(bytes), compress(bytes)]);
    expect(left.body).toBe(right.body);
  });

  it('compresses each file by its own content', async () => {
    const compress = createCompressOnce();
    const [one, other] = [text(), text()];
    expect(brotliDecompressSync((await compress(one)).body)).toEqual(one);
    expect(brotliDecompressSync((await compress(other)).body)).toEqual(other);
  });
});
