import { describe, expect, it } from '@jest/globals';
import type { z } from 'zod';
import { buildListing, buildOwner } from '../testing/builders.ts';
import { bookmarkSchema, bookmarksSchema, deviceSchema, leadProfileSchema } from './account.ts';
import { certifiedContentsSchema, dealerDiffSchema } from '../calls/research.ts';
import {
  bookmarkFormSchema,
  emailAlertFormSchema,
  emailCaptureResponseSchema,
  emailCaptureSchema,
  emailOwnerResponseSchema,
  emailOwnerSchema,
} from './forms.ts';
import {
  crawlLinksSchema,
  consumerRatingsSchema,
  modelInfoSchema,
  referenceVehiclesSchema,
  safetyInfoSchema,
  trimSpecsSchema,
} from './reference.ts';
import { dealSchema } from '../calls/payments.ts';
import { filterSchema, searchResponseSchema, suggestedModelSchema } from './searchResponse.ts';

/** Asserts that parsing keeps the upstream's data unchanged. */
const keeps = (schema: z.ZodType, data: unknown) => expect(schema.parse(data)).toEqual(data);

describe('response of the main listing call', () => {
  const listings = [buildListing()];
  const minimalResponse = { listings, owners: [buildOwner()], totalResultCount: 1 };

  // rows: A3-RESP-02, A3-RESP-03
  it('keeps every list of spotlights, and defaults to empty ones', () => {
    const spotlightLists = {
      spotlights: listings,
      featuredSpotlights: listings,
      standardSpotlights: listings,
      boost: listings,
    };
    const response = searchResponseSchema.parse({
      ...minimalResponse,
      ...spotlightLists,
      vehicleHighlight: listings[0],
    });
    for (const name of ['spotlights', 'featuredSpotlights', 'standardSpotlights', 'boost'] as const)
      expect(response[name].map(({ id }) => id)).toEqual(['1001']);
    expect(response.vehicleHighlight?.id).toBe('1001');
    expect(searchResponseSchema.parse(minimalResponse)).toMatchObject({
      spotlights: [],
      featuredSpotlights: [],
      standardSpotlights: [],
      boost: [],
    });
  });

  // rows: A3-RESP-09
  it('keeps the editorial content of a make', () => {
    const editorial = {
      editorialContent: {
        onlyTabs: ['history'],
        tabs: [{ key: 'history', label: 'History', sections: [{ heading: 'Then', paragraphs: ['…'] }] }],
      },
      editorialReviews: [{ title: 'Tested', link: '/reviews/1', excerpt: 'Good.' }],
      makeSummaryData: { makeCode: 'FORD', heading: 'Ford', text: 'Trucks and more.' },
    };
    expect(searchResponseSchema.parse({ ...minimalResponse, ...editorial })).toMatchObject(editorial);
  });

  // rows: A3-RESP-10, A3-SAVED-01, A3-SAVED-02, B3-CLARIFY-01, B3-CLARIFY-02
  it('keeps all page data', () => {
    const clarification = {
      selectedMakeDescription: 'Ford',
      selectedModelDescription: 'F150',
      suggestedMakeCode: 'RAM',
      suggestedModelCode: 'RM1500',
      suggestedMakeDescription: 'Ram',
      suggestedModelDescription: '1500',
    };
    keeps(suggestedModelSchema, clarification);
    const pageData = {
      summaryContentData: { heading: 'Ford F-150', text: 'A pickup.' },
      saveSearchData: {
        saveSearchString: 'makeCode=FORD',
        textModalDisclaimer: 'Message rates may apply.',
        title: 'Ford F-150',
        searchBookmarkDate: '2024/03/5 14:07:09',
        saveSearchInstrText: 'Name your search.',
        subscribed: true,
      },
      marketExtensionDma: '602',
      ad: { make: 'ford' },
      suggestedModels: [clarification],
    };
    expect(searchResponseSchema.parse({ ...minimalResponse, pageData }).pageData).toEqual(pageData);
  });

  // rows: A3-RESP-04, A3-RESP-05, A3-RESP-07, A3-RESP-08, B3-SUGGEST-01
  it('keeps the showcase, the filters and their groups, the statistics, what was searched and what is suggested', () => {
    const suggested = [{ name: 'Heated Seats', count: 90, codes: { featureCode: ['HEATED'] } }];
    const parts = {
      alpha: { alphaShowcase: { isAlpha: true, listings }, ownerBean: buildOwner() },
      filters: [{ name: 'doorCode', label: 'Doors', collapsed: false, value: '4', options: [] }],
      filterGroups: [{ name: 'price', label: 'Price', filters: ['priceRange'] }],
      stats: { derivedprice: { min: 10_000, max: 30_000 }, year: { min: 2015, max: 2022 } },
      requestParams: { makeCode: 'FORD' },
      suggestedFilters: suggested,
      strongAttributesFilters: suggested,
      nearMisses: [{ name: 'mileage', count: 12 }],
    };
    expect(searchResponseSchema.parse({ ...minimalResponse, ...parts })).toMatchObject(parts);
    expect(searchResponseSchema.parse(minimalResponse)).toMatchObject({
      filterGroups: [],
      requestParams: {},
      suggestedFilters: [],
      strongAttributesFilters: [],
      pageData: { suggestedModels: [] },
    });
  });

  // rows: A3-FILTER-38, A3-FILTER-39, B3-OPTION-01
  it('keeps a filter and its options, with the correct types', () => {
    const option = {
      label: 'Ford',
      value: 'FORD',
      count: 12,
      selected: true,
      disabled: true,
      moreInfo: 'All models',
    };
    const filter = { name: 'makeCode', label: 'Make', collapsed: false, value: 'FORD', options: [option] };
    keeps(filterSchema, filter);
    for (const broken of [
      { count: '12' },
      { selected: 'yes' },
      { disabled: 1 },
      { label: undefined },
      { moreInfo: 1 },
    ])
      expect(filterSchema.safeParse({ ...filter, options: [{ ...option, ...broken }] }).success).toBe(false);
    // Each spec omits keys of the other (AMB-012).
    expect(filterSchema.parse({ name: 'x', label: 'X', options: [{ label: 'A', value: 'a' }] })).toEqual({
      name: 'x',
      label: 'X',
      collapsed: true,
      value: '',
      options: [{ label: 'A', value: 'a', selected: false, disabled: false }],
    });
  });
});

