import type { IncomingMessage, RequestListener } from 'node:http';
import { afterEach, describe, expect, it } from '@jest/globals';
import { CALLS, type CallName } from '@forecourt/upstream/calls';
import { type CallChanges, TestGateways } from '../../engine/testing/testGateways.ts';
import { callsWithWallet } from './callsWithWallet.ts';

const EMPTY_SEARCH = { listings: [], owners: [], totalResultCount: 0 };

const gateways = new TestGateways(CALLS);
afterEach(() => gateways.stop());

/** A gateway over a small upstream that records its requests. */
async function rig(answer: RequestListener, changes: CallChanges<CallName> = {}) {
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
const context = { requestId: 'request-1' };

describe('request of a call', () => {
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

describe('fallback of a call', () => {
  // rows: B7-PREM-05, B7-SPOT-03, B7-HIGH-02, B8-ERR-06
  it('is empty for each optional spotlight call and the highlight', async () => {
    const { gateway } = await rig(json({}, 500));
    for (const name of ['premiumSpotlights', 'spotlights', 'vehicleHighlight'] as const)
      expect(await gateway.call(name, {}, context)).toEqual({ listings: [], owners: [] });
  });
});
