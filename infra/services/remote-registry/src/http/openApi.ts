import { releaseManifestSchema, remoteNameSchema, versionSchema } from '@forecourt/releases/manifest';
import type { RequestHandler, Router } from 'express';
import { z } from 'zod';
import { type RegistryErrorCode, registryErrorStatus } from '@forecourt/release-kit/registryError';
import { signingKeySchema } from '@forecourt/release-kit/signatures';
import {
  errorResponse,
  type Json,
  jsonContent,
  openApiDocument,
  pathParameters,
  SchemaComponents,
} from '@forecourt/service-kit/openApi';
import { openApiRoutes as documentRoutes } from '@forecourt/service-kit/openApiRoutes';
import { pointersSchema } from '@forecourt/releases/pointers';
import { credentialSchema, issuedCredentialSchema } from '@forecourt/release-kit/credentials';
import { historySchema, listSchema } from '@forecourt/release-kit/registryResponses';
import { writeSchema } from './requests.ts';
import { gateRefusalsSchema } from '../gate/shellGates.ts';
import { OPERATIONS, type Operation } from './openApiOperations.ts';

const IN_PATH: Readonly<Record<string, z.ZodType>> = {
  name: remoteNameSchema,
  version: versionSchema,
  credential: z.string().min(1).max(64),
  path: z.string().min(1).max(512),
  keyId: signingKeySchema.shape.keyId,
};

/** Schemas that several operations have, or that are parts of others. */
const SCHEMA_NAMES: Readonly<Record<string, z.ZodType>> = {
  ReleaseManifest: releaseManifestSchema,
  Pointers: pointersSchema,
  Releases: listSchema,
  History: historySchema,
  SigningKey: signingKeySchema,
  Credential: credentialSchema,
  IssuedCredential: issuedCredentialSchema,
  PointerWrite: writeSchema,
};

/** What the tags of operations stand for. */
const TAGS = {
  releases: 'Releases',
  pointers: 'What is live',
  history: 'History and log',
  access: 'Credentials and keys',
  operations: 'Health and metrics',
} as const;

function tagOf(path: string): keyof typeof TAGS {
  if (/^\/(?:api\/releases|api\/gc|remotes)\b/.test(path)) return 'releases';
  if (/^\/api\/(?:keys|credentials)\b/.test(path)) return 'access';
  if (/^\/api\/log\b|history$/.test(path)) return 'history';
  return path.startsWith('/api/') ? 'pointers' : 'operations';
}

function parametersOf({ path, query }: Operation, components: SchemaComponents): Json[] {
  const inQuery = Object.entries(query?.shape ?? {}).map(([name, schema]) => ({
    name,
    in: 'query',
    schema: components.of(schema as z.ZodType, 'input'),
  }));
  return [...pathParameters(path, IN_PATH, components), ...inQuery];
}

/** Error responses by status, each with its codes. */
function refusalsOf({ refusals }: Operation): Json {
  const codes = new Map<number, RegistryErrorCode[]>();
  for (const code of refusals) {
    const sameStatus = codes.get(registryErrorStatus[code]) ?? [];
    codes.set(registryErrorStatus[code], [...sameStatus, code]);
  }
  return Object.fromEntries(
    [...codes].map(([httpStatus, names]) => [String(httpStatus), errorResponse(names.join(', '))]),
  );
}

const operationIdOf = ({ method, path }: Operation): string =>
  `${method}${path.replace(/[^a-z]+/gi, '_').replace(/_$/, '')}`;

/** 'get_api_remotes_name_canary' → 'GetRemotesNameCanary' */
const nameOf = (operation: Operation): string =>
  operationIdOf(operation)
    .split('_')
    .filter((word) => word !== 'api')
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join('');

/** Named as in the code where several operations have a schema; others are named by their operation. */
function createComponents(): SchemaComponents {
  const components = new SchemaComponents();
  for (const [name, schema] of Object.entries(SCHEMA_NAMES)) components.name(name, schema);
  for (const operation of OPERATIONS) {
    const { body, response } = operation;
    if (body) components.name(`${nameOf(operation)}Request`, body);
    if (typeof response !== 'string') components.name(`${nameOf(operation)}Response`, response);
  }
  return components;
}

function describe(operation: Operation, components: SchemaComponents): Json {
  const { method, path, summary, body, response, status: code = '200', notModified } = operation;
  const isUpload = method === 'put';
  return {
    operationId: operationIdOf(operation),
    summary,
    tags: [tagOf(path)],
    parameters: parametersOf(operation, components),
    ...((operation.needsCaller ?? method !== 'get') && { security: [{ credential: [] }] }),
    ...(isUpload && {
      requestBody: {
        required: true,
        content: { 'application/gzip': { schema: { type: 'string', contentMediaType: 'application/gzip' } } },
      },
    }),
    ...(body && {
      requestBody: {
        required: !body.safeParse({}).success,
        content: jsonContent(components.of(body, 'input')),
      },
    }),
    responses: {
      [code]: {
        description: 'Done.',
        content:
          typeof response === 'string'
            ? { [response]: { schema: { type: 'string' } } }
            : jsonContent(components.of(response, 'output')),
      },
      ...(notModified && { '304': { description: 'The client has this representation already.' } }),
      ...refusalsOf(operation),
    },
  };
}

const errorSchema = z.object({
  error: z.object({
    code: z.enum(Object.keys(registryErrorStatus) as [RegistryErrorCode, ...RegistryErrorCode[]]),
    message: z.string(),
    requestId: z.string(),
    refusals: gateRefusalsSchema.optional().describe('With GATE_REFUSED: the refusals of each shell.'),
  }),
});

/** The API as OpenAPI 3.1, generated from the schemas of requests and responses. */
function describeApi(): Json {
  const components = createComponents();
  return openApiDocument({
    title: 'Forecourt remote registry',
    description: 'Releases of the remotes: publish, point, roll back, serve.',
    operations: OPERATIONS.map((operation) => ({ ...operation, operation: describe(operation, components) })),
    error: errorSchema,
    components,
    tags: TAGS,
    securitySchemes: {
      credential: {
        type: 'http',
        scheme: 'bearer',
        description:
          'The token of a credential, or REGISTRY_TOKEN. In local mode without one, programs on the same machine may write.',
      },
    },
  });
}

const revalidated: RequestHandler = (_request, response, next) => {
  response.set('Cache-Control', 'no-cache');
  next();
};

/** `GET /openapi.json` and, in local mode, a page that shows it. */
export const openApiRoutes = (isLocal: boolean): Router =>
  documentRoutes(describeApi, { isLocal, headers: revalidated });
