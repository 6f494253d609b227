import {
  createServer,
  request as httpRequest,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type RequestListener,
  type Server,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from 'node:zlib';
import { createRateLimits } from '@forecourt/service-kit/rateLimits';
import type { CallDefinition } from '@forecourt/upstream/callDefinition';
import { pino } from 'pino';
import { Registry } from 'prom-client';
import { createPageScripts, type ShellAssets } from '../compose/shellAssets.ts';
import type { EngineAdapters } from '../createEngine.ts';
import type { CallContext, Gateway, ResponseSource } from '../gateway/gateway.ts';
import { createFailureClaims } from '../releases/browserFailures.ts';
import type { LiveRemotes } from '../releases/snapshot.ts';
import type { RenderedSlot, RenderJob } from '../rendering/slotRenderer.ts';
import { BOOT_ELEMENT_ID, type BootJson, type PageContent } from '../universal/bootData.ts';

export interface TestResponse {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  /** Decoded, if it is compressed. */
  readonly text: string;
  /** As received. */
  readonly body: Buffer;
}

/** A site's app that listens, and what it did. */
export interface AppRig<Call extends string = string> {
  /** Sends a raw request: path and headers are not normalized. Visitors' writes come from a page of the site unless the headers say otherwise. */
  readonly send: (
    path: string,
    options?: { method?: string; headers?: Record<string, string>; body?: string },
  ) => Promise<TestResponse>;
  /** What the slots of a page show, from its HTML or from the URL in it. */
  readonly content: (html: string) => Promise<PageContent>;
  readonly port: number;
  /** Calls of the gateway, in order. */
  readonly calls: { name: Call; params: string; context: CallContext }[];
  /** Log lines. */
  readonly log: Record<string, unknown>[];
  readonly metrics: Registry;
  readonly stop: () => Promise<void>;
}

const ENTRY = { url: '/assets/abc123/shell.js', integrity: `sha384-${'A'.repeat(64)}` };
const LATER = { url: '/assets/abc123/later.css', integrity: `sha384-${'B'.repeat(64)}` };

const assetsOf = (speculationRules: object): ShellAssets => ({
  files: new Map([['shell.js', Buffer.from('// the shell\n'.repeat(100))]]),
  build: 'abc123',
  entry: ENTRY,
  scripts: createPageScripts(ENTRY, 'fcEarly=[]', speculationRules),
  styles: [{ url: '/assets/abc123/shell.css', integrity: `sha384-${'C'.repeat(64)}` }, LATER],
  css: '.fc{}.fc-later{}',
  firstViewCss: '.fc{}',
  laterStyles: [LATER],
});

/** A stub's response from another source than the upstream. */
class SourcedResponse {
  readonly data: unknown;
  readonly source: ResponseSource;
  constructor(data: unknown, source: ResponseSource) {
    this.data = data;
    this.source = source;
  }
}
/** The response of a stub to a call that failed. */
export const asFallback = (data: unknown): unknown => new SourcedResponse(data, 'fallback');
/** An older response of a stub to a call that failed. */
export const asStale = (data: unknown): unknown => new SourcedResponse(data, 'stale');

export type CallStub = (params: URLSearchParams, context: CallContext) => unknown;

/** A gateway that responds by stubs or with fallbacks and records its calls. */
function createStubGateway<Call extends string>(
  table: Readonly<Record<Call, CallDefinition>>,
  answers: Partial<Record<Call, CallStub>>,
  calls: AppRig<Call>['calls'],
): Gateway {
  const request = async (
    name: Call,
    params: Readonly<Record<string, string>> | URLSearchParams,
    context: CallContext,
  ) => {
    const query = new URLSearchParams(params);
    const { fallback } = table[name];
    const empty = { data: fallback.kind === 'empty' ? fallback.value : {}, source: 'current' };
    const { found, atLeast = 0 } = context.onlyIf ?? {};
    if (found && ((await found) ?? 0) < atLeast) return empty;
    calls.push({ name, params: query.toString(), context });
    const stub = answers[name];
    if (!stub) return empty;
    const response = await stub(query, context);
    return response instanceof SourcedResponse ? response : { data: response, source: 'current' };
  };
  const gateway = {
    request,
    call: async (...call: Parameters<typeof request>) => (await request(...call)).data,
  };
  return gateway as unknown as Gateway;
}

const releasesOf = (live: LiveRemotes): EngineAdapters['releases'] => ({
  live: () => live,
  find: (name, version) => {
    const release = live.get(name)?.live;
    return release?.manifest.version === version ? release : undefined;
  },
});

const DECODE: Readonly<Record<string, (bytes: Buffer) => Buffer>> = {
  br: brotliDecompressSync,
  zstd: zstdDecompressSync,
  gzip: gunzipSync,
};
const received = ({ statusCode = 0, headers }: IncomingMessage, body: Buffer): TestResponse => {
  const decode = body.length > 0 ? DECODE[headers['content-encoding'] ?? ''] : undefined;
  return { status: statusCode, headers, body, text: (decode ? decode(body) : body).toString('utf8') };
};

const sendTo =
  (port: number): AppRig['send'] =>
  (path, { method = 'GET', headers = {}, body } = {}) =>
    new Promise((resolve, reject) => {
      const isOfPage =
        method !== 'GET' &&
        !path.startsWith('/releases/') &&
        !Object.keys(headers).some((name) => /^(origin|sec-fetch-site)$/i.test(name));
      const source = isOfPage && { 'Sec-Fetch-Site': 'same-origin' };
      const request = httpRequest(
        { port, host: '127.0.0.1', path, method, headers: { ...source, ...headers }, agent: false },
        (response) => {
          const parts: Buffer[] = [];
          response.on('data', (part: Buffer) => parts.push(part));
          response.on('error', reject);
          response.on('end', () => resolve(received(response, Buffer.concat(parts))));
        },
      );
      request.on('error', reject);
      request.end(body);
    });

const contentOf =
  (send: AppRig['send']): AppRig['content'] =>
  async (html) => {
    const json = new RegExp(`id="${BOOT_ELEMENT_ID}"[^>]*>(.*?)</script>`).exec(html)?.[1] ?? '';
    const { content } = JSON.parse(json) as BootJson;
    return typeof content === 'string' ? (JSON.parse((await send(content)).text) as PageContent) : content;
  };

export interface AppRigOptions<Call extends string> {
  readonly table: Readonly<Record<Call, CallDefinition>>;
  readonly speculationRules: object;
  /** Stubs by call; other calls return their fallback. */
  readonly answers?: Partial<Record<Call, CallStub>> | undefined;
  readonly live?: LiveRemotes | undefined;
  readonly render?: ((job: RenderJob) => Promise<RenderedSlot>) | undefined;
}

/** Starts an app on a free port, over adapters that need no upstream, registry or processes. */
export async function startAppRig<Call extends string>(
  { table, speculationRules, answers = {}, live = new Map(), render }: AppRigOptions<Call>,
  createApp: (adapters: EngineAdapters) => RequestListener,
): Promise<AppRig<Call>> {
  const calls: AppRig<Call>['calls'] = [];
  const log: Record<string, unknown>[] = [];
  const metrics = new Registry();
  const app = createApp({
    gateway: createStubGateway(table, answers, calls),
    releases: releasesOf(live),
    renderer: {
      prepare: () => Promise.resolve(),
      render: render ?? (({ slot }) => Promise.resolve({ html: `<p>${slot}</p>`, data: null })),
      retire: () => {},
      close: () => Promise.resolve(),
    },
    assets: assetsOf(speculationRules),
    metrics,
    limits: createRateLimits(),
    logger: pino(
      { level: 'info' },
      { write: (line) => log.push(JSON.parse(line) as Record<string, unknown>) },
    ),
    failureClaims: createFailureClaims('a secret of thirty-two characters', Date.now),
    clock: () => new Date('2026-06-15T12:00:00Z'),
  });
  const server: Server = createServer(app);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const send = sendTo(port);
  return {
    port,
    calls,
    log,
    metrics,
    send,
    content: contentOf(send),
    async stop() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
