import { CALLS } from '@forecourt/upstream/calls';
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from '@jest/globals';
import { Registry } from 'prom-client';
import { createGateway } from '../../engine/gateway/gateway.ts';
import { createGatewayMetrics } from '../../engine/gateway/gatewayMetrics.ts';
import type { VisitorSessions } from '../visitor/visitor.ts';
import { startShell, type ShellRig } from '../../testing/shellRig.ts';

interface Captured {
  readonly method: string;
  readonly path: string;
  readonly query: Record<string, string>;
  readonly headers: IncomingHttpHeaders;
  readonly body: unknown;
}

const OURS = { 'X-Requested-With': 'forecourt', 'Content-Type': 'application/json' };
const PIXALL = '01234567-89ab-cdef-0123-456789abcdef';
const DEAL = { carId: '7', deal: { dealType: 'lease', term: 36 } };
const BOOKMARK = {
  bookmarkId: 'b1',
  bookmarkTitle: 'My Fords',
  searchName: 'Ford',
  lastExecuted: '2026/06/1 10:00:00',
  searchResultsURL: '%7B%7D',
  textModalDisclaimer: '',
  saveSearchInstrText: '',
};

const opened: (ShellRig | Server)[] = [];
afterEach(async () => {
  for (const each of opened.splice(0)) {
    if ('send' in each) await each.stop();
    else {
      each.closeAllConnections();
      await new Promise((resolve) => each.close(resolve));
    }
  }
});

