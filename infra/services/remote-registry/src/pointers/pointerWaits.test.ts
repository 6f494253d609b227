import { describe, expect, it } from '@jest/globals';
import { PointerWaits } from './pointerWaits.ts';

const never = new AbortController().signal;

describe('PointerWaits', () => {
  it('ends every wait on a change and forgets it', async () => {
    const waits = new PointerWaits();
    const both = [waits.begin(60, never), waits.begin(60, never)];
    expect(waits.count).toBe(2);
    waits.wake();
    await Promise.all(both.map((wait) => wait.done));
    expect(waits.count).toBe(0);
  });

  it('ends a wait when time is up', async () => {
    const waits = new PointerWaits();
    await waits.begin(0.02, never).done;
    expect(waits.count).toBe(0);
  });

  it('ends a wait when its caller goes, and does not begin one for who has gone', async () => {
    const waits = new PointerWaits();
    const caller = new AbortController();
    const wait = waits.begin(60, caller.signal);
    caller.abort();
    await wait.done;
    await waits.begin(60, caller.signal).done;
    expect(waits.count).toBe(0);
  });

  it('holds nobody after closing', async () => {
    const waits = new PointerWaits();
    const wait = waits.begin(60, never);
    waits.close();
    await wait.done;
    await waits.begin(60, never).done;
    expect(waits.count).toBe(0);
  });

  it('answers at once rather than hold more than its limit', async () => {
    const waits = new PointerWaits();
    for (let index = 0; index < 1000; index += 1) waits.begin(60, never);
    await waits.begin(60, never).done;
    expect(waits.count).toBe(1000);
    waits.close();
  });
});
