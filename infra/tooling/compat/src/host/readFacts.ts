import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { placedSlots } from '@forecourt/cli/provides';
import {
  contractVersions,
  packageOf,
  sharedModules as installedSharedModules,
} from '@forecourt/build/sharedModules';
import type { TreeFacts } from './runHost.ts';
import type { TreeModules } from './contexts.ts';
import { type EventField, payloadFields } from './payloadFields.ts';
import { z } from 'zod';

const isZodSchema = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && '_zod' in value;

async function readSchemas(tree: TreeModules): Promise<TreeFacts['schemas']> {
  const { toJSONSchema } = (await tree.importPackage('zod')) as {
    toJSONSchema: (schema: unknown, options: object) => Record<string, unknown>;
  };
  const entities = await tree.importPackage('@forecourt/upstream/entities');
  const { CALLS = {} } = (await tree.importPackage('@forecourt/upstream/calls')) as {
    CALLS?: Record<string, { response?: unknown; answer?: unknown }>;
  };
  const namedSchemas = [
    ...Object.entries(entities).filter(([, value]) => isZodSchema(value)),
    // Contracts before 2.0.0 named the response schema `answer`.
    ...Object.entries(CALLS).map(([name, { response, answer }]): [string, unknown] => [
      `call ${name}`,
      response ?? answer,
    ]),
  ];
  return Object.fromEntries(
    namedSchemas.map(([name, schema]) => [
      name,
      toJSONSchema(schema, { io: 'output', unrepresentable: 'any' }),
    ]),
  );
}

const asyncApiSchema = z.object({
  components: z.object({ messages: z.record(z.string(), z.object({ payload: z.looseObject({}) })) }),
});

/** Fields of the events by the tree's AsyncAPI document; trees from before it are asked by what their events refuse. */
function readEventFields(root: string, schemas: object): Record<string, Record<string, EventField>> {
  const file = join(root, 'shared-contracts/search/asyncapi.json');
  if (!existsSync(file)) return probeEventFields(schemas);
  const { messages } = asyncApiSchema.parse(JSON.parse(readFileSync(file, 'utf8'))).components;
  return Object.fromEntries(
    Object.entries(messages).map(([event, { payload }]) => [event, payloadFields(payload)]),
  );
}

function probeEventFields(schemas: object): Record<string, Record<string, EventField>> {
  const fields: Record<string, Record<string, EventField>> = {};
  for (const [event, shape] of Object.entries(schemas)) {
    const found = typeof shape === 'function' ? probeShape(shape as (value: unknown) => unknown) : undefined;
    if (found) fields[event] = found;
  }
  return fields;
}

/** Reads what a tree's shell provides and its contracts declare. */
export async function readFacts(tree: TreeModules): Promise<TreeFacts> {
  const contracts = contractVersions(tree.shell);
  const sharedModules = installedSharedModules(tree.shell);
  const contractModules = sharedModules.filter((module) => Object.hasOwn(contracts, packageOf(module)));
  const exported = await Promise.all(
    contractModules.map(async (module): Promise<[string, string[]]> => [
      module,
      Object.keys(await tree.importPackage(module)),
    ]),
  );
  const { emptySearch = {}, anonymousSession = {} } = (await tree.importPackage(
    '@forecourt/search/state',
  )) as {
    emptySearch?: object;
    anonymousSession?: object;
  };
  const { EVENT_SCHEMAS = {} } = (await tree.importPackage('@forecourt/search/events')) as {
    EVENT_SCHEMAS?: object;
  };
  return {
    contracts,
    shared: Object.fromEntries(sharedModules.map((module) => [module, tree.versionOf(packageOf(module))])),
    exports: Object.fromEntries(exported),
    stateKeys: ['page', 'session', ...Object.keys(emptySearch).map((key) => `search.${key}`)],
    sessionKeys: Object.keys(anonymousSession),
    placed: await placedSlots(tree.root),
    schemas: await readSchemas(tree),
    events: Object.keys(EVENT_SCHEMAS),
    eventFields: readEventFields(tree.root, EVENT_SCHEMAS),
  };
}

