import { afterEach, describe, expect, it } from '@jest/globals';
import type { SearchLoaded } from '@forecourt/search/state';
import { buildListing, buildOwner } from '@forecourt/search/testing';
import { searchResponseSchema } from '@forecourt/upstream/entities';
import { startShell, type ShellRig } from '../../testing/shellRig.ts';

const rigs: ShellRig[] = [];
afterEach(() => Promise.all(rigs.splice(0).map((rig) => rig.stop())));

const SUGGESTIONS = [
  { label: 'About Civics', kind: 'content', url: '/civic' },
  { label: 'Ford F-150', kind: 'filters', filters: { makeCode: ['FORD'], modelCode: ['F150'] }, count: 1 },
];

/** A shell whose upstream has vehicles only for searches that `isMatch` accepts. */
async function shellWhere(
  isMatch: (params: URLSearchParams) => boolean,
  suggestions: readonly object[] = SUGGESTIONS,
): Promise<ShellRig> {
  const owner = buildOwner({ id: 'd1', ownerName: 'Lakeside Ford' });
  const rig = await startShell({
    answers: {
      search: (params) =>
        searchResponseSchema.parse(
          isMatch(params)
            ? { listings: [buildListing({ id: '1', ownerId: 'd1' })], owners: [owner], totalResultCount: 1 }
            : { listings: [], owners: [], totalResultCount: 0 },
        ),
      suggestedKeywords: () => ({ suggestions }),
    },
  });
  rigs.push(rig);
  return rig;
}

const load = async ({ send }: ShellRig, url: string, headers: Record<string, string> = {}) =>
  (
    JSON.parse(
      (await send(`/cars-for-sale/api/search?url=${encodeURIComponent(url)}`, { headers })).text,
    ) as { page: SearchLoaded }
  ).page;

describe('an empty keyword search', () => {
  const KEYWORD = '/cars-for-sale/all-cars?keyword=frod+f150&zip=60601';

  it('becomes the best suggestion', async () => {
    const rig = await shellWhere((params) => params.get('modelCode') === 'F150');
    const page = await load(rig, KEYWORD);
    expect(page.totalResultCount).toBe(1);
    expect(page.criteria.filters).toEqual({ makeCode: ['FORD'], modelCode: ['F150'], zip: ['60601'] });
    // The words as typed find nothing: there is no way back to them.
    expect(page.adjustment).toEqual({ text: 'No results for “frod f150”. Showing results for Ford F-150.' });
    const literal = await load(rig, '/cars-for-sale/all-cars?keyword=%22frod%20f150%22&zip=60601');
    expect(literal).toMatchObject({ totalResultCount: 0, adjustment: null });
    expect(literal.chips.map(({ label }) => label)).toContain('“frod f150”');
  });

  it('stays empty when the suggestion has no vehicles either', async () => {
    const page = await load(await shellWhere(() => false), KEYWORD);
    expect(page).toMatchObject({ totalResultCount: 0, adjustment: null });
    expect(page.criteria.filters.keyword).toEqual(['frod f150']);
  });
});

