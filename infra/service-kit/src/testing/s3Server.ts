import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';

interface StoredTestObject {
  readonly bytes: Buffer;
  readonly etag: string;
  readonly metadata: Readonly<Record<string, string>>;
  readonly writtenAt: Date;
}

export interface S3TestServer {
  readonly url: string;
  readonly objects: TestObjects;
  /** Decides each write: 'lose-response' writes and disconnects, 'fail' returns an error. */
  onWrite: (key: string) => 'write' | 'lose-response' | 'fail';
  close(): Promise<void>;
}

const etagOf = (bytes: Buffer): string => `"${createHash('md5').update(bytes).digest('hex')}"`;

/** Objects by key, in memory; with a folder, files there survive the process, without their metadata. */
class TestObjects extends Map<string, StoredTestObject> {
  readonly #folder: string | undefined;

  constructor(folder: string | undefined) {
    super();
    if (folder !== undefined) {
      mkdirSync(folder, { recursive: true });
      for (const name of readdirSync(folder)) {
        const path = join(folder, name);
        const bytes = readFileSync(path);
        const object = { bytes, etag: etagOf(bytes), metadata: {}, writtenAt: statSync(path).mtime };
        if (!name.endsWith(PART)) super.set(decodeURIComponent(name), object);
      }
    }
    this.#folder = folder;
  }

  override set(key: string, object: StoredTestObject): this {
    if (this.#folder !== undefined) {
      const path = join(this.#folder, encodeURIComponent(key));
      writeFileSync(path + PART, object.bytes);
      renameSync(path + PART, path);
    }
    return super.set(key, object);
  }

  override delete(key: string): boolean {
    if (this.#folder !== undefined) rmSync(join(this.#folder, encodeURIComponent(key)), { force: true });
    return super.delete(key);
  }
}
/** End of the name of a file that is being written; no key contains an unescaped space. */
const PART = ' part';

/** Few, so that the tests cover paging. */
const KEYS_PER_PAGE = 7;

const escapeXml = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');

function sendXml(response: ServerResponse, status: number, xml: string): void {
  response.writeHead(status, { 'content-type': 'application/xml' });
  response.end(`<?xml version="1.0" encoding="UTF-8"?>${xml}`);
}
const sendError = (response: ServerResponse, status: number, code: string): void =>
  sendXml(response, status, `<Error><Code>${code}</Code><Message>${code}</Message></Error>`);

const metadataOf = ({ headers }: IncomingMessage): Record<string, string> =>
  Object.fromEntries(
    Object.entries(headers)
      .filter(([name]) => name.startsWith('x-amz-meta-'))
      .map(([name, value]) => [name.slice('x-amz-meta-'.length), String(value)]),
  );

function list({ objects }: S3TestServer, response: ServerResponse, query: URLSearchParams): void {
  const after = query.get('continuation-token') ?? query.get('start-after') ?? '';
  const matching = [...objects.keys()]
    .filter((key) => key.startsWith(query.get('prefix') ?? '') && key > after)
    .sort();
  const page = matching.slice(0, KEYS_PER_PAGE);
  const isTruncated = matching.length > page.length;
  const contents = page.map((key) => {
    const writtenAt = objects.get(key)?.writtenAt.toISOString();
    return `<Contents><Key>${escapeXml(key)}</Key><LastModified>${writtenAt}</LastModified></Contents>`;
  });
  const next = isTruncated
    ? `<NextContinuationToken>${escapeXml(page.at(-1) ?? '')}</NextContinuationToken>`
    : '';
  sendXml(
    response,
    200,
    `<ListBucketResult><IsTruncated>${isTruncated}</IsTruncated>${next}${contents.join('')}</ListBucketResult>`,
  );
}

function read({ objects }: S3TestServer, response: ServerResponse, key: string): void {
  const object = objects.get(key);
  if (!object) return sendError(response, 404, 'NoSuchKey');
  const headers = Object.entries(object.metadata).map(([name, value]) => [`x-amz-meta-${name}`, value]);
  response.writeHead(200, {
    etag: object.etag,
    'content-length': object.bytes.length,
    ...(Object.fromEntries(headers) as Record<string, string>),
  });
  response.end(object.bytes);
}

async function write(
  server: S3TestServer,
  request: IncomingMessage,
  response: ServerResponse,
  key: string,
): Promise<void> {
  const bytes = await buffer(request);
  const outcome = server.onWrite(key);
  if (outcome === 'fail') return sendError(response, 400, 'InvalidRequest');
  const etag = etagOf(bytes);
  server.objects.set(key, { bytes, etag, metadata: metadataOf(request), writtenAt: new Date() });
  if (outcome === 'lose-response') return void response.destroy();
  response.writeHead(200, { etag });
  response.end();
}

/**
 * The part of the S3 protocol that buckets use: GET, PUT and DELETE of an object, and ListObjectsV2. Signatures are not
 * checked. In memory and on a free port, unless a folder and a port are given.
 */
export async function startS3TestServer({
  folder,
  port = 0,
}: { readonly folder?: string; readonly port?: number } = {}): Promise<S3TestServer> {
  const objects = new TestObjects(folder);
  const http = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://localhost');
    // Path style: /bucket/key
    const key = decodeURIComponent(pathname.split('/').slice(2).join('/'));
    if (!request.headers.authorization?.startsWith('AWS4-HMAC-SHA256 '))
      return sendError(response, 403, 'AccessDenied');
    if (request.method === 'PUT') return void write(server, request, response, key);
    if (request.method === 'DELETE') {
      objects.delete(key);
      return void response.writeHead(204).end();
    }
    if (key === '') return list(server, response, searchParams);
    return read(server, response, key);
  });
  await new Promise<void>((resolve) => http.listen(port, '127.0.0.1', resolve));
  const server: S3TestServer = {
    url: `http://127.0.0.1:${(http.address() as AddressInfo).port}`,
    objects,
    onWrite: () => 'write',
    async close() {
      const closed = new Promise((resolve) => http.close(resolve));
      http.closeAllConnections();
      await closed;
    },
  };
  return server;
}
