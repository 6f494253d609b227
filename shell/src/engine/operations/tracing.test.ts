import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { setTimeout as wait } from 'node:timers/promises';
import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { createLog } from '@forecourt/service-kit/log';
import { sitePaths } from '../universal/paths.ts';
import { createRegistryClient } from '../releases/registryClient.ts';
import { RenderFailure } from '../rendering/slotRenderer.ts';
import { liveReleases } from '../rendering/testing/tinyRelease.ts';
import { LIBRARY_CALLS } from '../testing/libraryCalls.ts';
import { SHELF_LAYOUT } from '../testing/libraryPlan.ts';
import { startLibrary } from '../testing/startLibrary.ts';
import { TestGateways } from '../testing/testGateways.ts';
import { startTracing, type Tracing } from './tracing.ts';

const TRACE = '0af7651916cd43dd8448eb211c80319c';
const PARENT = 'b7ad6b7169203331';
const traceparent = (flags: string) => `00-${TRACE}-${PARENT}-${flags}`;
const PAGE = '/library/shelf?topic=poetry';

interface ExportedSpan {
  readonly name: string;
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly status: { readonly code?: number };
  /** ns since 1970. */
  readonly startTimeUnixNano: string;
  readonly endTimeUnixNano: string;
  readonly attributes: Readonly<Record<string, unknown>>;
}
interface Received {
  readonly resourceSpans: readonly {
    readonly resource: { readonly attributes: readonly Attribute[] };
    readonly scopeSpans: readonly {
      readonly spans: readonly (Omit<ExportedSpan, 'attributes'> & {
        readonly attributes: readonly Attribute[];
      })[];
    }[];
  }[];
}
interface Attribute {
  readonly key: string;
  readonly value: Readonly<Record<string, unknown>>;
}
const plain = (attributes: readonly Attribute[]) =>
  Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0]]));

/** The time in which at least one of the spans was open; ms. */
function coveredMs(spans: readonly ExportedSpan[]): number {
  const ms = (nano: string) => Number(BigInt(nano) / 1000n) / 1000;
  const intervals = spans
    .map((span) => [ms(span.startTimeUnixNano), ms(span.endTimeUnixNano)] as const)
    .sort(([a], [b]) => a - b);
  let covered = 0;
  let until = 0;
  for (const [start, end] of intervals) {
    covered += Math.max(0, end - Math.max(start, until));
    until = Math.max(until, end);
  }
  return covered;
}

/** Slots of the shelf that the server renders. */
const serverSlots = SHELF_LAYOUT.filter(
  ({ deadlineMs, renderedBy, view }) => deadlineMs > 0 && !renderedBy && view === undefined,
).map(({ slot }) => slot);

const closing: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

