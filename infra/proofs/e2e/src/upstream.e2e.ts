// not in the cluster: starts its own services, whose API it breaks and restarts
import assert from 'node:assert/strict';
import { setTimeout as wait } from 'node:timers/promises';
import { after, afterEach, before, describe, it } from 'mocha';
import { startOwnStack } from '@forecourt/harness/ownStack';
import { kill } from '@forecourt/harness/processes';
import { getPage, listingIds, vehicleIds } from '@forecourt/harness/serverHtml';
import { removeListing } from './marketplaceStore.ts';
import { loggedLines } from './serviceLogs.ts';
import { expectStructuredData, expectValidHtml } from './pageChecks.ts';

const PAGE = '/cars-for-sale/all/ford/f150?searchRadius=0&zip=60601';
/** Optional page calls time out after 3 s, then a slot's own data after 0.8 s. */
const DEADLINES_MS = 3000 + 800;
const GOOGLEBOT = 'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)';

const OPTIONAL_PATHS = [
  '/rest/lsc/listing/spotlight',
  '/rest/lsc/listing/similar',
  '/rest/lsc/listing/count',
  '/rest/lsc/crawl',
  '/cars-for-sale/svc/zip',
  '/cars-for-sale/searchoptions',
] as const;

describe('when upstream calls fail', () => {
  let stack: Awaited<ReturnType<typeof startOwnStack>>;
  let usualMs: number;
  let vehicles: number;
  const page = (headers?: Record<string, string>) => getPage(stack.urls.shell + PAGE, headers);

  before(async () => {
    stack = await startOwnStack();
    await page();
    const usual = await page();
    usualMs = usual.durationMs;
    vehicles = listingIds(usual.html).length;
    assert.ok(vehicles > 5, `${vehicles} vehicles`);
  });
  after(() => stack?.remove());

  const faults = (method: 'POST' | 'DELETE', fault?: object) =>
    fetch(`${stack.urls['marketplace-api']}/__faults`, {
      method,
      ...(fault && { headers: { 'content-type': 'application/json' }, body: JSON.stringify(fault) }),
    });
  afterEach(() => faults('DELETE').catch(() => undefined));

  const ways = [
    ['hang', { delayMs: 60_000 }],
    ['drip', { mode: 'drip' }],
    ['drop the connection', { mode: 'drop' }],
    ['return invalid JSON', { mode: 'invalidBody' }],
    ['return 503', { status: 503 }],
  ] as const;
  for (const [name, fault] of ways)
    // rows: B8-ERR-06
    it(`shows results when all optional upstream calls ${name}`, async () => {
      for (const path of OPTIONAL_PATHS) await faults('POST', { path, ...fault });
      const longest = usualMs + DEADLINES_MS * 1.1;
      let ms = Infinity;
      // Retried, because a parallel browser may have delayed the page.
      for (let attempt = 0; attempt < 3 && ms > longest; attempt += 1) {
        const response = await page();
        assert.equal(response.status, 200);
        // Without spotlights, their vehicles appear as organic listings.
        assert.ok(listingIds(response.html).length >= vehicles);
        ms = response.durationMs;
      }
      assert.ok(ms <= longest, `${Math.round(ms)} ms`);
    });

  const assertErrorScreen = (html: string) => {
    assert.ok(html.includes('We are sorry. There was an issue with your last search.'));
    assert.match(
      html,
      /<form action="\/cars-for-sale\/all\/ford\/f150" method="get">.*name="zip" value="60601"/,
    );
    assert.match(html, /<button[^>]*>Please try again<\/button>/);
  };

  // rows: B2-ERROR-01, B8-ERR-03
  it('shows and reports the error screen when the required call fails', async () => {
    await faults('POST', { path: '/rest/lsc/listing', status: 503 });
    const { status, html, headers } = await page();
    assert.equal(status, 500);
    assertErrorScreen(html);
    await expectValidHtml(html);
    expectStructuredData(html, []);
    const requestId = headers.get('x-request-id') ?? '';
    assert.match(requestId, /./);
    const report = await loggedLines(stack.dataDir, ['"call":"search"', requestId]);
    assert.ok(report.length > 0, 'the failed call is in the log');
  });

  it('serves valid HTML for a vehicle that was sold long ago, and when its call fails', async () => {
    const [id = ''] = vehicleIds((await page()).html);
    const path = `${stack.urls.shell}/cars-for-sale/vehicle/${id}`;
    await faults('POST', { call: 'listing', status: 503 });
    const broken = await getPage(path);
    await faults('DELETE');
    assert.equal(broken.status, 500);
    await expectValidHtml(broken.html);
    await removeListing(id, Date.now() - 100 * 86_400_000, stack.dataDir);
    let gone = await getPage(path);
    // The API applies the change within a second.
    for (let attempt = 0; attempt < 20 && gone.status === 200; attempt += 1) {
      await wait(250);
      gone = await getPage(path);
    }
    assert.equal(gone.status, 410);
    await expectValidHtml(gone.html);
    expectStructuredData(gone.html, []);
  });

  // rows: B2-ERROR-01, B2-ERROR-02, B8-ERR-04
  it('offers a retry when the marketplace is down, with 500 for people and 200 for bots', async () => {
    await kill(stack.pids['marketplace-api']);
    const people = await page();
    assert.equal(people.status, 500);
    assertErrorScreen(people.html);
    const bot = await page({ 'user-agent': GOOGLEBOT });
    assert.equal(bot.status, 200);
    assert.equal(bot.headers.get('x-robots-tag'), 'noindex');
    assertErrorScreen(bot.html);
    // Other requests succeed as well.
    for (const path of [
      '/cars-for-sale/vehicle/1',
      '/pictures/trucks/blue/front.svg',
      '/cars-for-sale/all-cars',
    ]) {
      const response = await getPage(stack.urls.shell + path);
      assert.doesNotMatch(response.html, /\bat .+:\d+:\d+/, path);
    }
  });
});
