import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { CALLS, type CallDefinition, type CallName } from '@forecourt/upstream/calls';
import { Registry } from 'prom-client';
import { createGateway, type Gateway } from '../../engine/gateway/gateway.ts';
import { TestGateways } from '../../engine/testing/testGateways.ts';
import { createGatewayMetrics } from '../../engine/gateway/gatewayMetrics.ts';

const TABLE: Readonly<Record<CallName, CallDefinition>> = CALLS;
const NAMES = Object.keys(CALLS) as CallName[];
/** Values for the parts of every call's path. */
const PARAMS = Object.fromEntries(
  NAMES.flatMap((name) => [...TABLE[name].path.matchAll(/\{(\w+)\}/g)].map(([, part]) => [part, '1'])),
) as Record<string, string>;

let server: Server | undefined;
afterEach(async () => {
  jest.useRealTimers();
  server?.closeAllConnections();
  await new Promise((resolve) => server?.close(resolve));
});

/** An upstream that accepts requests and never responds; the gateway uses the test's clock. */
async function hanging() {
  const requests: IncomingMessage[] = [];
  const closedConnections: Promise<void>[] = [];
  const upstream = createServer((request) => {
    requests.push(request);
    closedConnections.push(new Promise((resolve) => request.socket.once('close', () => resolve())));
  });
  server = upstream;
  await new Promise<void>((resolve) => upstream.listen(0, '127.0.0.1', resolve));
  jest.useFakeTimers({ doNotFake: ['nextTick', 'setImmediate', 'queueMicrotask', 'performance'] });
  const codes: string[] = [];
  const gateway = createGateway({
    baseUrl: `http://127.0.0.1:${(upstream.address() as AddressInfo).port}`,
    calls: CALLS,
    metrics: createGatewayMetrics(new Registry()),
    log: ({ code }) => codes.push(code),
  });
  return { gateway, requests, codes, closedConnections };
}
/** Real time for the sockets; the gateway's own clock stands still. */
const settle = async () => {
  for (let turn = 0; turn < 20; turn += 1) await new Promise(setImmediate);
};
const ask = (gateway: Gateway, name: CallName) =>
  gateway.call(name, PARAMS, { requestId: 'request-1' }).then(
    (answer: unknown) => ({ answer }),
    (error: unknown) => ({ error }),
  );

/** The call's state at the gateway just before and just after `ms`. */
async function outcomesAround(gateway: Gateway, requests: unknown[], name: CallName, ms: number) {
  let outcome: { answer?: unknown; error?: unknown } | undefined;
  const asked = requests.length;
  void ask(gateway, name).then((known) => (outcome = known));
  while (requests.length === asked) await settle();
  await jest.advanceTimersByTimeAsync(ms - 100);
  await settle();
  const before = outcome;
  await jest.advanceTimersByTimeAsync(200);
  await settle();
  return { before, after: outcome };
}

describe('late response', () => {
  it.each(NAMES)('is not awaited by %s beyond its timeout', async (name) => {
    const { gateway, requests, codes } = await hanging();
    const { before, after } = await outcomesAround(gateway, requests, name, TABLE[name].timeoutMs);
    expect(before).toBeUndefined();
    expect(codes).toEqual(['TIMED_OUT']);
    const { fallback } = TABLE[name];
    if (fallback.kind === 'required') expect(after?.error).toMatchObject({ code: 'TIMED_OUT' });
    else if (fallback.kind === 'empty') expect(after).toEqual({ answer: fallback.value });
    else expect(after?.answer).toMatchObject({ error: 'Request timed out' });
  });

  // rows: A7-PACK-03, A7-DEVICE-02, A9-TIMEOUT-01, A9-TIMEOUT-02, A9-TIMEOUT-03, A9-TIMEOUT-04
  // rows: A9-TIMEOUT-05, A9-TIMEOUT-06, A9-TIMEOUT-07, B7-LIST-13, B7-SPOT-03, B7-SIM-01, B7-REF-02
  // rows: B7-EXPERT-02, B7-DEAL-05
  it.each([
    ['listingsByVin', 3_000],
    ['supplemental', 5_000],
    ['bookmark', 3_000],
    ['sharedBookmark', 3_000],
    ['packages', 5_000],
    ['modelInfo', 5_000],
    ['modelYears', 3_000],
    ['newModelYears', 3_000],
    ['trims', 3_000],
    ['newTrims', 3_000],
    ['mileageStats', 3_000],
    ['registerDevice', 1_000],
    ['search', 20_000],
    ['spotlights', 3_000],
    ['premiumSpotlights', 3_000],
    ['vehicleHighlight', 3_000],
    ['similar', 3_000],
    ['referenceVehicles', 5_000],
    ['consumerRatings', 5_000],
    ['expertReviews', 3_000],
    ['saveDeal', 5_000],
    ['updateDeal', 5_000],
  ] as const)('aborts %s at %i ms', async (name, ms) => {
    const { gateway, requests, codes, closedConnections } = await hanging();
    const { before, after } = await outcomesAround(gateway, requests, name, ms);
    expect(before).toBeUndefined();
    expect(after).toBeDefined();
    expect(codes).toEqual(['TIMED_OUT']);
    // Never resolves while the connection is open.
    expect(await Promise.all(closedConnections)).toHaveLength(1);
  });

  // rows: A8-ERR-04
  it("of the packages call is 'Request timed out'", async () => {
    const { gateway, requests } = await hanging();
    const { after } = await outcomesAround(gateway, requests, 'packages', 5_000);
    expect(after?.answer).toMatchObject({ error: 'Request timed out' });
  });
});

