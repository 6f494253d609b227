/** @jest-environment jest-fixed-jsdom */
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { PermanentError, persistently, RETRY_DELAYS_MS } from './persistently.ts';

const settle = () => jest.advanceTimersByTimeAsync(0);

describe('persistently', () => {
  beforeEach(() => {
    jest.useFakeTimers();
  });
  afterEach(() => {
    jest.useRealTimers();
  });

  it('resolves at once when the first attempt succeeds', async () => {
    await expect(persistently(() => Promise.resolve('slot'), jest.fn())).resolves.toBe('slot');
  });

  it('doubles delays from 1 s to 30 s and retries for some minutes', async () => {
    const starts: number[] = [];
    const began = performance.now();
    void persistently(() => {
      starts.push(Math.round((performance.now() - began) / 1000));
      return Promise.reject(new Error('offline'));
    }, jest.fn());
    await jest.advanceTimersByTimeAsync(3_600_000);
    expect(starts.slice(0, 8)).toEqual([0, 1, 3, 7, 15, 31, 61, 91]);
    expect(starts).toHaveLength(RETRY_DELAYS_MS.length + 1);
    expect(starts.at(-1)).toBeGreaterThanOrEqual(240);
    expect(starts.at(-1)).toBeLessThanOrEqual(600);
  });

  it('retries at once on an online event, even after the last delay', async () => {
    let isOnline = false;
    const attempt = jest.fn(() =>
      isOnline ? Promise.resolve('slot') : Promise.reject(new Error('offline')),
    );
    const answer = jest.fn();
    void persistently(attempt, jest.fn()).then(answer);
    await jest.advanceTimersByTimeAsync(3_600_000);
    isOnline = true;
    window.dispatchEvent(new Event('online'));
    await settle();
    expect(answer).toHaveBeenCalledWith('slot');
  });

  it('waits once after an online event in between, not twice', async () => {
    const attempt = jest.fn(() => Promise.reject(new Error('offline')));
    void persistently(attempt, jest.fn());
    await settle();
    window.dispatchEvent(new Event('online'));
    await settle();
    expect(attempt).toHaveBeenCalledTimes(2);
    await jest.advanceTimersByTimeAsync(1_999);
    expect(attempt).toHaveBeenCalledTimes(2);
    await jest.advanceTimersByTimeAsync(1);
    expect(attempt).toHaveBeenCalledTimes(3);
  });

  it('neither retries nor rejects after a permanent error', async () => {
    const attempt = jest.fn(() => Promise.reject(new PermanentError('not in the snapshot')));
    const settled = jest.fn();
    const failed = jest.fn();
    persistently(attempt, failed).then(settled, settled);
    await jest.advanceTimersByTimeAsync(3_600_000);
    window.dispatchEvent(new Event('online'));
    await settle();
    expect(attempt).toHaveBeenCalledTimes(1);
    expect(failed).toHaveBeenCalledTimes(1);
    expect(settled).not.toHaveBeenCalled();
  });
});