describe('responses about an account and a visitor', () => {
  // rows: A3-BOOKMARK-01, A3-BOOKMARK-04
  it('keeps all fields of a bookmark', () => {
    const bookmark = {
      bookmarkId: 'b-1',
      bookmarkTitle: 'My trucks',
      searchName: 'Ford F-150',
      lastExecuted: '2024/03/5 14:07:09',
      searchResultsURL: '%7B%22makeCode%22%3A%22FORD%22%7D',
      textModalDisclaimer: 'Message rates may apply.',
      saveSearchInstrText: 'Name your search.',
    };
    keeps(bookmarkSchema, bookmark);
    keeps(bookmarksSchema, { myAtcSearchViewBeans: [bookmark] });
  });

  it.each([
    [emailCaptureResponseSchema, ['success', 'warning', 'danger']],
    [emailOwnerResponseSchema, ['SUCCESS', 'FAILURE']],
  ])('keeps each status of an email and refuses others', (schema, statuses) => {
    for (const status of statuses) keeps(schema, { status });
    for (const broken of [{ status: '' }, { status: 'done' }, {}])
      expect(schema.safeParse(broken).success).toBe(false);
  });

  // rows: A3-BOOKMARK-02
  it('keeps when a saved search was last run, or nothing', () => {
    const form = { bookmarkTitle: 'My trucks', searchResultsURL: '/cars-for-sale/all/ford' };
    keeps(bookmarkFormSchema, {
      ...form,
      bookmarkId: '',
      searchName: '',
      lastExecuted: '2024/03/5 14:07:09',
    });
    expect(bookmarkFormSchema.parse(form)).toEqual({
      ...form,
      bookmarkId: '',
      searchName: '',
      lastExecuted: '',
    });
  });

  // rows: A3-LEAD-01
  it('keeps a lead profile', () => {
    keeps(leadProfileSchema, {
      firstName: 'Ada',
      lastName: 'Byron',
      email: 'ada@example.com',
      phone: '312-555-0100',
      isOneClickOptedIn: true,
    });
  });

  // rows: A3-DEVICE-01
  it('accepts a device with exactly three keys', () => {
    const device = { brand: 'atc', pixall_id: 'p1', browser_token: 't1' };
    expect(deviceSchema.parse({ ...device, more: 1 })).toEqual(device);
    for (const key of ['brand', 'pixall_id', 'browser_token'])
      expect(deviceSchema.safeParse({ ...device, [key]: undefined }).success).toBe(false);
  });
});

