import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createLog } from '@forecourt/service-kit/log';
import { NO_TRACING, startTracing, traceMethods } from '@forecourt/service-kit/tracing';
import { generatedStock, startTestApp } from './testing/testApp.ts';

const TRACE = '0af7651916cd43dd8448eb211c80319c';
const PARENT = 'b7ad6b7169203331';
const traceparent = (flags: string) => ({ traceparent: `00-${TRACE}-${PARENT}-${flags}` });

interface Span {
  readonly name: string;
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  /** ns since 1970. */
  readonly startTimeUnixNano: string;
  readonly endTimeUnixNano: string;
}
interface Export {
  readonly resourceSpans: readonly { readonly scopeSpans: readonly { readonly spans: Span[] }[] }[];
}

/** An OTLP/HTTP receiver. */
async function startReceiver() {
  const exported: Span[] = [];
  const server = createServer((request, response) => {
    // Its port may be that of a server that ended, whose clients still ask for it.
    if (request.url !== '/v1/traces') return void response.writeHead(404).end();
    void json(request).then((body) => {
      for (const { scopeSpans } of (body as Export).resourceSpans)
        exported.push(...scopeSpans.flatMap(({ spans }) => spans));
      response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    exported,
    stop: () => new Promise((resolve) => server.close(resolve).closeAllConnections()),
  };
}

const stock = generatedStock(2_000);
const lines: Record<string, unknown>[] = [];
const logger = createLog('marketplace-api', {
  level: 'info',
  destination: { write: (line) => void lines.push(JSON.parse(line) as Record<string, unknown>) },
});

/** Starts a traced API; `spans` ends it and returns everything that it exported. */
async function startTraced() {
  const receiver = await startReceiver();
  const { endpoint } = receiver;
  const tracing = await startTracing(
    { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint },
    { service: 'marketplace-api', logger },
  );
  const app = await startTestApp(stock, { tracing, logger });
  const spans = async (): Promise<Span[]> => {
    await app.stop();
    await tracing.close();
    await receiver.stop();
    return receiver.exported;
  };
  return { app, spans };
}

const SEARCH = '/rest/lsc/listing?zip=60601&numRecords=25';

describe('spans of the API', () => {
  let traced: Awaited<ReturnType<typeof startTraced>>;
  let spans: Span[];
  beforeAll(async () => {
    traced = await startTraced();
    const { app } = traced;
    const calls = [
      { url: SEARCH, headers: {} },
      { url: '/nothing', headers: {} },
    ];
    await app.send('POST', '/batch', { calls }, { ...traceparent('01'), 'X-Request-Id': 'request-1' });
    await app.get(SEARCH, traceparent('00'));
    await app.get(SEARCH);
    spans = await traced.spans();
  });
  const named = (name: string | RegExp) =>
    spans.filter((span) => (typeof name === 'string' ? span.name === name : name.test(span.name)));

  it('continue the trace of the caller, from the request to the search of the index', () => {
    const [request] = named('POST /batch');
    expect(request).toMatchObject({ traceId: TRACE, parentSpanId: PARENT });
    const [call] = named('call /rest/lsc/listing');
    expect(call).toMatchObject({ traceId: TRACE, parentSpanId: request?.spanId });
    expect(named('call /nothing')).toHaveLength(1);
    const [read] = named('read');
    expect(read?.parentSpanId).toBe(call?.spanId);
    expect(named('serialize')[0]?.parentSpanId).toBe(call?.spanId);
    expect(named('index search')[0]?.parentSpanId).toBe(read?.spanId);
    expect(named(/^listings /).length).toBeGreaterThan(0);
  });

  it('are only of requests whose caller records the trace', () => {
    expect(new Set(spans.map(({ traceId }) => traceId))).toEqual(new Set([TRACE]));
    expect(named(/^(GET|POST) /)).toHaveLength(1);
  });

  it('lie within their parents', () => {
    const byId = new Map(spans.map((span) => [span.spanId, span]));
    for (const span of spans) {
      const parent = byId.get(span.parentSpanId ?? '');
      if (!parent) continue;
      // The clocks of a span have a resolution of about 1 µs.
      expect(BigInt(span.startTimeUnixNano) + 2_000n).toBeGreaterThanOrEqual(
        BigInt(parent.startTimeUnixNano),
      );
      expect(BigInt(span.endTimeUnixNano)).toBeLessThanOrEqual(BigInt(parent.endTimeUnixNano) + 1_000_000n);
    }
  });

  it('have the id of their trace in common with the log', () => {
    const traces = lines.filter(({ msg }) => msg === 'request').map(({ traceId }) => traceId);
    expect(traces).toEqual([TRACE, undefined, undefined]);
  });
});

describe('an API without a receiver of traces', () => {
  let app: Awaited<ReturnType<typeof startTestApp>>;
  beforeAll(async () => {
    app = await startTestApp(stock);
  });
  afterAll(() => app.stop());

  it('answers as ever, with its own objects in place', async () => {
    expect((await app.get(SEARCH, traceparent('01'))).status).toBe(200);
    const tracing = await startTracing({}, { service: 'marketplace-api', logger });
    expect(tracing).toBe(NO_TRACING);
    expect(traceMethods(tracing, 'index', app.index, ['search'])).toBe(app.index);
  });
});
