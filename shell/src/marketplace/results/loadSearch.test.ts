import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { anonymousSession, emptySearch, type SearchLoaded } from '@forecourt/search/state';
import { buildListing, buildOwner, testReference } from '@forecourt/search/testing';
import type { CallName } from '@forecourt/upstream/calls';
import { searchResponseSchema } from '@forecourt/upstream/entities';
import { ZIP_COOKIE } from '../visitor/universal/zipCookie.ts';
import { startShell, type ShellRig } from '../../testing/shellRig.ts';
import type { Gateway } from '../../engine/gateway/gateway.ts';
import { loadSearch } from './loadSearch.ts';
import type { Reporter } from '../../engine/operations/reporter.ts';

const rigs: ShellRig[] = [];
afterEach(() => Promise.all(rigs.splice(0).map((rig) => rig.stop())));

type ShellOptions = NonNullable<Parameters<typeof startShell>[0]>;

async function shellWith(
  totalResultCount: number,
  pageData = {},
  { answers, environment = {} }: Pick<ShellOptions, 'answers' | 'environment'> = {},
): Promise<ShellRig> {
  const listings = [buildListing({ id: '1' })];
  const rig = await startShell({
    answers: {
      search: () => searchResponseSchema.parse({ listings, owners: [], totalResultCount, pageData }),
      ...answers,
    },
    environment,
  });
  rigs.push(rig);
  return rig;
}
const ask = async ({ send }: ShellRig, path: string, headers = {}) =>
  JSON.parse((await send(`/cars-for-sale/api/${path}`, { headers })).text) as { page: SearchLoaded };
const callsOf = ({ calls }: ShellRig, name: string) =>
  calls.filter((call) => call.name === name).map(({ params }) => new URLSearchParams(params));
const ALL_FORDS = `search?url=${encodeURIComponent('/cars-for-sale/all/ford')}`;
const NEXT = '/cars-for-sale/all/ford/f150?firstRecord=30&zip=60601';

describe('results page data', () => {
  it.each([
    [99_990, 90, 60],
    [720, 705, 690],
    [30, 30, 0],
    [60, 0, 0],
    [30, 31, 30],
  ])('corrects offset %i of %i results to %i', async (firstRecord, total, shown) => {
    const rig = await shellWith(total);
    const asked = `/cars-for-sale/all/ford?firstRecord=${firstRecord}&zip=60601`;
    const { page } = await ask(rig, `search?url=${encodeURIComponent(asked)}`);
    expect(page.criteria.firstRecord).toBe(shown);
    expect(page.firstLoadedRecord).toBe(shown);
    expect(new URL(page.url, 'http://localhost').searchParams.get('firstRecord')).toBe(
      shown === 0 ? null : String(shown),
    );
  });
});

describe('calls beside the listing call', () => {
  // rows: B7-PREM-02, B7-PREM-04, B7-SPOT-01, B7-SPOT-02, B7-HIGH-01, B9-PAGE-03, B9-PAGE-04, B9-PAGE-05
  it('are one for the spotlights of each tier and one for the highlight', async () => {
    const one = (id: string | null) => ({
      listings: [buildListing({ id: `${id}` })],
      owners: [buildOwner({ id: `seller of ${id}` })],
    });
    const rig = await shellWith(
      90,
      {},
      {
        answers: {
          premiumSpotlights: () => one('premium'),
          spotlights: (params) => one(params.get('listingTier')),
          vehicleHighlight: () => one('highlight'),
        },
      },
    );
    const { page } = await ask(rig, ALL_FORDS);
    const sent = (name: string, params: readonly string[]) =>
      callsOf(rig, name).map((query) => params.map((param) => query.get(param)));
    const tierAndPage = ['listingTier', 'numSpotlights', 'spotlightPage'];
    expect(sent('premiumSpotlights', tierAndPage)).toEqual([['premium', '3', '1']]);
    expect(sent('spotlights', tierAndPage)).toEqual([
      ['featured', '6', '1'],
      ['standard', '6', '1'],
    ]);
    expect(sent('vehicleHighlight', ['includeExtendedVehicleHighlights'])).toEqual([['true']]);
    expect(page.vehicleHighlight?.id).toBe('highlight');
    expect(page.spotlights).toMatchObject([
      { premium: [{ id: 'premium' }], featured: [{ id: 'featured' }], standard: [{ id: 'standard' }] },
    ]);
    for (const tier of ['premium', 'featured', 'standard'])
      expect(page.owners).toHaveProperty(`seller of ${tier}`);
  });

  // rows: B7-PREM-02
  it('request ten premium spotlights for the carousel, which further pages do not have', async () => {
    const rig = await shellWith(90, {}, { environment: { LOCAL_MODE: 'true' } });
    const flags = { 'X-Flags': 'spotlightCarousel=true' };
    await ask(rig, ALL_FORDS, flags);
    await ask(rig, `search/more?url=${encodeURIComponent(NEXT)}`, flags);
    expect(callsOf(rig, 'premiumSpotlights').map((params) => params.get('numSpotlights'))).toEqual([
      '10',
      '2',
    ]);
  });
});

