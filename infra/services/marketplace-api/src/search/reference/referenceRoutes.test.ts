import { decodeUrl } from '@forecourt/search/decode';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { type SlugData, createSlugReference } from '@forecourt/search/criteria';
import { CALLS } from '@forecourt/upstream/calls';
import type { CrawlLink } from '@forecourt/upstream/entities';
import { type TestApp, generatedStock, startTestApp } from '../../testing/testApp.ts';
import type { ReferenceOption } from '../../domain/callTypes.ts';

// Generating the inventory and many counts is slow on a shared core.
jest.setTimeout(60_000);

describe('the reference calls', () => {
  let app: TestApp;
  beforeAll(async () => {
    app = await startTestApp(generatedStock(5000));
  });
  afterAll(() => app.stop());

  const total = async (query: string) =>
    (await app.json<{ totalResultCount: number }>(`/rest/lsc/listing/count?${query}`)).totalResultCount;
  const links = async (target: string): Promise<CrawlLink[]> =>
    CALLS.modelYears.response.parse(await app.json(`/rest/lsc/crawl/${target}`)).links;
  const options = async (query: string): Promise<ReferenceOption[]> =>
    CALLS.reference.response.parse(await app.json(`/cars-for-sale/searchoptions/reference?${query}`)).options;

  // rows: A7-CRAWL-01, A7-CRAWL-02
  it('links model years with counts and prices', async () => {
    const reference = createSlugReference(await app.json<SlugData>('/rest/lsc/reference/slugs'));
    const all = await links('modelyears?makeCode=FORD&modelCode=F150');
    expect(all.length).toBeGreaterThan(3);
    for (const { value, label, link, count, avgPrice, startingPrice, maxPrice } of all) {
      expect(label).toBe(value);
      const [path = '', query = ''] = link.split('?');
      expect(decodeUrl(path, query, reference)).toMatchObject({
        criteria: {
          filters: { makeCode: ['FORD'], modelCode: ['F150'], startYear: [value], endYear: [value] },
        },
      });
      expect(count).toBe(await total(`makeCode=FORD&modelCode=F150&startYear=${value}&endYear=${value}`));
      expect(startingPrice).toBeLessThanOrEqual(avgPrice!);
      expect(avgPrice).toBeLessThanOrEqual(maxPrice!);
    }
    const counted = async (target: string) =>
      (await links(target)).reduce((sum, { count }) => sum + count, 0);
    const model = 'makeCode=FORD&modelCode=F150';
    expect(await counted(`newmodelyears?${model}`)).toBe(await total(`${model}&listingType=NEW`));
    const used = `${model}&listingType=USED`;
    expect(await counted(`modelyears?${used}`)).toBe(await total(used));
    const near = `${model}&zip=60601&searchRadius=200`;
    expect(await counted(`modelyears?${near}`)).toBe(await total(near));
  });

  // rows: A7-CRAWL-03, A7-CRAWL-04
  it('links trims to searches that return them', async () => {
    const reference = createSlugReference(await app.json<SlugData>('/rest/lsc/reference/slugs'));
    const trims = await links('trims?makeCode=FORD&modelCode=F150');
    expect(trims.length).toBeGreaterThan(1);
    for (const { value, label, link, count } of trims) {
      const [path = '', query = ''] = link.split('?');
      const decoded = decodeUrl(path, query, reference);
      if (decoded.kind === 'notFound') throw new Error(`${label}: ${link} is not found`);
      expect(decoded.criteria.filters.trimCode).toEqual([value]);
      expect(value).toBe(`F150|${label}`);
      expect(count).toBe(await total(`makeCode=FORD&modelCode=F150&trimCode=${encodeURIComponent(value)}`));
    }
    const newTrims = await links('newtrims?makeCode=FORD&modelCode=F150');
    expect(newTrims.length).toBeGreaterThan(0);
    for (const { value, link, count } of newTrims) {
      expect(link).toMatch(/^\/cars-for-sale\/new\/ford\/f150/);
      const query = `makeCode=FORD&modelCode=F150&listingType=NEW&trimCode=${encodeURIComponent(value)}`;
      expect(count).toBe(await total(query));
    }
    expect(await links('trims?makeCode=FORD')).toEqual([]);
  });

  it('resolves the slugs of every make and model for sale', async () => {
    const reference = createSlugReference(await app.json<SlugData>('/rest/lsc/reference/slugs'));
    expect(reference.makeBySlug('ford')).toBe('FORD');
    expect(reference.modelBySlug('FORD', 'f150')).toBe('F150');
    for (const { make, model } of app.index.vehicleNodes) {
      expect(reference.makeSlug(make.code)).toBeDefined();
      expect(reference.modelSlug(make.code, model.code)).toBeDefined();
    }
  });

  // rows: A7-REF-01, A7-REF-02
  it('lists the options of a category', async () => {
    const models = await options('category=modelCode&makeCode=FORD');
    expect(models.length).toBeGreaterThan(5);
    expect(models.every(({ makeCode }) => makeCode === 'FORD')).toBe(true);
    expect(models).toContainEqual(expect.objectContaining({ label: 'F-150', value: 'F150' }));
    const years = await options('category=years&makeCode=FORD&modelCode=F150');
    expect(years[0]?.count).toBe(
      await total(`makeCode=FORD&modelCode=F150&startYear=${years[0]?.value}&endYear=${years[0]?.value}`),
    );
    expect(years.every(({ label, value }) => label === value)).toBe(true);
    const mileages = await options('category=mileageRanges');
    expect(mileages.length).toBeGreaterThan(3);
    for (const { label, value } of mileages) expect(label).not.toBe(value);
    expect(mileages).toContainEqual({
      label: 'Under 75,000 Miles',
      value: '75000',
      count: await total('mileage=75000'),
    });
    // Chrysler's models 200 and 300 are for sale, too.
    const ranges = await options('category=electricMileRange');
    expect(ranges.map(({ value }) => value)).toEqual(expect.arrayContaining(['200', '300']));
    expect(ranges.filter(({ makeCode }) => makeCode !== undefined)).toEqual([]);
    expect((await app.get('/cars-for-sale/searchoptions/reference?category=shoe')).status).toBe(400);
  });

  // rows: A7-REF-01, A7-REF-02
  it.each([
    ['makeCode', '', { label: 'Ford', value: 'FORD' }],
    ['trimCode', '&makeCode=FORD&modelCode=F150', { label: 'XLT', value: 'F150|XLT' }],
    ['fuelTypeGroup', '', { label: 'Electric', value: 'ELE' }],
  ])('lists label and value of the options of the category %s', async (category, model, option) => {
    expect(await options(`category=${category}${model}`)).toContainEqual(expect.objectContaining(option));
  });

  // rows: A7-OTHER-05, B7-ZIP-01
  it('returns the place of a ZIP code', async () => {
    expect(await app.json('/cars-for-sale/svc/zip/30303')).toMatchObject({
      success: true,
      city: 'Atlanta',
      state: 'GA',
    });
    expect(await app.json('/cars-for-sale/svc/zip/00000')).toEqual({ success: false });
  });

  // rows: B7-OTHER-03
  it('accepts page events', async () => {
    const response = await app.send('POST', '/cars-for-sale/svc/page-event', {
      brand: 'atc',
      pixallId: 'p1',
      page: '/cars-for-sale/all-cars',
      events: [{ type: 'impression', name: 'listing' }],
    });
    expect(response.status).toBe(204);
  });

  it('measures requests by route and reports readiness', async () => {
    await app.get('/rest/lsc/listing/count');
    const metrics = await (await app.get('/metrics')).text();
    expect(metrics).toContain('route="/rest/lsc/listing/count",status="200"');
    expect((await app.get('/health/live')).status).toBe(200);
    expect((await app.get('/health/ready')).status).toBe(200);
  });
});
