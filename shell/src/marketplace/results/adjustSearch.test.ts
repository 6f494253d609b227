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

  it('becomes the best suggestion, with a link to the search as typed', async () => {
    const rig = await shellWhere((params) => params.get('modelCode') === 'F150');
    const page = await load(rig, KEYWORD);
    expect(page.totalResultCount).toBe(1);
    expect(page.criteria.filters).toEqual({ makeCode: ['FORD'], modelCode: ['F150'], zip: ['60601'] });
    expect(page.adjustment).toEqual({
      text: 'No results for “frod f150”. Showing results for Ford F-150.',
      undo: {
        label: 'Search for “frod f150” instead',
        href: '/cars-for-sale/all-cars?keyword=%22frod%20f150%22&zip=60601',
      },
    });
    const literal = await load(rig, page.adjustment!.undo.href);
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
    label: 'Austin, TX, Truck, Red',
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
    expect(page.adjustment?.text).toBe('Showing results for Austin, TX, Truck, Red.');
  });

  it('keeps the place of the search when it names none', async () => {
    const filters = { extColorSimple: ['RED'] };
    const page = await load(await shellWhere(() => true, [reading({ filters })]), SENTENCE);
    expect(page.criteria.filters).toEqual({ extColorSimple: ['RED'], searchRadius: ['25'], zip: ['60601'] });
  });

  it('shows its filters for correction when they find nothing, and names words that it left out', async () => {
    const page = await load(await shellWhere(() => false, [reading({ unreadWords: 'turbo' })]), SENTENCE);
    expect(page).toMatchObject({
      totalResultCount: 0,
      adjustment: { text: 'No vehicle matches “turbo”. Showing results for Austin, TX, Truck, Red.' },
    });
    expect(page.chips.map(({ section }) => section)).toEqual([
      'location',
      'vehicleStyleCode',
      'extColorSimple',
    ]);
  });

  it.each([
    ['some of its words are only a keyword', reading({ filters: { keyword: ['pickup'] } })],
    ['it is only completed', { ...reading(), isInterpretation: undefined }],
  ])('stays as typed when it finds vehicles and %s', async (_, suggestion) => {
    const page = await load(await shellWhere(() => true, [suggestion]), SENTENCE);
    expect(page).toMatchObject({
      adjustment: null,
      criteria: { filters: { keyword: ['red pickup near austin'] } },
    });
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
    expect(page.adjustment?.undo.href).toBe(
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
});
