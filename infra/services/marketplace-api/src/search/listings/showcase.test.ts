import { decodeQuery } from '@forecourt/search/decode';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { chipsOf, createLabels } from '@forecourt/search/catalog';
import { missingCriteria } from '@forecourt/search/missingCriteria';
import { CALLS } from '@forecourt/upstream/calls';
import { type SearchResponse, searchResponseSchema } from '@forecourt/upstream/entities';
import { aListing, anOwner } from '../../testing/arbitraries.ts';
import { type TestApp, generatedStock, startTestApp } from '../../testing/testApp.ts';

jest.setTimeout(60_000);

const labelOf = createLabels({});

describe('the showcase', () => {
  let app: TestApp;
  beforeAll(async () => {
    app = await startTestApp(generatedStock(6000));
  });
  afterAll(() => app.stop());

  const search = (query: string) => app.json<SearchResponse>(`/rest/lsc/listing?${query}`);
  const total = async (query: string) => (await search(query)).totalResultCount;

  // rows: B2-ALPHA-03, B9-ALPHA-02
  it("fills the sponsor's card when only one of its vehicles matches the search", async () => {
    const { alpha } = await search('makeCode=FORD&zip=60601&searchRadius=50');
    const sponsor = `showcaseOwnerId=${alpha!.ownerBean.id}`;
    const sponsored = await search(`isSponsorship=true&${sponsor}`);
    const models = Map.groupBy(sponsored.listings, ({ makeCode, modelCode }) => `${makeCode} ${modelCode}`);
    const [single] = [...models.values()].find((listings) => listings.length === 1)!;
    const query = `makeCode=${single!.makeCode}&modelCode=${single!.modelCode}&${sponsor}`;
    const shownListings = (await search(query)).alpha!.alphaShowcase.listings;
    expect(shownListings.map(({ id }) => id)).toEqual([single!.id, expect.any(String)]);
    expect(new Set(shownListings.map(({ id }) => id)).size).toBe(2);
  });

  // rows: B5-MISS-01, B5-MISS-06
  it('never lists a criterion as missing when it matched the vehicle', async () => {
    const { filters, alpha } = searchResponseSchema.parse(await search('zip=60601&makeCode=FORD'));
    const sponsor = `showcaseOwnerId=${alpha!.ownerBean.id}`;
    const requests: string[] = [];
    for (const { name, options } of filters) {
      const isOwn = await Promise.all(
        options.slice(0, 4).map(({ value }) => total(`isSponsorship=true&${sponsor}&${name}=${value}`)),
      );
      const value = options[isOwn.findIndex((count) => count > 1)]?.value;
      if (value === undefined) continue;
      requests.push(name);
      const query = `${name}=${value}&${sponsor}`;
      const found = searchResponseSchema.parse(await search(query)).alpha!;
      const [first] = found.alphaShowcase.listings;
      const chips = chipsOf(decodeQuery(query), { labelOf });
      expect([
        name,
        value,
        missingCriteria(CALLS.listing.response.shape.listing.parse(first!), chips, found.ownerBean),
      ]).toEqual([name, value, []]);
    }
    expect(requests).toEqual(
      expect.arrayContaining(['vehicleHistoryType', 'vehicleUseType', 'bodyStyleSubtypeCode', 'driveGroup']),
    );
  });
});

// rows: B1-SCOPE-05
it('shows the card of a sponsor without an inventory showcase, and of no other dealer', async () => {
  const owners = [
    anOwner({ id: 'card', isAlpha: true }),
    anOwner({ id: 'inventory', isAlpha: true, hasInventoryShowcase: true }),
    anOwner({ id: 'plain' }),
  ];
  const listings = owners.map(({ id }) => aListing({ id, vin: id, ownerId: id }));
  const app = await startTestApp({ owners, listings });
  const shown = owners.map(async ({ id }) => {
    const { alpha } = await app.json<SearchResponse>(`/rest/lsc/listing?showcaseOwnerId=${id}`);
    return [alpha?.ownerBean.id, alpha?.alphaShowcase.isAlpha];
  });
  expect(await Promise.all(shown)).toEqual([
    ['card', true],
    ['inventory', false],
    ['plain', false],
  ]);
  await app.stop();
});