describe('a sentence as the keyword', () => {
  const SENTENCE = '/cars-for-sale/all-cars?keyword=red+pickup+near+austin&searchRadius=25&zip=60601';
  const reading = (overrides: object = {}) => ({
    label: 'Red trucks near Austin',
    kind: 'filters',
    filters: { city: ['Austin'], state: ['TX'], extColorSimple: ['RED'], vehicleStyleCode: ['TRUCKS'] },
    isInterpretation: true,
    ...overrides,
  });

  it('becomes its filters around its own place, also when the words as typed find something', async () => {
    const page = await load(await shellWhere(() => true, [reading()]), SENTENCE);
    expect(page.criteria.filters).toEqual({
      city: ['Austin'],
      state: ['TX'],
      extColorSimple: ['RED'],
      vehicleStyleCode: ['TRUCKS'],
    });
    expect(page.adjustment).toEqual({
      text: 'Red trucks near Austin.',
      undo: {
        label: 'Search for “red pickup near austin” instead',
        href: '/cars-for-sale/all-cars?keyword=%22red%20pickup%20near%20austin%22&searchRadius=25&zip=60601',
      },
    });
  });

  it('keeps the place of the search when it names none', async () => {
    const filters = { extColorSimple: ['RED'] };
    const page = await load(await shellWhere(() => true, [reading({ filters })]), SENTENCE);
    expect(page.criteria.filters).toEqual({ extColorSimple: ['RED'], searchRadius: ['25'], zip: ['60601'] });
  });

  it('is sorted by price where the words ask for cheap ones, unless the visitor chose an order', async () => {
    const rig = await shellWhere(() => true, [reading({ sortBy: 'derivedpriceASC' })]);
    expect((await load(rig, SENTENCE)).criteria.sortBy).toBe('derivedpriceASC');
    expect((await load(rig, `${SENTENCE}&sortBy=yearDESC`)).criteria.sortBy).toBe('yearDESC');
  });

  it('names what no filter covers and what nothing matches', async () => {
    const isFound = (params: URLSearchParams) => !params.has('keyword');
    const textOf = async (overrides: object) =>
      (await load(await shellWhere(isFound, [reading(overrides)]), SENTENCE)).adjustment;
    expect(await textOf({ leftOut: ['turbo', 'no rust'], dropped: ['Red'] })).toEqual({
      text:
        'Red trucks near Austin. We can’t filter by “turbo” or “no rust”. ' +
        'Nothing matches “Red” as well, so we left that out.',
    });
    expect(await textOf({ dropped: ['Red', 'Leather Seats'], isWidened: true })).toEqual({
      text:
        'Red trucks near Austin. Nothing matches “Red” and “Leather Seats” as well, so we left those out. ' +
        'Nothing matches within 25 miles, so we searched the whole country.',
    });
  });

  it('is read also when it is not the first suggestion', async () => {
    const rig = await shellWhere((params) => !params.has('keyword'), [...SUGGESTIONS, reading()]);
    expect((await load(rig, SENTENCE)).criteria.filters.extColorSimple).toEqual(['RED']);
  });

  it.each([
    ['some of its words are left out', reading({ leftOut: ['pickup'] })],
    ['some of its filters are', reading({ dropped: ['Red'] })],
    ['it is only completed', { ...reading(), isInterpretation: undefined }],
  ])('stays as typed when it finds vehicles and %s', async (_, suggestion) => {
    const page = await load(await shellWhere(() => true, [suggestion]), SENTENCE);
    expect(page).toMatchObject({
      adjustment: null,
      criteria: { filters: { keyword: ['red pickup near austin'] } },
    });
  });
});

describe('a VIN or stock number as the keyword', () => {
  const numbers = { vin: '1FTFW1E50MFA00001', stockNumber: 'U-47 11B' };
  const rigOf = (count: number) =>
    startShell({
      answers: {
        search: () =>
          searchResponseSchema.parse({
            listings: Array.from({ length: count }, (_, at) => buildListing({ ...numbers, id: `${at}1` })),
            owners: [buildOwner({})],
            totalResultCount: count,
          }),
        suggestedKeywords: () => ({ suggestions: [] }),
      },
    });

  // rows: B4-KEY-03
  it.each(['1ftfw1e50mfa00001', 'U4711b', 'stock # u-4711-b'])(
    'opens the one vehicle with %s',
    async (keyword) => {
      const rig = await rigOf(1);
      rigs.push(rig);
      const url = `/cars-for-sale/all-cars?keyword=${encodeURIComponent(keyword)}`;
      expect(await rig.send(url)).toMatchObject({
        status: 302,
        headers: { location: '/cars-for-sale/vehicle/01' },
      });
      expect(
        JSON.parse((await rig.send(`/cars-for-sale/api/search?url=${encodeURIComponent(url)}`)).text),
      ).toEqual({
        kind: 'document',
      });
    },
  );

  it.each([
    ['several sellers have it', 2, 'U4711B'],
    ['it is another one', 1, 'U4712B'],
    ['it is in quotation marks', 1, '"U4711B"'],
  ])('shows results when %s', async (_, count, keyword) => {
    const rig = await rigOf(count);
    rigs.push(rig);
    const page = await load(rig, `/cars-for-sale/all-cars?keyword=${encodeURIComponent(keyword)}`);
    expect(page.totalResultCount).toBe(count);
  });
});

