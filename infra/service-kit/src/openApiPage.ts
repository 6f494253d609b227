import escapeHtml from 'escape-html';
import type { Json } from './openApi.ts';

const STYLE = `
:root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif; }
body { margin: 0 auto; padding: 1rem; max-width: 60rem; }
code, pre { font: 0.875rem/1.4 ui-monospace, monospace; }
pre { overflow-x: auto; padding: 0.75rem; border: 1px solid; border-radius: 0.5rem; }
summary { padding: 0.25rem 0; cursor: pointer; }
summary b { display: inline-block; min-width: 4.5rem; font: bold 0.875rem ui-monospace, monospace; }
summary span { opacity: 0.8; }
details > div { padding-inline-start: 1rem; }
table { border-collapse: collapse; width: 100%; }
th, td { padding: 0.25rem 0.5rem; border-block-end: 1px solid; text-align: start; vertical-align: top; overflow-wrap: anywhere; }
`;

interface Schema {
  readonly $ref?: string;
  readonly type?: string;
  readonly enum?: readonly string[];
  readonly items?: Schema;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly maxLength?: number;
  readonly pattern?: string;
}
interface Parameter {
  readonly $ref?: string;
  readonly name?: string;
  readonly in?: string;
  readonly required?: boolean;
  readonly description?: string;
  readonly schema?: Schema;
}
type Content = Readonly<Record<string, { readonly schema: Schema }>>;
interface Response {
  readonly $ref?: string;
  readonly description?: string;
  readonly content?: Content;
}
interface Operation {
  readonly summary?: string;
  readonly description?: string;
  readonly tags?: readonly string[];
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly content: Content };
  readonly responses: Readonly<Record<string, Response>>;
}
interface Document {
  readonly info: { readonly title: string; readonly description: string };
  readonly tags: readonly { readonly name: string; readonly description: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: {
    readonly schemas: Readonly<Record<string, Schema>>;
    readonly parameters?: Readonly<Record<string, Parameter>>;
    readonly responses?: Readonly<Record<string, Response>>;
  };
}

const lastOf = (reference: string): string => reference.split('/').at(-1) ?? '';
const resolved = <Part extends { readonly $ref?: string }>(
  part: Part,
  named: Readonly<Record<string, Part>> = {},
): Part => (part.$ref === undefined ? part : (named[lastOf(part.$ref)] ?? part));
const anchorOf = (name: string): string => `schema-${name}`;

/** JSON, in which references are links to the schemas below. */
const schemaHtml = (schema: Schema): string =>
  `<pre>${escapeHtml(JSON.stringify(schema, null, 2)).replaceAll(
    /#\/components\/schemas\/(\w+)/g,
    (_, name: string) => `<a href="#${anchorOf(name)}">${name}</a>`,
  )}</pre>`;

/** 'integer, 0 to 100' */
function valuesOf(schema: Schema = {}): string {
  const { type, enum: values, items, minimum, maximum, maxLength, pattern } = schema;
  const bounds = [
    values?.join(' | '),
    minimum !== undefined && `from ${minimum}`,
    maximum !== undefined && `to ${maximum}`,
    maxLength !== undefined && `up to ${maxLength} characters`,
    pattern !== undefined && `/${pattern}/`,
    items && `of ${valuesOf(items)}, separated by commas`,
  ];
  return [type, ...bounds.filter(Boolean)].join(' ');
}

function parametersHtml(parameters: readonly Parameter[]): string {
  if (parameters.length === 0) return '';
  const rows = parameters.map(
    ({ name = '', in: place = '', required, description = '', schema }) =>
      `<tr><td><code>${escapeHtml(name)}</code>${required ? ' *' : ''}<td>${escapeHtml(place)}<td>${escapeHtml(valuesOf(schema))}<td>${escapeHtml(description)}`,
  );
  return `<table><tr><th>Parameter<th>In<th>Values<th>Meaning${rows.join('')}</table>`;
}

const contentHtml = (title: string, content: Content = {}): string =>
  Object.entries(content)
    .map(
      ([type, { schema }]) =>
        `<h4>${escapeHtml(title)} <code>${escapeHtml(type)}</code></h4>${schemaHtml(schema)}`,
    )
    .join('');

function operationHtml(path: string, method: string, operation: Operation, { components }: Document): string {
  const parameters = (operation.parameters ?? []).map((one) => resolved(one, components.parameters));
  const responses = Object.entries(operation.responses).map(([status, response]) => {
    const { description = '', content } = resolved(response, components.responses);
    return `<p><b>${escapeHtml(status)}</b> ${escapeHtml(description)}</p>${contentHtml('Response', content)}`;
  });
  return `<details><summary><b>${escapeHtml(method.toUpperCase())}</b> <code>${escapeHtml(path)}</code> <span>${escapeHtml(operation.summary ?? '')}</span></summary><div>${parametersHtml(parameters)}${contentHtml('Request', operation.requestBody?.content)}${responses.join('')}</div></details>`;
}

/** An OpenAPI document as one page without scripts. */
export function openApiPage(json: Json): string {
  const document = json as unknown as Document;
  const { info, tags, paths, components } = document;
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
  );
  const sections = tags.map(({ name, description }) => {
    const own = operations.filter(({ operation }) => operation.tags?.includes(name));
    const list = own.map(({ path, method, operation }) => operationHtml(path, method, operation, document));
    return `<section><h2>${escapeHtml(description)}</h2>${list.join('')}</section>`;
  });
  const schemas = Object.entries(components.schemas).map(
    ([name, schema]) => `<h3 id="${anchorOf(name)}">${escapeHtml(name)}</h3>${schemaHtml(schema)}`,
  );
  return `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${escapeHtml(info.title)}</title><style>${STYLE}</style><h1>${escapeHtml(info.title)}</h1><p>${escapeHtml(info.description)} <a href="/openapi.json">OpenAPI document</a></p>${sections.join('')}<section><h2>Schemas</h2>${schemas.join('')}</section></html>`;
}
