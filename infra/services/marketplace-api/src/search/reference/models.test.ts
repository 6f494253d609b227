import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { CALLS } from '@forecourt/upstream/calls';
import type { SearchResponse } from '@forecourt/upstream/entities';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { msrpIn } from '../../domain/catalog.ts';
import { aListing, anOwner } from '../../testing/arbitraries.ts';
import { type TestApp, demoContent, generatedStock, startTestApp } from '../../testing/testApp.ts';

jest.setTimeout(60_000);

describe('mileage statistics', () => {
  let app: TestApp;
  const civic = { make: { code: 'HONDA', name: 'Honda' }, model: { code: 'CIVIC', name: 'Civic' } };
  beforeAll(async () => {
    const miles = [0, 1, 30_000, 249_999, 250_000];
    app = await startTestApp({
      owners: [anOwner()],
      listings: [
        ...miles.map((mileage, n) => aListing({ id: `f${n}`, vin: `F${n}`, mileage, year: 2020 + (n % 2) })),
        aListing({ id: 'new', vin: 'N', listingType: 'NEW', mileage: 40, year: 2026 }),
        aListing({ id: 'civic', vin: 'C', ...civic, mileage: 70_000, year: 2019 }),
      ],
    });
  });
  afterAll(() => app.stop());

  const stats = async (query: string) =>
    CALLS.mileageStats.response.parse(await app.json(`/rest/lsc/crawl/stats/mileage?${query}`));

  // rows: A5-RULE-10, A9-LIMIT-14
  it('counts only mileages above 0 and below 250,000', async () => {
    const { stats: own } = await stats('modelCode=F150&listingType=USED');
    expect(own).toMatchObject({ count: 3, mileageMin: 1, mileageMax: 249_999, mileageMean: 93_333 });
  });

  // rows: A7-MILE-01
  it("returns a model's mileage by year and that of all cars in its condition", async () => {
    const { allCars, facetStats, stats: own } = await stats('modelCode=F150&listingType=USED');
    expect(allCars).toMatchObject({ count: 4, minYear: 2019, maxYear: 2021 });
    expect(own).toMatchObject({ minYear: 2020, maxYear: 2021 });
    // 2026 is the current year: 1 and 249,999 miles in 5 years, 30,000 in 6.
    expect(own?.mileagePerYearMean).toBe(Math.round((1 / 5 + 30_000 / 6 + 249_999 / 5) / 3));
    expect(facetStats).toEqual([
      { name: '2021', count: 2, mileageMin: 1, mileageMax: 249_999, mileageMean: 125_000 },
      { name: '2020', count: 1, mileageMin: 30_000, mileageMax: 30_000, mileageMean: 30_000 },
    ]);
  });

  it('returns no mileage for a model without listings', async () => {
    const { facetStats, stats: own } = await stats('modelCode=NOTHING');
    expect([own, facetStats]).toEqual([undefined, []]);
  });
});

