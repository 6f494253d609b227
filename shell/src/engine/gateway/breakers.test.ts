import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, describe, expect, it, jest } from '@jest/globals';
import type { CallDefinition } from '@forecourt/upstream/callDefinition';
import { CircuitState, SamplingBreaker } from 'cockatiel';
import fc from 'fast-check';
import { Registry } from 'prom-client';
import {
  asLibraryGateway,
  LIBRARY_CALL_NAMES as NAMES,
  LIBRARY_CALLS,
  type LibraryCall,
} from '../testing/libraryCalls.ts';
import { FailureWindow } from './breakers.ts';
import { type CallContext, createGateway } from './gateway.ts';
import { createGatewayMetrics } from './gatewayMetrics.ts';

const TABLE: Readonly<Record<LibraryCall, CallDefinition>> = LIBRARY_CALLS;
/** Values for the parts of every call's path. */
const PARAMS = Object.fromEntries(
  NAMES.flatMap((name) => [...TABLE[name].path.matchAll(/\{(\w+)\}/g)].map(([, part]) => [part, '1'])),
) as Record<string, string>;
const SHELF = { books: [], total: 7 };

let server: Server | undefined;
afterEach(async () => {
  jest.useRealTimers();
  server?.closeAllConnections();
  await new Promise((resolve) => server?.close(resolve));
});

const failing = (response: ServerResponse) => void response.writeHead(500).end('{}');
const loading = (response: ServerResponse) => {
  const body = JSON.stringify(SHELF);
  response
    .setHeaders(
      new Map([
        ['Content-Type', 'application/json'],
        ['Cache-Control', 'no-cache'],
        ['ETag', '"1"'],
      ]),
    )
    .setHeader('Content-Length', body.length)
    .end(body);
};

/** A gateway and its upstream, which can be switched to other behavior. */
async function rig(initial: (response: ServerResponse) => void) {
  const upstream = { answer: initial, requests: [] as { headers: Record<string, unknown> }[] };
  const http = createServer((request, response) => {
    upstream.requests.push(request);
    upstream.answer(response);
  });
  server = http;
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
  const codes: string[] = [];
  const clock = { now: 0 };
  const gateway = createGateway({
    baseUrl: `http://127.0.0.1:${(http.address() as AddressInfo).port}`,
    calls: LIBRARY_CALLS as never,
    metrics: createGatewayMetrics(new Registry()),
    log: ({ code }) => codes.push(code),
    now: () => clock.now,
  });
  const call = (name: LibraryCall, context: Partial<CallContext> = {}) =>
    asLibraryGateway(gateway)
      .request(name, PARAMS, { requestId: 'request-1', ...context })
      .then(
        ({ data, source }: { data: unknown; source: string }) => ({ data, source }),
        (error: unknown) => ({ error }),
      );
  return { upstream, codes, clock, call };
}

/** Stops the system's clock, which breakers read; timers and sockets are real. */
function stopClock(): (ms: number) => void {
  jest.useFakeTimers({
    now: 1_000_000_000_000,
    doNotFake: ['setTimeout', 'setInterval', 'setImmediate', 'nextTick', 'queueMicrotask', 'performance'],
  });
  return (ms) => void jest.setSystemTime(Date.now() + ms);
}

