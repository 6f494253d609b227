import { afterAll, afterEach, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { type TestApp, generatedStock, startTestApp } from '../testing/testApp.ts';
import fc from 'fast-check';

// Generating the inventory is slow on a shared core.
jest.setTimeout(60_000);

interface Part {
  readonly id: number;
  readonly status: number;
  readonly headers: Record<string, string>;
  readonly bytes: number;
  readonly body: string;
}

/** The parts of a batch's body in the order in which they arrived. */
function partsOf(bytes: Buffer): Part[] {
  const parts: Part[] = [];
  for (let at = 0; at < bytes.length;) {
    const end = bytes.indexOf('\n', at);
    const head = JSON.parse(bytes.subarray(at, end).toString()) as Omit<Part, 'body'>;
    at = end + 1 + head.bytes;
    parts.push({ ...head, body: bytes.subarray(end + 1, at).toString() });
  }
  return parts;
}

const LISTING = '/rest/lsc/listing';
const VEHICLE = '2021.FORD.F150.xlt.0';
const PLACE = 'zip=60601&searchRadius=100';

it('refuses reads with 503 while the index is being loaded, so that another replica is asked, but no writes', async () => {
  let isLoaded = false;
  const app = await startTestApp({ owners: [], listings: [] }, { isLoaded: () => isLoaded });
  const batch = { calls: [{ url: '/rest/lsc/listing', headers: {} }] };
  const refused = [await app.get('/rest/lsc/listing'), await app.send('POST', '/batch', batch)];
  for (const response of refused) {
    expect(response.status).toBe(503);
    expect(await response.json()).toMatchObject({ error: { code: 'STARTING' } });
  }
  const capture = { emailAddress: 'ada@example.com', brand: 'atc' };
  expect((await app.send('POST', '/cars-for-sale/svc/email-capture', capture)).status).toBe(200);
  expect((await app.get('/health/live')).status).toBe(200);
  isLoaded = true;
  expect((await app.get('/rest/lsc/listing')).status).toBe(200);
  expect((await app.send('POST', '/batch', batch)).status).toBe(200);
  await app.stop();
});

describe('a batch', () => {
  let app: TestApp;
  beforeAll(async () => {
    app = await startTestApp(generatedStock(3000));
  });
  afterEach(() => app.send('DELETE', '/__faults'));
  afterAll(() => app.stop());

  const batch = async (calls: readonly object[], headers = {}): Promise<Part[]> => {
    const response = await app.send('POST', '/batch', { calls }, headers);
    expect(response.status).toBe(200);
    return partsOf(Buffer.from(await response.arrayBuffer()));
  };

  it('is advertised by every response', async () => {
    for (const path of ['/health/live', `${LISTING}/count`, '/unknown'])
      expect((await app.get(path)).headers.get('batch-path')).toBe('/batch');
  });

  it('returns for each call what the call returns alone', async () => {
    const urls = [
      `${LISTING}?makeCode=FORD&${PLACE}`,
      `${LISTING}/spotlight/premiumresults?${PLACE}&numSpotlights=3`,
      `${LISTING}/spotlight/results?${PLACE}&listingTier=standard`,
      `${LISTING}/spotlight/vehiclehighlight?${PLACE}`,
      `${LISTING}/count?minPrice=2&maxPrice=1`,
      `${LISTING}/unknown`,
      '/rest/lsc/newcarboost/listing?makeCode=FORD&numRecords=2',
      '/rest/lsc/crawl/modelyears?makeCode=FORD&modelCode=F150',
      '/rest/lsc/reference/slugs',
      '/cars-for-sale/svc/zip/60601',
      '/cars-for-sale/svc/zip/%E0%A4%A',
      `/cars-for-sale/kbbresearch/safety/${VEHICLE}`,
      '/cars-for-sale/kbbresearch/reference/vehicles?yearId=2021&atcMakeCode=FORD&atcModelCode=F150',
      '/expert-reviews/2021/ford/f150/all?_embed=1',
      '/content/static/json/atc/cpo/certifiedcontent.json',
      '/content/static/json/atc/cpo/sponsor/NOBODY.json',
      '/account-api/searchbookmarks',
    ];
    const parts = await batch(
      urls.map((url) => ({ url })),
      { 'X-Request-Id': 'request-1' },
    );
    expect(parts).toHaveLength(urls.length);
    for (const { id, status, headers, body } of parts) {
      const alone = await app.get(urls[id]!, { 'X-Request-Id': 'request-1' });
      // Accounts need credentials, which batches never carry.
      if (urls[id]!.startsWith('/account-api')) {
        expect(status).toBe(421);
        continue;
      }
      expect([urls[id], status, body]).toEqual([urls[id], alone.status, await alone.text()]);
      for (const name of ['Cache-Control', 'Stock-Version'])
        expect([urls[id], headers[name] ?? null]).toEqual([urls[id], alone.headers.get(name)]);
    }
  });

  it('returns the same bodies as single calls for any search', async () => {
    const search = fc
      .record(
        {
          makeCode: fc.constantFrom('FORD', 'HONDA', 'TOYOTA,FORD', 'NONE'),
          listingType: fc.constantFrom('NEW', 'USED', 'CERTIFIED'),
          zip: fc.constantFrom('60601', '10001', '90012'),
          searchRadius: fc.constantFrom('0', '25', '100'),
          maxPrice: fc.constantFrom('15000', '40000'),
          sortBy: fc.constantFrom('relevance', 'derivedpriceASC', 'distanceASC'),
          collapseFilters: fc.constantFrom('true', 'false'),
        },
        { requiredKeys: [] },
      )
      .map((params) => new URLSearchParams(params).toString());
    await fc.assert(
      fc.asyncProperty(search, async (query) => {
        const urls = [LISTING, `${LISTING}/count`, `${LISTING}/spotlight/results`, `${LISTING}/similar`].map(
          (path) => `${path}?${query}`,
        );
        const parts = await batch(urls.map((url) => ({ url })));
        for (const { id, body } of parts) expect(body).toBe(await (await app.get(urls[id]!)).text());
      }),
      { numRuns: 30 },
    );
  });

  it('sends responses in the order in which they are ready', async () => {
    await app.send('POST', '/__faults', { call: 'premiumSpotlights', delayMs: 400 });
    const parts = await batch([
      { url: `${LISTING}/spotlight/premiumresults` },
      { url: `${LISTING}?numRecords=1` },
    ]);
    expect(parts.map(({ id, status }) => [id, status])).toEqual([
      [1, 200],
      [0, 200],
    ]);
  });

  it('sends a response while another call hangs', async () => {
    await app.send('POST', '/__faults', { call: 'premiumSpotlights', mode: 'drip' });
    const response = await app.send('POST', '/batch', {
      calls: [{ url: `${LISTING}/spotlight/premiumresults` }, { url: `${LISTING}/count` }],
    });
    // The batch never ends, so what can be read now was sent before the first call's response.
    const reader = (response.body as ReadableStream<Uint8Array>).getReader();
    const { value } = await reader.read();
    await reader.cancel();
    expect(partsOf(Buffer.from(value!))).toMatchObject([{ id: 1, status: 200 }]);
  });

  it('applies a fault to its call only', async () => {
    await app.send('POST', '/__faults', { call: 'search', status: 503, times: 1 });
    await app.send('POST', '/__faults', { call: 'count', mode: 'invalidBody' });
    await app.send('POST', '/__faults', { call: 'zipLookup', mode: 'drop' });
    const calls = [
      { url: LISTING },
      { url: LISTING },
      { url: `${LISTING}/count` },
      { url: '/cars-for-sale/svc/zip/60601' },
    ];
    const parts = (await batch(calls)).toSorted((a, b) => a.id - b.id);
    expect(parts.map(({ status }) => status)).toEqual([503, 200, 200, 0]);
    expect(parts[0]!.body).toContain('INJECTED_FAULT');
    expect(() => JSON.parse(parts[2]!.body) as unknown).toThrow();
  });

  it('leaves out a call whose condition is not met', async () => {
    const boost = '/rest/lsc/newcarboost/listing?makeCode=FORD&numRecords=2';
    const { totalResultCount } = await app.json<{ totalResultCount: number }>(
      `${LISTING}/count?makeCode=FORD`,
    );
    const onlyIf = (atLeast: number) => ({
      url: boost,
      onlyIf: { countUrl: `${LISTING}/count?makeCode=FORD`, atLeast },
    });
    const parts = await batch([onlyIf(totalResultCount), onlyIf(totalResultCount + 1)]);
    expect(parts.map(({ id, status }) => [id, status]).toSorted()).toEqual([
      [0, 200],
      [1, 412],
    ]);
  });

  it('counts each call in the metrics, at its own route', async () => {
    const count = async () => {
      const text = await (await app.get('/metrics')).text();
      return Number(
        /count\{method="GET",route="\/rest\/lsc\/listing\/count",status="200"\} (\d+)/.exec(text)?.[1],
      );
    };
    await batch([{ url: `${LISTING}/count` }]);
    const before = await count();
    await batch([{ url: `${LISTING}/count` }, { url: `${LISTING}/count` }]);
    expect(await count()).toBe(before + 2);
  });

  it('is rejected without calls, with too many, or with a URL that is no path', async () => {
    expect((await app.send('POST', '/batch', { calls: [] })).status).toBe(400);
    const many = Array.from({ length: 33 }, () => ({ url: LISTING }));
    expect((await app.send('POST', '/batch', { calls: many })).status).toBe(400);
    expect((await batch([{ url: 'http://elsewhere.test/' }]))[0]!.status).toBe(400);
    expect((await batch([{ url: `${LISTING}?q=${'x'.repeat(9000)}` }]))[0]!.status).toBe(414);
  });
});

describe("the stock's version", () => {
  it('answers 304 without a search until the stock changes', async () => {
    const app = await startTestApp(generatedStock(50));
    const first = await app.get(LISTING);
    const etag = first.headers.get('etag')!;
    const search = jest.spyOn(app.index, 'search');
    expect((await app.get(LISTING, { 'If-None-Match': etag })).status).toBe(304);
    const url = `${LISTING}?makeCode=FORD`;
    const call = { url, headers: { 'if-none-match': etag } };
    const parts = async () =>
      partsOf(Buffer.from(await (await app.send('POST', '/batch', { calls: [call] })).arrayBuffer()));
    expect((await parts())[0]).toMatchObject({ status: 304, bytes: 0 });
    expect(search).not.toHaveBeenCalled();

    app.index.apply([{ id: '1000001' }]);
    expect((await app.get(LISTING, { 'If-None-Match': etag })).status).toBe(200);
    expect((await parts())[0]!.status).toBe(200);
    expect((await app.get(LISTING)).headers.get('stock-version')).not.toBe(
      first.headers.get('stock-version'),
    );
    await app.stop();
  });
});