describe('form bodies', () => {
  const email = {
    listingId: '1',
    ownerId: 'd1',
    comments: 'Please confirm vehicle availability.',
    firstName: 'Ada',
    lastName: 'Byron',
    fromEmailAddress: 'ada@example.com',
    phoneNumber: '',
    idempotencyKey: '12345678',
  };

  // rows: A3-LEAD-02
  it('keeps the five fields of the one-click email and drops fields that the call does not define', () => {
    expect(emailOwnerSchema.parse({ ...email, more: 1 })).toEqual(email);
    for (const broken of [{ firstName: ' ' }, { fromEmailAddress: 'ada' }, { phoneNumber: '12' }])
      expect(emailOwnerSchema.safeParse({ ...email, ...broken }).success).toBe(false);
  });

  it.each([
    ['name', { firstName: 'a'.repeat(61) }, 'At most 60 characters'],
    ['address', { fromEmailAddress: `${'a'.repeat(250)}@a.example` }, 'At most 254 characters'],
  ])('says how long the %s may be when it is longer', (_, changes, message) => {
    const { error } = emailOwnerSchema.safeParse({ ...email, ...changes });
    expect(error?.issues.map((issue) => issue.message)).toEqual([message]);
  });

  // rows: B3-FORM-01, B5-EMAIL-02, B9-LEN-03
  it('refuses a captured address of 46 characters and accepts one of 45', () => {
    const address = (length: number) => `${'a'.repeat(length - '@example.com'.length)}@example.com`;
    for (const schema of [emailCaptureSchema, emailAlertFormSchema]) {
      const body = { brand: 'atc', search: 'makeCode=FORD' };
      expect(schema.safeParse({ ...body, emailAddress: address(45) }).success).toBe(true);
      expect(schema.safeParse({ ...body, emailAddress: address(46) }).success).toBe(false);
      expect(schema.safeParse({ ...body, emailAddress: '' }).success).toBe(false);
    }
  });

  // rows: B3-DEAL-01, B5-URL-04
  it('keeps a deal’s car and kind, and treats an unknown kind as finance', () => {
    const kindOf = (dealType: unknown) =>
      dealSchema.parse({ carId: '1001', deal: { dealType } }).deal.dealType;
    expect(dealSchema.parse({ carId: '1001', deal: { dealType: 'lease' } })).toEqual({
      carId: '1001',
      deal: { dealType: 'lease' },
    });
    expect(['finance', 'lease', 'cash', 'xyz', undefined, 7].map(kindOf)).toEqual([
      'finance',
      'lease',
      'cash',
      'finance',
      'finance',
      'finance',
    ]);
  });
});

