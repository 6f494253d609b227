/** One JSON Schema, as zod writes it. */
type JsonSchema = Readonly<Record<string, unknown>>;

export interface SchemaDifference {
  /** e.g. 'listingSchema.pricingDetail.salePrice' */
  readonly path: string;
  readonly kind: 'removed' | 'retyped' | 'may be missing' | 'added';
  readonly text: string;
}

interface Leaf {
  readonly types: ReadonlySet<string>;
  readonly isRequired: boolean;
}

const isObject = (value: unknown): value is JsonSchema =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const schemasIn = (value: unknown): JsonSchema[] => (Array.isArray(value) ? value.filter(isObject) : []);

/** Every path of a schema with the JSON types that it may have; '[]' is any element, '{}' any value of a record. */
function leavesOf(name: string, root: JsonSchema): Map<string, Leaf> {
  const leaves = new Map<string, Leaf>();
  const definitions = isObject(root['$defs']) ? root['$defs'] : {};

  function resolved(schema: JsonSchema): JsonSchema {
    const reference = schema['$ref'];
    if (reference === '#') return root;
    const key = typeof reference === 'string' ? reference.split('/').at(-1) : undefined;
    const target = key === undefined ? undefined : definitions[key];
    return isObject(target) ? target : schema;
  }

  /** The alternatives of a union, each without unions. */
  function alternatives(given: JsonSchema, seen: readonly JsonSchema[]): JsonSchema[] {
    const schema = resolved(given);
    if (seen.includes(schema)) return [];
    const unions = [...schemasIn(schema['anyOf']), ...schemasIn(schema['oneOf'])];
    if (unions.length === 0) return [schema];
    return unions.flatMap((part) => alternatives(part, [...seen, schema]));
  }

  function typesOf(schema: JsonSchema): string[] {
    const { type } = schema;
    if (Array.isArray(type)) return type.map(String);
    if (typeof type === 'string') return [type];
    if ('const' in schema) return [schema['const'] === null ? 'null' : typeof schema['const']];
    if (Array.isArray(schema['enum']))
      return schema['enum'].map((value) => (value === null ? 'null' : typeof value));
    return ['any'];
  }

  function walk(path: string, given: JsonSchema, isRequired: boolean, seen: readonly JsonSchema[]): void {
    const parts = alternatives(given, []);
    const types = new Set(parts.flatMap(typesOf));
    // Whole numbers are numbers to who reads them.
    if (types.delete('integer')) types.add('number');
    const known = leaves.get(path);
    leaves.set(path, {
      types: known ? new Set([...known.types, ...types]) : types,
      isRequired: isRequired && (known?.isRequired ?? true),
    });
    for (const part of parts) {
      if (seen.includes(part)) continue;
      const inside = [...seen, part];
      const required = Array.isArray(part['required']) ? part['required'] : [];
      if (isObject(part['properties']))
        for (const [key, value] of Object.entries(part['properties']))
          if (isObject(value)) walk(`${path}.${key}`, value, required.includes(key), inside);
      for (const item of [part['items'], ...schemasIn(part['prefixItems'])])
        if (isObject(item)) walk(`${path}[]`, item, true, inside);
      if (isObject(part['additionalProperties']))
        walk(`${path}{}`, part['additionalProperties'], true, inside);
      for (const whole of schemasIn(part['allOf'])) walk(path, whole, isRequired, inside);
    }
  }

  walk(name, root, true, []);
  return leaves;
}

const named = (types: ReadonlySet<string>): string => [...types].sort().join(' or ');

/** What a reader of `older` meets in data of `newer`. Below something removed nothing more is told. */
export function schemaDifferences(
  older: Readonly<Record<string, JsonSchema>>,
  newer: Readonly<Record<string, JsonSchema>>,
): SchemaDifference[] {
  const all = (schemas: Readonly<Record<string, JsonSchema>>) =>
    new Map(Object.entries(schemas).flatMap(([name, schema]) => [...leavesOf(name, schema)]));
  const [before, after] = [all(older), all(newer)];
  const differences: SchemaDifference[] = [];
  const isBelow = (path: string, kind: SchemaDifference['kind']) =>
    differences.some(
      (known) =>
        known.kind === kind && path.startsWith(known.path) && /^[.[{]/.test(path.slice(known.path.length)),
    );
  for (const [path, was] of before) {
    const is = after.get(path);
    if (!is) {
      if (!isBelow(path, 'removed') && !isBelow(path, 'retyped'))
        differences.push({ path, kind: 'removed', text: `${path} is gone` });
      continue;
    }
    const others = [...is.types].filter((type) => !was.types.has(type));
    if (others.length > 0 && !was.types.has('any'))
      differences.push({
        path,
        kind: 'retyped',
        text: `${path} was ${named(was.types)} and is ${named(is.types)}`,
      });
    else if (was.isRequired && !is.isRequired)
      differences.push({ path, kind: 'may be missing', text: `${path} was always there and may be missing` });
  }
  for (const path of after.keys())
    if (!before.has(path) && !isBelow(path, 'added') && !isBelow(path, 'retyped'))
      differences.push({ path, kind: 'added', text: `${path} is new` });
  return differences;
}