describe('breaker of any call', () => {
  it.each(NAMES)('of %s stays closed when failures are 2.5 s apart', async (name) => {
    const advance = stopClock();
    const { upstream, call } = await rig(failing);
    for (let at = 0; at < 12; at += 1) {
      await call(name);
      advance(2_500);
    }
    expect(upstream.requests).toHaveLength(12);
  });

  it.each(NAMES)('of %s opens at five failures within ten seconds', async (name) => {
    const advance = stopClock();
    const { upstream, codes, call } = await rig(failing);
    for (let at = 0; at < 6; at += 1) {
      await call(name);
      advance(2_000);
    }
    expect(upstream.requests).toHaveLength(5);
    expect(codes.at(-1)).toBe('BREAKER_OPEN');
  });

  it('opens exactly when at least half of at least five calls of the last ten seconds have failed', () => {
    const advance = stopClock();
    const calls = fc.array(
      fc.record({ halfSeconds: fc.integer({ min: 0, max: 12 }), hasFailed: fc.boolean() }),
      { maxLength: 60 },
    );
    fc.assert(
      fc.property(calls, (sequence) => {
        const window = new FailureWindow();
        const past: { at: number; hasFailed: boolean }[] = [];
        for (const { halfSeconds, hasFailed } of sequence) {
          advance(halfSeconds * 500);
          past.push({ at: Date.now(), hasFailed });
          const recent = past.filter(({ at }) => Date.now() - at < 10_000);
          const failures = recent.filter((one) => one.hasFailed).length;
          if (!hasFailed) window.success(CircuitState.Closed);
          else
            expect(window.failure(CircuitState.Closed)).toBe(
              recent.length >= 5 && failures >= recent.length / 2,
            );
        }
      }),
    );
  });

  it("counts by the clock, unlike cockatiel's own window, which opens at one failure a minute", () => {
    const advance = stopClock();
    const windows = [
      new FailureWindow(),
      new SamplingBreaker({ threshold: 0.5, duration: 10_000, minimumRps: 0.5 }),
    ];
    const opens = windows.map((window) =>
      Array.from({ length: 5 }, () => {
        advance(60_000);
        return window.failure(CircuitState.Closed);
      }),
    );
    expect(opens).toEqual([
      [false, false, false, false, false],
      [false, false, false, false, true],
    ]);
  });

  it('forgets earlier failures when its trial call succeeds', () => {
    const window = new FailureWindow();
    for (let at = 0; at < 9; at += 1) window.failure(CircuitState.Closed);
    window.success(CircuitState.HalfOpen);
    for (let at = 0; at < 3; at += 1) expect(window.failure(CircuitState.Closed)).toBe(false);
    expect(window.failure(CircuitState.Closed)).toBe(true);
  });
});

describe('short outage', () => {
  it('ends with the first successful probe, long before the reset of 30 s', async () => {
    const { upstream, call } = await rig(failing);
    for (let at = 0; at < 5; at += 1) await call('shelf');
    expect(await call('shelf')).toMatchObject({ error: { code: 'BREAKER_OPEN' } });
    upstream.answer = loading;
    while (upstream.requests.length < 6) await pause(20);
    await pause(50);
    expect(await call('shelf')).toMatchObject({ data: SHELF });
  });

  it('keeps the breaker open while probes fail', async () => {
    const { upstream, codes, call } = await rig(failing);
    for (let at = 0; at < 5; at += 1) await call('shelf');
    while (upstream.requests.length < 7) await pause(20);
    await call('shelf');
    expect(codes.at(-1)).toBe('BREAKER_OPEN');
  });

  it('is probed without credentials, of which a refusal is proof enough', async () => {
    const { upstream, call } = await rig(failing);
    const visitor = { idToken: () => Promise.resolve('token'), consumerId: 'consumer-1' };
    for (let at = 0; at < 5; at += 1) await call('loans', visitor);
    upstream.answer = (response) => void response.writeHead(401).end('{}');
    while (upstream.requests.length < 6) await pause(20);
    await pause(50);
    await call('loans', visitor);
    expect(upstream.requests).toHaveLength(7);
    expect(upstream.requests.map(({ headers }) => headers['authorization'] !== undefined)).toEqual([
      ...Array<boolean>(5).fill(true),
      false,
      true,
    ]);
  });

  it('never repeats a write', async () => {
    const { upstream, call } = await rig(failing);
    for (let at = 0; at < 5; at += 1) await call('borrow');
    await pause(700);
    expect(upstream.requests).toHaveLength(5);
  });
});

describe('older response to a required call', () => {
  const MINUTE = 60_000;
  async function failAfter(ms: number, answer = failing) {
    const set = await rig(loading);
    await set.call('shelf');
    set.clock.now += ms;
    set.upstream.answer = answer;
    return set;
  }

  it('is given to callers that accept it while the upstream fails, and with an open breaker', async () => {
    const { call } = await failAfter(9 * MINUTE);
    for (let at = 0; at < 7; at += 1)
      expect(await call('shelf', { acceptsStale: true })).toMatchObject({ data: SHELF, source: 'stale' });
  });

  it.each([
    ['to callers that do not accept it', MINUTE, {}, failing],
    ['when it is older than ten minutes', 11 * MINUTE, { acceptsStale: true }, failing],
    [
      'when the upstream refuses the request',
      MINUTE,
      { acceptsStale: true },
      (response: ServerResponse) => void response.writeHead(400).end('{}'),
    ],
  ])('is not given %s', async (_, ms, context, answer) => {
    const { call } = await failAfter(ms, answer);
    expect(await call('shelf', context)).toHaveProperty('error');
  });
});
