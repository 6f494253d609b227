import { CALLS, type CallDefinition } from '@forecourt/upstream/calls';
import { errorBodySchema, listingSchema, ownerSchema } from '@forecourt/upstream/entities';
import {
  errorResponse,
  type Json,
  jsonContent,
  openApiDocument,
  pathParameters,
  SchemaComponents,
} from '@forecourt/service-kit/openApi';
import { openApiRoutes as documentRoutes } from '@forecourt/service-kit/openApiRoutes';
import type { z } from 'zod';
import { IN_PATH, QUERIES, type QueryParameter } from './openApiParameters.data.ts';
import { SUMMARIES, TAGS } from './openApiSummaries.data.ts';
import type { Router } from 'express';
import { ONE_HOUR, cacheable } from './requests.ts';

/** Calls whose response is null in the table return 204. */
const isDone = (definition: CallDefinition) =>
  definition.response.safeParse(null).success &&
  definition.fallback.kind !== 'empty' &&
  definition.method !== 'GET';

function contentType(path: string): string {
  return path.endsWith('.html') ? 'text/html' : 'application/json';
}

/** Paths whose POST returns 201. */
const CREATED = new Set(['/account-api/email-alerts']);

const capitalized = (name: string): string => name.charAt(0).toUpperCase() + name.slice(1);

/** Names of schemas that several calls have, or that are parts of others. Other requests and responses are named by their call. */
const SCHEMA_NAMES: Readonly<Record<string, z.ZodType>> = {
  Listing: listingSchema,
  Owner: ownerSchema,
  ListingsResponse: CALLS.supplemental.response,
  CountResponse: CALLS.count.response,
  Bookmark: CALLS.bookmark.response,
  Bookmarks: CALLS.bookmarks.response,
  SavedListings: CALLS.savedListings.response,
  CrawlLinks: CALLS.modelYears.response,
  MessageStatus: CALLS.emailOwner.response,
  Deal: CALLS.saveDeal.body,
  SavedDeal: CALLS.saveDeal.response,
};

function createComponents(): SchemaComponents {
  const components = new SchemaComponents();
  for (const [name, schema] of Object.entries(SCHEMA_NAMES)) components.name(name, schema);
  for (const [name, { response, body }] of Object.entries<CallDefinition>(CALLS)) {
    components.name(`${capitalized(name)}Response`, response);
    if (body) components.name(`${capitalized(name)}Request`, body);
  }
  return components;
}

/** The parameters of all queries. Those of several calls are written once, under their name. */
class ParameterComponents {
  readonly #schemas: SchemaComponents;
  readonly #shared = new Map<string, QueryParameter>();

  constructor(queries: typeof QUERIES, schemas: SchemaComponents) {
    this.#schemas = schemas;
    const uses = new Map<QueryParameter, number>();
    for (const parameter of Object.values(queries).flat())
      uses.set(parameter, (uses.get(parameter) ?? 0) + 1);
    for (const [parameter, count] of uses)
      if (count > 1 && !this.#shared.has(parameter.name)) this.#shared.set(parameter.name, parameter);
  }

  #write({ name, description, required, schema }: QueryParameter): Json {
    const json = this.#schemas.of(schema, 'input');
    return {
      name,
      in: 'query',
      description,
      ...(required && { required }),
      ...(json['type'] === 'array' && { style: 'form', explode: false }),
      schema: json,
    };
  }

  of(parameter: QueryParameter): Json {
    return this.#shared.get(parameter.name) === parameter
      ? { $ref: `#/components/parameters/${parameter.name}` }
      : this.#write(parameter);
  }

