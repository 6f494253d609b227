import { z } from 'zod';

export type Json = Record<string, unknown>;

/** Names of schemas, and else what schemas say of themselves. */
class Names extends z.core.$ZodRegistry<Record<string, unknown>> {
  override get(schema: z.core.$ZodType): Record<string, unknown> | undefined {
    const about = z.globalRegistry.get(schema);
    const name = super.get(schema);
    return about || name ? { ...about, ...name } : undefined;
  }
}

const toJsonSchema = (schema: z.ZodType, io: 'input' | 'output', names: Names): Json => {
  const { $schema: _, ...json } = z.toJSONSchema(schema, {
    io,
    metadata: names,
    unrepresentable: 'any',
    target: 'draft-2020-12',
    override: ({ jsonSchema }) => {
      // Objects may have further keys: responses may gain some, and clients ignore unknown ones.
      if (jsonSchema.additionalProperties === false) delete jsonSchema.additionalProperties;
      // Not a JSON Schema format; the pattern beside it is equivalent.
      if (jsonSchema.format === 'starts_with') delete jsonSchema.format;
      // Any integer that JSON can hold.
      if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
      if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
      // The name is the key in the document's components.
      delete jsonSchema.id;
    },
  });
  return json;
};

const inComponents = (json: unknown): Json =>
  JSON.parse(JSON.stringify(json).replaceAll('"#/$defs/', '"#/components/schemas/')) as Json;

/** The schemas of one document. Named ones are written once, below its `components`. */
export class SchemaComponents {
  readonly #names = new Names();
  readonly #written: Record<string, Json> = {};

  /** Names a schema; the first name of a schema counts. */
  name(name: string, schema: z.ZodType): void {
    if (!this.#names.has(schema)) this.#names.add(schema, { id: name });
  }

  /**
   * A schema as JSON Schema, or the reference to its component.
   * @throws Error if a name stands for two schemas, or for one that differs between requests and responses
   */
  of(schema: z.ZodType, io: 'input' | 'output'): Json {
    const { properties, $defs } = toJsonSchema(z.object({ it: schema }), io, this.#names) as {
      properties: { it: unknown };
      $defs?: Record<string, unknown>;
    };
    for (const [name, definition] of Object.entries($defs ?? {})) {
      const json = inComponents(definition);
      const written = this.#written[name];
      if (written && JSON.stringify(written) !== JSON.stringify(json))
        throw new Error(`${name} is the name of two schemas`);
      this.#written[name] = json;
    }
    return inComponents(properties.it);
  }

  /** What `of` has referred to, by name. */
  get written(): Readonly<Record<string, Json>> {
    return Object.fromEntries(Object.entries(this.#written).toSorted(([a], [b]) => (a < b ? -1 : 1)));
  }
}

/** Segments of a path without a schema of their own. */
const ANY_SEGMENT = z.string().min(1).max(256);

/** Parameters for the `{name}` segments of a path. */
export const pathParameters = (
  path: string,
  schemas: Readonly<Record<string, z.ZodType>>,
  components: SchemaComponents,
): Json[] =>
  [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => ({
    name,
    in: 'path',
    required: true,
    schema: components.of(schemas[name] ?? ANY_SEGMENT, 'input'),
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
  /** The schemas of the operations. */
  readonly components: SchemaComponents;
  readonly parameters?: Json;
  readonly responses?: Json;
  readonly securitySchemes: Json;
  /** What the tags of operations stand for. */
  readonly tags?: Readonly<Record<string, string>>;
}

/** A service's API as an OpenAPI 3.1 document. Operations without a `security` of their own are open to everyone. */
export function openApiDocument({
  title,
  description,
  operations,
  error,
  components,
  parameters,
  responses,
  securitySchemes,
  tags = {},
}: OpenApiParts): Json {
  const paths: Record<string, Json> = {};
  for (const { path, method, operation } of operations) paths[path] = { ...paths[path], [method]: operation };
  components.name('Error', error);
  components.of(error, 'output');
  return {
    openapi: '3.1.0',
    info: { title, version: '1.0.0', description, license: { name: 'MIT', identifier: 'MIT' } },
    servers: [{ url: '/' }],
    security: [{}],
    tags: Object.entries(tags).map(([name, about]) => ({ name, description: about })),
    paths,
    components: {
      schemas: components.written,
      ...(parameters && { parameters }),
      ...(responses && { responses }),
      securitySchemes,
    },
  };
}