async function listen(server: Server): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closing.push(() => {
    server.closeAllConnections();
    return new Promise((resolve) => server.close(resolve));
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** An OTLP/HTTP receiver, and tracing that exports to it. */
async function startReceiver(share = 1) {
  const received: Received[] = [];
  const endpoint = await listen(
    createServer((request, response) => {
      // Its port may be that of a server that ended, whose clients still ask for it.
      if (request.url !== '/v1/traces') return void response.writeHead(404).end();
      void json(request).then((body) => {
        received.push(body as Received);
        response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
      });
    }),
  );
  const onDropped = (reason: Error | undefined) => expect(reason).toBeUndefined();
  const options = {
    endpoint: `${endpoint}/`,
    serviceName: 'forecourt-shell',
    share,
    browserSecret: 'a secret of sessions',
    onDropped,
  };
  const tracing = await startTracing(options);
  closing.push(tracing.close);
  /** Everything that was exported, at the end. */
  const spans = async (): Promise<ExportedSpan[]> => {
    await tracing.close();
    const resources = received.flatMap(({ resourceSpans }) => resourceSpans);
    for (const { resource } of resources)
      expect(plain(resource.attributes)).toMatchObject({ 'service.name': 'forecourt-shell' });
    return resources
      .flatMap(({ scopeSpans }) => scopeSpans.flatMap((scope) => scope.spans))
      .map((span) => ({ ...span, attributes: plain(span.attributes) }));
  };
  return { tracing, spans };
}

/** A traced shell in which everything works. */
async function startWhole(tracing: Tracing) {
  const environment = { CACHE_SECONDS: 'pages=10' };
  const shell = await startLibrary({ live: liveReleases(SHELF_LAYOUT), environment, adapters: { tracing } });
  closing.push(shell.stop);
  return shell;
}

/** A traced shell over an upstream that finds one book and whose other calls fail; the reviews are late. */
async function startTraced(tracing: Tracing, { callMs = 0, slotMs = 0 } = {}) {
  const requests: IncomingMessage[] = [];
  const found = { books: [{ isbn: '1', title: 'Lunch Poems' }] };
  const gateways = new TestGateways(LIBRARY_CALLS);
  closing.push(() => gateways.stop());
  const { gateway } = await gateways.start(
    (request, response) => {
      requests.push(request);
      const isShelf = request.url === '/catalog/shelf';
      setTimeout(() => {
        response.writeHead(isShelf ? 200 : 500, { 'content-type': 'application/json' });
        response.end(JSON.stringify(isShelf ? found : {}));
      }, callMs);
    },
    {},
    tracing.calls,
  );
  const lines: Record<string, unknown>[] = [];
  const destination = {
    write: (line: string) => void lines.push(JSON.parse(line) as Record<string, unknown>),
  };
  const shell = await startLibrary({
    live: liveReleases(SHELF_LAYOUT),
    adapters: { gateway, tracing, logger: createLog('shell', { level: 'info', tracing, destination }) },
    render: ({ slot }) =>
      slot === 'reviews'
        ? Promise.reject(new RenderFailure('DEADLINE', 'too late'))
        : wait(slotMs, { html: `<p>${slot}</p>`, data: null }),
  });
  closing.push(shell.stop);
  return { ...shell, requests, lines };
}

describe('tracing', () => {
  it('exports one span for the page, each slot and each upstream call, in the trace of the request', async () => {
    const { tracing, spans } = await startReceiver();
    const { send, requests, lines } = await startTraced(tracing);
    const headers = { traceparent: traceparent('01'), 'X-Request-Id': 'request-1' };
    expect((await send(PAGE, { headers })).status).toBe(200);

    const exported = await spans();
    expect(new Set(exported.map(({ traceId }) => traceId))).toEqual(new Set([TRACE]));
    const [page, ...others] = exported.filter(({ parentSpanId }) => parentSpanId === PARENT);
    expect(others).toEqual([]);
    expect(page).toMatchObject({
      name: 'GET shelf',
      attributes: {
        'http.response.status_code': 200,
        'forecourt.request_id': 'request-1',
        'forecourt.cache': 'miss',
      },
    });
    const steps = new Map(exported.filter((span) => span !== page).map((span) => [span.name, span]));
    expect([...steps.keys()]).toEqual(expect.arrayContaining(['prepare', 'load', 'compose and send']));
    for (const { parentSpanId } of steps.values()) expect(parentSpanId).toBe(page?.spanId);
    expect(steps.get('slot shelf')?.attributes).toEqual({
      'forecourt.slot': 'shelf',
      'forecourt.release': 'mfe-shelf@1.0.0',
      'forecourt.deadline_ms': expect.anything(),
      'forecourt.criticality': 'required',
      'forecourt.outcome': 'ok',
    });
    expect(steps.get('slot reviews')).toMatchObject({
      attributes: { 'forecourt.outcome': 'DEADLINE' },
      status: { code: 2 },
    });
    expect(steps.get('call shelf')).toMatchObject({ attributes: { 'forecourt.outcome': 'ok' } });
    expect(steps.get('call recommendations')).toMatchObject({ status: { code: 2 } });

    // The upstream continues the trace below the page.
    expect(requests.length).toBeGreaterThan(1);
    for (const request of requests)
      expect(request.headers['traceparent']).toBe(`00-${TRACE}-${page?.spanId}-01`);
    const ofRequest = lines.filter(({ requestId }) => requestId === 'request-1');
    expect(ofRequest.map(({ msg }) => msg)).toEqual(
      expect.arrayContaining(['request', 'slot shows its fallback']),
    );
    for (const { traceId } of ofRequest) expect(traceId).toBe(TRACE);
  });

  it('explains at least 95 % of the time that a client waits for a page, and names every slot and call of it', async () => {
    const { tracing, spans } = await startReceiver();
    // Long enough that the client's own share of the time is small.
    const { send, requests } = await startTraced(tracing, { callMs: 600, slotMs: 100 });
    const visit = async (path: string, requestId: string) => {
      requests.length = 0;
      const startedAt = performance.now();
      expect((await send(path, { headers: { 'X-Request-Id': requestId } })).status).toBe(200);
      return { requestId, waitedMs: performance.now() - startedAt, upstream: requests.length };
    };
    await visit(PAGE, 'request-0');
    const visits = [
      await visit(`${PAGE}&isNew=true`, 'request-1'),
      await visit('/library/shelf/new?topic=poetry', 'request-2'),
      await visit('/library/shelf?format=2&topic=poetry', 'request-3'),
    ];

    const exported = await spans();
    const explained = visits.map(({ requestId, waitedMs, upstream }) => {
      const page = exported.find(({ attributes }) => attributes['forecourt.request_id'] === requestId);
      const steps = exported.filter(({ parentSpanId }) => parentSpanId === page?.spanId);
      const of = (kind: string) =>
        steps
          .filter(({ name }) => name.startsWith(`${kind} `))
          .map(({ name }) => name.slice(kind.length + 1));
      expect(of('slot')).toEqual(expect.arrayContaining(serverSlots));
      expect(of('call').length).toBeGreaterThanOrEqual(upstream);
      return coveredMs(steps) / waitedMs;
    });
    // A busy machine also makes the client itself slow, which is no part of the page, so the best of three counts.
    expect(Math.max(...explained)).toBeGreaterThan(0.95);
  });

  it('adds how a page loaded in the browser, by the time of the shell, if the page was invited to', async () => {
    const { tracing, spans } = await startReceiver();
    const { send } = await startWhole(tracing);
    const invitationOf = async (id: string, flags = '01') => {
      const headers = { 'X-Request-Id': id, traceparent: traceparent(flags) };
      const timing = String((await send(PAGE, { headers })).headers['server-timing']);
      return /trace;desc="([^"]+)"/.exec(timing)?.[1];
    };
    const report = async (trace: string, spansOfPage = [{ name: 'load', startMs: -20, ms: 900 }]) => {
      const headers = { 'Content-Type': 'application/json' };
      const body = JSON.stringify({ trace, spans: spansOfPage });
      return (await send(sitePaths('/library').pageTrace, { method: 'POST', headers, body })).status;
    };
    expect(await invitationOf('request-0', '00')).toBeUndefined();
    const trace = (await invitationOf('request-1')) as string;
    expect(await report(trace)).toBe(204);
    expect(await report(trace.replace(TRACE, PARENT.repeat(2)))).toBe(400);
    expect(await report(trace, [{ name: '<script>', startMs: 0, ms: 1 }])).toBe(400);

    const exported = await spans();
    const page = exported.find(({ name }) => name === 'GET shelf');
    const browser = exported.filter(({ name }) => name.startsWith('browser '));
    expect(browser).toMatchObject([{ name: 'browser load', traceId: TRACE, parentSpanId: page?.spanId }]);
    const offsetMs = Number(
      (BigInt(browser[0]!.startTimeUnixNano) - BigInt(page!.startTimeUnixNano)) / 1_000_000n,
    );
    // 20 ms before the request, by whole ms.
    expect(Math.abs(offsetMs + 20)).toBeLessThanOrEqual(2);
  });

  it('says that a page came from the cache, with no slots and calls of its own', async () => {
    const { tracing, spans } = await startReceiver();
    const { send } = await startWhole(tracing);
    for (const id of ['request-1', 'request-2']) await send(PAGE, { headers: { 'X-Request-Id': id } });
    const exported = await spans();
    const second = exported.filter(({ attributes }) => attributes['forecourt.request_id'] === 'request-2');
    expect(second.map(({ attributes }) => attributes['forecourt.cache'])).toEqual(['hit']);
    const [{ traceId }] = second as [ExportedSpan];
    const steps = exported.filter((span) => span.traceId === traceId && span !== second[0]);
    expect(steps.map(({ name }) => name)).toEqual(['prepare', 'cache', 'send']);
  });

  it.each([
    ['the caller does not record', 1, { traceparent: traceparent('00') }],
    ['the share leaves out', 0, {}],
  ])('exports nothing of a trace that %s', async (_, share, headers) => {
    const { tracing, spans } = await startReceiver(share);
    const { send } = await startTraced(tracing);
    expect((await send(PAGE, { headers })).status).toBe(200);
    expect(await spans()).toEqual([]);
  });

  it('traces what is fetched from the registry together with the registry, with failures, but no waiting for changes', async () => {
    const { tracing, spans } = await startReceiver();
    const traceparents = new Map<string, string | undefined>();
    const url = await listen(
      createServer(({ url: path = '', headers }, response) => {
        traceparents.set(path, headers['traceparent'] as string | undefined);
        response.statusCode = path.startsWith('/api/pointers') ? 304 : 404;
        response.end();
      }),
    );
    const registry = createRegistryClient(url, { trace: tracing.registry });
    await registry.pointers(1, 1, new AbortController().signal);
    await expect(registry.manifest('mfe-shelf', '1.2.3')).rejects.toThrow('status 404');

    const [span, ...others] = await spans();
    expect(others).toEqual([]);
    expect(span).toMatchObject({
      name: 'registry manifest of mfe-shelf@1.2.3',
      attributes: { 'forecourt.outcome': 'INVALID_RESPONSE' },
      status: { code: 2 },
    });
    const { traceId, spanId } = span as ExportedSpan;
    expect([...traceparents.values()]).toEqual([undefined, `00-${traceId}-${spanId}-01`]);
  });

  it('serves pages, and reports it, while the receiver refuses spans', async () => {
    const refusing = await listen(createServer((_, response) => response.writeHead(400).end()));
    const onDropped = jest.fn();
    const options = { serviceName: 'x', share: 1, browserSecret: 'a secret of sessions', onDropped };
    const tracing = await startTracing({ ...options, endpoint: refusing });
    const { send, lines } = await startTraced(tracing);
    expect((await send(PAGE)).status).toBe(200);
    await tracing.close();
    expect(onDropped).toHaveBeenCalledWith(expect.any(Error));
    expect(lines.at(-1)).toMatchObject({ msg: 'request', traceId: expect.stringMatching(/^[0-9a-f]{32}$/) });
  });
});
