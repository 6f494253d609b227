import { CALLS, type CallDefinition } from '@forecourt/shared-contracts/calls';
import { errorBodySchema } from '@forecourt/shared-contracts/entities';
import { FILTER_PARAMS } from '@forecourt/shared-contracts/search';
import { z } from 'zod';

type Json = Record<string, unknown>;

/** A query parameter: name, what it means, whether the call needs it. */
interface QueryParameter {
  readonly name: string;
  readonly description: string;
  readonly required?: boolean;
}
const query = (name: string, description: string, required = false): QueryParameter => ({
  name,
  description,
  required,
});

const FILTERS = FILTER_PARAMS.map((name) => query(name, 'A filter; several values separated by commas.'));
const PAGING = [
  query(
    'sortBy',
    'relevance, derivedpriceASC, derivedpriceDESC, distanceASC, datelistedASC, datelistedDESC, mileageASC, mileageDESC, yearASC, yearDESC',
  ),
  query('firstRecord', 'Zero-based offset.'),
  query('numRecords', '1 to 100; 30 unless told.'),
];
const SEARCH = [
  ...FILTERS,
  ...PAGING,
  query('vin', 'VINs, separated by commas.'),
  query('excludedListingId', 'Up to 25 ids, separated by commas.'),
  query('collapseFilters', 'true: no filter options in the answer.'),
  query('channel', 'Site or campaign that asks.'),
];
const SPOTLIGHT = [
  ...SEARCH,
  query('numSpotlights', '1 to 30.'),
  query('listingTier', 'premium, featured or standard.'),
  query('spotlightPage', 'From 1.'),
];
const MODEL = [query('makeCode', 'Code of a make.'), query('modelCode', 'Code of a model.')];
const PAYMENT = [
  query('listingId', 'The vehicle.', true),
  ...['enableLease', 'disableIncentives', 'hasSpecialOffers', 'defaultRate'].map((name) =>
    query(name, 'true or false'),
  ),
  query('dealerId', 'The seller.'),
  query('partnerId', 'The brand.'),
];

/** Query parameters by path. What is not listed takes none. */
const QUERIES: Readonly<Record<string, readonly QueryParameter[]>> = {
  '/rest/lsc/listing': SEARCH,
  '/rest/lsc/listing/count': FILTERS,
  '/rest/lsc/listing/spotlight/premiumresults': SPOTLIGHT,
  '/rest/lsc/listing/spotlight/results': SPOTLIGHT,
  '/rest/lsc/listing/spotlight/vehiclehighlight': [
    ...SEARCH,
    query('includeExtendedVehicleHighlights', 'true or false'),
  ],
  '/rest/lsc/newcarboost/listing': [
    ...SEARCH,
    ...['modelCodeToBoost', 'trimCodeToBoost', 'seriesCodeToBoost'].map((name) => query(name, 'A code.')),
  ],
  '/rest/lsc/listing/similar': [
    ...SEARCH,
    query('bodyStyleCode', 'Body styles that count as alike.'),
    query('classSeriesCode', 'Series that count as alike.'),
  ],
  '/cars-for-sale/searchoptions/reference': [
    query('category', 'Name of a filter, years or mileageRanges.', true),
    ...FILTERS,
  ],
  '/cars-for-sale/searchoptions/packages': [...MODEL, query('trimCode', 'Code of a trim.')],
  ...Object.fromEntries(
    ['modelyears', 'newmodelyears', 'trims', 'newtrims'].map((kind) => [
      `/rest/lsc/crawl/${kind}`,
      [
        ...MODEL,
        query('listingType', 'Condition.'),
        query('zip', 'Centre.'),
        query('searchRadius', 'Miles.'),
      ],
    ]),
  ),
  '/rest/lsc/crawl/stats/mileage': [...MODEL, query('listingType', 'Condition.')],
  '/rest/lsc/modelinfo/ymm': [
    ...MODEL,
    query('startYear', 'Model year.'),
    query('numRecords', 'At most so many.'),
  ],
  '/rest/lsc/personalization': [
    query('pc.origin', 'Where the shopper comes from.'),
    query('pc.fueltype', 'Fuel group of the search.'),
    query('zip', 'The shopper’s ZIP.'),
    query('consumerId', 'Instead of X-Consumer-Id.'),
  ],
  '/account-api/searchbookmarks': [query('searchBookmarkId', 'One of them; all without it.')],
  '/cars-for-sale/svc/browsing-history': [
    query('consumerId', 'Instead of X-Consumer-Id.'),
    query('brand', 'The edition that asks.'),
  ],
  '/cars-for-sale/svc/lead-candidates': [query('consumerId', 'Instead of X-Consumer-Id.')],
  '/cars-for-sale/svc/listing-view-count': [
    query('vin', 'The vehicle.', true),
    query('dateRange', 'Days, 7 unless told.'),
  ],
  '/cars-for-sale/svc/vdp-base': [query('brand', 'The edition that asks.')],
  '/cars-for-sale/svc/esntial-eligibility': [query('listingId', 'The vehicle.', true)],
  '/cars-for-sale/kbbresearch/reference/vehicles': [
    query('yearId', 'Model year.', true),
    query('atcMakeCode', 'Code of a make.', true),
    query('atcModelCode', 'Code of a model.', true),
  ],
  '/expert-reviews/{year}/{make}/{model}/{trim}': [query('_embed', 'Present: with author and picture.')],
  '/ads/slot': [
    query('slot', 'Name of the slot.', true),
    query('size', "Px, e.g. '728x90'.", true),
    query('n', 'How often the slot was refreshed.'),
    ...['make', 'model', 'style', 'condition', 'zip', 'page'].map((name) => query(`t.${name}`, 'Targeting.')),
  ],
  '/payments/calculate': [
    ...PAYMENT,
    query('type', 'finance or lease.'),
    query('downPayment', 'US dollars.'),
    query('term', 'Months.'),
    query('apr', 'Percent a year.'),
  ],
  '/payments/incentives': PAYMENT,
};

