import { createHash } from 'node:crypto';
import { afterEach, describe, expect, it } from '@jest/globals';
import { buildListing, buildOwner } from '@forecourt/search/testing';
import { CALLS } from '@forecourt/upstream/calls';
import { ownerSchema } from '@forecourt/upstream/entities';
import { createInlineRenderer } from '../../engine/rendering/inline.ts';
import { tinyRelease } from '../../engine/rendering/testing/tinyRelease.ts';
import { startShell, type ShellRig } from '../../testing/shellRig.ts';
import { CallFailure, type CallFailureCode } from '../../engine/gateway/callFailure.ts';
import { SITE_PLAN } from '../site.ts';

const rigs: ShellRig[] = [];
afterEach(() => Promise.all(rigs.splice(0).map((rig) => rig.stop())));

const failing = (code: CallFailureCode, status?: number) => () => {
  throw new CallFailure(code, 'listing', 'test', status);
};

/** A main slot that loads one listing and, if the upstream refuses it, redirects to `redirect`. */
const vehicleSlot = (redirect = '/cars-for-sale/all-cars?expiredListing=1', head = '{}') => `defineSlot({
  reads: ['page'],
  load: async ({ state, call }) => {
    const id = decodeURIComponent(state.page.url.split('?')[0].split('/').pop());
    try {
      return (await call('listing', { id })).listing;
    } catch (error) {
      if (error.code === 'REFUSED') return null;
      throw error;
    }
  },
  page: ({ state, data }) => data
    ? { title: data.title, description: 'One vehicle', canonical: state.page.url.split('?')[0], isIndexed: true,
        heroImage: '/pictures/1.svg', ...${head} }
    : { redirect: ${JSON.stringify(redirect)}, status: 301 },
  structuredData: ({ state, data }) => data && { '@type': 'Car', name: data.title, url: state.page.url,
    image: ['/pictures/1.svg', 'https://photos.example/2.jpg'] },
  view: ({ data }) => React.createElement('h1', null, data ? data.title : 'gone'),
})`;
/** A main slot without data: it shows the page state. */
const stateSlot = `defineSlot({
  reads: ['page'],
  page: ({ state }) => ({ title: 'Saved', description: '', canonical: '/account', isIndexed: false,
    status: state.page.url.includes('done=failed') ? 503 : 200 }),
  view: () => React.createElement('p', null, 'saved'),
})`;

async function start({
  slot = vehicleSlot(),
  everySlot,
  ...options
}: Parameters<typeof startShell>[0] & { slot?: string; everySlot?: string } = {}): Promise<ShellRig> {
  const renderer = createInlineRenderer(SITE_PLAN);
  const results = tinyRelease(
    { vehicle: everySlot ?? slot, compare: everySlot ?? stateSlot },
    { name: 'mfe-results', reads: ['page'] },
  );
  const leads = tinyRelease(
    { 'saved-searches': everySlot ?? stateSlot, 'saved-vehicles': everySlot ?? stateSlot, leads: stateSlot },
    { name: 'mfe-leads', reads: ['page'] },
  );
  const reference = tinyRelease(
    { 'build-your-price': everySlot ?? stateSlot },
    { name: 'mfe-model-reference', reads: ['page'] },
  );
  const all = [results, leads, reference];
  await Promise.all(all.map((release) => renderer.prepare(release)));
  const listing = CALLS.listing.response.shape.listing.parse(buildListing());
  const owner = ownerSchema.parse(buildOwner());
  const rig = await startShell({
    live: new Map(all.map((release) => [release.manifest.name, { live: release }])),
    ...options,
    answers: { listing: () => ({ listing, owner }), ...options.answers },
    deps: { renderer, ...options.deps },
  });
  rigs.push(rig);
  return rig;
}
const VEHICLE = '/cars-for-sale/vehicle/1001';
const SIGNED_IN = {
  isPresent: () => true,
  idToken: () => Promise.resolve('token'),
  account: () => Promise.resolve({ firstName: 'Ada', email: 'ada@example.com' }),
};
const bootOf = (html: string) =>
  JSON.parse(/id="fc-boot"[^>]*>(.*?)<\/script>/.exec(html)?.[1] ?? '{}') as {
    state: { page: object; search: { url: string } };
    slots: { slot: string; rendered: string; hydrate: string }[];
    remotes: { name: string }[];
  };

