import { describe, expect, it } from '@jest/globals';
import { ownBytes } from './ownBytes.ts';

describe('bytes that are kept', () => {
  it.each([0, 1, 20_000, 100_000])('keep no more memory alive than the %d they have', (length) => {
    const joined = Buffer.concat([Buffer.alloc(length, 'a'), Buffer.alloc(10, 'b')]);
    const kept = ownBytes(joined.subarray(0, length));
    expect(kept.equals(Buffer.alloc(length, 'a'))).toBe(true);
    expect(kept.buffer.byteLength).toBe(length);
  });

  it('are not copied when they are alone in their memory', () => {
    const alone = Buffer.allocUnsafeSlow(20_000);
    expect(ownBytes(alone)).toBe(alone);
  });
});