/** Answers may gain keys: nothing that reads them refuses one. */
const schemaOf = (schema: z.ZodType, io: 'input' | 'output'): Json => {
  const { $schema: _, ...json } = z.toJSONSchema(schema, {
    io,
    unrepresentable: 'any',
    target: 'draft-2020-12',
    override: ({ jsonSchema }) => {
      if (jsonSchema.additionalProperties === false) delete jsonSchema.additionalProperties;
    },
  });
  return json;
};

/** Answers of 204 are null in the table: nothing to parse. */
const isDone = (definition: CallDefinition) =>
  definition.answer.safeParse(null).success &&
  definition.fallback.kind !== 'empty' &&
  definition.method !== 'GET';

function contentType(path: string): string {
  return path.endsWith('.html') ? 'text/html' : 'application/json';
}

/** Writes that make something new say so. */
const CREATED = new Set(['/account-api/email-alerts']);

const errorAnswer = (description: string): Json => ({
  description,
  content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
});

function operation(name: string, definitions: readonly CallDefinition[]): Json {
  const [first] = definitions;
  if (!first) throw new Error(`no definition of ${name}`);
  const { method, path, service, caller, body } = first;
  const answers = definitions.map(({ answer }) => schemaOf(answer, 'output'));
  const unique = answers.filter(
    (one, index) => answers.findIndex((other) => JSON.stringify(other) === JSON.stringify(one)) === index,
  );
  const isEmpty = isDone(first) || BEACONS.has(path + method);
  const status = isEmpty ? '204' : CREATED.has(path) && method === 'POST' ? '201' : '200';
  const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, parameter]) => ({
    name: parameter,
    in: 'path',
    required: true,
    schema: { type: 'string' },
  }));
  const inQuery = (method === 'GET' ? (QUERIES[path] ?? []) : []).map(
    ({ name: parameter, description, required }) => ({
      name: parameter,
      in: 'query',
      description,
      ...(required && { required }),
      schema: { type: 'string' },
    }),
  );
  const idempotent = method === 'POST' ? [{ $ref: '#/components/parameters/IdempotencyKey' }] : [];
  const consumer = caller === 'visitor' ? [{ $ref: '#/components/parameters/ConsumerId' }] : [];
  return {
    operationId: name,
    tags: [service],
    parameters: [...inPath, ...inQuery, ...consumer, ...idempotent],
    ...(caller === 'account' && { security: [{ idToken: [] }] }),
    ...(caller === 'visitor' && { security: [{}, { idToken: [] }] }),
    ...(body && {
      requestBody: { required: true, content: { 'application/json': { schema: schemaOf(body, 'input') } } },
    }),
    responses: {
      [status]: isEmpty
        ? { description: 'Done.' }
        : {
            description: 'The answer.',
            content: { [contentType(path)]: { schema: unique.length === 1 ? unique[0] : { anyOf: unique } } },
          },
      '4XX': errorAnswer('The request is refused; `code` says why.'),
      '5XX': errorAnswer('The service could not answer; 503 says that nothing was stored.'),
    },
  };
}

/** Writes whose answer nobody reads. */
const BEACONS = new Set([
  '/cars-for-sale/svc/page-eventPOST',
  '/cars-for-sale/still-interested/alertPOST',
  '/cars-for-sale/svc/browsing-historyPOST',
]);

/** The interface as OpenAPI 3.1, made of the schemas by which calls are checked. */
export function openApiDocument(): Json {
  const grouped = new Map<string, { name: string; definitions: CallDefinition[] }>();
  for (const [name, definition] of Object.entries<CallDefinition>(CALLS)) {
    const key = `${definition.path} ${definition.method.toLowerCase()}`;
    const group = grouped.get(key) ?? { name, definitions: [] };
    group.definitions.push(definition);
    grouped.set(key, group);
  }
  const paths: Record<string, Json> = {};
  for (const [key, { name, definitions }] of grouped) {
    const [path = '', method = ''] = key.split(' ');
    paths[path] = { ...paths[path], [method]: operation(name, definitions) };
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Forecourt marketplace API',
      version: '1.0.0',
      description:
        'Search, content, people’s data and messages of the marketplace. Money is US dollars, distance miles.',
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: '/' }],
    paths,
    components: {
      schemas: { Error: schemaOf(errorBodySchema, 'output') },
      parameters: {
        IdempotencyKey: {
          name: 'Idempotency-Key',
          in: 'header',
          description: 'A second write with the same key is the first one.',
          schema: { type: 'string', minLength: 8, maxLength: 80 },
        },
        ConsumerId: {
          name: 'X-Consumer-Id',
          in: 'header',
          description: 'Whose browser it is, for what is kept about somebody who is not signed in.',
          schema: { type: 'string', maxLength: 128 },
        },
      },
      securitySchemes: {
        idToken: {
          type: 'http',
          scheme: 'bearer',
          bearerFormat: 'JWT',
          description: 'An OpenID Connect id token.',
        },
      },
    },
  };
}
