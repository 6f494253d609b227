import type { EventField } from '../host/payloadFields.ts';

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

/** Every path of a schema with its possible JSON types; '[]' is any element, '{}' any value of a record. */
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
  function alternatives(reference: JsonSchema, seen: readonly JsonSchema[]): JsonSchema[] {
    const schema = resolved(reference);
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

  function walk(path: string, schema: JsonSchema, isRequired: boolean, seen: readonly JsonSchema[]): void {
    const parts = alternatives(schema, []);
    const types = new Set(parts.flatMap(typesOf));
    // Readers do not distinguish integers from numbers.
    if (types.delete('integer')) types.add('number');
    const existing = leaves.get(path);
    leaves.set(path, {
      types: existing ? new Set([...existing.types, ...types]) : types,
      isRequired: isRequired && (existing?.isRequired ?? true),
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

const typeList = (types: ReadonlySet<string>): string => [...types].sort().join(' or ');

/** Differences that a reader of `older` finds in data of `newer`; paths below a removed one are not listed. */
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
        text: `${path} was ${typeList(was.types)} and is ${typeList(is.types)}`,
      });
    else if (was.isRequired && !is.isRequired)
      differences.push({ path, kind: 'may be missing', text: `${path} was always there and may be missing` });
  }
  for (const path of after.keys())
    if (!before.has(path) && !isBelow(path, 'added') && !isBelow(path, 'retyped'))
      differences.push({ path, kind: 'added', text: `${path} is new` });
  return differences;
}

/** Event to its fields; an event whose fields cannot be read is missing. */
export type EventFields = Readonly<Record<string, Readonly<Record<string, EventField>>>>;

export interface EventDifferences {
  readonly breaking: readonly string[];
  readonly added: readonly string[];
}

/** Ignores bounds: within a major version they may move, and values inside the narrower ones suit both sides. */
const kindOf = (expected: string): string => expected.replaceAll(/-?\d+(?:\.\d+)?/g, '#');
const choices = (expected: string): string[] => expected.split(' or ');

const isWiderChoice = (before: string, after: string): boolean =>
  choices(before).every((choice) => choices(after).includes(choice));

/**
 * Compares the fields of the events that both sides know. A remote sends and
 * receives events, so it breaks when a field is removed, becomes required, or
 * was always present and becomes optional.
 */
export function eventDifferences(older: EventFields, newer: EventFields): EventDifferences {
  const breaking: string[] = [];
  const added: string[] = [];
  for (const [event, before] of Object.entries(older)) {
    const after = newer[event];
    if (!after) continue;
    for (const [path, field] of Object.entries(before)) {
      const name = `event ${event}: ${path}`;
      const now = after[path];
      if (!now) breaking.push(`${name} is gone`);
      else if (kindOf(field.expected) !== kindOf(now.expected)) {
        if (isWiderChoice(field.expected, now.expected)) added.push(`${name} may be ${now.expected}`);
        else breaking.push(`${name} was ${field.expected}, is ${now.expected}`);
      } else if (field.isRequired && !now.isRequired) breaking.push(`${name} may be missing`);
      else if (!field.isRequired && now.isRequired) breaking.push(`${name} must be given`);
    }
    for (const [path, { isRequired }] of Object.entries(after)) {
      if (before[path]) continue;
      if (isRequired) breaking.push(`event ${event}: ${path} must be given`);
      else added.push(`event ${event}: ${path} is new`);
    }
  }
  return { breaking, added };
}
