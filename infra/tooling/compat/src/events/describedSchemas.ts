/** JSON Schema, draft 7. */
export type JsonSchema = Readonly<Record<string, unknown>>;

// The exports of `@forecourt/slots/schema`, in its place: with these, the sources of the events describe themselves instead of
// checking values. Pages carry no description, and there is none to write by hand.

/** What a field of an event may be, and whether senders may leave it out. */
export interface Described {
  readonly schema: JsonSchema;
  readonly isOptional?: true;
}
type Fields = Readonly<Record<string, Described>>;

export class ValidationError extends Error {}

export const text = (minLength: number, maxLength: number): Described => ({
  schema: { type: 'string', ...(minLength > 0 && { minLength }), maxLength },
});

export const number = (minimum: number, maximum: number): Described => ({
  schema: { type: 'number', minimum, maximum },
});

export const wholeNumber = (minimum: number, maximum: number): Described => ({
  schema: { type: 'integer', minimum, maximum },
});

export const boolean: Described = { schema: { type: 'boolean' } };

export const oneOf = (values: readonly string[]): Described => ({ schema: { enum: values } });

export const optional = ({ schema }: Described): Described => ({ schema, isOptional: true });

export const nullable = ({ schema }: Described): Described => ({
  schema: { anyOf: [schema, { type: 'null' }] },
});

export const withDefault = ({ schema }: Described, value: unknown): Described => ({
  schema: { ...schema, default: value },
  isOptional: true,
});

export const list = ({ schema }: Described, maxItems: number): Described => ({
  schema: { type: 'array', items: schema, maxItems },
});

export const pair = (first: Described, second: Described): Described => ({
  schema: { type: 'array', items: [first.schema, second.schema], additionalItems: false, minItems: 2 },
});

export const someOf = (keys: readonly string[], { schema }: Described): Described => ({
  schema: {
    type: 'object',
    propertyNames: { enum: keys },
    additionalProperties: schema,
  },
});

export const object = (fields: Fields): Described => {
  const required = Object.keys(fields).filter((key) => !fields[key]?.isOptional);
  return {
    schema: {
      type: 'object',
      properties: Object.fromEntries(Object.entries(fields).map(([key, { schema }]) => [key, schema])),
      ...(required.length > 0 && { required }),
    },
  };
};
