import { randomBytes } from 'node:crypto';
import { brotliDecompressSync } from 'node:zlib';
import { describe, expect, it } from '@jest/globals';
import { precompress } from './addToStore.ts';

const prose = Buffer.from('the same words again and again '.repeat(100));

describe('precompress', () => {
  it('compresses each text file without loss', async () => {
    const files = new Map(['a.js', 'b.css', 'c.json', 'd.svg', 'e.js'].map((path) => [path, prose]));
    const forms = await precompress(files);
    expect([...forms.keys()].sort()).toEqual([...files.keys()]);
    for (const form of forms.values()) {
      expect(form.length).toBeLessThan(prose.length);
      expect(brotliDecompressSync(form)).toEqual(prose);
    }
  });

  it('skips other file types and files that would grow', async () => {
    const files = new Map([
      ['photo.webp', prose],
      ['map.js.map', prose],
      ['noise.js', randomBytes(500)],
      ['empty.css', Buffer.alloc(0)],
    ]);
    expect((await precompress(files)).size).toBe(0);
  });
});