describe('open breaker', () => {
  /** Opens the breaker of a call by five timeouts, then calls once more. */
  async function askWhenOpen(name: CallName) {
    const { gateway, requests, codes } = await hanging();
    const calls = Array.from({ length: 5 }, () => ask(gateway, name));
    while (requests.length < 5) await settle();
    await jest.advanceTimersByTimeAsync(TABLE[name].timeoutMs + 1);
    await Promise.all(calls);
    const { answer } = (await ask(gateway, name)) as { answer?: unknown };
    expect(codes.at(-1)).toBe('BREAKER_OPEN');
    expect(requests).toHaveLength(5);
    return { answer, gateway, requests };
  }

  // rows: A8-ERR-06, B7-DEAL-06, B8-ERR-14
  it.each([
    ['packages', 'Circuit Breaker for /searchoptions/packages is open'],
    ['saveDeal', 'Circuit Breaker for /deals is open'],
    ['updateDeal', 'Circuit Breaker for /deals is open'],
  ] as const)('of %s is named: %s', async (name, error) => {
    expect((await askWhenOpen(name)).answer).toMatchObject({ error });
  });

  // rows: B8-ERR-13, B7-SIM-02, B7-RATE-02, B7-DIFF-02, B7-KEY-02
  it.each([
    ['consumerRatings', { ratings: [], numberOfReviews: 0, reviews: [] }],
    ['expertReviews', []],
    ['suggestedKeywords', { suggestions: [] }],
    ['similar', { listings: [], owners: [] }],
    ['dealerDiff', null],
    ['dealerDiffHtml', null],
  ] as const)('of %s returns an empty fallback', async (name, empty) => {
    expect((await askWhenOpen(name)).answer).toEqual(empty);
  });

  // rows: B8-ERR-15
  it('of the eligibility call counts as ineligible', async () => {
    expect((await askWhenOpen('esntialEligibility')).answer).toEqual({ eligible: false });
  });

  // rows: A8-ERR-05
  it.each(['similar', 'search', 'consumerRatings', 'saveDeal'] as const)(
    'of %s allows one trial call after its reset, not before',
    async (name) => {
      const { gateway, requests } = await askWhenOpen(name);
      await jest.advanceTimersByTimeAsync(TABLE[name].resetMs - 1_000);
      await ask(gateway, name);
      expect(requests).toHaveLength(5);
      await jest.advanceTimersByTimeAsync(2_000);
      void ask(gateway, name);
      while (requests.length < 6) await settle();
      expect(requests).toHaveLength(6);
    },
  );
});

describe('breaker of any call', () => {
  /** Stops the clock that breakers read; timers and sockets are real. */
  function stopClock(): (ms: number) => void {
    jest.useFakeTimers({
      now: 1_000_000_000_000,
      doNotFake: ['setTimeout', 'setInterval', 'setImmediate', 'nextTick', 'queueMicrotask', 'performance'],
    });
    return (ms) => void jest.setSystemTime(Date.now() + ms);
  }
  const gateways = new TestGateways(CALLS);
  afterEach(() => gateways.stop());
  async function failing() {
    const requests: IncomingMessage[] = [];
    const { gateway, codes } = await gateways.start((request, response) => {
      requests.push(request);
      response.writeHead(500).end('{}');
    });
    return { gateway, requests, codes };
  }

  it.each(NAMES)('of %s stays closed when failures are 2.5 s apart', async (name) => {
    const advance = stopClock();
    const { gateway, requests } = await failing();
    for (let at = 0; at < 12; at += 1) {
      await ask(gateway, name);
      advance(2_500);
    }
    expect(requests).toHaveLength(12);
  });

  it.each(NAMES)('of %s opens at five failures within ten seconds', async (name) => {
    const advance = stopClock();
    const { gateway, requests, codes } = await failing();
    for (let at = 0; at < 6; at += 1) {
      await ask(gateway, name);
      advance(2_000);
    }
    expect(requests).toHaveLength(5);
    expect(codes.at(-1)).toBe('BREAKER_OPEN');
  });
});

describe('table of limits', () => {
  // rows: A9-TIMEOUT-08
  it('has breaker resets of 30 to 300 s', () => {
    for (const name of NAMES) {
      expect(TABLE[name].resetMs).toBeGreaterThanOrEqual(30_000);
      expect(TABLE[name].resetMs).toBeLessThanOrEqual(300_000);
    }
  });
});
