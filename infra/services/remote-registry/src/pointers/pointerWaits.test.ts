import { describe, expect, it } from '@jest/globals';
import { PointerWaits } from './pointerChanges.ts';

const never = new AbortController().signal;

describe('PointerWaits', () => {
  it('ends every wait when the pointers change', async () => {
    const waits = new PointerWaits();
    const both = [waits.begin(60, never), waits.begin(60, never)];
    expect(waits.count).toBe(2);
    waits.wake();
    await Promise.all(both.map((wait) => wait.done));
    expect(waits.count).toBe(0);
  });

  it('ends a wait after its timeout', async () => {
    const waits = new PointerWaits();
    await waits.begin(0.02, never).done;
    expect(waits.count).toBe(0);
  });

  it('ends a wait when its client disconnects, and starts none for a disconnected client', async () => {
    const waits = new PointerWaits();
    const caller = new AbortController();
    const wait = waits.begin(60, caller.signal);
    caller.abort();
    await wait.done;
    await waits.begin(60, caller.signal).done;
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
