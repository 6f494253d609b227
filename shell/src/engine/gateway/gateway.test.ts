import type { IncomingMessage, RequestListener } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, describe, expect, it } from '@jest/globals';
import { asLibraryGateway, LIBRARY_CALLS, type LibraryCall } from '../testing/libraryCalls.ts';
import { type CallChanges, TestGateways } from '../testing/testGateways.ts';
import type { CallFailure } from './callFailure.ts';

const BRANCH = { isKnown: true, city: 'Lisbon' };
const NO_BRANCH = { isKnown: false };
const EMPTY_SHELF = { books: [] };

const gateways = new TestGateways(LIBRARY_CALLS);
afterEach(() => gateways.stop());

/** A gateway over a small upstream that records its requests. */
async function rig(answer: RequestListener, changes: CallChanges<LibraryCall> = {}) {
  const requests: IncomingMessage[] = [];
  const started = await gateways.start((request, response) => {
    requests.push(request);
    answer(request, response);
  }, changes);
  return { ...started, gateway: asLibraryGateway(started.gateway), requests };
}

const json =
  (body: unknown, status = 200): RequestListener =>
  (_, response) => {
    response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(body));
  };
const hangs: RequestListener = () => {};
const context = { requestId: 'request-1' };
const failureOf = (call: Promise<unknown>) =>
  call.then(
    () => undefined,
    (error: CallFailure) => error,
  );

describe('successful call', () => {
  // rows: A7-CALL-02
  it('sends the service and the request id to the upstream', async () => {
    const { gateway, requests } = await rig(json(EMPTY_SHELF));
    await gateway.call('shelf', { topic: 'poetry' }, context);
    expect(requests[0]?.headers).toMatchObject({ 'x-fwd-svc': 'catalog', 'x-request-id': 'request-1' });
    expect(requests[0]?.url).toBe('/catalog/shelf?topic=poetry');
  });

  it('fills path parameters, encoded, and sends the others as the query', async () => {
    const { gateway, requests } = await rig(json(BRANCH));
    await gateway.call('branch', { branch: 'main/../x?y', floor: '2' }, context);
    expect(requests[0]?.url).toBe('/branches/main%2F..%2Fx%3Fy?floor=2');
  });

  it('requests an uncompressed response', async () => {
    const { gateway, requests } = await rig(json(BRANCH));
    await gateway.call('branch', { branch: 'main' }, context);
    expect(requests[0]?.headers['accept-encoding']).toBe('identity');
  });

  it('sends a body as JSON', async () => {
    let received = '';
    const { gateway, requests } = await rig((request, response) => {
      request.on('data', (part: Buffer) => (received += part.toString()));
      request.on('end', () => json({ status: 'SUCCESS' })(request, response));
    });
    const answer = await gateway.call('ask', {}, { ...context, body: { isbn: '1' } });
    expect(answer).toEqual({ status: 'SUCCESS' });
    expect(requests[0]?.method).toBe('POST');
    expect(JSON.parse(received)).toEqual({ isbn: '1' });
  });
});

