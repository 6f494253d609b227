import { afterEach, describe, expect, it } from '@jest/globals';
import { searchResponseSchema } from '@forecourt/shared-contracts/entities';
import type { SearchLoaded } from '@forecourt/shared-contracts/store';
import { buildListing, buildOwner } from '@forecourt/shared-contracts/testing';
import { startShell, type ShellRig } from '../testing/shellRig.ts';

const rigs: ShellRig[] = [];
afterEach(() => Promise.all(rigs.splice(0).map((rig) => rig.stop())));

/** A shell whose upstream has vehicles only for searches that `isMatch` accepts. */
async function shellWhere(isMatch: (params: URLSearchParams) => boolean): Promise<ShellRig> {
  const owner = buildOwner({ id: 'd1', ownerName: 'Lakeside Ford' });
  const rig = await startShell({
    answers: {
      search: (params) =>
        searchResponseSchema.parse(
          isMatch(params)
            ? { listings: [buildListing({ id: '1', ownerId: 'd1' })], owners: [owner], totalResultCount: 1 }
            : { listings: [], owners: [], totalResultCount: 0 },
        ),
      suggestedKeywords: () => ({
        suggestions: [
          { label: 'About Civics', kind: 'content', url: '/civic' },
          {
            label: 'Ford F-150',
            kind: 'filters',
            filters: { makeCode: ['FORD'], modelCode: ['F150'] },
            count: 1,
          },
        ],
      }),
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