type Shape = (value: unknown) => unknown;
type Payload = Record<string, unknown>;

/** A shape that needs more steps is not readable this way. */
const MAX_STEPS = 2000;
const NEVER_VALID = Symbol('never valid');

/** A value that satisfies the description in an error message. */
function sampleOf(expected: string): unknown {
  const text = /^text of (\d+) to /.exec(expected);
  if (text) return 'x'.repeat(Number(text[1]));
  const number = /^a number from (\S+) to /.exec(expected);
  if (number) return Number(number[1]);
  if (expected === 'a whole number') return 1;
  if (expected === 'true or false') return true;
  if (expected.startsWith('a list of ')) return [];
  if (expected === 'an object') return {};
  return expected.split(' or ')[0];
}

/** Why the shape rejects a payload: undefined when it accepts it, 'unknown' when the message has another form. */
function rejectionOf(
  shape: Shape,
  payload: unknown,
): { at: string; expected: string } | 'unknown' | undefined {
  try {
    shape(payload);
    return undefined;
  } catch (error) {
    const found = error instanceof Error && /^(.*?): expected (.*)$/s.exec(error.message);
    return found ? { at: found[1] ?? '', expected: found[2] ?? '' } : 'unknown';
  }
}

/** A payload that reports the path of every key that the shape reads. */
function observed(payload: Payload, onRead: (path: string) => void, above = ''): Payload {
  const pathOf = (key: string | symbol) => (above ? `${above}.${String(key)}` : String(key));
  return new Proxy(payload, {
    getOwnPropertyDescriptor(target, key) {
      onRead(pathOf(key));
      return Reflect.getOwnPropertyDescriptor(target, key);
    },
    get(target, key) {
      const value: unknown = Reflect.get(target, key);
      const isInner = typeof value === 'object' && value !== null && !Array.isArray(value);
      return isInner ? observed(value as Payload, onRead, pathOf(key)) : value;
    },
  });
}

function put(payload: Payload, path: string, value: unknown): void {
  const keys = path.split('.');
  const last = keys.pop() as string;
  const parent = keys.reduce<Payload>((inner, key) => (inner[key] ??= {}) as Payload, payload);
  if (value === undefined) delete parent[last];
  else parent[last] = value;
}

/**
 * Derives the fields of an event from its shape, a validation function: passes it
 * one payload after another and observes which keys it reads and rejects. The
 * page then needs no description that only this comparison would read.
 * Path to field, '[]' for the items of a list; undefined when the messages have another form.
 */
export function probeShape(shape: Shape): Record<string, EventField> | undefined {
  const fields = new Map<string, EventField>();
  const readPaths = new Set<string>();
  const payload: Payload = {};
  const validate = () =>
    rejectionOf(
      shape,
      observed(payload, (path) => readPaths.add(path)),
    );

  function fill(path: string, expected: string, isRequired: boolean): void {
    fields.set(path, { expected, isRequired });
    const sample = sampleOf(expected);
    if (Array.isArray(sample)) {
      put(payload, path, [NEVER_VALID]);
      const rejection = validate();
      if (rejection && rejection !== 'unknown' && rejection.at === `${path}[0]`)
        fields.set(`${path}[]`, { expected: rejection.expected, isRequired: true });
    }
    put(payload, path, sample);
  }

  for (let step = 0; step < MAX_STEPS; step += 1) {
    const missing = validate();
    if (missing) {
      if (missing === 'unknown' || fields.has(missing.at)) return undefined;
      fill(missing.at, missing.expected, true);
      continue;
    }
    const optional = [...readPaths].find((path) => !fields.has(path));
    if (optional === undefined) return Object.fromEntries(fields);
    put(payload, optional, NEVER_VALID);
    const rejection = validate();
    if (!rejection || rejection === 'unknown' || rejection.at !== optional) return undefined;
    fill(optional, rejection.expected, false);
  }
  return undefined;
}