describe('failed call', () => {
  it.each([
    ['status 500', json({}, 500), 'UPSTREAM_ERROR'],
    ['status 404', json({}, 404), 'REFUSED'],
    ['a redirect', (_, response) => response.writeHead(302, { Location: '/x' }).end(), 'UPSTREAM_ERROR'],
    ['a page of HTML with status 200', (_, response) => response.end('<!doctype html>'), 'INVALID_RESPONSE'],
    ['an answer of another shape', json({ isKnown: true }), 'INVALID_RESPONSE'],
    ['a connection that is cut', (request) => request.socket.destroy(), 'UNREACHABLE'],
  ])('returns its empty fallback for %s', async (_, answer, code) => {
    const { gateway, codes } = await rig(answer);
    expect(await gateway.call('branch', { branch: 'main' }, context)).toEqual(NO_BRANCH);
    expect(codes).toEqual([code]);
  });

  it('is repeated once when the connection of a read is cut, and a write is not', async () => {
    let cuts = 1;
    const { gateway, requests, codes } = await rig((request, response) => {
      if (cuts-- > 0) return void request.socket.destroy();
      json(BRANCH)(request, response);
    });
    expect(await gateway.call('branch', { branch: 'main' }, context)).toEqual(BRANCH);
    expect([requests.length, codes]).toEqual([2, []]);
    cuts = 1;
    const write = await gateway.call('ask', {}, { ...context, body: { isbn: '1' } });
    expect(write).toEqual({ status: 'FAILURE' });
    expect(requests).toHaveLength(3);
  });

  it("rejects with the upstream's code when the call is required", async () => {
    const { gateway } = await rig(json({ error: { code: 'INVALID_PARAMETERS', message: 'topic' } }, 400));
    expect(await failureOf(gateway.call('shelf', {}, context))).toMatchObject({
      code: 'REFUSED',
      status: 400,
      upstreamCode: 'INVALID_PARAMETERS',
    });
  });

  // rows: A8-ERR-05
  it('returns an error object that names the open breaker or the timeout', async () => {
    const { gateway } = await rig(hangs, {
      branch: { fallback: { kind: 'error', tail: '/catalog/branches' }, timeoutMs: 10 },
    });
    const answers = [];
    for (let at = 0; at < 6; at += 1)
      answers.push(((await gateway.call('branch', { branch: 'main' }, context)) as { error?: string }).error);
    expect(new Set(answers.slice(0, 5))).toEqual(new Set(['Request timed out']));
    expect(answers[5]).toBe('Circuit Breaker for /catalog/branches is open');
  });

  it.each(['', '.', '..'])('never changes its path for a parameter of %j', async (branch) => {
    const { gateway, requests } = await rig(json(BRANCH));
    expect(await gateway.call('branch', { branch }, context)).toEqual(NO_BRANCH);
    expect(requests).toEqual([]);
  });

  it('is counted with its outcome, in a metric with a help text', async () => {
    const { gateway, metrics } = await rig(json({}, 500));
    await gateway.call('branch', { branch: 'main' }, context);
    const text = await metrics.metrics();
    expect(text).toContain('forecourt_call_failures_total{call="branch",code="UPSTREAM_ERROR"} 1');
    for (const { name, help } of await metrics.getMetricsAsJSON()) expect(help).not.toBe(name);
  });
});

describe('slow call', () => {
  it('is aborted when no response arrives', async () => {
    const { gateway, codes } = await rig(hangs, { branch: { timeoutMs: 40 } });
    await gateway.call('branch', { branch: 'main' }, context);
    expect(codes).toEqual(['TIMED_OUT']);
  });

  it('is aborted while its body is still dripping, and closes the connection', async () => {
    let hungUp: () => void = () => {};
    const closed = new Promise<void>((resolve) => (hungUp = resolve));
    const { gateway, codes } = await rig(
      (_, response) => {
        response.writeHead(200, { 'Content-Type': 'application/json' });
        const drip = setInterval(() => response.write(' '), 5);
        response.on('close', () => {
          clearInterval(drip);
          hungUp();
        });
      },
      { shelf: { timeoutMs: 60 } },
    );
    expect(await failureOf(gateway.call('shelf', {}, context))).toMatchObject({ code: 'TIMED_OUT' });
    expect(codes).toEqual(['TIMED_OUT']);
    await closed;
  });
});

describe('client disconnect', () => {
  it('aborts the call at once without logging it', async () => {
    let hungUp: () => void = () => {};
    const closed = new Promise<void>((resolve) => (hungUp = resolve));
    const leaving = new AbortController();
    const { gateway, codes } = await rig((_, response) => {
      response.on('close', hungUp);
      leaving.abort();
    });
    const call = failureOf(
      gateway.call('branch', { branch: 'main' }, { ...context, signal: leaving.signal }),
    );
    expect(await call).toMatchObject({ code: 'CANCELLED' });
    await closed;
    expect(codes).toEqual([]);
  });

  it('never opens the breaker', async () => {
    let leaving = new AbortController();
    const { gateway, requests } = await rig((request, response) => {
      if (request.url?.includes('main')) json(BRANCH)(request, response);
      else leaving.abort();
    });
    for (let at = 0; at < 10; at += 1) {
      leaving = new AbortController();
      const call = failureOf(
        gateway.call('branch', { branch: 'east' }, { ...context, signal: leaving.signal }),
      );
      await call;
    }
    expect(await gateway.call('branch', { branch: 'main' }, context)).toEqual(BRANCH);
    expect(requests).toHaveLength(11);
  });

  it("differs from a slot's deadline: a call that exceeds it counts against the upstream", async () => {
    const { gateway, codes } = await rig(hangs);
    await Promise.all(
      Array.from({ length: 5 }, () =>
        failureOf(
          gateway.call('branch', { branch: 'main' }, { ...context, signal: AbortSignal.timeout(300) }),
        ),
      ),
    );
    await gateway.call('branch', { branch: 'main' }, context);
    expect(codes).toEqual([...Array<string>(5).fill('TIMED_OUT'), 'BREAKER_OPEN']);
  });
});