describe("a sponsor's inventory without matches", () => {
  const SPONSOR =
    '/cars-for-sale/all/ford?isSponsorship=true&maxPrice=9000&searchRadius=50&showcaseOwnerId=d1&zip=60601';

  // rows: B2-ALPHA-04
  it.each([
    [
      (params: URLSearchParams) => params.get('searchRadius') === '0',
      { maxPrice: ['9000'] },
      'Within 50 miles',
    ],
    [(params: URLSearchParams) => !params.has('maxPrice'), {}, 'Under $9,000'],
  ])('drops the radius first, then filters, until vehicles are left (%#)', async (isMatch, kept, label) => {
    const page = await load(await shellWhere(isMatch), SPONSOR);
    expect(page.criteria.filters).toEqual({
      makeCode: ['FORD'],
      searchRadius: ['0'],
      zip: ['60601'],
      ...kept,
    });
    expect(page.adjustment?.text).toMatch(/^Lakeside Ford has no match for all of your filters/);
    expect(page.adjustment?.text).toContain(label);
    expect(page.adjustment?.undo?.href).toBe(
      '/cars-for-sale/all/ford?maxPrice=9000&searchRadius=50&zip=60601',
    );
  });

  it('leaves a category whose filters were dropped, and keeps the open section', async () => {
    const url =
      '/cars-for-sale/all-cars?categorySearch=buy-online&homeServices=BUY_ONLINE&isSponsorship=true&openSection=mileage&showcaseOwnerId=d1';
    const page = await load(await shellWhere((params) => !params.has('homeServices')), url);
    expect(page.criteria).toMatchObject({ openSection: 'mileage', filters: {} });
    expect(page.criteria).not.toHaveProperty('categorySearch');
  });

  it('is shown unchanged when it has vehicles', async () => {
    const page = await load(await shellWhere(() => true), SPONSOR);
    expect(page).toMatchObject({ adjustment: null, criteria: { filters: { maxPrice: ['9000'] } } });
  });
});

describe('the place of a search', () => {
  // rows: B4-CLEAR-01
  it("is the visitor's ZIP when the URL names none: in heading, chip, criteria and links", async () => {
    const rig = await startShell({
      answers: {
        search: () => searchResponseSchema.parse({ listings: [], owners: [], totalResultCount: 0 }),
        zipLookup: () => ({ success: true, city: 'Chicago', state: 'IL' }),
      },
    });
    rigs.push(rig);
    const page = await load(rig, '/cars-for-sale/all-cars?searchRadius=50', { cookie: 'zip=60601' });
    expect(page.criteria.filters).toEqual({ searchRadius: ['50'], zip: ['60601'] });
    expect(page.texts.heading).toBe('Cars for Sale in Chicago, IL');
    expect(page.chips.map(({ label }) => label)).toEqual(['Within 50 miles of Chicago, IL']);
    expect(page.url).toBe('/cars-for-sale/all-cars?searchRadius=50&zip=60601');
    const elsewhere = await load(rig, '/cars-for-sale/all/truck/boston-ma', { cookie: 'zip=60601' });
    expect(elsewhere.criteria.filters.zip).toBeUndefined();
  });

  // rows: A2-QP-04
  it.each([
    ['/cars-for-sale/all/ford?searchRadius=50&sortBy=yearASC', '/cars-for-sale/all/ford?sortBy=yearASC'],
    ['/cars-for-sale?searchRadius=0', '/cars-for-sale/all-cars'],
  ])('is not the radius alone: %s, without a ZIP, leads to %s', async (url, target) => {
    const rig = await startShell();
    rigs.push(rig);
    const { status, headers } = await rig.send(url);
    // Not for good: with a ZIP of the visitor, the radius has a center.
    expect([status, headers.location, headers['cache-control']]).toEqual([302, target, 'no-store']);
    expect((await rig.send(target)).status).toBe(200);
    const withZip = await rig.send(url, { headers: { cookie: 'zip=60601' } });
    expect(withZip.headers.location).not.toBe(target);
    const { text } = await rig.send(`/cars-for-sale/api/search?url=${encodeURIComponent(url)}`);
    expect(JSON.parse(text)).toMatchObject({ url: target, page: { url: target } });
    for (const place of ['zip=60601', 'city=Boston&state=MA', 'state=MA', 'area=41~-88~42~-87'])
      expect((await rig.send(`${url}&${place}`)).headers.location ?? '').toMatch(/^$|searchRadius=/);
  });
});