describe('the listing call of a page', () => {
  const thirtyOne = Array.from({ length: 31 }, (_, at) => buildListing({ id: `organic ${at}` }));
  const one = (id: string) => () => ({ listings: [buildListing({ id })], owners: [] });
  const shellOf = (answers: NonNullable<ShellOptions['answers']>) =>
    shellWith(
      90,
      {},
      {
        answers: {
          search: () =>
            searchResponseSchema.parse({
              listings: thirtyOne,
              owners: [],
              totalResultCount: 90,
              pageData: {},
            }),
          ...answers,
        },
      },
    );

  // rows: B9-GRID-17
  it('asks for one more listing with a highlight and premium spotlights, and for none on further pages', async () => {
    const rig = await shellOf({ vehicleHighlight: one('hot'), premiumSpotlights: one('paid') });
    const { page } = await ask(rig, ALL_FORDS);
    await ask(rig, `search/more?url=${encodeURIComponent(NEXT)}`);
    expect(callsOf(rig, 'search').map((params) => params.get('numRecords'))).toEqual(['31', '30']);
    expect(page.listings).toHaveLength(31);
    expect(page.pageSizes).toEqual([31]);
    expect(page.criteria.numRecords).toBe(30);
  });

  // rows: B9-GRID-17
  it.each([
    ['no highlight', { premiumSpotlights: one('paid') }],
    [
      'a highlight alone',
      { vehicleHighlight: one('hot'), premiumSpotlights: () => ({ listings: [], owners: [] }) },
    ],
  ])('leaves out the one more beside %s', async (_, answers) => {
    const { page } = await ask(await shellOf(answers), ALL_FORDS);
    expect(page.listings).toHaveLength(30);
  });

  // rows: B7-LIST-03, B7-LIST-04
  it("has the manufacturer brand's excluded filter and ignores priority there and for a sponsor", async () => {
    const sent = async (path: string, environment: Record<string, string> = {}) => {
      const rig = await shellWith(90, {}, { environment });
      await ask(rig, `search?url=${encodeURIComponent(path)}`);
      const [query] = callsOf(rig, 'search');
      return [query?.get('excludedFilter'), query?.get('ignorePriority')];
    };
    const FORDS = '/cars-for-sale/all/ford';
    expect(await sent(FORDS, { BRAND: 'oem' })).toEqual(['vehicleExchange', 'true']);
    expect(await sent(FORDS)).toEqual([null, null]);
    expect(await sent(`${FORDS}?isSponsorship=true&showcaseOwnerId=5`)).toEqual([null, 'true']);
  });
});

describe('the configured relevance version', () => {
  // rows: B7-LIST-05, B9-GRID-16
  it('is sent with the listing calls of the first and further pages', async () => {
    const versionsWith = async (environment: Record<string, string>) => {
      const rig = await shellWith(90, {}, { environment });
      await ask(rig, ALL_FORDS);
      await ask(rig, `search/more?url=${encodeURIComponent(NEXT)}`);
      return ['search', 'vehicleHighlight'].flatMap((name) =>
        callsOf(rig, name).map((params) => params.get('relevanceConfig')),
      );
    };
    expect(await versionsWith({ RELEVANCE_VERSION: 'relevance-v4' })).toEqual(Array(3).fill('relevance-v4'));
    expect(await versionsWith({})).toEqual(Array(3).fill('relevance-v3'));
  });
});

describe('the visitor’s pixallId', () => {
  // rows: B7-LIST-07
  it('is sent with the listing call', async () => {
    const rig = await shellWith(90);
    const pixallId = '01234567-89ab-cdef-0123-456789abcdef';
    await ask(rig, ALL_FORDS, { Cookie: `pixallId=${pixallId}` });
    expect(callsOf(rig, 'search').map((params) => params.get('pixallId'))).toEqual([pixallId]);
  });
});

