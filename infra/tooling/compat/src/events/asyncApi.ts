import { readFileSync, writeFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import ts from 'typescript';
import type { Described, JsonSchema } from './describedSchemas.ts';

const REPOSITORY = resolve(import.meta.dirname, '../../../../..');
const SOURCES = [
  'shared-contracts/slots/src/events/slotEvents.ts',
  'shared-contracts/search/src/events/eventSchemas.ts',
].map((path) => join(REPOSITORY, path));
const TARGET = join(REPOSITORY, 'shared-contracts/search/asyncapi.json');

/** Loads the events' sources with describing schemas in place of checking ones. */
async function loadEvents(): Promise<Readonly<Record<string, Described>>> {
  const described = pathToFileURL(join(import.meta.dirname, 'describedSchemas.ts')).href;
  const hooks = registerHooks({
    resolve(specifier, context, next) {
      const resolved = next(specifier, context);
      return resolved.url.endsWith('/slots/src/events/schema.ts')
        ? { ...resolved, url: described }
        : resolved;
    },
  });
  const { EVENT_SCHEMAS } = (await import(pathToFileURL(SOURCES[1]!).href)) as {
    EVENT_SCHEMAS: Record<string, Described>;
  };
  hooks.deregister();
  return EVENT_SCHEMAS;
}

/** Event to the comment above it. */
function readSummaries(): ReadonlyMap<string, string> {
  const summaries = new Map<string, string>();
  for (const path of SOURCES) {
    const file = ts.createSourceFile(path, readFileSync(path, 'utf8'), ts.ScriptTarget.Latest, true);
    const visit = (node: ts.Node): void => {
      if (ts.isPropertyAssignment(node) && ts.isStringLiteral(node.name)) {
        const [comment] = ts.getJSDocCommentsAndTags(node);
        if (comment && ts.isJSDoc(comment))
          summaries.set(
            node.name.text,
            (ts.getTextOfJSDocComment(comment.comment) ?? '').replaceAll(/\s+/g, ' '),
          );
      }
      ts.forEachChild(node, visit);
    };
    visit(file);
  }
  return summaries;
}

interface AsyncApi {
  readonly components: { readonly messages: Readonly<Record<string, { readonly payload: JsonSchema }>> };
  readonly [field: string]: unknown;
}

/** The events on the bus of a page as AsyncAPI 3: a channel for each, with the JSON Schema of its payload. */
export async function describeEvents(): Promise<AsyncApi> {
  const summaries = readSummaries();
  const events = Object.entries(await loadEvents()).toSorted(([a], [b]) => (a < b ? -1 : 1));
  const { version } = JSON.parse(
    readFileSync(join(REPOSITORY, 'shared-contracts/search/package.json'), 'utf8'),
  ) as { version: string };
  return {
    asyncapi: '3.0.0',
    info: {
      title: 'Events of the marketplace’s pages',
      version,
      description:
        'Slots emit and hear them by `useEmit` and `listen`, as far as the layout of a page allows. Fields that are not listed are dropped.',
      license: { name: 'MIT' },
    },
    defaultContentType: 'application/json',
    channels: Object.fromEntries(
      events.map(([name]) => [
        name,
        { address: name, messages: { [name]: { $ref: `#/components/messages/${name}` } } },
      ]),
    ),
    components: {
      messages: Object.fromEntries(
        events.map(([name, { schema }]) => {
          const summary = summaries.get(name);
          return [name, { name, ...(summary && { summary }), payload: schema }];
        }),
      ),
    },
  };
}

// `node infra/tooling/compat/src/events/asyncApi.ts`: writes the document; with --check it only compares.
if (import.meta.main) {
  const text = `${JSON.stringify(await describeEvents(), null, 2)}\n`;
  if (!process.argv.includes('--check')) writeFileSync(TARGET, text);
  else if (readFileSync(TARGET, 'utf8') !== text) {
    process.stderr.write(
      'shared-contracts/search/asyncapi.json is stale: npm run events -w @forecourt/compat\n',
    );
    process.exitCode = 1;
  }
}
