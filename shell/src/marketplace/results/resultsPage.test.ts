import { afterEach, describe, expect, it } from '@jest/globals';
import { EMPTY_SLUG_REFERENCE } from '@forecourt/search/criteria';
import { buildListing, buildOwner } from '@forecourt/search/testing';
import { searchResponseSchema } from '@forecourt/upstream/entities';
import { CallFailure } from '../../engine/gateway/callFailure.ts';
import { RenderFailure } from '../../engine/rendering/slotRenderer.ts';
import { textSlot, tinyRelease } from '../../engine/rendering/testing/tinyRelease.ts';
import { startShell, type ShellRig } from '../../testing/shellRig.ts';

const rigs: ShellRig[] = [];
afterEach(() => Promise.all(rigs.splice(0).map((rig) => rig.stop())));
async function start(options?: Parameters<typeof startShell>[0]): Promise<ShellRig> {
  const rig = await startShell(options);
  rigs.push(rig);
  return rig;
}

const GOOGLEBOT = 'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)';
const results = (changes: object = {}) =>
  searchResponseSchema.parse({
    listings: [buildListing()],
    owners: [buildOwner()],
    totalResultCount: 1,
    ...changes,
  });
const failing =
  (code: ConstructorParameters<typeof CallFailure>[0], status?: number, upstream?: string) => () => {
    throw new CallFailure(code, 'search', 'no', status, upstream);
  };
const SORRY = 'We are sorry. There was an issue with your last search.';

