import { brotliCompressSync } from 'node:zlib';
import { describe, expect, it } from '@jest/globals';
import { bytesUntil, textOfFirst, depthOf } from './bytes.ts';

const noise = (length: number) =>
  Array.from({ length }, (_, at) => ((at * 2_654_435_761) >>> 7).toString(36)).join(' ');
const html = `<style>${noise(2000)}</style><ul id="listings"><article>first</article>${noise(4000)}`;
const body = brotliCompressSync(html);

describe('bytesUntil', () => {
  it('finds the smallest compressed prefix that contains a text', () => {
    const bytes = bytesUntil(body, '</article>', 'id="listings"');
    expect(bytes).toBeLessThan(body.length);
    expect(textOfFirst(body, bytes)).toContain('</article>');
    expect(textOfFirst(body, bytes - 1)).not.toContain('</article>');
  });

  it('returns NaN for a text that is missing or comes before the given offset', () => {
    expect(bytesUntil(body, '</table>', 'id="listings"')).toBeNaN();
    expect(bytesUntil(body, '</style>', 'id="listings"')).toBeNaN();
  });
});

describe('depthOf', () => {
  it('returns depth 0 without scripts and 1 when the HTML references all of them', () => {
    expect(depthOf([])).toBe(0);
    expect(
      depthOf([
        { path: '/a.js', requestedBy: undefined },
        { path: '/b.js', requestedBy: undefined },
      ]),
    ).toBe(1);
  });

  it('counts the longest chain of scripts that load each other', () => {
    expect(
      depthOf([
        { path: '/c.js', requestedBy: '/b.js' },
        { path: '/b.js', requestedBy: '/a.js' },
        { path: '/a.js', requestedBy: undefined },
        { path: '/d.js', requestedBy: '/a.js' },
      ]),
    ).toBe(3);
  });

  it('counts one level below an unknown initiator, and terminates on a cycle', () => {
    expect(depthOf([{ path: '/a.js', requestedBy: '/cached.js' }])).toBe(2);
    expect(
      depthOf([
        { path: '/a.js', requestedBy: '/b.js' },
        { path: '/b.js', requestedBy: '/a.js' },
      ]),
    ).toBe(2);
  });
});
