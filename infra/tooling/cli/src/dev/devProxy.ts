import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type OutgoingHttpHeaders,
  type ServerResponse,
} from 'node:http';
import { buffer, json } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { stripVTControlCharacters } from 'node:util';
import { releaseFilePath } from '@forecourt/releases/manifest';
import { LOCAL_BUILD, OVERRIDES_PATH } from '@forecourt/releases/overridePaths';
import { type BootBuild, bootBuildSchema, type DevBuild, placeBuild } from './localBuild.ts';
import { cookieForBrowser, cookiesForShell, sendToShell, urlHost } from './shellAccess.ts';
import { FILE_TYPES } from '@forecourt/release-kit/releaseFiles';
import { z } from 'zod';

interface ShownBuild extends DevBuild {
  readonly boot: BootBuild;
}

const MAX_BUILDS = 10;
const LOOPBACK = '127.0.0.1';

/** RFC 9110, 7.6.1; besides, what belongs to the other connection. */
const HOP_BY_HOP = [
  'connection',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
];
const NOT_FOR_SHELL = new Set([
  ...HOP_BY_HOP,
  'host',
  'accept-encoding',
  'expect',
  'cookie',
  LOCAL_BUILD.proxyHeader,
]);
const NOT_FOR_BROWSER = new Set([
  ...HOP_BY_HOP,
  'strict-transport-security',
  'alt-svc',
  'set-cookie',
  'location',
]);

const errorSchema = z.object({ error: z.object({ message: z.string() }) });

/**
 * A local site that is the shell's, except that pages show the newest build of one remote. It listens for this machine only,
 * unless it gets an address of its network; `token` never leaves for any host but the shell's, nor for the browser.
 */
export class DevProxy {
  readonly #shell: URL;
  readonly #token: string;
  readonly #onFailure: (message: string) => void;
  readonly #onSignIn: (advice: string) => void;
  readonly #server = createServer((request, response) => void this.#serve(request, response));
  /** The newest last. */
  readonly #builds: ShownBuild[] = [];
  readonly #pages = new Set<ServerResponse>();
  #port = 0;
  #names: readonly string[] = [];

  constructor(options: {
    readonly shell: URL;
    readonly token: string;
    readonly onFailure: (message: string) => void;
    /** Gets what people must do to sign in, when they begin. */
    readonly onSignIn?: (advice: string) => void;
  }) {
    this.#shell = options.shell;
    this.#token = options.token;
    this.#onFailure = options.onFailure;
    this.#onSignIn = options.onSignIn ?? (() => {});
  }

  /** `host` is an IP address of this machine. Rejects if the port is taken. */
  async listen(port: number, host = LOOPBACK): Promise<void> {
    await new Promise<void>((resolve, reject) => {
      this.#server.once('error', reject);
      this.#server.listen(port, host, resolve);
    });
    this.#port = port;
    this.#names = (host === LOOPBACK ? ['localhost', LOOPBACK] : [urlHost(host)]).map(
      (name) => `${name}:${port}`,
    );
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  /** Shows a build in new and open pages. Rejects with the reason if the shell refuses it. */
  async show(build: DevBuild): Promise<void> {
    const { name, version } = build.manifest;
    const path = `${OVERRIDES_PATH}/local-build?remote=${encodeURIComponent(name)}`;
    const body = build.manifestBytes.toString('utf8');
    const headers = { 'content-type': 'text/plain', 'content-length': Buffer.byteLength(body) };
    const response = await this.#send({ method: 'POST', path, headers, body });
    const answer: unknown = await json(response);
    if (response.statusCode !== 200)
      throw new Error(errorSchema.safeParse(answer).data?.error.message ?? `status ${response.statusCode}`);
    // Its files have paths like those of a published release, so that builds do not share any.
    const text = JSON.stringify(answer).replaceAll(
      `"${this.#origin}/`,
      `"${releaseFilePath(name, version, '')}`,
    );
    const boot = bootBuildSchema.parse(JSON.parse(text));
    this.#builds.push({ ...build, boot });
    this.#builds.splice(0, this.#builds.length - MAX_BUILDS);
    for (const page of this.#pages) this.#tell(page);
  }

  /** Names the build to the shell, also where devices of the network see its pages. */
  get #origin(): string {
    return `http://localhost:${this.#port}`;
  }

