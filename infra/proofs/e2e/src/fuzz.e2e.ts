import assert from 'node:assert/strict';
import { request } from 'node:http';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import { shellOrigin } from './sharedStack.ts';

const REQUESTS = 2000;

interface RawResponse {
  readonly status: number;
  readonly location: string | undefined;
  readonly body: string;
}

/** node:http sends raw paths, cookies and headers that fetch would normalize. */
function sendRequest(path: string, headers: Readonly<Record<string, string>>): Promise<RawResponse> {
  const { hostname, port } = new URL(shellOrigin());
  return new Promise((resolve, reject) => {
    const outgoing = request({ hostname, port, path, headers, timeout: 15_000 }, (response) => {
      const parts: Buffer[] = [];
      response.on('data', (part: Buffer) => parts.push(part));
      response.on('end', () =>
        resolve({
          status: response.statusCode ?? 0,
          location: response.headers.location,
          body: Buffer.concat(parts).toString('utf8'),
        }),
      );
      response.on('error', reject);
    });
    outgoing.on('timeout', () => outgoing.destroy(new Error(`no response in 15 s: ${path}`)));
    outgoing.on('error', reject);
    outgoing.end();
  });
}

const PARAMS = [
  'zip',
  'searchRadius',
  'makeCode',
  'modelCode',
  'trimCode',
  'listingType',
  'minPrice',
  'maxPrice',
  'startYear',
  'endYear',
  'mileage',
  'sortBy',
  'firstRecord',
  'numRecords',
  'keyword',
  'city',
  'state',
  'featureCode',
  'vehicleStyleCode',
  'fuelTypeGroup',
  'makeCode1',
  'modelCode2',
  'showcaseOwnerId',
  'isSponsorship',
  'experience',
  'categorySearch',
  'lastExec',
  'mmt',
  'marketExtension',
  'dealType',
  'utm_source',
  'expiredListing',
  '__proto__',
  'constructor',
  'toString',
] as const;
const SEGMENTS = [
  'all',
  'used',
  'new',
  'certified',
  'all-cars',
  'ford',
  'f150',
  'truck',
  'suv-crossover',
  'electric',
  'chicago-il',
  'by-owner',
  '2020',
  'vehicle',
  'api',
  '..',
  '%2e%2e',
  '%00',
  '%ff',
  '%',
  'constructor',
  '__proto__',
] as const;
const VALUES = [
  '60601',
  '606010000',
  'FORD',
  'F150',
  'FORD,HONDA',
  'USED',
  '-1',
  '0',
  '1e999',
  'NaN',
  '99999999999999999999',
  '30',
  '31',
  'relevance',
  'derivedpriceASC',
  'true',
  '',
  ',',
  ',,,',
  '%00',
  '%',
  '%E0%A4%A',
  '<script>',
  "' OR 1=1",
  '{"a":1}',
  '[]',
  '../../etc/passwd',
  '\u202e',
  '💥',
] as const;

const text = fc
  .string({ unit: 'binary', maxLength: 40 })
  .map((value) => encodeURIComponent(value.toWellFormed()));
const value = fc.oneof(fc.constantFrom(...VALUES), text);
const pair = fc.tuple(fc.oneof(fc.constantFrom(...PARAMS), text), value).map(([name, it]) => `${name}=${it}`);
const path = fc
  .tuple(
    fc.constantFrom(
      '/cars-for-sale',
      '/cars-for-sale',
      '/cars-for-sale',
      '',
      '/remotes',
      '/pictures',
      '/assets',
    ),
    fc.array(fc.oneof(fc.constantFrom(...SEGMENTS), text), { maxLength: 6 }),
    fc.array(pair, { maxLength: 8 }),
  )
  .map(([root, segments, pairs]) => {
    const query = pairs.length === 0 ? '' : `?${pairs.join('&')}`;
    // Node refuses to send some of them.
    return `${[root, ...segments].join('/') || '/'}${query}`.replaceAll(/[^\x21-\x7e]/gu, encodeURIComponent);
  });
const headerText = fc.string({
  unit: fc.integer({ min: 0x20, max: 0x7e }).map((code) => String.fromCharCode(code)),
  maxLength: 80,
});
const headers = fc
  .record(
    {
      cookie: fc.oneof(
        headerText,
        headerText.map((it) => `sid=${it}; zip=${it}; signedIn=true`),
        fc.constant('sid=__proto__; zip=%; alphaHidden=1; __proto__=1'),
      ),
      'user-agent': headerText,
      'accept-encoding': fc.oneof(headerText, fc.constantFrom('br', 'gzip', 'br;q=0', '*;q=x')),
      'x-request-id': headerText,
      'x-brand': fc.oneof(headerText, fc.constantFrom('atc', 'kbb', 'oem', '__proto__', 'constructor')),
      'x-flags': fc.oneof(headerText, fc.constant('compare=false,__proto__=true')),
      'x-forwarded-for': headerText,
      'x-forwarded-proto': headerText,
      'if-none-match': headerText,
      range: headerText,
      host: fc.constantFrom('localhost', 'evil.example', 'a b', '', '[::1', 'x:99999'),
    },
    { requiredKeys: [] },
  )
  .map(
    (record) =>
      Object.fromEntries(Object.entries(record).filter(([, it]) => it !== undefined)) as Record<
        string,
        string
      >,
  );

const STACK =
  /\bat (?:[\w.<>$]+ )?\(?(?:file:\/\/|node:|\/|webpack:)[^)\s]*:\d+:\d+|node_modules|server\.cjs/;

describe('any request', () => {
  it(`never responds with a 5xx, a stack trace or a redirect chain (${REQUESTS} random URLs, cookies and headers)`, async () => {
    const check = async (path: string, headers: Record<string, string>) => {
      const response = await sendRequest(path, headers);
      assert.ok(
        response.status < 500,
        `${response.status} for ${path} ${JSON.stringify(headers)}: ${response.body.slice(0, 300)}`,
      );
      assert.doesNotMatch(
        response.body.slice(0, 200_000).replaceAll(/<script type="application\/json".*/gs, ''),
        STACK,
      );
      if (response.status !== 301) return;
      const { location = '' } = response;
      assert.ok(location.startsWith('/') && !location.startsWith('//'), `leads to ${location}`);
      const next = await sendRequest(location, headers);
      assert.notEqual(next.status, 301, `${path} → ${location} → ${next.location}`);
      assert.ok(next.status < 500, `${next.status} for ${location}`);
    };
    // A few concurrent requests per run.
    const together = 8;
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(path, headers), { minLength: together, maxLength: together }),
        async (all) => {
          await Promise.all(all.map(([path, headers]) => check(path, headers)));
        },
      ),
      { numRuns: REQUESTS / together, interruptAfterTimeLimit: 140_000, markInterruptAsFailure: true },
    );
  });
});
