import { getEventListeners } from 'node:events';
import { createSqliteSql, openDatabase } from '@forecourt/service-kit/database';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { MIGRATIONS } from '../storage/openStorage.ts';
import { SqlPointerStore } from '../storage/sqlRecords.ts';
import { followPointers, PointerWaits } from './pointerWaits.ts';

const never = new AbortController().signal;

afterEach(() => void jest.useRealTimers());

describe('PointerWaits', () => {
  it('ends every wait when the pointers change', async () => {
    const waits = new PointerWaits();
    const both = [waits.begin(60, never), waits.begin(60, never)];
    expect(waits.count).toBe(2);
    waits.wake();
    await Promise.all(both.map((wait) => wait.done));
    expect(waits.count).toBe(0);
  });

  it('ends a wait after its timeout in seconds', async () => {
    jest.useFakeTimers();
    const waits = new PointerWaits();
    const { done } = waits.begin(2, never);
    jest.advanceTimersByTime(1999);
    expect(waits.count).toBe(1);
    jest.advanceTimersByTime(1);
    await done;
    expect(waits.count).toBe(0);
  });

  it('leaves neither timer nor listener behind when a wait ends', () => {
    jest.useFakeTimers();
    const waits = new PointerWaits();
    const { signal } = new AbortController();
    const { end } = waits.begin(60, signal);
    expect([jest.getTimerCount(), getEventListeners(signal, 'abort').length]).toEqual([1, 1]);
    end();
    end();
    expect([jest.getTimerCount(), getEventListeners(signal, 'abort').length, waits.count]).toEqual([0, 0, 0]);
  });

  it('ends a wait when its client disconnects, and starts none for a disconnected client', async () => {
    const waits = new PointerWaits();
    const caller = new AbortController();
    const wait = waits.begin(60, caller.signal);
    caller.abort();
    await wait.done;
    const late = waits.begin(60, caller.signal);
    expect(late.done).toBeInstanceOf(Promise);
    await late.done;
    late.end();
    expect(waits.count).toBe(0);
  });

  it('holds no request after closing', async () => {
    const waits = new PointerWaits();
    const wait = waits.begin(60, never);
    waits.close();
    await wait.done;
    await waits.begin(60, never).done;
    expect(waits.count).toBe(0);
  });

  it('holds no request above its limit', async () => {
    const waits = new PointerWaits();
    for (let index = 0; index < 1000; index += 1) waits.begin(60, never);
    await waits.begin(60, never).done;
    expect(waits.count).toBe(1000);
    waits.close();
  });
});

describe('following pointers in shared storage', () => {
  beforeEach(() => void jest.useFakeTimers());

  const follow = (everyMs?: number) => {
    const waits = new PointerWaits();
    const reads = jest.fn<() => Promise<{ revision: number }>>();
    const errors: unknown[] = [];
    const { stop } = followPointers({ readPointers: reads } as never, waits, {
      onError: (error) => errors.push(error),
      ...(everyMs !== undefined && { everyMs }),
    });
    const pass = (ms: number) => jest.advanceTimersByTimeAsync(ms);
    return { waits, reads, errors, stop, pass };
  };

  it('polls every half second, and only while requests wait', async () => {
    const { waits, reads, stop, pass } = follow();
    reads.mockResolvedValue({ revision: 7 });
    await pass(2000);
    expect(reads).not.toHaveBeenCalled();
    waits.begin(60, never);
    await pass(499);
    expect(reads).not.toHaveBeenCalled();
    await pass(1);
    expect(reads).toHaveBeenCalledTimes(1);
    waits.begin(60, never);
    stop();
    await pass(5000);
    expect(reads).toHaveBeenCalledTimes(1);
    waits.close();
  });

  it('wakes the waiting requests at the first poll and at each change, and not without one', async () => {
    const { waits, reads, stop, pass } = follow(100);
    reads.mockResolvedValue({ revision: 7 });
    waits.begin(60, never);
    await pass(100);
    expect(waits.count).toBe(0);
    waits.begin(60, never);
    await pass(1000);
    expect(waits.count).toBe(1);
    reads.mockResolvedValue({ revision: 8 });
    await pass(100);
    expect(waits.count).toBe(0);
    stop();
  });

  it('reads once at a time, and reports a failed poll and repeats it', async () => {
    const { waits, reads, errors, stop, pass } = follow(100);
    const lost = new Error('connection lost');
    let fail = (_: Error): void => undefined;
    reads.mockImplementationOnce(() => new Promise((_, reject) => (fail = reject)));
    waits.begin(60, never);
    await pass(1000);
    expect(reads).toHaveBeenCalledTimes(1);
    fail(lost);
    await pass(0);
    expect(errors).toEqual([lost]);
    reads.mockResolvedValue({ revision: 7 });
    await pass(100);
    expect(waits.count).toBe(0);
    stop();
  });

  it('wakes waiting requests after a change by another registry', async () => {
    jest.useRealTimers();
    const sql = createSqliteSql(openDatabase(':memory:', { durability: 'normal', migrations: MIGRATIONS }));
    const [here, there] = [new SqlPointerStore(sql), new SqlPointerStore(sql)];
    const waits = new PointerWaits();
    const following = followPointers(here, waits, { onError: () => {}, everyMs: 5 });
    // The first poll reads the revision and wakes all waiting requests.
    await waits.begin(60, never).done;
    const second = waits.begin(60, never);
    const next = { revision: 1, remotes: { sample: { live: '1.0.0' } }, history: {} };
    await there.writePointers(next, 0);
    await second.done;
    following.stop();
    waits.close();
    await sql.close();
  });
});
