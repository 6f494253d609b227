import { remoteNameSchema, versionSchema } from '@forecourt/releases/manifest';
import type { RequestHandler } from 'express';
import { z } from 'zod';
import { type RegistryErrorCode, registryErrorStatus } from '@forecourt/release-kit/registryError';
import { signingKeySchema } from '@forecourt/release-kit/signatures';
import {
  errorResponse,
  type Json,
  jsonContent,
  jsonSchemaOf,
  openApiDocument,
  pathParameters,
} from '@forecourt/service-kit/openApi';
import { gateRefusalsSchema } from '../gate/shellGates.ts';
import { OPERATIONS, type Operation } from './openApiOperations.ts';

const IN_PATH: Readonly<Record<string, z.ZodType>> = {
  name: remoteNameSchema,
  version: versionSchema,
  path: z.string(),
  keyId: signingKeySchema.shape.keyId,
};

function parametersOf({ path, query }: Operation): Json[] {
  const inQuery = Object.entries(query?.shape ?? {}).map(([name, schema]) => ({
    name,
    in: 'query',
    schema: jsonSchemaOf(schema as z.ZodType, 'input'),
  }));
  return [...pathParameters(path, IN_PATH), ...inQuery];
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

function describe(operation: Operation): Json {
  const { method, path, summary, body, response, status: code = '200', notModified } = operation;
  const isUpload = method === 'put';
  return {
    operationId: `${method}${path.replace(/[^a-z]+/gi, '_').replace(/_$/, '')}`,
    summary,
    parameters: parametersOf(operation),
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
        content: jsonContent(jsonSchemaOf(body, 'input')),
      },
    }),
    responses: {
      [code]: {
        description: 'Done.',
        content:
          typeof response === 'string'
            ? { [response]: { schema: { type: 'string' } } }
            : jsonContent(jsonSchemaOf(response, 'output')),
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
const describeApi = (): Json =>
  openApiDocument({
    title: 'Forecourt remote registry',
    description: 'Releases of the remotes: publish, point, roll back, serve.',
    operations: OPERATIONS.map((operation) => ({ ...operation, operation: describe(operation) })),
    error: errorSchema,
    securitySchemes: {
      credential: {
        type: 'http',
        scheme: 'bearer',
        description:
          'The token of a credential, or REGISTRY_TOKEN. In local mode without one, programs on the same machine may write.',
      },
    },
  });

/** `GET /openapi.json`, generated once. */
export function getOpenApi(): RequestHandler {
  const document = JSON.stringify(describeApi());
  return (_req, res) => {
    res.set('Cache-Control', 'no-cache').type('json').send(document);
  };
}