  /** With the override, and as from a page of the shell. */
  #send(request: Parameters<typeof sendToShell>[1], cookies?: string): Promise<IncomingMessage> {
    const headers = {
      origin: this.#shell.origin,
      ...request.headers,
      cookie: cookiesForShell(cookies, this.#token, this.#shell.protocol === 'https:'),
      'accept-encoding': 'identity',
      [LOCAL_BUILD.proxyHeader]: '1',
    };
    return sendToShell(this.#shell, { ...request, headers });
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    try {
      await this.#answer(request, response);
    } catch (error) {
      // The browser has left, or the shell broke off.
      if (response.headersSent) return void response.destroy();
      const reason = error instanceof Error ? error.message : String(error);
      this.#onFailure(`${request.method} ${request.url}: ${reason}`);
      sendText(response, 502, `${this.#shell.origin} does not respond: ${reason}`);
    }
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { url = '', method } = request;
    const refusal = this.#refusalOf(request);
    if (refusal !== undefined) return sendText(response, 403, refusal);
    const path = url.split('?', 1)[0] ?? '';
    if (path === `${OVERRIDES_PATH}/builds`) return this.#follow(response);
    if (path === `${OVERRIDES_PATH}/failures` && method === 'POST') {
      this.#onFailure(stripVTControlCharacters((await buffer(request)).toString('utf8')));
      return void response.writeHead(204).end();
    }
    if (path === OVERRIDES_PATH || path.startsWith(`${OVERRIDES_PATH}/`))
      return sendText(response, 404, 'Pages here show the local build. To end that, stop forecourt dev.');
    const file = this.#fileAt(path);
    if (file && (method === 'GET' || method === 'HEAD')) return sendFile(response, path, file);
    const answer = await this.#send(
      { method, path: url, headers: this.#headersOf(request), body: request },
      request.headers.cookie,
    );
    return this.#forward(request, answer, response);
  }

  /** Other sites must not use it in the name of its user, also not under a name of theirs that resolves to this machine. */
  #refusalOf({ url = '', headers }: IncomingMessage): string | undefined {
    if (!this.#names.includes(headers.host ?? '') || !url.startsWith('/'))
      return `open http://${this.#names[0]}`;
    const isForeign = headers['sec-fetch-site'] === 'cross-site' && headers['sec-fetch-mode'] !== 'navigate';
    return isForeign ? 'requests of other sites are refused' : undefined;
  }

  #headersOf({ headers }: IncomingMessage): OutgoingHttpHeaders {
    const forwarded = Object.entries(headers).filter(([name]) => !NOT_FOR_SHELL.has(name));
    const { origin, referer } = headers;
    const own = this.#names.map((name) => `http://${name}`);
    const ofShell = (text: string | undefined) => {
      const mine = own.find((candidate) => text === candidate || text?.startsWith(`${candidate}/`));
      return mine === undefined ? text : this.#shell.origin + (text ?? '').slice(mine.length);
    };
    // A foreign origin stays, and the shell refuses it.
    return { ...Object.fromEntries(forwarded), origin: ofShell(origin), referer: ofShell(referer) };
  }