describe('market data of models', () => {
  let app: TestApp;
  beforeAll(async () => {
    app = await startTestApp(generatedStock(6000));
  });
  afterAll(() => app.stop());

  const total = async (query: URLSearchParams) =>
    (await app.json<{ totalResultCount: number }>(`/rest/lsc/listing/count?${query}`)).totalResultCount;

  // rows: A7-YMM-01
  it('returns facts about one model and year from catalog and inventory', async () => {
    const fetchModelData = async (query: string) =>
      CALLS.modelInfo.response.parse(await app.json(`/rest/lsc/modelinfo/ymm?${query}`)).models;
    const [info, ...others] = await fetchModelData(
      'makeCode=FORD&modelCode=F150&startYear=2024&numRecords=1',
    );
    expect(others).toEqual([]);
    expect(info).toMatchObject({ year: 2024, make: { name: 'Ford' }, model: { code: 'F150' } });
    expect(info?.bodyStyles).toContainEqual({ code: 'TRUCKS', name: 'Truck' });
    const prices = demoContent.catalog
      .findModel('FORD', 'F150')!
      .trims.flatMap(({ variants }) => variants)
      .filter(({ firstYear, lastYear }) => firstYear <= 2024 && lastYear >= 2024)
      .map((variant) => msrpIn(variant, 2024));
    expect(info?.msrp).toEqual({ min: Math.min(...prices), max: Math.max(...prices) });
    expect(info?.count).toBe(
      await total(new URLSearchParams('makeCode=FORD&modelCode=F150&startYear=2024&endYear=2024')),
    );
    expect(await fetchModelData('makeCode=FORD&modelCode=MUSTANGMACHE&startYear=2005')).toEqual([]);
    expect(await fetchModelData('makeCode=FORD&modelCode=CIVIC&startYear=2024')).toEqual([]);
    expect(
      (await fetchModelData('makeCode=FORD&modelCode=F150&numRecords=3')).map(({ year }) => year),
    ).toEqual([2027, 2026, 2025]);
  });

  // rows: A7-PACK-01, A7-PACK-02
  it("lists the packages of a model's listings by code and name", async () => {
    const fetchModelData = async (query: string) =>
      CALLS.packages.response.parse(await app.json(`/cars-for-sale/searchoptions/packages?${query}`)).results
        .packageNames;
    const packages = await fetchModelData('makeCode=FORD&modelCode=F150');
    expect(packages).toContainEqual({ name: 'Tow Package', code: 'TOW' });
    for (const { code } of packages)
      expect(
        await total(new URLSearchParams({ makeCode: 'FORD', modelCode: 'F150', packages: code })),
      ).toBeGreaterThan(0);
    expect(await fetchModelData('makeCode=FORD&modelCode=NOTHING')).toEqual([]);
  });

  describe('keyword suggestions', () => {
    const suggest = async (term: string, query = '') =>
      CALLS.suggestedKeywords.response.parse(
        await app.json(`/rest/lsc/marketplace/suggested/keywords/${encodeURIComponent(term)}?${query}`),
      ).suggestions;

    // rows: B7-KEY-01
    it.each([
      ['ford', 'Ford'],
      ['for', 'Ford'],
      ['f150', 'Ford F-150'],
      ['f-150', 'Ford F-150'],
      ['hoda civc', 'Honda Civic'],
      ['toyta camri', 'Toyota Camry'],
      ['chevy silverdo', 'Chevrolet Silverado 1500'],
      ['mercedez', 'Mercedes-Benz'],
      ['grand cheroke', 'Jeep Grand Cherokee'],
      ['electric suv', 'Electric SUVs and Crossovers'],
      ['pickup', 'Trucks'],
      ['used ford', 'Used Ford'],
      ['new ford f150', 'New Ford F-150'],
      ['fo', 'Ford'],
      ['used toyta truck', 'Used Toyota Trucks'],
      ['by owner', 'For Sale by Owner'],
    ])('responds to the keyword "%s" with the suggestion %s', async (typed, label) => {
      expect((await suggest(typed))[0]).toMatchObject({ kind: 'filters', label });
    });

    it('counts each suggestion around the ZIP code and omits those without results', async () => {
      const suggestions = await suggest('toyota', 'zip=60601&searchRadius=50');
      expect(suggestions.length).toBeGreaterThan(3);
      expect(suggestions.length).toBeLessThanOrEqual(8);
      for (const suggestion of suggestions) {
        if (suggestion.kind !== 'filters') continue;
        const query = new URLSearchParams({ zip: '60601', searchRadius: '50' });
        for (const [name, values] of Object.entries(suggestion.filters)) query.set(name, values.join(','));
        expect(suggestion.count).toBe(await total(query));
        expect(suggestion.count).toBeGreaterThan(0);
      }
    });

    it('reads a sentence as filters and counts them', async () => {
      const [first] = await suggest('red pickup under 90k near Austin', 'zip=60601');
      if (first?.kind !== 'filters') throw new Error('expected filters');
      expect(first).toMatchObject({ isInterpretation: true, label: 'Red trucks under $90,000 near Austin' });
      expect(first.filters).toEqual({
        city: ['Austin'],
        state: ['TX'],
        extColorSimple: ['RED'],
        maxPrice: ['90000'],
        vehicleStyleCode: ['TRUCKS'],
      });
      expect(first.count).toBe(
        await total(
          new URLSearchParams(
            'city=Austin&state=TX&extColorSimple=RED&maxPrice=90000&vehicleStyleCode=TRUCKS',
          ),
        ),
      );
    });

    it('leaves out words that no filter covers, and names them', async () => {
      expect(await suggest('cheap red truck with flux generator, not a Ford')).toEqual([
        expect.objectContaining({
          isInterpretation: true,
          sentence: 'Red trucks, lowest price first',
          sortBy: 'derivedpriceASC',
          leftOut: ['not a ford', 'flux generator'],
          filters: { extColorSimple: ['RED'], vehicleStyleCode: ['TRUCKS'] },
        }),
      ]);
    });

    it('keeps words that are part of the name of a trim', async () => {
      const [first] = await suggest('gmc sierra denali');
      expect(first).toMatchObject({ filters: { makeCode: ['GMC'], keyword: ['denali'] } });
    });

    it('says a search as a person would, with the place of the query', async () => {
      const [first] = await suggest('suv with third row under 30k', 'zip=30301&searchRadius=50');
      expect(first).toMatchObject({ sentence: 'SUVs with a third row under $30,000 near Atlanta' });
    });

    it.each([
      ['what is least certain', 'honda civic with a bed liner', '', { dropped: ['Bed Liner'] }],
      ['the radius before the vehicle', 'tesla', 'zip=59718&searchRadius=10', { isWidened: true }],
      [
        'one after the other where one is not enough',
        'honda civic with a bed liner and 8 foot bed',
        '',
        { dropped: ['Bed Liner', 'Long Bed (8 ft)'] },
      ],
    ])('gives up %s where nothing matches', async (_, sentence, query, expected) => {
      const found = (await suggest(sentence, query)).find(
        (suggestion) => suggestion.kind === 'filters' && suggestion.isInterpretation,
      );
      expect(found).toMatchObject(expected);
      expect(found).toMatchObject({ filters: { makeCode: [expect.any(String)] } });
    });

    it('finds vehicles for every sentence that says something', async () => {
      const sentences = readFileSync(join(import.meta.dirname, 'sentence/sentences.txt'), 'utf8')
        .split('\n')
        .filter((line) => /^[^#]* => (?!left:)/.test(line))
        .map((line) => line.split(' =>')[0]!);
      expect(sentences.length).toBeGreaterThan(500);
      // Every tenth, around a place where little is for sale.
      for (const sentence of sentences.filter((_, index) => index % 10 === 0)) {
        const found = (await suggest(sentence, 'zip=59718&searchRadius=25')).find(
          (suggestion) => suggestion.kind === 'filters' && suggestion.isInterpretation,
        );
        expect([sentence, found]).toEqual([sentence, expect.objectContaining({ kind: 'filters' })]);
        expect([sentence, found?.kind === 'filters' && found.count]).not.toEqual([sentence, 0]);
      }
    });

    it('completes a word that is still being typed before it reads the sentence', async () => {
      const [first] = await suggest('used ford f15');
      expect(first).toMatchObject({ label: 'Used Ford F-150' });
    });

    it("suggests a model's content page", async () => {
      expect(await suggest('honda civic')).toContainEqual({
        kind: 'content',
        label: expect.stringMatching(/^Honda Civic/),
        url: '/cars-for-sale/all/honda/civic#model-reference-container',
      });
    });

    it.each(['', ' ', 'zzzzqqqq', '%', '"<script>', '._.', 'x'.repeat(500)])(
      'returns no suggestions for "%s"',
      async (typed) => {
        const response = await app.get(
          `/rest/lsc/marketplace/suggested/keywords/${encodeURIComponent(typed)}`,
        );
        if (typed === '') expect(response.status).toBe(404);
        else expect(await response.json()).toEqual({ suggestions: [] });
      },
    );
  });
});

describe('packages', () => {
  let app: TestApp;
  beforeAll(async () => {
    app = await startTestApp({
      owners: [anOwner()],
      listings: [
        aListing({ id: '1', vin: '1', packages: ['TOW'] }),
        aListing({ id: '2', vin: '2', packages: ['SPORT'], trim: { code: 'F150|XL', name: 'XL' } }),
      ],
    });
  });
  afterAll(() => app.stop());

  // rows: A7-PACK-01, A7-PACK-02
  it.each([
    ['makeCode=FORD&modelCode=F150', ['SPORT', 'TOW']],
    ['makeCode=FORD&modelCode=F150&trimCode=F150|XLT', ['TOW']],
    ['makeCode=FORD&modelCode=F150&trimCode=F150|XL', ['SPORT']],
    ['makeCode=HONDA&modelCode=F150', []],
    ['makeCode=FORD&modelCode=ESCAPE', []],
  ])('lists only packages with which a vehicle is for sale: %s', async (query, codes) => {
    const response = await app.json(`/cars-for-sale/searchoptions/packages?${query}`);
    const { packageNames } = CALLS.packages.response.parse(response).results;
    expect(packageNames.map(({ code }) => code).sort()).toEqual(codes);
  });
});

describe('the clarification of a model', () => {
  // rows: A3-RESP-10, B3-CLARIFY-01, B3-CLARIFY-02
  it('suggests models with a similar name when the selected one has few listings', async () => {
    const ford = { code: 'FORD', name: 'Ford' };
    const of = (model: string, name: string, count: number) =>
      Array.from({ length: count }, (_, n) =>
        aListing({
          id: `${model}${n}`,
          vin: `${model}${n}`,
          make: ford,
          model: { code: model, name },
          trim: undefined,
        }),
      );
    const app = await startTestApp({
      owners: [anOwner()],
      listings: [
        ...of('F150LIGHTNING', 'F-150 Lightning', 2),
        ...of('F150', 'F-150', 30),
        ...of('ESCAPE', 'Escape', 40),
        ...of('BRONCO', 'Bronco', 25),
        ...of('BRONCOSPORT', 'Bronco Sport', 26),
      ],
    });
    const suggested = async (query: string) =>
      (await app.json<SearchResponse>(`/rest/lsc/listing?${query}`)).pageData.suggestedModels;
    expect(await suggested('makeCode=FORD&modelCode=F150LIGHTNING')).toEqual([
      {
        selectedMakeDescription: 'Ford',
        selectedModelDescription: 'F-150 Lightning',
        suggestedMakeCode: 'FORD',
        suggestedModelCode: 'F150',
        suggestedMakeDescription: 'Ford',
        suggestedModelDescription: 'F-150',
      },
    ]);
    // 25 listings are few, 26 are not.
    expect(await suggested('makeCode=FORD&modelCode=BRONCO')).toMatchObject([
      { suggestedModelCode: 'BRONCOSPORT' },
    ]);
    expect(await suggested('makeCode=FORD&modelCode=BRONCOSPORT')).toEqual([]);
    expect(await suggested('makeCode=FORD&modelCode=F150')).toEqual([]);
    expect(await suggested('makeCode=FORD')).toEqual([]);
    await app.stop();
  });
});
