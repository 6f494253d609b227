import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { createPermits, OverloadedError, type Permit } from './permits.ts';

const STAY = new AbortController().signal;
const rig = ({ limit = 1, maxQueued = 2, maxWaitMs = 10_000 } = {}) => {
  const clock = { now: 0 };
  return { clock, permits: createPermits({ limit, maxQueued, maxWaitMs, now: () => clock.now }) };
};

describe('a concurrency limit', () => {
  it('passes a returned permit to the first in the queue, with the time it waited', async () => {
    const { clock, permits } = rig();
    const first = await permits.take(STAY);
    const order: string[] = [];
    const wait = (name: string) =>
      permits.take(STAY).then((permit) => {
        order.push(`${name} ${permit.waitedMs}`);
        permit.release();
      });
    const second = wait('second');
    clock.now = 5;
    const third = wait('third');
    expect([permits.queueLength(), permits.oldestWaitMs(), permits.isFree()]).toEqual([2, 5, false]);
    clock.now = 20;
    first.release();
    await Promise.all([second, third]);
    expect(order).toEqual(['second 20', 'third 15']);
    expect([permits.queueLength(), permits.oldestWaitMs(), permits.isFree()]).toEqual([0, 0, true]);
  });

  it('refuses at once when the queue is full', async () => {
    const { permits } = rig({ maxQueued: 0 });
    await permits.take(STAY);
    await expect(permits.take(STAY)).rejects.toThrow(OverloadedError);
  });

  it('refuses what has waited for the maximum', async () => {
    const { permits } = rig({ maxWaitMs: 5 });
    const held = await permits.take(STAY);
    await expect(permits.take(STAY)).rejects.toThrow(OverloadedError);
    held.release();
    expect(permits.isFree()).toBe(true);
  });

  it('takes a disconnected client out of the queue', async () => {
    const { permits } = rig({ maxQueued: 1 });
    const held = await permits.take(STAY);
    const client = new AbortController();
    const waiting = permits.take(client.signal);
    client.abort(new Error('gone'));
    await expect(waiting).rejects.toThrow('gone');
    const next = permits.take(STAY);
    held.release();
    expect((await next).waitedMs).toBe(0);
  });

  it('counts a permit once that is returned twice', async () => {
    const { permits } = rig();
    const permit = await permits.take(STAY);
    permit.release();
    permit.release();
    await permits.take(STAY);
    expect(permits.isFree()).toBe(false);
  });

  it('never grants more permits than its limit, and loses none', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 3 }),
        fc.array(fc.constantFrom('take', 'release', 'abort'), { maxLength: 40 }),
        async (limit, steps) => {
          const { permits } = rig({ limit, maxQueued: 4 });
          const held: Permit[] = [];
          const clients: AbortController[] = [];
          for (const step of steps) {
            if (step === 'take') {
              const client = new AbortController();
              clients.push(client);
              permits.take(client.signal).then(
                (permit) => held.push(permit),
                () => {},
              );
            } else if (step === 'release') held.shift()?.release();
            else clients.shift()?.abort();
            await Promise.resolve();
            await new Promise(setImmediate);
            expect(held.length).toBeLessThanOrEqual(limit);
            expect(permits.isFree()).toBe(held.length < limit);
            if (permits.queueLength() > 0) expect(held).toHaveLength(limit);
          }
          for (const client of clients) client.abort();
          for (const permit of held) permit.release();
          expect([permits.isFree(), permits.queueLength()]).toEqual([true, 0]);
        },
      ),
      { numRuns: 60 },
    );
  });
});
