import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { hasPackageRegistry, lintOpenApi } from '@forecourt/service-kit/lintOpenApi';
import { Validator } from '@seriousme/openapi-schema-validator';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { packArchive } from '@forecourt/release-kit/archive';
import { keyIdOf } from '@forecourt/release-kit/signatures';
import { sampleRelease, temporaryDirectory, writeRelease } from '@forecourt/release-kit/testing';
import { createShellGates } from '../gate/shellGates.ts';
import { startTestRegistry, type TestRegistry } from '../testing/testApp.ts';

// Sequential real requests are slow on a shared core.
jest.setTimeout(60_000);

interface Operation {
  readonly parameters: readonly { readonly name: string; readonly in: string; readonly schema: object }[];
  readonly requestBody?: {
    readonly required: boolean;
    readonly content: Record<string, { readonly schema: object }>;
  };
  readonly responses: Record<string, { readonly content?: Record<string, { readonly schema: object }> }>;
}
interface Document {
  readonly paths: Record<string, Record<string, Operation>>;
  readonly components: { readonly schemas: Record<string, object> };
}

const hasRegistry = hasPackageRegistry();
const withFormats = addFormats.default as (ajv: Ajv2020) => Ajv2020;
const ajv = withFormats(new Ajv2020({ strict: false, allErrors: true }));

const KEY = '11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo';

/** Documented path to sample values of its parameters. */
const ROUTES: readonly (readonly [
  method: string,
  path: string,
  values: Record<string, string>,
  body?: unknown,
  status?: number,
])[] = [
  ['post', '/api/remotes/{name}/promote', { name: 'sample' }, { version: '1.0.0', why: 'first' }],
  ['post', '/api/remotes/{name}/canary', { name: 'sample' }, { version: '1.1.0', weight: 2.5 }],
  ['get', '/api/remotes/{name}/canary', { name: 'sample' }],
  ['post', '/api/remotes/{name}/promote', { name: 'sample' }],
  ['get', '/api/remotes/{name}/canary', { name: 'sample' }, undefined, 409],
  ['post', '/api/remotes/{name}/promote', { name: 'sample' }, undefined, 409],
  ['post', '/api/remotes/{name}/rollback', { name: 'sample' }],
  ['post', '/api/remotes/{name}/rollback', { name: 'sample' }, undefined, 409],
  ['post', '/api/remotes/{name}/hold', { name: 'sample' }, { why: 'holiday' }],
  ['get', '/api/holds', {}],
  ['get', '/api/status', {}],
  ['post', '/api/remotes/{name}/resume', { name: 'sample' }, {}],
  ['post', '/api/remotes/{name}/pointer', { name: 'sample' }, { live: '1.1.0', expectedRevision: 6 }],
  ['post', '/api/remotes/{name}/pointer', { name: 'sample' }, { live: '1.1.0', expectedRevision: 6 }, 409],
  ['post', '/api/remotes/{name}/promote', { name: 'sample' }, { version: '9.9.9' }, 404],
  ['post', '/api/gc', {}, {}],
  ['get', '/api/pointers', { wait: '0', revision: '1' }],
  ['get', '/api/pointers', { wait: 'long' }, undefined, 400],
  ['get', '/api/releases', {}],
  ['get', '/api/releases/{name}', { name: 'sample' }],
  ['get', '/api/releases/{name}', { name: 'nobody' }, undefined, 404],
  ['get', '/api/releases/{name}/{version}', { name: 'sample', version: '1.0.0' }],
  ['get', '/api/history', { limit: '5' }],
  ['get', '/api/remotes/{name}/history', { name: 'sample' }],
  ['get', '/api/releases/{name}/{version}/signature', { name: 'sample', version: '1.0.0' }, undefined, 404],
  ['post', '/api/keys', {}, { remote: 'sample', publicKey: KEY }, 201],
  ['get', '/api/keys', {}],
  ['get', '/api/log', { after: '1', limit: '10' }],
  ['get', '/api/log', { limit: '0' }, undefined, 400],
  ['post', '/api/keys/{name}/{keyId}/remove', { name: 'sample', keyId: keyIdOf(KEY) }],
  ['post', '/api/keys/{name}/{keyId}/remove', { name: 'sample', keyId: keyIdOf(KEY) }, undefined, 404],
  ['post', '/api/credentials', {}, { name: 'ci', scopes: [{ remote: '*', actions: ['publish'] }] }, 201],
  ['post', '/api/credentials', {}, { name: 'ci', scopes: [{ remote: '*', actions: ['publish'] }] }, 409],
  ['get', '/api/credentials', {}],
  ['get', '/api/credentials/self', {}],
  ['post', '/api/credentials/exchange', {}, { token: 'a.b.c' }, 403],
  ['post', '/api/credentials/{credential}/rotate', { credential: 'ci' }],
  ['post', '/api/credentials/{credential}/revoke', { credential: 'ci' }],
  ['post', '/api/credentials/{credential}/revoke', { credential: 'ci' }, undefined, 404],
  ['get', '/remotes/{name}/{version}/{path}', { name: 'sample', version: '1.0.0', path: 'web/panel.css' }],
  [
    'get',
    '/remotes/{name}/{version}/{path}',
    { name: 'sample', version: '1.0.0', path: 'web/no.css' },
    undefined,
    404,
  ],
  ['get', '/health/live', {}],
  ['get', '/health/ready', {}],
  ['get', '/metrics', {}],
];

