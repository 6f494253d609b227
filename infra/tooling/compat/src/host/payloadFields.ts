/** A field of an event. */
export interface EventField {
  /** As the shape's error message describes it, e.g. 'text of 1 to 64 characters' or 'push or replace'. */
  readonly expected: string;
  readonly isRequired: boolean;
}

/** A payload of `asyncapi.json`: JSON Schema, as the events describe themselves. */
interface PayloadSchema {
  readonly type?: string;
  readonly enum?: readonly string[];
  readonly anyOf?: readonly PayloadSchema[];
  readonly items?: PayloadSchema | readonly PayloadSchema[];
  readonly properties?: Readonly<Record<string, PayloadSchema>>;
  readonly required?: readonly string[];
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly maxItems?: number;
}

/** What a schema allows, in the words that older trees, which have no schemas, refuse values with. */
function expectedOf(schema: PayloadSchema): string {
  const { type, minLength = 0, maxLength, minimum, maximum, maxItems } = schema;
  if (schema.enum) return schema.enum.join(' or ');
  if (schema.anyOf) return expectedOf(schema.anyOf[0] ?? {});
  if (Array.isArray(schema.items)) return 'a pair';
  switch (type) {
    case 'string':
      return `text of ${minLength} to ${maxLength} characters`;
    case 'number':
      return `a number from ${minimum} to ${maximum}`;
    case 'integer':
      return 'a whole number';
    case 'boolean':
      return 'true or false';
    case 'array':
      return `a list of ${maxItems} at most`;
    default:
      return 'an object';
  }
}

/** Path to field, '[]' for the items of a list. */
export function payloadFields(payload: PayloadSchema): Record<string, EventField> {
  const fields: Record<string, EventField> = {};
  function walk({ properties = {}, required = [] }: PayloadSchema, above: string): void {
    for (const [key, schema] of Object.entries(properties)) {
      const path = above + key;
      fields[path] = { expected: expectedOf(schema), isRequired: required.includes(key) };
      const { items } = schema;
      if (items && !Array.isArray(items))
        fields[`${path}[]`] = { expected: expectedOf(items as PayloadSchema), isRequired: true };
      walk(schema.anyOf?.[0] ?? schema, `${path}.`);
    }
  }
  walk(payload, '');
  return fields;
}