describe('an unknown ZIP', () => {
  it('is named in a notice and nowhere else, because the results are not from there', async () => {
    const rig = await shellWith(90, { unknownZip: '00000' });
    const asked = encodeURIComponent('/cars-for-sale/all/ford?searchRadius=25&zip=00000');
    const { page } = await ask(rig, `search?url=${asked}`);
    expect(page.notice).toBe('We can’t find ZIP Code 00000. Showing results without it.');
    expect(page.url).toBe('/cars-for-sale/all/ford');
    expect(page.chips.map(({ label }) => label)).toEqual(['Ford']);
    expect(JSON.stringify([page.texts, page.breadcrumbs, page.criteria])).not.toContain('00000');
  });

  it('is not mentioned when the search itself names none', async () => {
    const rig = await shellWith(90, { unknownZip: '00000' });
    const asked = encodeURIComponent('/cars-for-sale/all/ford');
    const { text } = await rig.send(`/cars-for-sale/api/search?url=${asked}`, {
      headers: { Cookie: `${ZIP_COOKIE}=00000` },
    });
    const { page } = JSON.parse(text) as { page: SearchLoaded };
    expect(page.notice).toBeNull();
    expect(page.criteria.filters).not.toHaveProperty('zip');
  });
});

describe('an unknown make', () => {
  it.each([
    ['all-cars?makeCode=NOPE', 0, 404],
    ['all-cars?makeCode=NOPE', 1, 200],
    ['all/ford', 0, 200],
  ])('%s with %i results has status %i', async (path, total, status) => {
    const { send } = await shellWith(total);
    expect((await send(`/cars-for-sale/${path}`)).status).toBe(status);
  });
});

// rows: B8-ERR-11
it.each([
  ['without a ZIP', null],
  ['with the ZIP of the visitor', '60601'],
])('reports a make that is not a list once and searches for it %s', async (_, visitorZip) => {
  const { criteria } = emptySearch;
  const filters = { makeCode: 'FORD' } as unknown as typeof criteria.filters;
  const noListings = { listings: [], owners: [] };
  const search = searchResponseSchema.parse({
    ...noListings,
    listings: [buildListing()],
    totalResultCount: 1,
  });
  const sent: string[] = [];
  const call = (name: CallName, params: unknown) => {
    if (name === 'search') sent.push(String(params));
    return Promise.resolve(name === 'search' ? search : noListings);
  };
  const request = async (name: CallName, params: unknown) => ({
    data: await call(name, params),
    source: 'current',
  });
  const report = jest.fn<Reporter>();
  const context = { requestId: 'abcd-1234' };
  const page = await loadSearch(
    {
      gateway: { call, request } as unknown as Gateway,
      placeOf: () => Promise.resolve(undefined),
      reference: { current: () => testReference },
    },
    {
      criteria: { ...criteria, filters },
      session: { ...anonymousSession, visitorZip },
      context,
      report,
    },
  );
  expect(report.mock.calls).toEqual([
    [{ code: 'MAKE_NOT_A_LIST', message: 'a make is not a list', ...context }],
  ]);
  expect(sent.map((query) => new URLSearchParams(query).get('makeCode'))).toEqual(['FORD']);
  expect(page.criteria.filters.makeCode).toEqual(['FORD']);
  expect(page.chips.map(({ label }) => label)).toContain('Ford');
  expect(page.listings).toHaveLength(1);
});

describe('next page', () => {
  // rows: B4-PAGING-05, B7-PREM-02, B7-PREM-04, B9-PAGE-03
  it('is one listing call with the next offset and one call for its premium spotlights', async () => {
    const rig = await shellWith(90);
    const { page } = await ask(rig, `search/more?url=${encodeURIComponent(NEXT)}`);
    expect(page).toMatchObject({ firstRecord: 30 });
    expect(callsOf(rig, 'search').map((params) => params.get('firstRecord'))).toEqual(['30']);
    const [spotlights, ...others] = callsOf(rig, 'premiumSpotlights');
    expect([spotlights?.get('numSpotlights'), spotlights?.get('spotlightPage')]).toEqual(['2', '2']);
    expect(others).toEqual([]);
    expect(callsOf(rig, 'newCarBoost')).toEqual([]);
  });
});