describe('responses of content and research calls', () => {
  // rows: B3-CERT-01
  it('keeps certified content, and reads its HTML as rich text', () => {
    const program = {
      makeCode: 'FORD',
      productId: 'FORD_BLUE',
      linkText: 'Blue Certified',
      cpoTile: '/tile.svg',
      makeLabel: 'Ford',
      heading: 'Certified by the maker',
    };
    expect(certifiedContentsSchema.parse([{ ...program, content: '<p>Inspected.</p>' }])).toEqual([
      { ...program, content: [{ tag: 'p', children: ['Inspected.'] }] },
    ]);
  });

  it('refuses HTML that is too large for rich text', () => {
    const program = { makeCode: '', productId: '', linkText: '', cpoTile: '', makeLabel: '', heading: '' };
    const issues = certifiedContentsSchema.safeParse([{ ...program, content: '<p>'.repeat(6_000) }]).error
      ?.issues;
    expect(issues).toMatchObject([
      { message: 'rich text has more than 5000 elements', path: [0, 'content'] },
    ]);
  });

  // rows: B3-OWNER-02
  it("keeps a dealer's description", () => {
    const diff = {
      cta: { label: 'Visit us', offsite: true, link: 'https://dealer.example' },
      logo: '/l.svg',
    };
    expect(dealerDiffSchema.parse(diff)).toEqual(diff);
  });

  // rows: B3-TRIM-01, B3-TRIM-02, B3-TRIM-03, B3-TRIM-04
  it('keeps an electric trim and one with a combustion engine', () => {
    const trim = {
      vehicleId: 'v1',
      trimName: 'XLT',
      bodyStyle: 'Truck',
      engineType: 'Gas',
      fuelTypeGroup: 'GSL',
      year: 2024,
      epaCity: 19,
      epaHwy: 24,
      epaMpgeCity: 76,
      epaMpgeHwy: 61,
      nationalMSRP: 48_000,
      imagePath: '/t.svg',
      atcMake: 'Ford',
      atcModel: 'F-150',
      atcMakeCode: 'FORD',
      atcModelCode: 'F150',
    };
    keeps(referenceVehiclesSchema, { items: [trim, { ...trim, engineType: 'Electric' }] });
    expect(referenceVehiclesSchema.safeParse({ items: [{ ...trim, engineType: 'Steam' }] }).success).toBe(
      false,
    );
  });

  // rows: A7-YMM-01
  it('keeps what describes a model in one year', () => {
    keeps(modelInfoSchema, {
      models: [
        {
          year: 2021,
          make: { code: 'FORD', name: 'Ford' },
          model: { code: 'F150', name: 'F-150' },
          bodyStyles: [{ code: 'TRUCKS', name: 'Truck' }],
          fuelTypes: [{ code: 'GSL', name: 'Gasoline' }],
          trims: [{ code: 'F150|XLT', name: 'XLT' }],
          msrp: { min: 28_940, max: 77_000 },
          mpg: { min: 17, max: 26 },
          seats: { min: 3, max: 6 },
          count: 12,
        },
      ],
    });
  });

  // rows: B3-SPEC-01
  it('keeps the specs of a trim by id, with known values only', () => {
    const specs = trimSpecsSchema.parse([
      { specId: 546, value: 'Standard' },
      { specId: 561, value: 'Not Available' },
      { specId: 610, value: 'Optional' },
    ]);
    expect(specs.find(({ specId }) => specId === 610)?.value).toBe('Optional');
    expect(trimSpecsSchema.safeParse([{ specId: '546', value: 'Standard' }]).success).toBe(false);
    expect(trimSpecsSchema.safeParse([{ specId: 546, value: 'std' }]).success).toBe(false);
  });

  // rows: B3-YEAR-01
  it('keeps the six keys of a model year and of a trim', () => {
    const entry = {
      value: '2021',
      label: '2021',
      link: '/cars-for-sale/all/2021/ford/f150',
      count: 12,
      avgPrice: 33_000,
      startingPrice: 28_000,
      maxPrice: 41_000,
    };
    keeps(crawlLinksSchema, { links: [entry, { ...entry, value: 'F150|XLT', label: 'XLT' }] });
  });

  // rows: B3-RATING-01
  it('keeps consumer ratings, including the overall one', () => {
    keeps(consumerRatingsSchema, {
      ratings: [
        { name: 'Overall Rating', value: 4.6 },
        { name: 'Comfort', value: 4.2 },
      ],
      numberOfReviews: 312,
      reviews: [],
    });
  });

  // rows: B3-SAFETY-01, B3-SAFETY-03
  it('keeps safety by its groups, and dimensions by label', () => {
    keeps(safetyInfoSchema, {
      vehicleId: 'v1',
      features: {
        'Safety Ratings': [{ name: 'Overall', value: '5' }],
        'Safety Features': [{ name: 'Lane keeping', value: 'std' }],
      },
      Specifications: [
        { name: 'Front Legroom', value: '43.9 in' },
        { name: 'Rear Legroom', value: '43.6 in' },
      ],
    });
  });
});
