import { describe, expect, it } from '@jest/globals';
import { setTimeout as pause } from 'node:timers/promises';
import { collectParts, within } from './optionalParts.ts';

const never = new Promise<string>(() => {});

describe('a part that is waited for', () => {
  it('is the value that arrives in time', async () => {
    expect(await within(200, pause(20, 'value'), 'fallback')).toBe('value');
  });

  it('is the fallback when it is late', async () => {
    expect(await within(60, never, 'fallback')).toBe('fallback');
  });

  it('is not late because this thread was busy', async () => {
    const value = pause(80, 'value');
    const result = within(150, value, 'fallback');
    const busyUntil = performance.now() + 400;
    while (performance.now() < busyUntil);
    expect(await result).toBe('value');
  });
});

describe('parts of a page', () => {
  it('are missing until they are ready, and are ready one by one', async () => {
    const parts = collectParts({ quick: Promise.resolve(1), slow: never }, { quick: 0, slow: 'missing' });
    expect(parts.current()).toEqual({ quick: 0, slow: 'missing' });
    expect(await parts.within(60)).toBe(false);
    expect(parts.current()).toEqual({ quick: 1, slow: 'missing' });
    expect([parts.isReady('quick'), parts.isReady('slow')]).toEqual([true, false]);
  });

  it('are complete when all are there', async () => {
    const parts = collectParts({ slow: pause(20, 'value') }, { slow: 'missing' });
    expect(await parts.within(500)).toBe(true);
    expect(parts.current()).toEqual({ slow: 'value' });
  });

  it('reject when the client disconnects', async () => {
    const parts = collectParts({ cut: Promise.reject(new Error('gone')) }, { cut: '' });
    await expect(parts.within(500)).rejects.toThrow('gone');
  });
});
