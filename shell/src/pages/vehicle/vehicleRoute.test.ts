import { afterEach, describe, expect, it } from '@jest/globals';
import { ownerSchema } from '@forecourt/shared-contracts/entities';
import { buildListing, buildOwner } from '@forecourt/shared-contracts/testing';
import { CallFailure, type CallFailureCode } from '../../gateway/callFailure.ts';
import { startShell, type ShellRig } from '../../testing/shellRig.ts';
import { CALLS } from '@forecourt/shared-contracts/calls';

const rigs: ShellRig[] = [];
afterEach(() => Promise.all(rigs.splice(0).map((rig) => rig.stop())));

async function start(
  changes: Partial<Parameters<typeof buildListing>[0]> = {},
  options: Parameters<typeof startShell>[0] = {},
): Promise<ShellRig> {
  const listing = CALLS.listing.response.shape.listing.parse(buildListing(changes));
  const owner = ownerSchema.parse(buildOwner());
  const rig = await startShell({
    ...options,
    answers: {
      listing: () => ({ listing, owner }),
      filterPreview: () => ({ totalResultCount: 0, filters: [] }),
      ...options.answers,
    },
  });
  rigs.push(rig);
  return rig;
}
const failing = (code: CallFailureCode, status?: number) => () => {
  throw new CallFailure(code, 'listing', 'test', status);
};
const VEHICLE = '/cars-for-sale/vehicle/1001';
const structuredData = (html: string) =>
  JSON.parse(/<script type="application\/ld\+json"[^>]*>(.*?)<\/script>/.exec(html)?.[1] ?? '{}') as {
    '@graph': Record<string, unknown>[];
  };

describe('the page of a vehicle', () => {
  it('stands at /cars-for-sale/vehicle/{listingId} and shows that one listing', async () => {
    const rig = await start();
    const { status, text } = await rig.send(VEHICLE, { headers: { Host: 'localhost' } });
    expect(status).toBe(200);
    expect(rig.calls.find(({ name }) => name === 'listing')?.params).toBe('id=1001');
    expect(text).toContain('<h1>2021 Ford F-150 XLT</h1>');
    expect(text).toContain('<link rel="canonical" href="http://localhost/cars-for-sale/vehicle/1001">');
  });

  it('shows what a seller wrote as text, with one h1 inside the main landmark', async () => {
    const { send } = await start({ title: '<b>2021</b> Ford "F"', features: ['</script><i>x'] });
    const { text } = await send(VEHICLE);
    expect(text.match(/<h1[^>]*>.*?<\/h1>/g)).toEqual([
      '<h1>&lt;b&gt;2021&lt;/b&gt; Ford &quot;F&quot;</h1>',
    ]);
    expect(text.indexOf('<main')).toBeLessThan(text.indexOf('<h1'));
    expect(text).not.toMatch(/<b>2021|<i>x/);
  });

  it('asks the dialogs of another remote by intents, and dials without a script', async () => {
    const { send } = await start({ phone: '312-555-0100' });
    const { text } = await send(VEHICLE);
    expect(text).toContain(
      'data-intent="lead.requested" data-payload="{&quot;listingId&quot;:&quot;1001&quot;,&quot;kind&quot;:&quot;email&quot;}"',
    );
    expect(text).toContain('data-intent="listing.shareRequested"');
    expect(text).toContain('href="tel:+13125550100"');
  });

  it('offers the 360 view where there is one, and then also the slot that shows it', async () => {
    const turned = (await (await start({ fyuseId: 'f1' })).send(VEHICLE)).text;
    expect(turned).toContain('data-intent="listing.spinRequested"');
    expect(turned).toContain('id="slot-spin"');
    const still = (await (await start()).send(VEHICLE)).text;
    expect(still).not.toMatch(/spinRequested|slot-spin/);
  });

  it('tells search engines of the car and its offer', async () => {
    const { send } = await start();
    const [car, trail] = structuredData((await send(VEHICLE)).text)['@graph'];
    expect(car).toMatchObject({
      '@type': 'Car',
      name: '2021 Ford F-150 XLT',
      offers: { '@type': 'Offer', priceCurrency: 'USD', availability: 'https://schema.org/InStock' },
    });
    expect(trail).toMatchObject({ '@type': 'BreadcrumbList' });
  });

  it('calculates the payment that its form asks for', async () => {
    const { send } = await start({ pricingDetail: { derivedPrice: 20_000, salePrice: 20_000 } });
    expect((await send(`${VEHICLE}?down=0&term=60&apr=0`)).text).toContain(
      'data-payment="monthly">$333</strong>',
    );
    const odd = await send(`${VEHICLE}?down=-5&term=7&apr=<x>`);
    expect(odd.text).toContain(
      'name="down" inputmode="numeric" autocomplete="off" maxlength="11" value="2000"',
    );
  });

  it('has neither payment nor offer without a price', async () => {
    const { send } = await start({ pricingDetail: {} });
    const { text } = await send(VEHICLE);
    expect(text).toContain('Call for price');
    expect(text).not.toContain('id="payment"');
    expect(JSON.stringify(structuredData(text))).not.toContain('Offer');
  });

  it('shows similar vehicles of the call, never itself', async () => {
    const similar = CALLS.similar.response.parse({
      listings: [buildListing(), buildListing({ id: '1002', title: '2020 Ford F-150 XL' })],
      owners: [],
    });
    const { send } = await start({}, { answers: { similar: () => similar } });
    const { text } = await send(VEHICLE);
    expect(text).toContain('2020 Ford F-150 XL</a></h3>');
    expect(text).not.toContain('2021 Ford F-150 XLT</a></h3>');
  });

  it('goes on without its market when that call fails', async () => {
    const { send } = await start({}, { answers: { filterPreview: failing('TIMED_OUT') } });
    expect((await send(VEHICLE)).status).toBe(200);
  });

  it('records the view for people, not for bots', async () => {
    const rig = await start();
    await rig.send(VEHICLE);
    await rig.send(VEHICLE, { headers: { 'User-Agent': 'Googlebot/2.1' } });
    const views = rig.calls.filter(({ name }) => name === 'recordView');
    expect(views.map(({ context }) => context.body)).toEqual([{ listingId: '1001', brand: 'atc' }]);
  });

  it('boots with the listing and its seller in the store, for the dialogs', async () => {
    const { send } = await start();
    const { text } = await send(VEHICLE);
    const boot = JSON.parse(/id="fc-boot"[^>]*>(.*?)<\/script>/.exec(text)?.[1] ?? '{}') as {
      page: string;
      state: { search: { listings: { id: string }[]; owners: Record<string, unknown> } };
      slots: { slot: string }[];
    };
    expect(boot.page).toBe('detail');
    expect(boot.state.search.listings[0]?.id).toBe('1001');
    expect(Object.keys(boot.state.search.owners)).toContain('d1');
    expect(boot.slots.map(({ slot }) => slot)).toEqual(['leads']);
  });
});

