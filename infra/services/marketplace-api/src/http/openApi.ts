import { CALLS, type CallDefinition } from '@forecourt/shared-contracts/calls';
import { errorBodySchema } from '@forecourt/shared-contracts/entities';
import { z } from 'zod';
import { QUERIES } from './openApiParameters.data.ts';
import { Router } from 'express';
import { ONE_HOUR, cacheable } from './requests.ts';

type Json = Record<string, unknown>;

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
  definition.response.safeParse(null).success &&
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
  const responses = definitions.map(({ response }) => schemaOf(response, 'output'));
  const unique = responses.filter(
    (one, index) => responses.findIndex((other) => JSON.stringify(other) === JSON.stringify(one)) === index,
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
  const idempotent =
    method === 'POST' && !BEACONS.has(path + method)
      ? [{ $ref: '#/components/parameters/IdempotencyKey' }]
      : [];
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

/** `GET /openapi.json`: the interface, made once of the schemas by which it is checked. */
export function openApiRoutes(): Router {
  const router = Router();
  let document: string | undefined;
  router.get('/openapi.json', cacheable(ONE_HOUR), (_, response) => {
    document ??= JSON.stringify(openApiDocument());
    response.type('json').send(document);
  });
  return router;
}
