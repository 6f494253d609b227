import { remoteNameSchema, versionSchema } from '@forecourt/shared-contracts/slots/release';
import type { RequestHandler } from 'express';
import { z } from 'zod';
import { type RegistryErrorCode, registryErrorStatus } from '@forecourt/release-kit/registryError';
import { signingKeySchema } from '@forecourt/release-kit/signatures';
import { gateRefusalsSchema } from '../gate/shellGates.ts';
import { OPERATIONS, type Operation } from './openApiOperations.ts';

type Json = Record<string, unknown>;

const schemaOf = (schema: z.ZodType, io: 'input' | 'output'): Json => {
  const { $schema: _, ...json } = z.toJSONSchema(schema, {
    io,
    unrepresentable: 'any',
    target: 'draft-2020-12',
    // Responses may gain keys; clients ignore unknown ones.
    override: ({ jsonSchema }) => {
      if (jsonSchema.additionalProperties === false) delete jsonSchema.additionalProperties;
      // Not a JSON Schema format; the pattern beside it is equivalent.
      if (jsonSchema.format === 'starts_with') delete jsonSchema.format;
    },
  });
  return json;
};

const IN_PATH: Readonly<Record<string, z.ZodType>> = {
  name: remoteNameSchema,
  version: versionSchema,
  path: z.string(),
  keyId: signingKeySchema.shape.keyId,
};

function parametersOf({ path, query }: Operation): Json[] {
  const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => ({
    name,
    in: 'path',
    required: true,
    schema: schemaOf(IN_PATH[name] ?? z.string(), 'input'),
  }));
  const inQuery = Object.entries(query?.shape ?? {}).map(([name, schema]) => ({
    name,
    in: 'query',
    schema: schemaOf(schema as z.ZodType, 'input'),
  }));
  return [...inPath, ...inQuery];
}

/** Error responses by status, each with its codes. */
function refusalsOf({ refusals }: Operation): Json {
  const codes = new Map<number, RegistryErrorCode[]>();
  for (const code of refusals) {
    const sameStatus = codes.get(registryErrorStatus[code]) ?? [];
    codes.set(registryErrorStatus[code], [...sameStatus, code]);
  }
  return Object.fromEntries(
    [...codes].map(([httpStatus, names]) => [
      String(httpStatus),
      {
        description: names.join(', '),
        content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
      },
    ]),
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
        content: { 'application/json': { schema: schemaOf(body, 'input') } },
      },
    }),
    responses: {
      [code]: {
        description: 'Done.',
        content:
          typeof response === 'string'
            ? { [response]: { schema: { type: 'string' } } }
            : { 'application/json': { schema: schemaOf(response, 'output') } },
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
function openApiDocument(): Json {
  const paths: Record<string, Json> = {};
  for (const operation of OPERATIONS)
    paths[operation.path] = { ...paths[operation.path], [operation.method]: describe(operation) };
  return {
    openapi: '3.1.0',
    info: {
      title: 'Forecourt remote registry',
      version: '1.0.0',
      description: 'Releases of the remotes: publish, point, roll back, serve.',
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: '/' }],
    paths,
    components: {
      schemas: { Error: schemaOf(errorSchema, 'output') },
      securitySchemes: {
        credential: {
          type: 'http',
          scheme: 'bearer',
          description:
            'The token of a credential, or REGISTRY_TOKEN. In local mode without one, programs on the same machine may write.',
        },
      },
    },
  };
}

/** `GET /openapi.json`, generated once. */
export function getOpenApi(): RequestHandler {
  const document = JSON.stringify(openApiDocument());
  return (_req, res) => {
    res.set('Cache-Control', 'no-cache').type('json').send(document);
  };
}