describe('the way back from a vehicle', () => {
  const host = 'localhost';
  const SEARCH = '/cars-for-sale/all/ford/f150?searchRadius=50&zip=60601';

  it('leads to the search from which the visitor came', async () => {
    const { send } = await start();
    const { text } = await send(VEHICLE, { headers: { Host: host, Referer: `http://${host}${SEARCH}` } });
    expect(text).toContain(
      '<a href="/cars-for-sale/all/ford/f150?searchRadius=50&amp;zip=60601">‹ Back to results</a>',
    );
  });

  it('is carried from one vehicle to the next, and through signing in', async () => {
    const similar = CALLS.similar.response.parse({ listings: [buildListing({ id: '1002' })], owners: [] });
    const { send } = await start({}, { answers: { similar: () => similar } });
    const { text } = await send(`${VEHICLE}?search=${encodeURIComponent(SEARCH)}`);
    expect(text).toContain('‹ Back to results');
    const carried = encodeURIComponent(SEARCH);
    expect(text).toContain(`vehicle/1002?clickType=similar&amp;search=${carried}`);
    expect(text).toContain(`refUrl=${encodeURIComponent(`${VEHICLE}?search=${carried}`)}`);
  });

  it.each([
    ['another site', `http://evil.example${SEARCH}`],
    ['a page that is no search', `http://${host}/cars-for-sale/vehicle/7`],
    ['nowhere', undefined],
  ])('leads to its model for who came from %s', async (_, Referer) => {
    const { send } = await start();
    const { text } = await send(VEHICLE, { headers: { Host: host, ...(Referer ? { Referer } : {}) } });
    expect(text).toContain('<a href="/cars-for-sale/all/ford/f150">‹ All Ford F-150 for sale</a>');
  });
});

describe('a vehicle that is gone', () => {
  // rows: B2-ALERT-01
  it.each([404, 400])('leads to the results with the alert when the upstream answers %i', async (status) => {
    const { send } = await start({}, { answers: { listing: failing('REFUSED', status) } });
    const answer = await send('/cars-for-sale/vehicle/%00');
    expect(answer.status).toBe(301);
    expect(answer.headers.location).toBe('/cars-for-sale/all-cars?expiredListing=1');
    expect(answer.headers['cache-control']).toBe('no-store');
  });

  it.each([
    ['its own model', { makeCode: 'FORD', modelCode: 'F150' }],
    ['a model that nobody knows any more', null],
  ])('leads back to the search before that was for %s', async (_, model) => {
    const { send } = await start(
      {},
      { answers: { listing: failing('REFUSED', 404), vehicleModel: () => model } },
    );
    const Referer = 'http://localhost/cars-for-sale/all/ford/f150?maxPrice=20000&zip=60601';
    const { headers } = await send(VEHICLE, { headers: { Host: 'localhost', Referer } });
    expect(headers.location).toBe('/cars-for-sale/all/ford/f150?expiredListing=1&maxPrice=20000&zip=60601');
  });

  // rows: B8-ERR-07
  it.each([
    ['another search', 'http://localhost/cars-for-sale/all/ford?maxPrice=20000&zip=60601', '&zip=60601'],
    ['elsewhere', 'https://other.example/', ''],
  ])(
    'leads to its own model near the place of the search when it was opened from %s, so that the alert names it',
    async (_, Referer, place) => {
      const { send } = await start(
        {},
        {
          answers: {
            listing: failing('REFUSED', 404),
            vehicleModel: () => ({ makeCode: 'FORD', modelCode: 'F150' }),
          },
        },
      );
      const { headers } = await send(VEHICLE, { headers: { Host: 'localhost', Referer } });
      expect(headers.location).toBe(`/cars-for-sale/all/ford/f150?expiredListing=1${place}`);
    },
  );

  it('is not what an upstream in trouble means: that is the error screen', async () => {
    const { send } = await start({}, { answers: { listing: failing('UNREACHABLE') } });
    expect(await send(VEHICLE)).toMatchObject({ status: 500 });
  });
});