describe('results page', () => {
  // rows: A2-ROUTE-01, B2-ROUTE-01, B2-ROUTE-02
  it.each([
    '/cars-for-sale',
    '/cars-for-sale/all-cars',
    '/cars-for-sale/all/ford/f150',
    '/cars-for-sale/used',
  ])('returns 200 for %s', async (path) => {
    const { send } = await start();
    const answer = await send(path);
    expect(answer.status).toBe(200);
    expect(answer.headers['content-type']).toMatch(/^text\/html/);
    expect(answer.text).toMatch(/^<!doctype html>.*<\/html>$/s);
  });

  it.each([
    ['a paid one', ['paid'], ['highlighted'], 'paid'],
    ['the highlighted one', [], ['highlighted'], 'highlighted'],
    ['the first of the search', [], [], 'ordinary'],
  ])('preloads the picture of the vehicle at the top: %s', async (_, paid, highlighted, src) => {
    const vehicle = (name: string) =>
      buildListing({ id: name, images: { primary: 0, sources: [{ src: `/${name}.svg`, alt: '' }] } });
    const { send } = await start({
      answers: {
        search: () => results({ listings: [vehicle('ordinary')] }),
        premiumSpotlights: () => ({ listings: paid.map(vehicle), owners: [] }),
        vehicleHighlight: () => ({ listings: highlighted.map(vehicle), owners: [] }),
      },
    });
    const { text } = await send('/cars-for-sale/all-cars');
    expect(text).toContain(`<link rel="preload" as="image" href="/${src}.svg"`);
  });

  // rows: B4-ALPHA-07
  it('omits the showcase for a visitor with the cookie of a hidden showcase', async () => {
    const alpha = { alphaShowcase: { isAlpha: true, listings: [buildListing()] }, ownerBean: buildOwner() };
    const { send, content } = await start({ answers: { search: () => results({ alpha }) } });
    const ownerFor = async (cookie: string) => {
      const { text } = await send('/cars-for-sale/all-cars', { headers: { Cookie: cookie } });
      return (await content(text)).search.alpha?.ownerBean.id;
    };
    expect(await ownerFor('alphaHidden=1')).toBeUndefined();
    expect(await ownerFor('alphaHidden=0')).toBe('d1');
  });

  // rows: B1-BRAND-01, B1-BRAND-02
  it.each([
    ['dealers.example', 'Forecourt', 'ATC', 'Cars for Sale in Chicago, IL', 'FORD,HONDA'],
    ['valuation.example', 'Forecourt Values', 'KBB', 'Cars for Sale in Chicago, IL', 'FORD,HONDA'],
    ['maker.example', 'Forecourt Certified', 'OEM', 'cars for sale near Chicago, IL', 'FORD'],
  ])('applies the configuration of the brand of %s', async (host, name, channel, heading, makes) => {
    const { send, calls } = await start({
      environment: { BRAND: 'valuation.example=kbb,maker.example=oem' },
      answers: { zipLookup: () => ({ success: true, city: 'Chicago', state: 'IL' }) },
    });
    const answer = await send('/cars-for-sale/all-cars?makeCodeList=FORD%2CHONDA&zip=60601', {
      headers: { host },
    });
    const location = answer.headers.location;
    const { status, text } = location ? await send(location, { headers: { host } }) : answer;
    expect(status).toBe(200);
    expect(text).toContain(heading);
    expect(text).toContain(`| ${name}</title>`);
    const search = calls.find(({ name }) => name === 'search');
    const params = new URLSearchParams(search?.params);
    expect([params.get('channel'), params.get('makeCodeList') ?? params.get('makeCode')]).toEqual([
      channel,
      makes,
    ]);
  });

  it.each([
    ['/cars-for-sale/all-cars', 'all'],
    ['/cars-for-sale/all/ford', 'FORD'],
    ['/cars-for-sale/all/ford/f150?zip=60601', 'FORD.F150'],
    ['/cars-for-sale/all-cars?makeCodeList=FORD,HONDA', 'all'],
  ])('names the picture that chats show with a link to %s', async (path, name) => {
    const { send } = await start();
    const { text } = await send(path, { headers: { Host: 'localhost' } });
    expect(text).toContain(
      `<meta property="og:image" content="http://localhost/pictures/share/searches/${name}.jpg">`,
    );
  });

  // rows: B2-HERO-02
  it('has one h1 and one of each landmark', async () => {
    const { send } = await start();
    const { text } = await send('/cars-for-sale/all-cars');
    for (const tag of ['h1', 'main', 'header class="fc-bar"', 'footer class="fc-footer"'])
      expect(text.split(`<${tag}`)).toHaveLength(2);
  });

  // rows: B2-TOOL-11, B2-ALPHA-01, B2-BOTTOM-09
  it('puts hero and showcase above the results and the footer ad below them', async () => {
    const { send } = await start();
    const { text } = await send('/cars-for-sale/all-cars');
    const slots = [...text.matchAll(/data-slot="([^"]+)"/g)].map(([, slot = '']) => slot);
    const order = ['hero', 'showcase', 'toolbar', 'results', 'footer-ad'];
    expect(slots.filter((slot) => order.includes(slot))).toEqual(order);
  });

  it('links later styles below results and filters, once for scripts and once without', async () => {
    const { send } = await start();
    const { text } = await send('/cars-for-sale/all-cars');
    const link = /<link rel="stylesheet" href="\/assets\/abc123\/later\.css"[^>]* disabled data-later>/;
    const [before = '', after = '', ...more] = text.split(link);
    expect(more).toEqual([]);
    expect(after).toMatch(
      /^<noscript><link rel="stylesheet" href="\/assets\/abc123\/later\.css" integrity="[^"]+" crossorigin><\/noscript>/,
    );
    expect(text.split('later.css')).toHaveLength(3);
    for (const slot of ['toolbar', 'results', 'filters']) expect(before).toContain(`data-slot="${slot}"`);
    for (const slot of ['model-reference', 'email-capture']) expect(after).toContain(`data-slot="${slot}"`);
  });

  // rows: B7-URL-02
  it.each([
    ['/cars-for-sale/all-cars?zip=60601&makeCode=FORD&', '/cars-for-sale/all/ford?zip=60601'],
    ['/cars-for-sale/used?zip=60601&searchRadius=25', '/cars-for-sale/used?searchRadius=25&zip=60601'],
  ])('redirects %s once with 301 to the normalized order', async (path, normalized) => {
    const { send, calls } = await start();
    const { status, headers } = await send(path);
    expect([status, headers.location]).toEqual([301, normalized]);
    expect(calls).toEqual([]);
    expect((await send(normalized)).status).toBe(200);
  });

  it('returns 404 for an unknown make', async () => {
    const { send } = await start();
    const answer = await send('/cars-for-sale/all/fjord');
    expect(answer.status).toBe(404);
    expect(answer.text).toContain('We couldn’t find that page.');
  });

  // rows: B2-ERROR-01, B8-ERR-03, B8-ERR-04
  it.each(['UPSTREAM_ERROR', 'TIMED_OUT', 'BREAKER_OPEN', 'UNREACHABLE', 'INVALID_RESPONSE'] as const)(
    'shows the error screen with 500 when the required call fails with %s',
    async (code) => {
      const { send } = await start({ answers: { search: failing(code) } });
      const answer = await send('/cars-for-sale/all-cars');
      expect(answer.status).toBe(500);
      expect(answer.text).toContain(SORRY);
      // Not no-store, which would keep it out of the back/forward cache.
      expect(answer.headers['cache-control']).toBe('private, no-cache');
      expect(answer.text).not.toContain('at ');
    },
  );

  // rows: B8-ERR-04
  it('shows bots the error screen with 200 and noindex', async () => {
    const { send } = await start({ answers: { search: failing('UPSTREAM_ERROR', 500) } });
    const answer = await send('/cars-for-sale/all-cars', { headers: { 'User-Agent': GOOGLEBOT } });
    expect(answer.status).toBe(200);
    expect(answer.text).toContain(SORRY);
    expect(answer.headers['x-robots-tag']).toBe('noindex');
  });

  // rows: B8-ERR-03
  it('shows and reports the error screen while the makes are not loaded', async () => {
    const { send, log } = await start({
      deps: {
        reference: {
          current: () => EMPTY_SLUG_REFERENCE,
          data: () => ({ makes: [] }),
          renew: () => Promise.resolve(false),
          start: () => Promise.resolve(),
          stop: () => {},
        },
      },
    });
    const answer = await send('/cars-for-sale/all/ford');
    expect(answer.status).toBe(500);
    expect(answer.text).toContain(SORRY);
    expect(log.filter(({ msg }) => msg === 'reported')).toMatchObject([{ level: 50, code: 'SEARCH_FAILED' }]);
  });

  // rows: B8-ERR-05
  it.each([
    [400, 400],
    [404, 404],
    [503, 503],
    [999, 500],
  ])(
    'shows the error page for status code %i of the page data with status %i',
    async (statusCode, status) => {
      const { send } = await start({ answers: { search: () => results({ pageData: { statusCode } }) } });
      const answer = await send('/cars-for-sale/all-cars');
      expect(answer.status).toBe(status);
      expect(answer.text).toContain(SORRY);
    },
  );

  // rows: B8-ERR-05
  it("returns the page data's status to bots too", async () => {
    const { send } = await start({ answers: { search: () => results({ pageData: { statusCode: 500 } }) } });
    const answer = await send('/cars-for-sale/all-cars', { headers: { 'User-Agent': GOOGLEBOT } });
    expect(answer.status).toBe(500);
    expect(answer.text).toContain(SORRY);
  });

  // rows: A4-FLOW-03
  it('shows the message in the grid with 200 when the upstream refuses the parameters', async () => {
    const { send } = await start({ answers: { search: failing('REFUSED', 400, 'INVALID_PARAMETERS') } });
    const answer = await send('/cars-for-sale/all-cars?zip=60601');
    expect(answer.status).toBe(200);
    expect(answer.text).toContain('>Update filter criteria to see more results<');
  });

  // rows: B7-PREM-05, B7-SPOT-03, B7-HIGH-02, B8-ERR-06
  it('renders with results when every optional call is empty', async () => {
    const { send } = await start({ answers: { search: () => results() } });
    const answer = await send('/cars-for-sale/all-cars');
    expect(answer.status).toBe(200);
    expect(answer.text).toContain('2021 Ford F-150 XLT');
  });

  it('shows the plain list when the results release fails, with a log entry, metrics and readiness', async () => {
    const release = tinyRelease({ results: textSlot('x') }, { name: 'mfe-results' });
    const { send, log, metrics } = await start({
      answers: { search: () => results() },
      live: new Map([['mfe-results', { live: release }]]),
      render: () => Promise.reject(new RenderFailure('DEADLINE', 'not done in 800 ms')),
    });
    const { status, text } = await send('/cars-for-sale/all-cars');
    expect(status).toBe(200);
    expect(text).toContain('<a href="/cars-for-sale/vehicle/1001?clickType=listing">2021 Ford F-150 XLT</a>');
    expect(log).toContainEqual(expect.objectContaining({ slot: 'results', code: 'DEADLINE' }));
    expect(await metrics.metrics()).toContain(
      'forecourt_slot_failures_total{slot="results",release="mfe-results@1.0.0",code="DEADLINE"} 1',
    );
    expect(await metrics.metrics()).toContain(
      'forecourt_release_renders_total{remote="mfe-results",release="mfe-results@1.0.0",outcome="DEADLINE"} 1',
    );
    expect(JSON.parse((await send('/health/ready')).text)).toMatchObject({
      failing: { 'mfe-results@1.0.0': { results: 'DEADLINE' } },
    });
    for (const { name, help } of await metrics.getMetricsAsJSON()) expect(help).not.toBe(name);
  });

  it.each([
    ['results', 'mfe-results', 'fallback'],
    ['toolbar', 'mfe-filters', 'none'],
  ])(
    'keeps the early files of %s when it fails, because the browser mounts it',
    async (slot, name, rendered) => {
      const release = tinyRelease({ [slot]: textSlot('x') }, { name });
      const style = 'web/early.css';
      const { [slot]: declaration } = release.manifest.slots;
      const slots = { [slot]: { ...declaration, styles: [style] } } as typeof release.manifest.slots;
      const live = {
        ...release,
        manifest: { ...release.manifest, slots },
        webFiles: new Map([...release.webFiles, [style, Buffer.from('.early{color:red}')]]),
      };
      const { send } = await start({
        answers: { search: () => results() },
        live: new Map([[name, { live }]]),
        render: () => Promise.reject(new RenderFailure('THREW', 'no')),
      });
      const { text } = await send('/cars-for-sale/all-cars');
      const [, preloads] = /id="fc-preloads">(.*?)</.exec(text) ?? [];
      expect(preloads).toContain(`/remotes/${name}/1.0.0/web/remoteEntry.js`);
      expect(text).toContain('.early{color:red}');
      const [, boot = ''] = /id="fc-boot"[^>]*>(.*?)<\/script>/.exec(text) ?? [];
      const { slots: mounted } = JSON.parse(boot) as { slots: { slot: string; rendered: string }[] };
      expect(mounted.find((one) => one.slot === slot)).toMatchObject({ rendered });
    },
  );

  it('answers HEAD like GET without rendering', async () => {
    let rendered = 0;
    const release = tinyRelease({ results: textSlot('x') }, { name: 'mfe-results' });
    const { send } = await start({
      live: new Map([['mfe-results', { live: release }]]),
      render: () => {
        rendered += 1;
        return Promise.resolve({ html: '', data: null });
      },
    });
    const answer = await send('/cars-for-sale/all-cars', { method: 'HEAD' });
    expect(answer).toMatchObject({ status: 200, text: '' });
    expect(rendered).toBe(0);
  });

  // rows: A9-LIMIT-12
  it('keeps the session in an HttpOnly cookie of 1800 s', async () => {
    const { send } = await start();
    const [cookie = ''] = (await send('/cars-for-sale/all-cars')).headers['set-cookie'] ?? [];
    expect(cookie).toMatch(/^sid=[0-9a-f-]{36};/);
    expect(cookie?.split('; ')).toEqual(
      expect.arrayContaining(['Max-Age=1800', 'HttpOnly', 'SameSite=Lax', 'Path=/']),
    );
    const [sid = ''] = cookie.split(';');
    const [again = ''] =
      (await send('/cars-for-sale/all-cars', { headers: { Cookie: sid } })).headers['set-cookie'] ?? [];
    expect(again.split(';')[0]).toBe(sid);
  });

  it('sets secure cookies behind a TLS proxy', async () => {
    const { send } = await start({ environment: { TRUST_PROXY: '1' } });
    const answer = await send('/cars-for-sale/all-cars', { headers: { 'X-Forwarded-Proto': 'https' } });
    expect(answer.headers['set-cookie']?.[0]).toContain('Secure');
  });

  it('forwards the request’s id to the upstream and returns it', async () => {
    const { send, calls } = await start();
    const answer = await send('/cars-for-sale/all-cars', { headers: { 'X-Request-Id': 'abcd-1234' } });
    expect(answer.headers['x-request-id']).toBe('abcd-1234');
    expect(new Set(calls.map(({ context }) => context.requestId))).toEqual(new Set(['abcd-1234']));
  });

  it.each(['short', 'with space 1234', 'x'.repeat(65)])(
    'creates its own request id instead of %j',
    async (id) => {
      const { send } = await start();
      const answer = await send('/cars-for-sale/all-cars', { headers: { 'X-Request-Id': id } });
      expect(answer.headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/);
    },
  );
});