describe('page of a vehicle', () => {
  it('records the view for people, but not for bots', async () => {
    const rig = await start();
    await rig.send(VEHICLE);
    await rig.send(VEHICLE, { headers: { 'User-Agent': 'Googlebot/2.1' } });
    const views = rig.calls.filter(({ name }) => name === 'recordView');
    expect(views.map(({ context }) => context.body)).toEqual([{ listingId: '1001', brand: 'atc' }]);
  });

  it('records the view of a page that is fetched ahead when it is opened', async () => {
    const rig = await start();
    const views = () => rig.calls.filter(({ name }) => name === 'recordView');
    const { headers, text } = await rig.send(VEHICLE, { headers: { 'Sec-Purpose': 'prefetch' } });
    expect(views()).toEqual([]);
    const open = (page: string) =>
      rig.send('/cars-for-sale/svc/page-event', {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify({ brand: 'atc', page, events: [{ type: 'page.opened', name: 'prefetched' }] }),
      });
    await open('/cars-for-sale/all-cars');
    expect(views()).toEqual([]);
    await open(`${VEHICLE}?clickType=listing`);
    expect(views().map(({ context }) => context.body)).toEqual([{ listingId: '1001', brand: 'atc' }]);

    const rules = /<script type="speculationrules">(.*?)<\/script>/.exec(text)?.[1] ?? '';
    expect(JSON.parse(rules)).toMatchObject({ prefetch: [{ eagerness: 'moderate' }] });
    const hash = createHash('sha256').update(rules).digest('base64');
    expect(headers['content-security-policy']).toContain(`'sha256-${hash}'`);
  });

  it('records at most ten views of a listing per network and hour, whatever cookies are sent', async () => {
    const rig = await start();
    const beacon = { type: 'view', name: 'vehicle', listingId: '1001' };
    for (let n = 0; n < 12; n += 1) {
      await rig.send(VEHICLE, {
        headers: { Cookie: `pixallId=01234567-89ab-cdef-0123-4567890000${10 + n}` },
      });
      await rig.send('/cars-for-sale/svc/page-event', {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify({ brand: 'atc', page: VEHICLE, events: [beacon] }),
      });
    }
    const views = rig.calls.filter(({ name }) => name === 'recordView' || name === 'pageEvent');
    expect(views).toHaveLength(10);
  });

  // rows: B2-ALERT-01
  it.each([404, 400])('redirects without caching when the upstream refuses with %i', async (status) => {
    const { send, calls } = await start({ answers: { listing: failing('REFUSED', status) } });
    const response = await send('/cars-for-sale/vehicle/%00');
    expect(response.status).toBe(301);
    expect(response.headers.location).toBe('/cars-for-sale/all-cars?expiredListing=1');
    expect(response.headers['cache-control']).toBe('no-store');
    expect(calls.map(({ name }) => name)).not.toContain('recordView');
  });

  it('gives slots the makes and models that the shell knows, also while the upstream is away', async () => {
    const slot = `defineSlot({
      reads: [],
      load: async ({ call }) => (await call('slugReference', {})).makes.map(({ code }) => code).join(),
      page: () => ({ title: '', description: '', canonical: '/', isIndexed: false }),
      view: ({ data }) => React.createElement('h1', null, data),
    })`;
    const rig = await start({ slot });
    rig.calls.length = 0;
    expect((await rig.send(VEHICLE)).text).toMatch(/<h1>[A-Z]+(,[A-Z]+)*<\/h1>/);
    expect(rig.calls.map(({ name }) => name)).not.toContain('slugReference');
  });
});

it('shows the page of saved vehicles without an account, which its browser may have saved', async () => {
  const { send } = await start();
  const { status, text } = await send('/account/saved-vehicles');
  expect([status, text.includes('<p>saved</p>')]).toEqual([200, true]);
});

describe('main slot', () => {
  it.each([
    ['/cars-for-sale/vehicle/1001', 'an end tag of the page', '</div></main><p>LOOT</p>'],
    ['/cars-for-sale/compare?listingIds=1,2', 'a script', '<script>LOOT()</script>'],
    ['/cars-for-sale/build-your-price?makeCode=FORD', 'a comment without end', '<p>LOOT</p><!--'],
    ['/account/saved-searches', 'a form to another site', '<form action="https://evil.example">LOOT</form>'],
    ['/account/saved-vehicles', 'an event handler', '<p onclick="LOOT()">x</p>'],
  ])('is the error screen of %s when its HTML has %s', async (path, _what, html) => {
    const slot = `defineSlot({
      reads: ['page'],
      page: () => ({ title: 'Hostile', description: '', canonical: '/', isIndexed: false }),
      view: () => React.createElement('div', { dangerouslySetInnerHTML: { __html: ${JSON.stringify(html)} } }),
    })`;
    const { send } = await start({ everySlot: slot, deps: { sessions: SIGNED_IN } });
    const { status, text } = await send(path, { headers: { cookie: 'signedIn=true; account=sealed' } });
    expect(status).toBe(500);
    expect(text).toContain('This page isn’t available right now.');
    expect(text).not.toContain('LOOT');
    expect(text).toMatch(/<\/html>\s*$/);
  });
});

describe('paths of slot pages', () => {
  it.each([
    ['/cars-for-sale/compare?listingIds=1,2', 'compare'],
    ['/cars-for-sale/vehicle/7', 'vehicle'],
  ])('serves %s as page kind %s', async (path, kind) => {
    const { text, status } = await (await start()).send(path);
    expect(status).toBe(200);
    expect(bootOf(text).state.page).toMatchObject({ kind, url: path });
  });

  it('redirects the short path of build-your-price', async () => {
    const { status, headers } = await (await start()).send('/build-your-price?makeCode=FORD&modelCode=F150');
    expect(status).toBe(301);
    expect(headers.location).toBe('/cars-for-sale/build-your-price?makeCode=FORD&modelCode=F150');
  });

  it('refuses forms on a page without forms', async () => {
    expect((await (await start()).send(VEHICLE, { method: 'POST' })).status).toBe(405);
  });
});
