import { afterEach, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import {
  allowanceOf,
  createRateLimits,
  type Exchange,
  type RateLedger,
  type RateLimits,
  type Share,
} from './rateLimits.ts';

const NEVER_MS = 2 ** 31 - 1;
const WINDOW_MS = 60_000;
const CLIENT = '203.0.113.7';

/** A ledger in memory for several processes, whose steps `pass` may delay or fail. */
function createTestLedger(pass: (step: 'write' | 'read') => Promise<unknown> = () => Promise.resolve()) {
  const rows = new Map<string, Map<number, number>>();
  let replicas = 0;
  const connect = (): RateLedger => {
    const replica = (replicas += 1);
    return {
      async exchange(shares: readonly Share[]) {
        await pass('write');
        for (const { key, hits } of shares)
          rows.set(key, (rows.get(key) ?? new Map<number, number>()).set(replica, hits));
        await pass('read');
        return new Map(
          shares.map(({ key }) => [
            key,
            [...(rows.get(key) ?? [])].reduce(
              (sum, [other, hits]) => sum + (other === replica ? 0 : hits),
              0,
            ),
          ]),
        );
      },
      close: () => Promise.resolve(),
    };
  };
  return { connect, rows };
}

let at = 1_800_000_000_000;
const opened: RateLimits[] = [];
const open = (options: Parameters<typeof createRateLimits>[0] = {}) => {
  const limits = createRateLimits({ now: () => at, everyMs: NEVER_MS, waitMs: 5_000, ...options });
  opened.push(limits);
  return limits;
};
afterEach(async () => {
  await Promise.all(opened.splice(0).map((limits) => limits.close()));
});
const storeOf = (limits: RateLimits, limit: number, name = 'renders') =>
  limits.store({ name, windowMs: WINDOW_MS, limit });
const hit = async (store: ReturnType<RateLimits['store']>, client = CLIENT) =>
  (await store.increment(client)).totalHits;

describe('a limit of one process', () => {
  it('counts each client and each name by itself, from the first hit of a window', async () => {
    const limits = open();
    const [renders, writes] = [storeOf(limits, 10), storeOf(limits, 10, 'writes')];
    expect([await hit(renders), await hit(renders), await hit(renders, 'b'), await hit(writes)]).toEqual([
      1, 2, 1, 1,
    ]);
    expect((await renders.increment(CLIENT)).resetTime?.getTime()).toBe(at + WINDOW_MS);
    at += WINDOW_MS - 1;
    expect(await hit(renders)).toBe(4);
    at += 1;
    expect(await hit(renders)).toBe(1);
  });

  it('takes refunds off, and forgets a client on request', async () => {
    const store = storeOf(open(), 10);
    for (let n = 0; n < 3; n += 1) await hit(store);
    store.decrement(CLIENT);
    expect(await hit(store)).toBe(3);
    store.decrement('never seen');
    expect(await hit(store, 'never seen')).toBe(1);
    store.resetKey(CLIENT);
    expect(await hit(store)).toBe(1);
  });
});

describe('a limit that processes share', () => {
  it('is granted once when requests alternate between them', async () => {
    const ledger = createTestLedger();
    const replicas = [open({ ledger: ledger.connect() }), open({ ledger: ledger.connect() })];
    const stores = replicas.map((limits) => storeOf(limits, 20));
    let granted = 0;
    for (let n = 0; n < 60; n += 1) {
      if ((await hit(stores[n % 2]!)) <= 20) granted += 1;
      await replicas[n % 2]!.exchange();
    }
    expect(granted).toBeGreaterThanOrEqual(20);
    expect(granted).toBeLessThanOrEqual(20 + allowanceOf(20));
  });

  it('has the same windows in all processes, which end at different times for different clients', async () => {
    const ledger = createTestLedger();
    const [one, other] = [
      storeOf(open({ ledger: ledger.connect() }), 9),
      storeOf(open({ ledger: ledger.connect() }), 9),
    ];
    const ends = new Set<number>();
    for (let n = 0; n < 20; n += 1) {
      const end = (await one.increment(`client ${n}`)).resetTime!.getTime();
      at += 1;
      expect((await other.increment(`client ${n}`)).resetTime!.getTime()).toBe(end);
      expect(end - at).toBeLessThan(WINDOW_MS);
      ends.add(end);
    }
    expect(ends.size).toBeGreaterThan(15);
  });

  it('makes a request wait only beyond the allowance', async () => {
    let release = () => {};
    const ledger = createTestLedger(() => new Promise<void>((resolve) => (release = resolve)));
    const store = storeOf(open({ ledger: ledger.connect() }), 60);
    const results = Array.from({ length: allowanceOf(60) + 1 }, () => store.increment(CLIENT));
    expect(results.map((result) => result instanceof Promise)).toEqual([false, false, false, true]);
    release();
    await Promise.resolve();
    release();
    expect((await results[3]!).totalHits).toBe(4);
  });

  it('makes a request wait sooner after refunds that are on their way to the ledger', async () => {
    let release = () => {};
    let isHeld = false;
    const ledger = createTestLedger(() =>
      isHeld ? new Promise<void>((resolve) => (release = resolve)) : Promise.resolve(),
    );
    const limits = open({ ledger: ledger.connect() });
    const store = storeOf(limits, 100);
    for (let n = 0; n < 10; n += 1) await hit(store);
    await limits.exchange();
    for (let n = 0; n < 5; n += 1) store.decrement(CLIENT);
    isHeld = true;
    const exchange = limits.exchange();
    const results = Array.from({ length: allowanceOf(100) + 1 }, () => store.increment(CLIENT));
    expect(results.map((result) => result instanceof Promise)).toEqual([
      false,
      false,
      false,
      false,
      false,
      true,
    ]);
    isHeld = false;
    release();
    await exchange;
    expect((await results.at(-1)!).totalHits).toBe(11);
  });

  it('writes nothing for a request that was refunded', async () => {
    const ledger = createTestLedger();
    const limits = open({ ledger: ledger.connect() });
    const store = storeOf(limits, 100);
    await hit(store);
    store.decrement(CLIENT);
    await limits.exchange();
    expect(ledger.rows.size).toBe(0);
  });

  it('names no client in the ledger', async () => {
    const ledger = createTestLedger();
    const limits = open({ ledger: ledger.connect() });
    await hit(storeOf(limits, 100));
    await limits.exchange();
    expect([...ledger.rows.keys()].join()).toMatch(/^[\w-]{43}\.\d+$/);
  });

  it('is counted by each process alone while the ledger is away, and together afterwards', async () => {
    let isAway = true;
    const ledger = createTestLedger(() => (isAway ? Promise.reject(new Error('away')) : Promise.resolve()));
    const exchanges: Exchange[] = [];
    const observe = (exchange: Exchange) => exchanges.push(exchange);
    const replicas = [open({ ledger: ledger.connect(), observe }), open({ ledger: ledger.connect() })];
    const stores = replicas.map((limits) => storeOf(limits, 40));
    const granted = async (store: (typeof stores)[number], requests: number) => {
      let count = 0;
      for (let n = 0; n < requests; n += 1) if ((await hit(store)) <= 40) count += 1;
      return count;
    };
    expect(await granted(stores[0]!, 30)).toBe(30);
    expect(await granted(stores[1]!, 5)).toBe(5);
    // The limit of a process holds without the ledger.
    expect(await granted(stores[0]!, 30)).toBe(10);
    expect(exchanges.every((exchange) => 'error' in exchange)).toBe(true);
    isAway = false;
    for (const limits of replicas) await limits.exchange();
    expect(exchanges.at(-1)).toEqual({ ms: expect.any(Number) });
    expect(await granted(stores[1]!, 5)).toBe(0);
  });

  it('makes requests wait for a slow ledger once only', async () => {
    let steps = 0;
    const ledger = createTestLedger(() => {
      steps += 1;
      return new Promise(() => {});
    });
    const limits = createRateLimits({
      ledger: ledger.connect(),
      now: () => at,
      everyMs: NEVER_MS,
      waitMs: 20,
    });
    const store = storeOf(limits, 20);
    void store.increment(CLIENT);
    expect(await store.increment(CLIENT)).toMatchObject({ totalHits: 2 });
    expect(store.increment(CLIENT)).toMatchObject({ totalHits: 3 });
    expect(steps).toBe(1);
  });

  it('exchanges counts by itself in the background', async () => {
    const ledger = createTestLedger();
    const limits = open({ ledger: ledger.connect(), everyMs: 5 });
    await hit(storeOf(limits, 100));
    const deadline = Date.now() + 2_000;
    while (ledger.rows.size === 0 && Date.now() < deadline)
      await new Promise((resolve) => setTimeout(resolve, 5));
    expect(ledger.rows.size).toBe(1);
  });

  it('lets n processes grant at most the limit and n - 1 allowances, whatever the timing', async () => {
    const action = fc.record({
      replica: fc.nat({ max: 2 }),
      what: fc.constantFrom('hits', 'hits', 'hits', 'refund', 'exchange'),
      requests: fc.integer({ min: 1, max: 30 }),
    });
    await fc.assert(
      fc.asyncProperty(
        fc.scheduler(),
        fc.integer({ min: 1, max: 3 }),
        fc.constantFrom(1, 5, 20, 40, 100),
        fc.array(action, { minLength: 1, maxLength: 40 }),
        async (scheduler, processes, limit, actions) => {
          const ledger = createTestLedger((step) => scheduler.schedule(Promise.resolve(), step));
          const replicas = Array.from({ length: processes }, () =>
            createRateLimits({
              ledger: ledger.connect(),
              now: () => at,
              everyMs: NEVER_MS,
              waitMs: NEVER_MS,
            }),
          );
          const stores = replicas.map((limits) => storeOf(limits, limit));
          const granted = stores.map(() => 0);
          const pending: Promise<unknown>[] = [];
          const request = async (replica: number) => {
            if ((await hit(stores[replica]!)) <= limit) granted[replica]! += 1;
          };
          const script = actions.map(({ replica, what, requests }) => () => {
            const chosen = replica % processes;
            if (what === 'exchange') pending.push(replicas[chosen]!.exchange());
            else if (what === 'hits') for (let n = 0; n < requests; n += 1) pending.push(request(chosen));
            else if (granted[chosen]! > 0) {
              granted[chosen]! -= 1;
              stores[chosen]!.decrement(CLIENT);
            }
            return Promise.resolve();
          });
          scheduler.scheduleSequence(script.map((builder, n) => ({ label: `action ${n}`, builder })));
          while (scheduler.count() > 0) await scheduler.waitOne();
          await scheduler.waitFor(Promise.all(pending));
          const sum = granted.reduce((total, count) => total + count, 0);
          expect(sum).toBeLessThanOrEqual(limit + (processes - 1) * allowanceOf(limit));
          for (const limits of replicas) await scheduler.waitFor(limits.close());
        },
      ),
      { numRuns: 300 },
    );
  });
});
