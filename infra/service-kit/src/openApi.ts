import { z } from 'zod';

export type Json = Record<string, unknown>;

/** A schema as JSON Schema. Objects may have further keys: responses may gain some, and clients ignore unknown ones. */
export const jsonSchemaOf = (schema: z.ZodType, io: 'input' | 'output'): Json => {
  const { $schema: _, ...json } = z.toJSONSchema(schema, {
    io,
    unrepresentable: 'any',
    target: 'draft-2020-12',
    override: ({ jsonSchema }) => {
      if (jsonSchema.additionalProperties === false) delete jsonSchema.additionalProperties;
      // Not a JSON Schema format; the pattern beside it is equivalent.
      if (jsonSchema.format === 'starts_with') delete jsonSchema.format;
    },
  });
  return json;
};

/** Parameters for the `{name}` segments of a path. */
export const pathParameters = (path: string, schemas: Readonly<Record<string, z.ZodType>> = {}): Json[] =>
  [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => ({
    name,
    in: 'path',
    required: true,
    schema: jsonSchemaOf(schemas[name] ?? z.string(), 'input'),
  }));

export const jsonContent = (schema: Json): Json => ({ 'application/json': { schema } });

/** A response with the service's error body. */
export const errorResponse = (description: string): Json => ({
  description,
  content: jsonContent({ $ref: '#/components/schemas/Error' }),
});

export interface OpenApiParts {
  readonly title: string;
  readonly description: string;
  readonly operations: Iterable<{
    /** With `{name}` segments. */
    readonly path: string;
    /** In lower case. */
    readonly method: string;
    readonly operation: Json;
  }>;
  /** Schema of the body of every error. */
  readonly error: z.ZodType;
  readonly parameters?: Json;
  readonly securitySchemes: Json;
}

/** A service's API as an OpenAPI 3.1 document. */
export function openApiDocument({
  title,
  description,
  operations,
  error,
  parameters,
  securitySchemes,
}: OpenApiParts): Json {
  const paths: Record<string, Json> = {};
  for (const { path, method, operation } of operations) paths[path] = { ...paths[path], [method]: operation };
  return {
    openapi: '3.1.0',
    info: { title, version: '1.0.0', description, license: { name: 'MIT', identifier: 'MIT' } },
    servers: [{ url: '/' }],
    paths,
    components: {
      schemas: { Error: jsonSchemaOf(error, 'output') },
      ...(parameters && { parameters }),
      securitySchemes,
    },
  };
}
