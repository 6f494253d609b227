import { CALLS } from '@forecourt/upstream/calls';
import type { Trim } from '@forecourt/upstream/entities';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { SafetyInfo, TrimSpec } from '../../domain/callTypes.ts';
import { aListing, anOwner } from '../../testing/arbitraries.ts';
import { type TestApp, startTestApp } from '../../testing/testApp.ts';

const KBB = '/cars-for-sale/kbbresearch';

describe('the research calls', () => {
  let app: TestApp;
  beforeAll(async () => {
    app = await startTestApp({ owners: [anOwner()], listings: [aListing()] });
  });
  afterAll(() => app.stop());
  const read = async <Body>(path: string) => (await (await app.get(path)).json()) as Body;
  const trims = async (year: number) =>
    (
      await read<{ items: Trim[] }>(
        `${KBB}/reference/vehicles?yearId=${year}&atcMakeCode=FORD&atcModelCode=F150`,
      )
    ).items;

  // rows: B7-REF-01, B7-REF-03, B7-RATE-01
  it('lists the trims of a model year with ids that the other research calls accept', async () => {
    const items = await trims(2021);
    expect(items.length).toBeGreaterThan(5);
    const names = items.map(({ trimName }) => trimName);
    expect(new Set(names).size).toBe(names.length);
    for (const { vehicleId } of items) {
      const ratings = CALLS.consumerRatings.response.parse(
        await read(`${KBB}/consumer-ratings/${vehicleId}`),
      );
      expect(ratings.ratings.map(({ name }) => name)).toContain('Overall Rating');
      expect(ratings.numberOfReviews).toBeGreaterThan(0);
    }
    expect(await trims(1950)).toEqual([]);
  });

  // rows: B7-REF-01
  it.each([
    ['without a year', 'atcMakeCode=FORD&atcModelCode=F150'],
    ['with a year of two digits', 'yearId=21&atcMakeCode=FORD&atcModelCode=F150'],
    ['without a make', 'yearId=2021&atcModelCode=F150'],
    ['without a model', 'yearId=2021&atcMakeCode=FORD'],
  ])('rejects a request for trims %s', async (_, query) => {
    expect((await app.get(`${KBB}/reference/vehicles?${query}`)).status).toBe(400);
  });

  // rows: B3-SPEC-01, B7-OTHER-06, B7-OTHER-10
  it('returns specifications by numeric id and safety features by group', async () => {
    const [first] = await trims(2021);
    const specs = await read<TrimSpec[]>(`${KBB}/specs/${first!.vehicleId}`);
    expect(specs.map(({ specId }) => specId)).toEqual([160, 170, 236, 546, 557, 561, 578, 610, 615]);
    // Required by US law since model year 2019.
    expect(specs.find(({ specId }) => specId === 610)?.value).toBe('Standard');
    const safety = await read<SafetyInfo>(`${KBB}/safety/${first!.vehicleId}`);
    expect(safety.features['Safety Ratings'].map(({ name }) => name)).toContain('Overall');
    expect(safety.features['Safety Features']).toContainEqual({ name: 'Antilock Brakes', value: 'std' });
    expect(safety.Specifications.map(({ name }) => name)).toContain('Front Legroom');
    expect((await app.get(`${KBB}/specs/no-such-id`)).status).toBe(404);
  });

  // rows: B7-EXPERT-01
  it('lists articles about a vehicle, with author and picture on request', async () => {
    const path = '/expert-reviews/2021/ford/f150/xlt';
    const embedded = CALLS.expertReviews.response.parse(await read(`${path}?_embed`));
    expect(embedded.length).toBeGreaterThanOrEqual(2);
    expect(embedded[0]).toMatchObject({
      title: '2021 Ford F-150 XLT: what to know before you buy',
      _embedded: { author: [{ name: expect.any(String) }] },
    });
    expect(CALLS.expertReviews.response.parse(await read(path))[0]).not.toHaveProperty('_embedded');
    for (const { link, title } of embedded) {
      expect(link.startsWith('https://values.test/expert-reviews/')).toBe(true);
      const page = await app.get(new URL(link).pathname);
      expect(page.headers.get('content-security-policy')).toContain("default-src 'none'");
      expect(await page.text()).toContain(`<h1>${title}</h1>`);
    }
    expect(await read('/expert-reviews/2021/ford/f150/all')).toHaveLength(3);
    expect(await read('/expert-reviews/2021/ford/no-such-model/all')).toEqual([]);
    expect((await app.get(`${path}/no-such-article`)).status).toBe(404);
  });
});
