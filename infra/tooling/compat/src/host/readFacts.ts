import { placedSlots } from '@forecourt/cli/provides';
import { packageOf, sharedModules as installedSharedModules } from '@forecourt/build/sharedModules';
import type { TreeFacts } from './runHost.ts';
import { type EventField, probeShape } from './probeShape.ts';
import type { TreeModules } from './contexts.ts';

const CONTRACTS = '@forecourt/shared-contracts';

const isZodSchema = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && '_zod' in value;

async function readSchemas(tree: TreeModules): Promise<TreeFacts['schemas']> {
  const { toJSONSchema } = (await tree.importPackage('zod')) as {
    toJSONSchema: (schema: unknown, options: object) => Record<string, unknown>;
  };
  const entities = await tree.importPackage(`${CONTRACTS}/entities`);
  const { CALLS = {} } = (await tree.importPackage(`${CONTRACTS}/calls`)) as {
    CALLS?: Record<string, { response?: unknown; answer?: unknown }>;
  };
  const named = [
    ...Object.entries(entities).filter(([, value]) => isZodSchema(value)),
    // Contracts before 2.0.0 named the response schema `answer`.
    ...Object.entries(CALLS).map(([name, { response, answer }]): [string, unknown] => [
      `call ${name}`,
      response ?? answer,
    ]),
  ];
  return Object.fromEntries(
    named.map(([name, schema]) => [name, toJSONSchema(schema, { io: 'output', unrepresentable: 'any' })]),
  );
}

function readEventFields(schemas: object): Record<string, Record<string, EventField>> {
  const fields: Record<string, Record<string, EventField>> = {};
  for (const [event, shape] of Object.entries(schemas)) {
    const found = typeof shape === 'function' ? probeShape(shape as (value: unknown) => unknown) : undefined;
    if (found) fields[event] = found;
  }
  return fields;
}

/** Reads what a tree's shell provides and its contracts declare. */
export async function readFacts(tree: TreeModules): Promise<TreeFacts> {
  // The tree's own list; a tree from before the list was in the contract is assumed to share the same modules.
  const ownModules = installedSharedModules(tree.root);
  const sharedModules = ownModules.length > 0 ? ownModules : installedSharedModules(import.meta.dirname);
  const contractModules = sharedModules.filter((module) => module.startsWith(CONTRACTS));
  const exported = await Promise.all(
    contractModules.map(async (module): Promise<[string, string[]]> => [
      module,
      Object.keys(await tree.importPackage(module)),
    ]),
  );
  const { emptySearch = {}, anonymousSession = {} } = (await tree.importPackage(`${CONTRACTS}/store`)) as {
    emptySearch?: object;
    anonymousSession?: object;
  };
  const { EVENT_SCHEMAS = {} } = (await tree.importPackage(`${CONTRACTS}/events`)) as {
    EVENT_SCHEMAS?: object;
  };
  return {
    contract: tree.versionOf(CONTRACTS),
    shared: Object.fromEntries(sharedModules.map((module) => [module, tree.versionOf(packageOf(module))])),
    exports: Object.fromEntries(exported),
    stateKeys: ['page', 'session', ...Object.keys(emptySearch).map((key) => `search.${key}`)],
    sessionKeys: Object.keys(anonymousSession),
    placed: await placedSlots(tree.root),
    schemas: await readSchemas(tree),
    events: Object.keys(EVENT_SCHEMAS),
    eventFields: readEventFields(EVENT_SCHEMAS),
  };
}
