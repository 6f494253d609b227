import type { IncomingMessage, RequestListener } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, describe, expect, it } from '@jest/globals';
import { CALLS } from '@forecourt/upstream/calls';
import { type CallChanges, TestGateways } from '../../testing/testGateways.ts';
import type { CallFailure } from './callFailure.ts';
import { callsWithWallet } from '../../marketplace/calls/callsWithWallet.ts';

const PLACE = { success: true, city: 'Chicago', state: 'IL' };
const NO_PLACE = { success: false };
const EMPTY_SEARCH = { listings: [], owners: [], totalResultCount: 0 };

const gateways = new TestGateways();
afterEach(() => gateways.stop());

/** A gateway over a small upstream that records its requests. */
async function rig(answer: RequestListener, changes: CallChanges = {}) {
  const requests: IncomingMessage[] = [];
  const started = await gateways.start((request, response) => {
    requests.push(request);
    answer(request, response);
  }, changes);
  return { ...started, requests };
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
  // rows: A7-CALL-02, B7-LIST-01
  it('sends the service and the request id to the upstream', async () => {
    const { gateway, requests } = await rig(json(EMPTY_SEARCH));
    await gateway.call('search', { zip: '60601' }, context);
    expect(requests[0]?.headers).toMatchObject({ 'x-fwd-svc': 'listing', 'x-request-id': 'request-1' });
    expect(requests[0]?.url).toBe('/rest/lsc/listing?zip=60601');
  });

  // rows: B7-PREM-01, B7-SPOT-01, B7-SPOT-02, B7-HIGH-01, B7-NCB-01
  it.each([
    ['premiumSpotlights', '/rest/lsc/listing/spotlight/premiumresults'],
    ['spotlights', '/rest/lsc/listing/spotlight/results'],
    ['vehicleHighlight', '/rest/lsc/listing/spotlight/vehiclehighlight'],
    ['newCarBoost', '/rest/lsc/newcarboost/listing'],
  ] as const)('requests %s from %s', async (name, path) => {
    const { gateway, requests } = await rig(json({ listings: [], owners: [] }));
    await gateway.call(name, { zip: '60601' }, context);
    expect(requests.map(({ method, url }) => [method, url])).toEqual([['GET', `${path}?zip=60601`]]);
  });

  // rows: B7-OTHER-03
  it('posts page events to their path', async () => {
    const { gateway, requests } = await rig((_, response) => response.writeHead(204).end());
    const body = { brand: 'atc', pixallId: 'px1', page: '/', events: [] };
    await gateway.call('pageEvent', {}, { ...context, body });
    expect(requests.map(({ method, url }) => [method, url])).toEqual([
      ['POST', '/cars-for-sale/svc/page-event'],
    ]);
  });

  it('fills path parameters, encoded, and sends the others as the query', async () => {
    const { gateway, requests } = await rig(json(PLACE));
    await gateway.call('zipLookup', { zip: '60601/../x?y', brand: 'atc' }, context);
    expect(requests[0]?.url).toBe('/cars-for-sale/svc/zip/60601%2F..%2Fx%3Fy?brand=atc');
  });

  // rows: A7-BOOK-04
  it('requests a shared search by the id in the path, without a query or a body', async () => {
    const fields = [
      'bookmarkTitle',
      'searchName',
      'lastExecuted',
      'textModalDisclaimer',
      'saveSearchInstrText',
    ];
    const bookmark = { ...Object.fromEntries(fields.map((name) => [name, ''])), searchResultsURL: '%7B%7D' };
    const searches = { myAtcSearchViewBeans: [{ ...bookmark, bookmarkId: 'b1' }] };
    const { gateway, requests } = await rig(json(searches));
    expect(await gateway.call('sharedBookmark', { bookmarkId: 'b1' }, context)).toEqual(searches);
    expect(requests.map(({ method, url }) => [method, url])).toEqual([
      ['GET', '/account-api/searchbookmarks/share-bookmark/b1'],
    ]);
    expect(requests[0]?.headers).not.toHaveProperty('content-type');
  });

  it('requests an uncompressed response', async () => {
    const { gateway, requests } = await rig(json(PLACE));
    await gateway.call('zipLookup', { zip: '60601' }, context);
    expect(requests[0]?.headers['accept-encoding']).toBe('identity');
  });

  it('sends a body as JSON', async () => {
    let received = '';
    const { gateway, requests } = await rig((request, response) => {
      request.on('data', (part: Buffer) => (received += part.toString()));
      request.on('end', () => json({ status: 'SUCCESS' })(request, response));
    });
    const answer = await gateway.call('emailOwner', {}, { ...context, body: { listingId: '1' } });
    expect(answer).toEqual({ status: 'SUCCESS' });
    expect(requests[0]?.method).toBe('POST');
    expect(JSON.parse(received)).toEqual({ listingId: '1' });
  });
});