describe('the OpenAPI document', () => {
  let registry: TestRegistry;
  let document: Document;

  beforeAll(async () => {
    registry = await startTestRegistry();
    document = (await (await fetch(`${registry.url}/openapi.json`)).json()) as Document;
    ajv.addSchema({ components: document.components }, 'openapi');
  });
  afterAll(() => registry.stop());

  const operationOf = (method: string, path: string): Operation => {
    const operation = document.paths[path]?.[method];
    if (!operation) throw new Error(`the document has no ${method} ${path}`);
    return operation;
  };

  /** The schema with references as ajv knows the document. */
  const localized = (schema: object): object =>
    JSON.parse(JSON.stringify(schema).replaceAll('"#/', '"openapi#/')) as object;

  /** Throws unless the response matches the document. */
  async function mustBePromised(operation: Operation, response: Response): Promise<unknown> {
    const promised = operation.responses[response.status];
    const text = await response.text();
    if (!promised) throw new Error(`${response.status} is not promised: ${text}`);
    const schema = promised.content?.['application/json']?.schema;
    if (!schema) return text;
    const validate = ajv.compile(localized(schema));
    const body: unknown = JSON.parse(text);
    if (!validate(body)) throw new Error(`${ajv.errorsText(validate.errors)} in ${text}`);
    return body;
  }

  async function publish(version: string): Promise<Response> {
    const build = await temporaryDirectory();
    const release = sampleRelease({ version });
    await writeRelease(build.path, release);
    const content = await packArchive(build.path, [...release.files.keys()]);
    await build.remove();
    return fetch(`${registry.url}/api/releases/sample/${version}`, {
      method: 'PUT',
      body: new Uint8Array(content),
    });
  }

  it('publishes a valid OpenAPI 3.1 document', async () => {
    expect(document).toMatchObject({ openapi: '3.1.0' });
    const { valid, errors } = await new Validator().validate(structuredClone(document) as never);
    expect(errors).toBeUndefined();
    expect(valid).toBe(true);
  });

  (hasRegistry ? it : it.skip)('satisfies the rules of Redocly (skipped without a package registry)', () => {
    expect(lintOpenApi(document)).toEqual([]);
  });

  it('names its schemas, and writes each once', () => {
    expect(Object.keys(document.components.schemas)).toEqual(
      expect.arrayContaining(['Credential', 'Error', 'Pointers', 'ReleaseManifest']),
    );
    const { responses } = operationOf('get', '/api/releases/{name}/{version}');
    expect(responses['200']?.content?.['application/json']?.schema).toEqual({
      $ref: '#/components/schemas/ReleaseManifest',
    });
  });

  it('documents the requests and responses of every route', async () => {
    const publishing = operationOf('put', '/api/releases/{name}/{version}');
    for (const version of ['1.0.0', '1.1.0']) {
      const response = await publish(version);
      expect(response.status).toBe(201);
      await mustBePromised(publishing, response);
    }
    const again = await publish('1.1.0');
    expect(again.status).toBe(409);
    await mustBePromised(publishing, again);

    const tried = new Set(['put /api/releases/{name}/{version}']);
    for (const [method, path, values, body, expected = 200] of ROUTES) {
      tried.add(`${method} ${path}`);
      const operation = operationOf(method, path);
      const query = new URLSearchParams();
      let url = path;
      for (const [name, value] of Object.entries(values)) {
        const parameter = operation.parameters.find((candidate) => candidate.name === name);
        if (!parameter) throw new Error(`${method} ${path} has no parameter ${name}`);
        if (expected < 400) expect(ajv.validate(parameter.schema, value)).toBe(true);
        if (parameter.in === 'query') query.set(name, value);
        else url = url.replace(`{${name}}`, value);
      }
      if (body !== undefined) {
        const schema = operation.requestBody?.content['application/json']?.schema ?? {};
        expect([ajv.validate(localized(schema), body), path, ajv.errorsText()]).toEqual([
          true,
          path,
          'No errors',
        ]);
      } else expect(operation.requestBody?.required ?? false).toBe(false);
      const response = await fetch(`${registry.url}${url}?${query.toString()}`, {
        method: method.toUpperCase(),
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      expect([method, url, response.status]).toEqual([method, url, expected]);
      await mustBePromised(operation, response);
    }
    const promised = Object.entries(document.paths).flatMap(([path, operations]) =>
      Object.keys(operations).map((method) => `${method} ${path}`),
    );
    expect(promised.sort()).toEqual([...tried].sort());
  });

  it('documents gate refusals of shells', async () => {
    const strict = await startTestRegistry(
      {},
      { gates: createShellGates({ shellUrls: ['http://127.0.0.1:9'] }), releases: registry.storage.releases },
    );
    const response = await fetch(`${strict.url}/api/remotes/sample/promote`, {
      method: 'POST',
      body: JSON.stringify({ version: '1.0.0' }),
    });
    expect(response.status).toBe(502);
    await mustBePromised(operationOf('post', '/api/remotes/{name}/promote'), response);
    await strict.stop();
  });
});
