import { brotliCompressSync } from 'node:zlib';
import { describe, expect, it } from '@jest/globals';
import { bytesUntil, textOfFirst } from './firstBytes.ts';

const noise = (length: number) =>
  Array.from({ length }, (_, at) => ((at * 2_654_435_761) >>> 7).toString(36)).join(' ');
const html = `<style>${noise(2000)}</style><ul id="listings"><article>first</article>${noise(4000)}`;
const body = brotliCompressSync(html);

describe('bytesUntil', () => {
  it('finds the least number of compressed bytes that hold a text', () => {
    const bytes = bytesUntil(body, '</article>', 'id="listings"');
    expect(bytes).toBeLessThan(body.length);
    expect(textOfFirst(body, bytes)).toContain('</article>');
    expect(textOfFirst(body, bytes - 1)).not.toContain('</article>');
  });

  it('answers NaN for what never comes, or only before the given place', () => {
    expect(bytesUntil(body, '</table>', 'id="listings"')).toBeNaN();
    expect(bytesUntil(body, '</style>', 'id="listings"')).toBeNaN();
  });
});
