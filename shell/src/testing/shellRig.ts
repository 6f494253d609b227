import {
  createServer,
  request as httpRequest,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type Server,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from 'node:zlib';
import { createSlugReference, type SlugData } from '@forecourt/search/criteria';
import { defineSlot, type SlotModule, usePageState } from '@forecourt/slots';
import { CALLS, type CallDefinition, type CallName, type CallParams } from '@forecourt/upstream/calls';
import { searchResponseSchema } from '@forecourt/upstream/entities';
import { pino } from 'pino';
import { Registry } from 'prom-client';
import { createElement } from 'react';
import { BOOT_ELEMENT_ID, type PageContent, type BootJson } from '../engine/universal/bootData.ts';
import { createApp } from '../marketplace/app.ts';
import type { ShellDeps } from '../marketplace/shellDeps.ts';
import { SITE_PLAN } from '../marketplace/site.ts';
import { createRateLimits } from '@forecourt/service-kit/rateLimits';
import { readConfig } from '../marketplace/config.ts';
import type { CallContext, ResponseSource } from '../engine/gateway/gateway.ts';
import { createPageScripts, type ShellAssets } from '../engine/compose/shellAssets.ts';
import { createFailureClaims } from '../engine/releases/browserFailures.ts';
import type { LiveRemotes } from '../engine/releases/snapshot.ts';
import type { RenderJob, RenderedSlot } from '../engine/rendering/slotRenderer.ts';

export interface TestResponse {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  /** Decoded, if it is compressed. */
  readonly text: string;
  /** As received. */
  readonly body: Buffer;
}

export interface ShellRig {
  /** Sends a raw request: path and headers are not normalized. Visitors' writes come from a page of the site unless the headers say otherwise. */
  readonly send: (
    path: string,
    options?: { method?: string; headers?: Record<string, string>; body?: string },
  ) => Promise<TestResponse>;
  /** What the slots of a page show, from its HTML or from the URL in it. */
  readonly content: (html: string) => Promise<PageContent>;
  readonly port: number;
  /** Calls of the gateway, in order. */
  readonly calls: { name: CallName; params: string; context: CallContext }[];
  /** Log lines. */
  readonly log: Record<string, unknown>[];
  readonly metrics: Registry;
  readonly stop: () => Promise<void>;
}

function Hero() {
  return createElement(
    'h1',
    null,
    usePageState((state) => state.search.texts.heading),
  );
}
const hero: SlotModule = defineSlot({ reads: ['search.texts'], view: Hero });
const empty: SlotModule = defineSlot({ reads: [], view: () => null });

const SLUGS: SlugData = {
  makes: [
    { code: 'FORD', name: 'Ford', slug: 'ford', models: [{ code: 'F150', name: 'F-150', slug: 'f150' }] },
  ],
};
const REFERENCE = createSlugReference(SLUGS);

const ENTRY = { url: '/assets/abc123/shell.js', integrity: `sha384-${'A'.repeat(64)}` };
const LATER = { url: '/assets/abc123/later.css', integrity: `sha384-${'B'.repeat(64)}` };

const ASSETS: ShellAssets = {
  files: new Map([['shell.js', Buffer.from('// the shell\n'.repeat(100))]]),
  build: 'abc123',
  entry: ENTRY,
  scripts: createPageScripts(ENTRY, 'fcEarly=[]', SITE_PLAN.speculationRules),
  styles: [{ url: '/assets/abc123/shell.css', integrity: `sha384-${'C'.repeat(64)}` }, LATER],
  css: '.fc{}.fc-later{}',
  firstViewCss: '.fc{}',
  laterStyles: [LATER],
};

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
const createGateway = (
  answers: Partial<Record<CallName, CallStub>>,
  calls: ShellRig['calls'],
): ShellDeps['gateway'] => {
  const request: ShellDeps['gateway']['request'] = async (name, params, context) => {
    const query = new URLSearchParams(params as CallParams);
    const { fallback }: CallDefinition = CALLS[name];
    const empty = {
      data: (fallback.kind === 'empty' ? fallback.value : {}) as never,
      source: 'current',
    } as const;
    const { found, atLeast = 0 } = context.onlyIf ?? {};
    if (found && ((await found) ?? 0) < atLeast) return empty;
    calls.push({ name, params: query.toString(), context });
    const stub = answers[name];
    if (!stub) return empty;
    const response = await stub(query, context);
    return response instanceof SourcedResponse
      ? (response as never)
      : { data: response as never, source: 'current' };
  };
  return { request, call: async (name, params, context) => (await request(name, params, context)).data };
};

const releasesOf = (live: LiveRemotes): ShellDeps['releases'] => ({
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
  (port: number): ShellRig['send'] =>
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
  (send: ShellRig['send']): ShellRig['content'] =>
  async (html) => {
    const json = new RegExp(`id="${BOOT_ELEMENT_ID}"[^>]*>(.*?)</script>`).exec(html)?.[1] ?? '';
    const { content } = JSON.parse(json) as BootJson;
    return typeof content === 'string' ? (JSON.parse((await send(content)).text) as PageContent) : content;
  };

/**
 * Starts the shell's app on a free port with a stubbed gateway: `answers` has stubs
 * by call; other calls return their fallback, and the search has no results.
 */
export async function startShell(
  options: {
    answers?: Partial<Record<CallName, CallStub>>;
    deps?: Partial<ShellDeps>;
    environment?: Record<string, string>;
    live?: LiveRemotes;
    render?: (job: RenderJob) => Promise<RenderedSlot>;
  } = {},
): Promise<ShellRig> {
  const calls: ShellRig['calls'] = [];
  const log: Record<string, unknown>[] = [];
  const metrics = new Registry();
  const answers: Partial<Record<CallName, CallStub>> = {
    search: () => searchResponseSchema.parse({ listings: [], owners: [], totalResultCount: 0 }),
    ...options.answers,
  };
  const app = createApp(
    {
      gateway: createGateway(answers, calls),
      reference: {
        current: () => REFERENCE,
        data: () => SLUGS,
        start: () => Promise.resolve(),
        stop: () => {},
      },
      releases: releasesOf(options.live ?? new Map()),
      renderer: {
        prepare: () => Promise.resolve(),
        render: options.render ?? (({ slot }) => Promise.resolve({ html: `<p>${slot}</p>`, data: null })),
        retire: () => {},
        close: () => Promise.resolve(),
      },
      ownSlots: { hero, related: empty },
      assets: ASSETS,
      metrics,
      limits: createRateLimits(),
      logger: pino(
        { level: 'info' },
        { write: (line) => log.push(JSON.parse(line) as Record<string, unknown>) },
      ),
      failureClaims: createFailureClaims('a secret of thirty-two characters', Date.now),
      clock: () => new Date('2026-06-15T12:00:00Z'),
      ...options.deps,
    },
    readConfig({ ...options.environment }),
  );
  const server: Server = createServer(app);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    port,
    calls,
    log,
    metrics,
    send: sendTo(port),
    content: contentOf(sendTo(port)),
    async stop() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
