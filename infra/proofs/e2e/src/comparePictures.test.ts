import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { PNG } from 'pngjs';
import { comparePictures, compareTwo } from './comparePictures.ts';

/** A white picture with a black rectangle. */
function picture({ width = 40, height = 30, x = 0, y = 0, w = 0, h = 0 } = {}): Buffer {
  const png = new PNG({ width, height });
  png.data.fill(255);
  for (let row = y; row < Math.min(y + h, height); row += 1)
    for (let column = x; column < Math.min(x + w, width); column += 1)
      png.data.fill(0, (row * width + column) * 4, (row * width + column) * 4 + 3);
  return PNG.sync.write(png);
}

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'forecourt-pictures-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

const compare = (taken: Record<string, Buffer>, isApproving = false) =>
  comparePictures(new Map(Object.entries(taken)), {
    baseline: join(folder, 'baseline'),
    results: join(folder, 'results'),
    tolerance: 0.01,
    isApproving,
  });
const kinds = (taken: Record<string, Buffer>, isApproving = false) =>
  Object.fromEntries(compare(taken, isApproving).map(({ name, kind }) => [name, kind]));

describe('pictures of scenarios', () => {
  it('are new until they are approved, and then the same', () => {
    expect(kinds({ a: picture() })).toEqual({ a: 'new' });
    expect(kinds({ a: picture() })).toEqual({ a: 'new' });
    compare({ a: picture() }, true);
    expect(kinds({ a: picture() })).toEqual({ a: 'same' });
  });

  it('may differ in fewer pixels than the tolerance', () => {
    compare({ a: picture() }, true);
    expect(kinds({ a: picture({ w: 3, h: 3 }) })).toEqual({ a: 'same' });
    expect(kinds({ a: picture({ w: 10, h: 10 }) })).toEqual({ a: 'changed' });
    expect(readdirSync(join(folder, 'results')).sort()).toEqual(['a.difference.png', 'a.png']);
  });

  it('differ when they have another size', () => {
    compare({ a: picture() }, true);
    expect(kinds({ a: picture({ height: 60 }) })).toEqual({ a: 'changed' });
  });

  it('are missed when their scenario is gone, until that is approved', () => {
    compare({ a: picture(), b: picture() }, true);
    expect(kinds({ a: picture() })).toEqual({ a: 'same', b: 'gone' });
    compare({ a: picture() }, true);
    expect(kinds({ a: picture() })).toEqual({ a: 'same' });
    expect(existsSync(join(folder, 'baseline/b.png'))).toBe(false);
  });

  it('differ by a share that does not depend on which is the approved one', () => {
    const rectangle = fc.record({
      x: fc.nat(39),
      y: fc.nat(29),
      w: fc.nat(40),
      h: fc.nat(30),
      height: fc.integer({ min: 20, max: 40 }),
    });
    fc.assert(
      fc.property(rectangle, rectangle, (one, other) => {
        const { share } = compareTwo(picture(one), picture(other));
        expect(compareTwo(picture(other), picture(one)).share).toBe(share);
        expect(compareTwo(picture(one), picture(one)).share).toBe(0);
      }),
      { numRuns: 30 },
    );
  });
});