// rows: B7-DEAL-01, B7-DEAL-02
it.each([
  ['/', '/my-wallet/share-dealxg/deals'],
  ['/garage/', '/garage/my-wallet/share-dealxg/deals'],
])('sends deals to the wallet below %s, and no other call', async (base, path) => {
  const { saveDeal, updateDeal, ...others } = callsWithWallet(base);
  const { gateway, requests } = await rig(json({}), { saveDeal, updateDeal });
  await gateway.call('saveDeal', {}, { ...context, body: {} });
  await gateway.call('updateDeal', { id: '7' }, { ...context, body: {} });
  expect(requests.map(({ url }) => url)).toEqual([path, `${path}/id/7`]);
  expect(CALLS).toMatchObject(others);
});

describe('failed call', () => {
  it.each([
    ['status 500', json({}, 500), 'UPSTREAM_ERROR'],
    ['status 404', json({}, 404), 'REFUSED'],
    ['a redirect', (_, response) => response.writeHead(302, { Location: '/x' }).end(), 'UPSTREAM_ERROR'],
    ['a page of HTML with status 200', (_, response) => response.end('<!doctype html>'), 'INVALID_RESPONSE'],
    ['an answer of another shape', json({ success: true }), 'INVALID_RESPONSE'],
    ['a connection that is cut', (request) => request.socket.destroy(), 'UNREACHABLE'],
  ])('returns its empty fallback for %s', async (_, answer, code) => {
    const { gateway, codes } = await rig(answer);
    expect(await gateway.call('zipLookup', { zip: '60601' }, context)).toEqual(NO_PLACE);
    expect(codes).toEqual([code]);
  });

  it('is repeated once when the connection of a read is cut, and a write is not', async () => {
    let cuts = 1;
    const { gateway, requests, codes } = await rig((request, response) => {
      if (cuts-- > 0) return void request.socket.destroy();
      json(PLACE)(request, response);
    });
    expect(await gateway.call('zipLookup', { zip: '60601' }, context)).toEqual(PLACE);
    expect([requests.length, codes]).toEqual([2, []]);
    cuts = 1;
    const write = await gateway.call('emailOwner', {}, { ...context, body: { listingId: '1' } });
    expect(write).toEqual({ status: 'FAILURE' });
    expect(requests).toHaveLength(3);
  });

  // rows: B7-PREM-05, B7-SPOT-03, B7-HIGH-02, B8-ERR-06
  it('is empty for each optional spotlight call and the highlight', async () => {
    const { gateway } = await rig(json({}, 500));
    for (const name of ['premiumSpotlights', 'spotlights', 'vehicleHighlight'] as const)
      expect(await gateway.call(name, {}, context)).toEqual({ listings: [], owners: [] });
  });

  it("rejects with the upstream's code when the call is required", async () => {
    const { gateway } = await rig(json({ error: { code: 'INVALID_PARAMETERS', message: 'minPrice' } }, 400));
    expect(await failureOf(gateway.call('search', {}, context))).toMatchObject({
      code: 'REFUSED',
      status: 400,
      upstreamCode: 'INVALID_PARAMETERS',
    });
  });

  // rows: A8-ERR-05
  it('returns an error object that names the open breaker or the timeout', async () => {
    const { gateway } = await rig(hangs, {
      zipLookup: { fallback: { kind: 'error', tail: '/searchoptions/packages' }, timeoutMs: 10 },
    });
    const answers = [];
    for (let at = 0; at < 6; at += 1)
      answers.push(
        ((await gateway.call('zipLookup', { zip: '60601' }, context)) as { error?: string }).error,
      );
    expect(new Set(answers.slice(0, 5))).toEqual(new Set(['Request timed out']));
    expect(answers[5]).toBe('Circuit Breaker for /searchoptions/packages is open');
  });

  it.each(['', '.', '..'])('never changes its path for a parameter of %j', async (zip) => {
    const { gateway, requests } = await rig(json(PLACE));
    expect(await gateway.call('zipLookup', { zip }, context)).toEqual(NO_PLACE);
    expect(requests).toEqual([]);
  });

  it('is counted with its outcome, in a metric with a help text', async () => {
    const { gateway, metrics } = await rig(json({}, 500));
    await gateway.call('zipLookup', { zip: '60601' }, context);
    const text = await metrics.metrics();
    expect(text).toContain('forecourt_call_failures_total{call="zipLookup",code="UPSTREAM_ERROR"} 1');
    for (const { name, help } of await metrics.getMetricsAsJSON()) expect(help).not.toBe(name);
  });
});

