import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { hasPackageRegistry, lintOpenApi } from '@forecourt/service-kit/lintOpenApi';
import { Validator } from '@seriousme/openapi-schema-validator';
import { CALLS, type CallDefinition, type CallName } from '@forecourt/upstream/calls';
import type { Listing, Owner } from '@forecourt/upstream/entities';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { SUMMARIES } from './openApiSummaries.data.ts';
import { type TestApp, generatedStock, startTestApp } from '../testing/testApp.ts';

// Generating the inventory is slow on a shared core.
jest.setTimeout(60_000);

interface Parameter {
  readonly $ref?: string;
  readonly name?: string;
  readonly in?: string;
  readonly required?: boolean;
  readonly schema?: { readonly type?: string; readonly items?: object };
}
interface Operation {
  readonly operationId: string;
  readonly summary: string;
  readonly parameters: readonly Parameter[];
  readonly requestBody?: { readonly content: Record<string, { readonly schema: object }> };
  readonly responses: Record<string, { readonly content?: Record<string, { readonly schema: object }> }>;
}
interface Document {
  readonly openapi: string;
  readonly paths: Record<string, Record<string, Operation>>;
  readonly components: {
    readonly schemas: Record<string, object>;
    readonly parameters: Record<string, Parameter>;
  };
}

/** Bytes of the document; with each schema and parameter in each operation it had 245,000. */
const MAX_BYTES = 125_000;
const hasRegistry = hasPackageRegistry();

const ADA = { Authorization: 'Bearer token-of-ada', 'X-Consumer-Id': 'browser-1' };
const VEHICLE = '2021.FORD.F150.xlt.0';

/** Sample input of a call. Required for every call with parameters or a body. */
interface Sample {
  readonly params?: Record<string, string>;
  readonly body?: object;
}

