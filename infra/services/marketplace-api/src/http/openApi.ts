import { CALLS, type CallDefinition } from '@forecourt/upstream/calls';
import { errorBodySchema } from '@forecourt/upstream/entities';
import {
  errorResponse,
  type Json,
  jsonContent,
  jsonSchemaOf,
  openApiDocument,
  pathParameters,
} from '@forecourt/service-kit/openApi';
import { QUERIES } from './openApiParameters.data.ts';
import { Router } from 'express';
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

function operationOf(name: string, definitions: readonly CallDefinition[]): Json {
  const [first] = definitions;
  if (!first) throw new Error(`no definition of ${name}`);
  const { method, path, service, caller, body } = first;
  const responses = definitions.map(({ response }) => jsonSchemaOf(response, 'output'));
  const unique = responses.filter(
    (one, index) => responses.findIndex((other) => JSON.stringify(other) === JSON.stringify(one)) === index,
  );
  const isEmpty = isDone(first) || BEACONS.has(path + method);
  const status = isEmpty ? '204' : CREATED.has(path) && method === 'POST' ? '201' : '200';
  const inPath = pathParameters(path);
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
      requestBody: { required: true, content: jsonContent(jsonSchemaOf(body, 'input')) },
    }),
    responses: {
      [status]: isEmpty
        ? { description: 'Done.' }
        : {
            description: 'The response.',
            content: { [contentType(path)]: { schema: unique.length === 1 ? unique[0] : { anyOf: unique } } },
          },
      '4XX': errorResponse('The request is rejected; `code` names the reason.'),
      '5XX': errorResponse('The service failed; 503 means that nothing was stored.'),
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
  return openApiDocument({
    title: 'Forecourt marketplace API',
    description:
      'Search, content, user data and messages of the marketplace. Money is US dollars, distances are miles.',
    operations: [...grouped].map(([key, { name, definitions }]) => {
      const [path = '', method = ''] = key.split(' ');
      return { path, method, operation: operationOf(name, definitions) };
    }),
    error: errorBodySchema,
    parameters: {
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

/** `GET /openapi.json`. */
export function openApiRoutes(): Router {
  const router = Router();
  let document: string | undefined;
  router.get('/openapi.json', cacheable(ONE_HOUR), (_, response) => {
    document ??= JSON.stringify(describeCalls());
    response.type('json').send(document);
  });
  return router;
}