describe('slow call', () => {
  it('is aborted when no response arrives', async () => {
    const { gateway, codes } = await rig(hangs, { zipLookup: { timeoutMs: 40 } });
    await gateway.call('zipLookup', { zip: '60601' }, context);
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
      { search: { timeoutMs: 60 } },
    );
    expect(await failureOf(gateway.call('search', {}, context))).toMatchObject({ code: 'TIMED_OUT' });
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
      gateway.call('zipLookup', { zip: '60601' }, { ...context, signal: leaving.signal }),
    );
    expect(await call).toMatchObject({ code: 'CANCELLED' });
    await closed;
    expect(codes).toEqual([]);
  });

  it('never opens the breaker', async () => {
    let leaving = new AbortController();
    const { gateway, requests } = await rig((request, response) => {
      if (request.url?.includes('60601')) json(PLACE)(request, response);
      else leaving.abort();
    });
    for (let at = 0; at < 10; at += 1) {
      leaving = new AbortController();
      const call = failureOf(
        gateway.call('zipLookup', { zip: '10001' }, { ...context, signal: leaving.signal }),
      );
      await call;
    }
    expect(await gateway.call('zipLookup', { zip: '60601' }, context)).toEqual(PLACE);
    expect(requests).toHaveLength(11);
  });

  it("differs from a slot's deadline: a call that exceeds it counts against the upstream", async () => {
    const { gateway, codes } = await rig(hangs);
    await Promise.all(
      Array.from({ length: 5 }, () =>
        failureOf(
          gateway.call('zipLookup', { zip: '60601' }, { ...context, signal: AbortSignal.timeout(300) }),
        ),
      ),
    );
    await gateway.call('zipLookup', { zip: '60601' }, context);
    expect(codes).toEqual([...Array<string>(5).fill('TIMED_OUT'), 'BREAKER_OPEN']);
  });
});

describe('breaker of a call', () => {
  const zip = { zip: '60601' };
  /** Fails while `isUp.value` is false. */
  async function flaky(resetMs: number) {
    const upstream = { isUp: false };
    const set = await rig((request, response) => json(PLACE, upstream.isUp ? 200 : 500)(request, response), {
      zipLookup: { resetMs },
    });
    return { upstream, ...set };
  }

  // rows: A8-ERR-05
  it('opens at half of five calls, not before, and then blocks upstream calls', async () => {
    const { gateway, upstream, requests, codes } = await flaky(60_000);
    upstream.isUp = true;
    for (let at = 0; at < 3; at += 1) await gateway.call('zipLookup', zip, context);
    upstream.isUp = false;
    for (let at = 0; at < 2; at += 1) await gateway.call('zipLookup', zip, context);
    // Two of five.
    expect(requests).toHaveLength(5);
    await gateway.call('zipLookup', zip, context);
    // Three of six: half of them.
    expect(await gateway.call('zipLookup', zip, context)).toEqual(NO_PLACE);
    expect(requests).toHaveLength(6);
    expect(codes.at(-1)).toBe('BREAKER_OPEN');
  });

  it('stays closed after four failures', async () => {
    const { gateway, upstream } = await flaky(60_000);
    for (let at = 0; at < 4; at += 1) await gateway.call('zipLookup', zip, context);
    upstream.isUp = true;
    expect(await gateway.call('zipLookup', zip, context)).toEqual(PLACE);
  });

  it('does not affect other calls', async () => {
    const { gateway, requests } = await flaky(60_000);
    for (let at = 0; at < 6; at += 1) await gateway.call('zipLookup', zip, context);
    await gateway.call('count', {}, context);
    expect(requests).toHaveLength(6);
  });

  it('allows one trial after its reset, fails others at once until then, and closes when the trial succeeds', async () => {
    const { gateway, upstream, requests } = await flaky(80);
    for (let at = 0; at < 5; at += 1) await gateway.call('zipLookup', zip, context);
    upstream.isUp = true;
    await pause(100);
    const answers = await Promise.all(
      Array.from({ length: 4 }, () => gateway.call('zipLookup', zip, context)),
    );
    expect(answers).toEqual([PLACE, NO_PLACE, NO_PLACE, NO_PLACE]);
    expect(requests).toHaveLength(6);
    expect(await gateway.call('zipLookup', zip, context)).toEqual(PLACE);
  });

  it('opens again when the trial fails, even if its client disconnected', async () => {
    const { gateway, requests } = await flaky(80);
    for (let at = 0; at < 5; at += 1) await gateway.call('zipLookup', zip, context);
    await pause(100);
    await gateway.call('zipLookup', zip, { ...context, signal: AbortSignal.abort() });
    await gateway.call('zipLookup', zip, context);
    expect(requests).toHaveLength(6);
  });

  it('is not opened by refused requests', async () => {
    const { gateway, requests } = await rig(json({}, 400));
    for (let at = 0; at < 10; at += 1) await gateway.call('zipLookup', zip, context);
    expect(requests).toHaveLength(10);
  });

  it('is opened by invalid responses', async () => {
    const { gateway, requests } = await rig(json({ nonsense: true }));
    for (let at = 0; at < 10; at += 1) await gateway.call('zipLookup', zip, context);
    expect(requests).toHaveLength(5);
  });
});