  #fileAt(path: string): Buffer | undefined {
    for (const { manifest, files } of this.#builds) {
      const base = releaseFilePath(manifest.name, manifest.version, '');
      const file = path.startsWith(`${base}web/`) ? files.get(path.slice(base.length)) : undefined;
      if (file) return file;
    }
    return undefined;
  }

  async #forward(request: IncomingMessage, answer: IncomingMessage, response: ServerResponse): Promise<void> {
    const { statusCode = 502 } = answer;
    this.#adviseOnSignIn(answer.headers.location);
    const headers = this.#headersForBrowser(answer.headers);
    const build = this.#builds.at(-1);
    const isPage = /^text\/html\b/.test(answer.headers['content-type'] ?? '') && request.method === 'GET';
    if (!build || !isPage) {
      response.writeHead(statusCode, headers);
      return pipeline(answer, response);
    }
    const html = (await buffer(answer)).toString('utf8');
    const page = Buffer.from((await this.#place(html, build, request.headers.cookie)) ?? html);
    for (const name of ['etag', 'last-modified', 'content-length']) delete headers[name];
    response.writeHead(statusCode, {
      ...headers,
      'cache-control': 'no-store',
      'content-length': page.length,
    });
    response.end(page);
  }

  /** The issuer returns to the shell, where this browser has no cookie of the sign-in that it began here. */
  #adviseOnSignIn(location: string | undefined): void {
    if (location === undefined || !URL.canParse(location)) return;
    const callback = new URL(location).searchParams.get('redirect_uri') ?? '';
    const names = this.#names.map((name) => name.slice(0, name.lastIndexOf(':')));
    // Cookies don't differ between ports of one host.
    if (!callback.startsWith(`${this.#shell.origin}/`) || names.includes(this.#shell.hostname)) return;
    this.#onSignIn(
      `To sign in here: when ${this.#shell.origin} says that the sign-in is no longer valid, change ${this.#shell.origin} in its address to http://${this.#names[0]}`,
    );
  }

  async #place(html: string, build: ShownBuild, cookies: string | undefined): Promise<string | undefined> {
    const read = async (path: string, headers: OutgoingHttpHeaders = {}) => {
      const answer = await this.#send(
        { path, headers: { origin: undefined, accept: 'application/json', ...headers } },
        cookies,
      );
      if (answer.statusCode === 200) return json(answer);
      answer.resume();
      throw new Error(`${path} returned status ${answer.statusCode}`);
    };
    try {
      return await placeBuild(html, build, {
        readContent: read,
        callAs: (slot) => (name, params) => {
          const query = new URLSearchParams(params).toString();
          const path = `/cars-for-sale/api/call/${name}${query && `?${query}`}`;
          return read(path, { 'x-forecourt-slot': slot, 'x-requested-with': 'forecourt' }) as never;
        },
        onFailure: (slot, error) =>
          this.#onFailure(`${slot} failed to render: ${String((error as Error).stack ?? error)}`),
      });
    } catch (error) {
      // The page still has the live release.
      this.#onFailure(
        `the page shows the live release: ${error instanceof Error ? error.message : String(error)}`,
      );
      return undefined;
    }
  }

  #headersForBrowser(headers: IncomingHttpHeaders): OutgoingHttpHeaders {
    const { location, 'set-cookie': cookies = [] } = headers;
    const forwarded = Object.entries(headers).filter(([name]) => !NOT_FOR_BROWSER.has(name));
    const isOwn =
      location !== undefined && URL.canParse(location) && new URL(location).origin === this.#shell.origin;
    return {
      ...Object.fromEntries(forwarded),
      ...(location !== undefined && {
        location: isOwn ? location.slice(this.#shell.origin.length) || '/' : location,
      }),
      'set-cookie': cookies.map(cookieForBrowser).filter((cookie) => cookie !== undefined),
    };
  }

  /** Server-sent events, as those of `npm run dev`: the boot data of each new build. */
  #follow(response: ServerResponse): void {
    response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-store' });
    response.write(':\n\n');
    this.#pages.add(response);
    response.once('close', () => this.#pages.delete(response));
    this.#tell(response);
  }

  #tell(page: ServerResponse): void {
    const build = this.#builds.at(-1);
    if (build) page.write(`event: build\ndata: ${JSON.stringify(build.boot)}\n\n`);
  }
}

function sendText(response: ServerResponse, status: number, text: string): void {
  response.writeHead(status, { 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'no-store' });
  response.end(`${text}\n`);
}

function sendFile(response: ServerResponse, path: string, bytes: Buffer): void {
  const type = FILE_TYPES[path.slice(path.lastIndexOf('.') + 1)] ?? 'application/octet-stream';
  response.writeHead(200, {
    'content-type': type,
    'content-length': bytes.length,
    'cache-control': 'no-store',
  });
  response.end(bytes);
}