  get written(): Json {
    return Object.fromEntries(
      [...this.#shared].map(([name, parameter]) => [name, this.#write(parameter)] as const),
    );
  }
}

interface Components {
  readonly schemas: SchemaComponents;
  readonly parameters: ParameterComponents;
}

/** 'seatCounts' → 'Seat counts', of a call without a summary. */
const wordsOf = (name: string): string =>
  capitalized(name.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`));

function operationOf(
  name: string,
  definitions: readonly CallDefinition[],
  { schemas, parameters }: Components,
): Json {
  const [first] = definitions;
  if (!first) throw new Error(`no definition of ${name}`);
  const { method, path, service, caller, body } = first;
  const isEmpty = isDone(first) || BEACONS.has(path + method);
  const responses = isEmpty ? [] : definitions.map(({ response }) => schemas.of(response, 'output'));
  const unique = responses.filter(
    (one, index) => responses.findIndex((other) => JSON.stringify(other) === JSON.stringify(one)) === index,
  );
  const status = isEmpty ? '204' : CREATED.has(path) && method === 'POST' ? '201' : '200';
  const inQuery = (method === 'GET' ? (QUERIES[path] ?? []) : []).map((parameter) =>
    parameters.of(parameter),
  );
  const idempotent =
    method === 'POST' && !BEACONS.has(path + method)
      ? [{ $ref: '#/components/parameters/IdempotencyKey' }]
      : [];
  const consumer = caller === 'visitor' ? [{ $ref: '#/components/parameters/ConsumerId' }] : [];
  return {
    operationId: name,
    summary: SUMMARIES[name] ?? wordsOf(name),
    tags: [service],
    parameters: [...pathParameters(path, IN_PATH, schemas), ...inQuery, ...consumer, ...idempotent],
    ...(caller === 'account' && { security: [{ idToken: [] }] }),
    ...(caller === 'visitor' && { security: [{}, { idToken: [] }] }),
    ...(body && {
      requestBody: { required: true, content: jsonContent(schemas.of(body, 'input')) },
    }),
    responses: {
      [status]: isEmpty
        ? { description: 'Done.' }
        : {
            description: 'The response.',
            content: { [contentType(path)]: { schema: unique.length === 1 ? unique[0] : { anyOf: unique } } },
          },
      '4XX': { $ref: '#/components/responses/Rejected' },
      '5XX': { $ref: '#/components/responses/Failed' },
    },
  };
}

/** Fire-and-forget writes. */
const BEACONS = new Set([
  '/cars-for-sale/svc/page-eventPOST',
  '/cars-for-sale/still-interested/alertPOST',
  '/cars-for-sale/svc/browsing-historyPOST',
]);

/** The API as an OpenAPI 3.1 document, generated from the schemas that validate the calls. */
function describeCalls(): Json {
  const grouped = new Map<string, { name: string; definitions: CallDefinition[] }>();
  for (const [name, definition] of Object.entries<CallDefinition>(CALLS)) {
    const key = `${definition.path} ${definition.method.toLowerCase()}`;
    const group = grouped.get(key) ?? { name, definitions: [] };
    group.definitions.push(definition);
    grouped.set(key, group);
  }
  const schemas = createComponents();
  const parameters = new ParameterComponents(QUERIES, schemas);
  const operations = [...grouped].map(([key, { name, definitions }]) => {
    const [path = '', method = ''] = key.split(' ');
    return { path, method, operation: operationOf(name, definitions, { schemas, parameters }) };
  });
  return openApiDocument({
    title: 'Forecourt marketplace API',
    description:
      'Search, content, user data and messages of the marketplace. Money is US dollars, distances are miles.',
    operations,
    error: errorBodySchema,
    components: schemas,
    tags: TAGS,
    parameters: {
      ...parameters.written,
      IdempotencyKey: {
        name: 'Idempotency-Key',
        in: 'header',
        description: 'A repeated write with the same key is executed once.',
        schema: { type: 'string', minLength: 8, maxLength: 80 },
      },
      ConsumerId: {
        name: 'X-Consumer-Id',
        in: 'header',
        description: 'Id of the browser, for data of visitors who are not signed in.',
        schema: { type: 'string', maxLength: 128 },
      },
    },
    responses: {
      Rejected: errorResponse('The request is rejected; `code` names the reason.'),
      Failed: errorResponse('The service failed; 503 means that nothing was stored.'),
    },
    securitySchemes: {
      idToken: {
        type: 'http',
        scheme: 'bearer',
        bearerFormat: 'JWT',
        description: 'An OpenID Connect id token.',
      },
    },
  });
}

/** `GET /openapi.json` and, in local mode, a page that shows it. */
export const openApiRoutes = (isLocal: boolean): Router =>
  documentRoutes(describeCalls, { isLocal, headers: cacheable(ONE_HOUR) });