describe('breaker of a call', () => {
  const branch = { branch: 'main' };
  /** Fails while `isUp.value` is false. */
  async function flaky(resetMs: number) {
    const upstream = { isUp: false };
    const set = await rig((request, response) => json(BRANCH, upstream.isUp ? 200 : 500)(request, response), {
      branch: { resetMs },
    });
    return { upstream, ...set };
  }

  // rows: A8-ERR-05
  it('opens at half of five calls, not before, and then blocks upstream calls', async () => {
    const { gateway, upstream, requests, codes } = await flaky(60_000);
    upstream.isUp = true;
    for (let at = 0; at < 3; at += 1) await gateway.call('branch', branch, context);
    upstream.isUp = false;
    for (let at = 0; at < 2; at += 1) await gateway.call('branch', branch, context);
    // Two of five.
    expect(requests).toHaveLength(5);
    await gateway.call('branch', branch, context);
    // Three of six: half of them.
    expect(await gateway.call('branch', branch, context)).toEqual(NO_BRANCH);
    expect(requests).toHaveLength(6);
    expect(codes.at(-1)).toBe('BREAKER_OPEN');
  });

  it('stays closed after four failures', async () => {
    const { gateway, upstream } = await flaky(60_000);
    for (let at = 0; at < 4; at += 1) await gateway.call('branch', branch, context);
    upstream.isUp = true;
    expect(await gateway.call('branch', branch, context)).toEqual(BRANCH);
  });

  it('does not affect other calls', async () => {
    const { gateway, requests } = await flaky(60_000);
    for (let at = 0; at < 6; at += 1) await gateway.call('branch', branch, context);
    await gateway.call('count', {}, context);
    expect(requests).toHaveLength(6);
  });

  it('allows one trial after its reset, fails others at once until then, and closes when the trial succeeds', async () => {
    const { gateway, upstream, requests } = await flaky(80);
    for (let at = 0; at < 5; at += 1) await gateway.call('branch', branch, context);
    upstream.isUp = true;
    await pause(100);
    const answers = await Promise.all(
      Array.from({ length: 4 }, () => gateway.call('branch', branch, context)),
    );
    expect(answers).toEqual([BRANCH, NO_BRANCH, NO_BRANCH, NO_BRANCH]);
    expect(requests).toHaveLength(6);
    expect(await gateway.call('branch', branch, context)).toEqual(BRANCH);
  });

  it('opens again when the trial fails, even if its client disconnected', async () => {
    const { gateway, requests } = await flaky(80);
    for (let at = 0; at < 5; at += 1) await gateway.call('branch', branch, context);
    await pause(100);
    await gateway.call('branch', branch, { ...context, signal: AbortSignal.abort() });
    await gateway.call('branch', branch, context);
    expect(requests).toHaveLength(6);
  });

  it('is not opened by refused requests', async () => {
    const { gateway, requests } = await rig(json({}, 400));
    for (let at = 0; at < 10; at += 1) await gateway.call('branch', branch, context);
    expect(requests).toHaveLength(10);
  });

  it('is opened by invalid responses', async () => {
    const { gateway, requests } = await rig(json({ nonsense: true }));
    for (let at = 0; at < 10; at += 1) await gateway.call('branch', branch, context);
    expect(requests).toHaveLength(5);
  });
});