describe('API contract', () => {
  let app: TestApp;
  let document: Document;
  let listing: Listing;
  let dealer: Owner;
  let samples: Partial<Record<CallName, Sample>>;
  const withFormats = addFormats.default as (ajv: Ajv2020) => Ajv2020;
  const ajv = withFormats(new Ajv2020({ strict: false, allErrors: true }));
  /** Reads the texts of a query. */
  const coercing = new Ajv2020({ strict: false, coerceTypes: true });

  beforeAll(async () => {
    app = await startTestApp(generatedStock(3000));
    document = await app.json<Document & Record<string, never>>('/openapi.json');
    ajv.addSchema({ components: document.components }, 'openapi');
    const found = await app.json<{ listings: Listing[]; owners: Owner[] } & Record<string, never>>(
      '/rest/lsc/listing?sellerType=d&numRecords=100',
    );
    dealer = found.owners.find(({ dealerDiff }) => dealerDiff)!;
    listing = found.listings.find(
      ({ ownerId, pricingDetail }) => ownerId === dealer.id && pricingDetail.derivedPrice,
    )!;
    const turning = found.listings.find(({ fyuseId }) => fyuseId)!;
    const bookmark = await app.people.bookmarks.save(
      'ada',
      {
        bookmarkId: '',
        bookmarkTitle: 'Trucks',
        searchName: 'Trucks',
        lastExecuted: '',
        searchResultsURL: '%7B%7D',
      },
      { row: 0, inventory: '' },
    );
    const alert = await app.people.alerts.subscribe(
      {
        caller: { account: 'ada' },
        emailAddress: 'a@b.example',
        brand: 'atc',
        search: 'makeCode=BMW',
        title: 'BMW',
        seenRow: 0,
        inventory: '',
        isVerified: true,
      },
      () => Promise.resolve(),
    );
    if (alert === 'LIMIT') throw new Error('the first alert exceeds the limit');
    const deal = await app.people.deals.add({ carId: listing.id, deal: { dealType: 'finance' } });
    const search = { makeCode: 'FORD', zip: '60601', searchRadius: '50' };
    const model = { makeCode: 'FORD', modelCode: 'F150' };
    const form = { bookmarkTitle: 'Cheap', searchResultsURL: '%7B%7D' };
    const lead = {
      listingId: listing.id,
      ownerId: listing.ownerId,
      firstName: 'Ada',
      lastName: 'Byron',
      fromEmailAddress: 'ada@example.com',
    };
    const device = { brand: 'atc', pixall_id: 'p', browser_token: 'token-1' };
    const vehicleId = { vehicleId: VEHICLE };
    const { bookmarkId } = bookmark;
    const listingId = { listingId: listing.id };
    samples = {
      search: {
        params: { ...search, sortBy: 'derivedpriceASC', numRecords: '5', firstRecord: '0', channel: 'ATC' },
      },
      supplemental: { params: { ...search, collapseFilters: 'true' } },
      listingsByVin: { params: { vin: listing.vin, collapseFilters: 'true', channel: 'ATC' } },
      listing: { params: { id: listing.id } },
      vehicle: { params: { id: listing.id } },
      vehicleModel: { params: { id: listing.id } },
      spin: { params: { id: turning.id } },
      vehicleSitemap: { params: { file: '1' } },
      filterPreview: { params: search },
      count: { params: search },
      greatPriceCount: { params: { ...search, searchRadius: '0', dealType: 'greatprice' } },
      premiumSpotlights: {
        params: { ...search, numSpotlights: '3', listingTier: 'premium', spotlightPage: '1' },
      },
      spotlights: { params: { ...search, numSpotlights: '6', listingTier: 'featured' } },
      vehicleHighlight: { params: { ...search, includeExtendedVehicleHighlights: 'true' } },
      newCarBoost: { params: { ...model, firstRecord: '0', numRecords: '2', modelCodeToBoost: 'F150' } },
      similar: { params: { ...search, bodyStyleCode: 'TRUCKS' } },
      zipLookup: { params: { zip: '60601' } },
      reference: { params: { category: 'modelCode', makeCode: 'FORD' } },
      packages: { params: { ...model, trimCode: 'F150|XLT' } },
      modelYears: { params: model },
      newModelYears: { params: model },
      trims: { params: model },
      newTrims: { params: model },
      modelInfo: { params: { ...model, startYear: '2021', numRecords: '1' } },
      mileageStats: { params: { ...model, listingType: 'USED' } },
      suggestedKeywords: { params: { term: 'ford' } },
      vdpBase: { params: { brand: 'atc' } },
      bookmark: { params: { searchBookmarkId: bookmarkId } },
      sharedBookmark: { params: { bookmarkId } },
      saveSearch: { body: form },
      renameBookmark: { params: { bookmarkId }, body: { bookmarkTitle: 'Mine' } },
      openBookmark: { params: { bookmarkId } },
      deleteBookmark: { params: { bookmarkId } },
      saveListing: { params: listingId },
      unsaveListing: { params: listingId },
      mergeSavedListings: { body: { listingIds: [listing.id] } },
      subscribeAlert: { body: { emailAddress: 'x@y.example', brand: 'atc', search: 'makeCode=FORD' } },
      deleteAlert: { params: { alertId: alert.alert.alertId } },
      unsubscribe: { params: { token: alert.alert.unsubscribeToken }, body: {} },
      browsingHistory: { params: { brand: 'atc' } },
      recordView: { body: { ...listingId, brand: 'atc' } },
      listingViewCount: { params: { vin: listing.vin, dateRange: '7' } },
      personalization: { params: { 'pc.origin': 'srp', 'pc.fueltype': 'GSL', zip: '60601' } },
      pageEvent: { body: { brand: 'atc', pixallId: 'p', page: '/cars-for-sale/all-cars', events: [] } },
      stillInterested: { body: { brand: 'atc', vins: [listing.vin], consumer_id: 'c', email: '' } },
      registerDevice: { body: device },
      forgetDevice: { body: { browser_token: 'token-1' } },
      emailOwner: { body: { ...lead, comments: 'There?', idempotencyKey: 'contract-1' } },
      makeOffer: { body: { ...lead, offerAmount: 20_000, idempotencyKey: 'contract-2' } },
      saveLeadProfile: {
        body: { firstName: 'Ada', lastName: 'Byron', email: 'ada@example.com', isOneClickOptedIn: true },
      },
      shareListing: {
        body: { ...listingId, toEmail: 'bob@example.com', fromEmail: 'ada@example.com', message: 'Look' },
      },
      reportListing: { body: { ...listingId, reason: 'SOLD', comments: '' } },
      emailCapture: { body: { emailAddress: 'c@d.example', brand: 'atc' } },
      referenceVehicles: { params: { yearId: '2021', atcMakeCode: 'FORD', atcModelCode: 'F150' } },
      consumerRatings: { params: vehicleId },
      safety: { params: vehicleId },
      specs: { params: vehicleId },
      expertReviews: { params: { year: '2021', make: 'ford', model: 'f150', trim: 'xlt', _embed: '' } },
      certifiedSponsor: { params: { productId: 'FORD_CERTIFIED' } },
      dealerDiff: { params: { contentId: dealer.dealerDiff!.contentId } },
      dealerDiffHtml: { params: { contentId: dealer.dealerDiff!.contentId } },
      ad: { params: { slot: 'tile-1', size: '300x250', 't.make': 'FORD', n: '1' } },
      paymentCalculation: {
        params: { ...listingId, enableLease: 'true', defaultRate: 'false', dealerId: 'd', partnerId: 'atc' },
      },
      incentives: { params: { ...listingId, hasSpecialOffers: 'true' } },
      saveDeal: { body: { carId: listing.id, deal: { dealType: 'lease' } } },
      updateDeal: { params: { id: deal.id }, body: { carId: listing.id, deal: { dealType: 'cash' } } },
      esntialEligibility: { params: listingId },
    };
  });
  afterAll(() => app.stop());

  const validators = new Map<object, ValidateFunction>();
  const expectFits = (schema: object, value: unknown) => {
    const validate = validators.get(schema) ?? ajv.compile(localised(schema));
    validators.set(schema, validate);
    validate(value);
    expect(validate.errors ?? []).toEqual([]);
  };
  /** Prefixes local references with the id 'openapi' under which ajv registers the document. */
  const localised = (schema: object) =>
    JSON.parse(JSON.stringify(schema).replaceAll('"#/components', '"openapi#/components')) as object;

  it('publishes a valid OpenAPI 3.1 document', async () => {
    const { valid, errors } = await new Validator().validate(structuredClone(document) as never);
    expect(errors).toBeUndefined();
    expect(valid).toBe(true);
    expect(document.openapi).toBe('3.1.0');
  });

  (hasRegistry ? it : it.skip)('satisfies the rules of Redocly (skipped without a package registry)', () => {
    expect(lintOpenApi(document)).toEqual([]);
  });

  const operations = () => Object.values(document.paths).flatMap((methods) => Object.values(methods));
  const parameterOf = (parameter: Parameter): Parameter =>
    parameter.$ref === undefined
      ? parameter
      : document.components.parameters[parameter.$ref.split('/').at(-1) ?? '']!;

  it('writes each schema once, under a name that tells what it is', () => {
    expect(Buffer.byteLength(JSON.stringify(document))).toBeLessThan(MAX_BYTES);
    expect(Object.keys(document.components.schemas)).toEqual(
      expect.arrayContaining([
        'Bookmark',
        'Deal',
        'Error',
        'Listing',
        'MakeOfferRequest',
        'Owner',
        'SearchResponse',
      ]),
    );
    for (const { requestBody, responses } of operations())
      for (const { content = {} } of [...(requestBody ? [requestBody] : []), ...Object.values(responses)])
        for (const { schema } of Object.values(content))
          expect(JSON.stringify(schema)).toMatch(/^\{"(?:\$ref"|anyOf":\[\{"\$ref"|type":"string")/);
  });

  it('has a summary of each operation', () => {
    expect(
      operations()
        .map(({ operationId }) => operationId)
        .toSorted(),
    ).toEqual(Object.keys(SUMMARIES).toSorted());
    for (const { operationId, summary } of operations()) expect(summary).toBe(SUMMARIES[operationId]);
  });

  it('gives each parameter a type and bounds', () => {
    for (const parameter of operations().flatMap(({ parameters }) => parameters.map(parameterOf))) {
      const bounds: Record<string, RegExp> = {
        string: /"(?:maxLength|pattern|enum)"/,
        integer: /"maximum"/,
        number: /"maximum"/,
        array: /"maxItems"/,
        boolean: /"boolean"/,
      };
      const bound = bounds[parameter.schema?.type ?? ''] ?? /no such type/;
      expect([parameter.name, JSON.stringify(parameter.schema)]).toEqual([
        parameter.name,
        expect.stringMatching(bound),
      ]);
    }
  });

  // Deletions come last, because other calls need the data.
  const order = (Object.keys(CALLS) as CallName[]).sort(
    (a, b) => Number(CALLS[a].method === 'DELETE') - Number(CALLS[b].method === 'DELETE'),
  );
  // rows: A7-OTHER-07, B7-OTHER-11
  it.each(order)('accepts and returns %s as documented in OpenAPI', async (name) => {
    const definition: CallDefinition = CALLS[name];
    const operation = document.paths[definition.path]![definition.method.toLowerCase()]!;
    const { params = {}, body } = samples[name] ?? {};

    // The request.
    const query = new URLSearchParams(params);
    const path = definition.path.replace(/\{(\w+)\}/g, (_, parameter: string) => {
      const value = query.get(parameter);
      if (value === null) throw new Error(`${name} has no sample of ${parameter}`);
      query.delete(parameter);
      return encodeURIComponent(value);
    });
    const declared = operation.parameters.map(parameterOf).filter((one) => one.in === 'query');
    expect(declared.map((one) => one.name)).toEqual(expect.arrayContaining([...query.keys()]));
    for (const [parameter, value] of query) {
      const schema = declared.find((one) => one.name === parameter)?.schema ?? {};
      const given = { value: schema.type === 'array' ? value.split(',') : value };
      expect(coercing.validate({ properties: { value: schema } }, given)).toBe(true);
    }
    const requestSchema = operation.requestBody?.content['application/json']?.schema;
    expect(body !== undefined).toBe(requestSchema !== undefined);
    if (requestSchema) expectFits(requestSchema, body);

    // The response.
    const target = query.size > 0 ? `${path}?${query}` : path;
    const response = await fetch(app.origin + target, {
      method: definition.method,
      headers: { ...ADA, Accept: 'application/json', 'Content-Type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    expect(`${response.status} ${response.ok ? '' : text}`).toBe(`${Object.keys(operation.responses)[0]} `);
    const content = operation.responses[String(response.status)]?.content;
    const isJson = content?.['application/json'] !== undefined;
    const value: unknown = isJson ? JSON.parse(text) : text;
    const responseSchema = Object.values(content ?? {})[0]?.schema;
    if (responseSchema) expectFits(responseSchema, value);
    else expect(text).toBe('');
    // The schema that the shell parses it with.
    expect(definition.response.safeParse(value)).toMatchObject({ success: true });
    if (isJson) expect(response.headers.get('content-type')).toContain('application/json');
    expect(response.headers.get('cache-control')).toMatch(/no-store|no-cache|max-age/);
  });

  it('returns results for the sample requests so that the schemas are exercised', async () => {
    const filled = async (target: string, key: string) =>
      ((await (await app.get(target)).json()) as Record<string, unknown[]>)[key]!.length;
    expect(await filled('/rest/lsc/listing?makeCode=FORD', 'listings')).toBeGreaterThan(0);
    expect(
      await filled(
        '/cars-for-sale/kbbresearch/reference/vehicles?yearId=2021&atcMakeCode=FORD&atcModelCode=F150',
        'items',
      ),
    ).toBeGreaterThan(3);
    expect(await filled(`/cars-for-sale/kbbresearch/consumer-ratings/${VEHICLE}`, 'ratings')).toBeGreaterThan(
      3,
    );
  });

  // rows: A8-ERR-11
  it.each([
    ['GET', '/no/such/call', 404, 'NOT_FOUND'],
    ['GET', '/rest/lsc/listing?minPrice=9000&maxPrice=1', 400, 'INVALID_PARAMETERS'],
    ['GET', '/account-api/saved-listings', 401, 'SIGN_IN_REQUIRED'],
    ['GET', `/cars-for-sale/kbbresearch/safety/${'x'.repeat(100)}`, 404, 'VEHICLE_NOT_FOUND'],
    ['POST', '/cars-for-sale/svc/share-listing', 401, 'SIGN_IN_REQUIRED'],
    ['POST', '/cars-for-sale/svc/report-listing', 400, 'INVALID_BODY'],
    ['GET', '/cars-for-sale/svc/zip/%E0%A4%A', 400, 'INVALID_PATH'],
  ])('returns the error of %s %s in the common shape', async (method, target, status, code) => {
    const response = await fetch(app.origin + target, {
      method,
      headers: { 'X-Request-Id': 'request-1' },
    });
    expect(response.status).toBe(status);
    expect(response.headers.get('content-type')).toContain('application/json');
    expect(response.headers.get('x-request-id')).toBe('request-1');
    const body: unknown = await response.json();
    expect(body).toEqual({ error: { code, message: expect.any(String), requestId: 'request-1' } });
    expectFits({ $ref: '#/components/schemas/Error' }, body);
  });
});
