import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Agent, request as httpRequest } from 'node:http';
import fc from 'fast-check';
import { pino } from 'pino';
import { CallFailure } from '../../engine/gateway/callFailure.ts';
import { startShell, type ShellRig } from '../../testing/shellRig.ts';

/** Of the test run; 10,000 take a quarter of a minute. */
const RUNS = Number(process.env['URL_RUNS'] ?? 2_000);
const AT_ONCE = 50;

let rig: ShellRig;
const agent = new Agent({ keepAlive: true, maxSockets: AT_ONCE });
beforeAll(async () => {
  // What a page costs beyond its status is not looked at here.
  const refused = new CallFailure('REFUSED', 'search', 'no', 400, 'INVALID_PARAMETERS');
  rig = await startShell({
    answers: { search: () => Promise.reject(refused) },
    deps: { logger: pino({ level: 'silent' }) },
    environment: { RENDER_LIMITS: 'pagesPerMinute=1000000,secondsPerMinute=6000' },
  });
});
afterAll(async () => {
  agent.destroy();
  await rig.stop();
});

/** Status and target of a HEAD request, over connections that are kept. */
const head = (path: string) =>
  new Promise<{ status: number; location: string | undefined }>((resolve, reject) => {
    httpRequest({ port: rig.port, host: '127.0.0.1', path, method: 'HEAD', agent }, (response) => {
      response.resume();
      response.on('end', () =>
        resolve({ status: response.statusCode ?? 0, location: response.headers.location }),
      );
    })
      .on('error', reject)
      .end();
  });

const code = fc.constantFrom(
  'FORD',
  'BMW',
  'F150',
  'F150|XLT',
  'ELE',
  'NEW',
  'used',
  '3P_CERT',
  'TRUCKS',
  'p',
  'd',
);
const value = fc.oneof(
  code,
  fc.array(code, { maxLength: 4 }).map((codes) => codes.join(',')),
  fc.integer({ min: -5, max: 40_000 }).map(String),
  fc.constantFrom(
    '60601',
    '60601-1234',
    '2021',
    '25',
    '30',
    '100',
    'include',
    'off',
    'commercial',
    'best-deals',
    '',
  ),
  fc.string({ maxLength: 8 }),
);
const name = fc.constantFrom(
  ...[
    'zip',
    'state',
    'city',
    'searchRadius',
    'sortBy',
    'firstRecord',
    'numRecords',
    'makeCode',
    'makeCodeList',
  ],
  ...[
    'makeCode1',
    'makeCode2',
    'modelCode',
    'modelCode1',
    'modelCodeList',
    'trimCode',
    'trimCodeList',
    'mmt',
  ],
  ...['vehicleStyleCode', 'vehicleStyleCodes', 'fuelTypeGroup', 'listingType', 'listingTypes', 'sellerType'],
  ...[
    'sellerTypes',
    'startYear',
    'endYear',
    'minPrice',
    'maxPrice',
    'mpgRange',
    'mpgRanges',
    'electricMileRange',
  ],
  ...[
    'experience',
    'marketExtension',
    'isSponsorship',
    'psid',
    'siomid',
    'defaultScreen',
    'refUrl',
    'lastExec',
  ],
  ...['showcaseOwnerId', 'categorySearch', 'dealType', 'homeServices', 'expiredListing', 'utm_source', 'x y'],
);
const segment = fc.constantFrom(
  'ford',
  'f150',
  'truck',
  'electric',
  '2021',
  'chicago-il',
  'FORD',
  'suv-crossover',
);
const path = fc.oneof(
  fc.constantFrom('/cars-for-sale', '/cars-for-sale/all-cars', '/cars-for-sale/'),
  fc
    .tuple(fc.constantFrom('all', 'new', 'used', 'certified', 'ALL'), fc.array(segment, { maxLength: 4 }))
    .map(([condition, segments]) => ['/cars-for-sale', condition, ...segments].join('/')),
);
const url = fc.tuple(path, fc.array(fc.tuple(name, value), { maxLength: 6 })).map(([where, pairs]) => {
  const query = new URLSearchParams(pairs.map(([key, text]) => [key, text.toWellFormed()])).toString();
  return query === '' ? where : `${where}?${query}`;
});

describe('running app', () => {
  it(`redirects any of ${RUNS} URLs at most once to one that it answers, permanently but for a radius without a place`, async () => {
    let redirected = 0;
    const check = async (asked: string) => {
      const first = await head(asked);
      if (first.status !== 301 && first.status !== 302) {
        expect([200, 404]).toContain(first.status);
        return;
      }
      if (first.status === 302) expect(asked).toMatch(/searchRadius=/i);
      redirected += 1;
      expect(first.location).toMatch(/^\/cars-for-sale/);
      expect(await head(first.location ?? '')).toEqual({ status: 200, location: undefined });
    };
    const batch = fc.array(url, { minLength: AT_ONCE, maxLength: AT_ONCE });
    await fc.assert(
      fc.asyncProperty(batch, async (urls) => {
        await Promise.all(urls.map(check));
      }),
      { numRuns: RUNS / AT_ONCE },
    );
    // The generator must make both kinds.
    expect(redirected).toBeGreaterThan(RUNS / 4);
    expect(redirected).toBeLessThan(RUNS);
  }, 180_000);
});