/** The shell with a real gateway and an upstream that responds by path from `answers` and records requests. */
async function start(answers: Record<string, unknown>, sessions?: VisitorSessions) {
  const captured: Captured[] = [];
  const upstream = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://upstream');
    let text = '';
    request.on('data', (part: Buffer) => (text += part.toString()));
    request.on('end', () => {
      captured.push({
        method: request.method ?? '',
        path: pathname,
        query: Object.fromEntries(searchParams),
        headers: request.headers,
        body: text === '' ? undefined : JSON.parse(text),
      });
      const answer = answers[pathname];
      if (answer === null) return response.writeHead(204).end();
      response.writeHead(answer === undefined ? 404 : 200, { 'Content-Type': 'application/json' });
      return response.end(
        JSON.stringify(answer ?? { error: { code: 'NOT_FOUND', message: 'no', requestId: 'x' } }),
      );
    });
  });
  await new Promise<void>((resolve) => upstream.listen(0, '127.0.0.1', resolve));
  opened.push(upstream);
  const gateway = createGateway({
    baseUrl: `http://127.0.0.1:${(upstream.address() as AddressInfo).port}`,
    calls: CALLS,
    metrics: createGatewayMetrics(new Registry()),
    log: () => {},
  });
  const rig = await startShell({ deps: { gateway, ...(sessions && { sessions }) } });
  opened.push(rig);
  const call = async (
    name: string,
    {
      method = 'GET',
      body,
      cookie,
      agent,
      headers,
    }: {
      method?: string;
      body?: unknown;
      cookie?: string;
      agent?: string;
      headers?: Record<string, string>;
    } = {},
  ) => {
    const answer = await rig.send(`/cars-for-sale/api/call/${name}`, {
      method,
      headers: {
        ...(method === 'GET' ? {} : OURS),
        Cookie: cookie ?? `pixallId=${PIXALL}`,
        ...(agent && { 'User-Agent': agent }),
        ...headers,
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    return { ...answer, json: (answer.text === '' ? undefined : JSON.parse(answer.text)) as never };
  };
  return { rig, captured, call };
}

const signedInAs = (token: string | undefined): VisitorSessions => ({
  isPresent: () => true,
  idToken: () => Promise.resolve(token),
  account: () => Promise.resolve({ firstName: 'Ada', email: 'ada@example.com' }),
});

const F150 = 'makeCode=FORD&modelCode=F150';
const F150_PARAMS = { makeCode: 'FORD', modelCode: 'F150' };

describe('browser reads as sent to the upstream', () => {
  // rows: A7-YMM-01, A7-COUNT-01, A7-MILE-01, A7-OTHER-02, A7-OTHER-05, B7-SIM-01, B7-REF-01, B7-RATE-01, B7-CERT-01, B7-DIFF-01
  // rows: B7-OTHER-02, B7-OTHER-05, B7-OTHER-06, B7-OTHER-07, B7-OTHER-08, B7-OTHER-09, B7-OTHER-10
  it.each([
    [
      `mileageStats?${F150}&listingType=USED`,
      '/rest/lsc/crawl/stats/mileage',
      { ...F150_PARAMS, listingType: 'USED' },
    ],
    [`modelYears?${F150}`, '/rest/lsc/crawl/modelyears', F150_PARAMS],
    [`newModelYears?${F150}`, '/rest/lsc/crawl/newmodelyears', F150_PARAMS],
    [`trims?${F150}`, '/rest/lsc/crawl/trims', F150_PARAMS],
    [`newTrims?${F150}`, '/rest/lsc/crawl/newtrims', F150_PARAMS],
    [`count?${F150}`, '/rest/lsc/listing/count', { ...F150_PARAMS, channel: 'ATC' }],
    [
      `greatPriceCount?${F150}&searchRadius=50`,
      '/rest/lsc/listing/count',
      { ...F150_PARAMS, searchRadius: '0', dealType: 'greatprice', channel: 'ATC' },
    ],
    [`similar?${F150}`, '/rest/lsc/listing/similar', { ...F150_PARAMS, channel: 'ATC' }],
    [
      'referenceVehicles?yearId=2021&atcMakeCode=FORD&atcModelCode=F150',
      '/cars-for-sale/kbbresearch/reference/vehicles',
      { yearId: '2021', atcMakeCode: 'FORD', atcModelCode: 'F150' },
    ],
    ['zipLookup?zip=30303', '/cars-for-sale/svc/zip/30303', {}],
    [
      'modelInfo?makeCode=FORD&modelCode=F150&startYear=2021',
      '/rest/lsc/modelinfo/ymm',
      { makeCode: 'FORD', modelCode: 'F150', startYear: '2021', numRecords: '1' },
    ],
    ['leadCandidates', '/cars-for-sale/svc/lead-candidates', { consumerId: PIXALL }],
    ['consumerRatings?vehicleId=412', '/cars-for-sale/kbbresearch/consumer-ratings/412', {}],
    ['specs?vehicleId=412', '/cars-for-sale/kbbresearch/specs/412', {}],
    ['safety?vehicleId=412', '/cars-for-sale/kbbresearch/safety/412', {}],
    ['certifiedContent', '/content/static/json/atc/cpo/certifiedcontent.json', {}],
    ['dealerDiff?contentId=d1', '/content/dealer_diff/d1.json', {}],
    ['dealerDiffHtml?contentId=d1', '/content/dealer_diff/d1.html', {}],
    ['vdpBase?brand=atc', '/cars-for-sale/svc/vdp-base', { brand: 'atc' }],
  ])('%s', async (called, path, query) => {
    const { call, captured } = await start({});
    // The upstream has no such path, so the fallback is returned.
    expect((await call(called)).status).toBe(200);
    expect(captured).toMatchObject([{ method: 'GET', path }]);
    expect(captured[0]?.query).toEqual(query);
  });

  // rows: A7-CALL-01, A7-CALL-02
  it('fetches listings by VIN with collapseFilters, vin, channel and the service', async () => {
    const { call, captured } = await start({ '/rest/lsc/listing': { listings: [], owners: [] } });
    await call('listingsByVin?vin=VIN1,VIN2');
    expect(captured).toMatchObject([
      { method: 'GET', path: '/rest/lsc/listing', headers: { 'x-fwd-svc': 'listing' } },
    ]);
    expect(captured[0]?.query).toEqual({ vin: 'VIN1,VIN2', collapseFilters: 'true', channel: 'ATC' });
  });

  // rows: A7-VIEW-01, A7-VIEW-02
  it('counts views of seven days for both brands', async () => {
    const counts = { atcViewCount: 3, kbbViewCount: 2 };
    const { call, captured } = await start({ '/cars-for-sale/svc/listing-view-count': counts });
    expect((await call('listingViewCount?vin=VIN1&dateRange=365')).json).toEqual(counts);
    expect(captured[0]?.query).toEqual({ vin: 'VIN1', dateRange: '7' });
  });

  // rows: A7-OTHER-04
  it('personalizes by origin, consumer, fuel and ZIP', async () => {
    const { call, captured } = await start({
      '/rest/lsc/personalization': { segments: [], suggestedFilters: [] },
    });
    await call('personalization?pc.origin=srp&pc.fueltype=ELE&zip=60601');
    expect(captured[0]?.path).toBe('/rest/lsc/personalization');
    expect(captured[0]?.query).toEqual({
      'pc.origin': 'srp',
      'pc.fueltype': 'ELE',
      zip: '60601',
      consumerId: PIXALL,
    });
  });

  // rows: B7-EXPERT-01
  it('requests reviews by year, make, model and trim, with embedded content', async () => {
    const { call, captured } = await start({ '/expert-reviews/2021/ford/f150/xlt': [] });
    await call('expertReviews?year=2021&make=ford&model=f150&trim=xlt');
    expect(captured[0]?.path).toBe('/expert-reviews/2021/ford/f150/xlt');
    expect(captured[0]?.query).toHaveProperty('_embed');
  });

  // rows: A7-OTHER-01
  it('uses the visitor’s own id whatever the browser sends', async () => {
    const { call, captured } = await start({ '/cars-for-sale/svc/browsing-history': { vehicles: [] } });
    await call('browsingHistory?consumerId=somebody-else&brand=atc');
    expect(captured[0]?.path).toBe('/cars-for-sale/svc/browsing-history');
    expect(captured[0]?.query).toEqual({ consumerId: PIXALL, brand: 'atc' });
    expect(captured[0]?.headers['x-consumer-id']).toBe(PIXALL);
  });

  it('names the visitor in writes that need no credentials, so that no one uses up the writes of others', async () => {
    const { call, captured } = await start({ '/cars-for-sale/svc/email-capture': { status: 'success' } });
    await call('emailCapture', { method: 'POST', body: { emailAddress: 'ada@example.com', brand: 'atc' } });
    expect(captured[0]?.headers['x-consumer-id']).toBe(PIXALL);
    expect(captured[0]?.headers.authorization).toBeUndefined();
  });

  it('adds the channel of the visitor’s campaign', async () => {
    const { call, captured } = await start({ '/rest/lsc/listing/similar': { listings: [], owners: [] } });
    await call('similar?channel=EVIL', { cookie: 'campaign=OEM' });
    expect(captured[0]?.query).toEqual({ channel: 'OEM' });
  });

  // rows: B7-CERT-02, B7-CERT-03
  it('removes inspectionLink from a certified sponsor’s content', async () => {
    const sponsor = {
      productId: 'p1',
      heading: 'H',
      content: '<p>C&reg;</p>',
      logo: '/l.svg',
      inspectionLink: 'https://x',
    };
    const { call, captured } = await start({ '/content/static/json/atc/cpo/sponsor/p1.json': sponsor });
    const { json } = await call('certifiedSponsor?productId=p1');
    expect(captured[0]?.path).toBe('/content/static/json/atc/cpo/sponsor/p1.json');
    const content = [{ tag: 'p', children: ['C®'] }];
    expect(json).toEqual({ productId: 'p1', heading: 'H', content, logo: '/l.svg' });
  });

  // rows: B6-ROLE-04
  it('skips browsing history and profile for bots', async () => {
    const { call, captured } = await start({ '/cars-for-sale/svc/browsing-history': { vehicles: [{}] } });
    const { json } = await call('browsingHistory', { agent: 'Googlebot/2.1' });
    expect(json).toEqual({ vehicles: [] });
    expect(captured).toEqual([]);
  });
});

describe('a call that names its slot', () => {
  const callAs = async (slot: string, name: string) => {
    const { call, captured, rig } = await start({});
    const { status, json } = await call(name, { headers: { 'X-Forecourt-Slot': slot } });
    return { status, json, captured, log: rig.log };
  };

  it('is made when the layout lets the slot call it, in its load or in the browser only', async () => {
    expect((await callAs('model-reference', 'specs?vehicleId=412')).status).toBe(200);
    expect((await callAs('model-reference', 'safety?vehicleId=412')).captured).toHaveLength(1);
  });

  it.each(['toolbar', 'no-such-slot', 'constructor', ''])(
    'is refused for slot %p with the reason, in the log too, without an upstream call',
    async (slot) => {
      const { status, json, captured, log } = await callAs(slot, 'specs?vehicleId=412');
      expect(status).toBe(403);
      const message = `the layout does not let slot ${slot} call specs from the browser`;
      expect(json).toMatchObject({ error: { code: 'CALL_NOT_ALLOWED', message } });
      expect(log).toContainEqual(expect.objectContaining({ code: 'CALL_NOT_ALLOWED', msg: message }));
      expect(captured).toEqual([]);
    },
  );
});

it('forwards a valid idempotency key', async () => {
  const { call, captured } = await start({ '/my-wallet/share-dealxg/deals': { id: '1' } });
  for (const key of ['key-0001', 'a b', undefined])
    await call('saveDeal', {
      method: 'POST',
      body: DEAL,
      ...(key && { headers: { 'Idempotency-Key': key } }),
    });
  expect(captured.map(({ headers }) => headers['idempotency-key'])).toEqual([
    'key-0001',
    undefined,
    undefined,
  ]);
});

describe('account call', () => {
  // rows: A7-BOOK-01, A7-BOOK-02
  it('sends the id token and no cookie of the visitor', async () => {
    const { call, captured } = await start({ '/account-api/searchbookmarks': BOOKMARK }, signedInAs('t0ken'));
    expect((await call('bookmark?searchBookmarkId=b1')).json).toEqual(BOOKMARK);
    expect(captured[0]).toMatchObject({ query: { searchBookmarkId: 'b1' } });
    expect(captured[0]?.headers).toMatchObject({ 'x-id-token': 't0ken', authorization: 'Bearer t0ken' });
    expect(captured[0]?.headers.cookie).toBeUndefined();
  });

  it.each([
    ['saveListing?listingId=7', 'PUT', '/account-api/saved-listings/7'],
    ['unsaveListing?listingId=7', 'DELETE', '/account-api/saved-listings/7'],
  ])('uses the upstream’s own method when the browser posts %s', async (called, method, path) => {
    const { call, captured } = await start({ [path]: null }, signedInAs('t0ken'));
    await call(called, { method: 'POST', body: {} });
    expect(captured).toMatchObject([{ method, path }]);
  });

  // rows: B6-ROLE-03
  it.each(['bookmarks', 'savedListings', 'accountData'])(
    'returns 401 with the sign-in path for %s without a login, without an upstream call',
    async (name) => {
      const { call, captured } = await start({});
      const { status, json } = await call(name);
      expect(status).toBe(401);
      expect(json).toMatchObject({ error: { code: 'SIGN_IN_REQUIRED', signInPath: '/account/sign-in' } });
      expect(captured).toEqual([]);
    },
  );

  it('continues without a token for calls that do not require sign-in', async () => {
    const { call, captured } = await start(
      { '/cars-for-sale/svc/browsing-history': { vehicles: [] } },
      signedInAs(undefined),
    );
    expect((await call('browsingHistory')).status).toBe(200);
    expect(captured[0]?.headers).not.toHaveProperty('authorization');
  });

  it('never returns another visitor’s response', async () => {
    const { call, captured } = await start(
      { '/account-api/saved-listings': { savedListings: [] } },
      signedInAs('a'),
    );
    await call('savedListings');
    await call('savedListings');
    expect(captured).toHaveLength(2);
  });
});

describe('browser writes as sent to the upstream', () => {
  // rows: A7-DEVICE-01
  it('registers a device by brand, pixall id and token', async () => {
    const body = { brand: 'atc', pixall_id: PIXALL, browser_token: '{"endpoint":"https://push.example/1"}' };
    const { call, captured } = await start({ '/cars-for-sale/consumer-device/browser': null });
    expect((await call('registerDevice', { method: 'POST', body })).status).toBe(200);
    expect(captured).toMatchObject([
      { method: 'POST', path: '/cars-for-sale/consumer-device/browser', body },
    ]);
  });

  // rows: B7-DEAL-01, B7-DEAL-02, B7-DEAL-03, B7-DEAL-04
  it('saves a deal under its path or its id’s, declares the service and sends no credentials', async () => {
    const { call, captured } = await start({}, signedInAs('t0ken'));
    await call('saveDeal', { method: 'POST', body: DEAL });
    await call('updateDeal?id=7', { method: 'POST', body: DEAL });
    expect(captured.map(({ path }) => path)).toEqual([
      '/my-wallet/share-dealxg/deals',
      '/my-wallet/share-dealxg/deals/id/7',
    ]);
    for (const { headers, body } of captured) {
      expect(headers['x-fwd-svc']).toBe('deals');
      expect(headers).not.toHaveProperty('cookie');
      expect(headers).not.toHaveProperty('authorization');
      expect(body).toEqual(DEAL);
    }
  });
});
