import type { IncomingMessage } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import type * as ApiModule from '@opentelemetry/api';
import type { Attributes, Context, Span, Tracer } from '@opentelemetry/api';
import type { SpanExporter } from '@opentelemetry/sdk-trace';
import type { RenderDeps } from '../compose/renderSlots.ts';
import type { CallTrace } from '../upstream/gatewayMetrics.ts';

/**
 * Spans of requests to pages and APIs, of the slots that they render and of the calls that they make. A step finds its
 * request's span by the request id, so that nothing has to follow asynchronous calls; steps of no request have no span.
 */
export interface Tracing {
  /** Starts the span of a request, in the trace of its `traceparent`; the returned function ends it. */
  readonly request: (
    request: IncomingMessage,
    step: { readonly requestId: string; readonly route: string },
  ) => (response: { readonly statusCode: number; readonly writableFinished: boolean }) => void;
  readonly slot: NonNullable<RenderDeps['trace']>;
  readonly calls: CallTrace;
  /** How the cache answered the request: miss, join, hit, stale or own. */
  readonly cache: (requestId: string, outcome: string) => void;
  /** Fields of every log line of the request. */
  readonly logFields: (line: { readonly requestId?: unknown }) => { readonly traceId?: string };
  /** Exports what is left. */
  readonly close: () => Promise<void>;
}

export interface TracingOptions {
  /** Base URL of an OTLP/HTTP receiver; spans go to `v1/traces` below it. */
  readonly endpoint: string;
  readonly serviceName: string;
  /** Share of traces that begin here and are recorded, 0 to 1; those of a `traceparent` follow its flag. */
  readonly share: number;
  /** Spans were dropped, because the receiver did not take them. */
  readonly onDropped: (reason: Error | undefined) => void;
}

/** ms that the end of the process waits for the last export. */
const CLOSE_MS = 2_000;

interface RequestSpan {
  readonly span: Span;
  readonly context: Context;
}

type Api = typeof ApiModule;

/** Starts spans below those of requests, and forgets requests that have ended. */
class RequestSpans {
  readonly #byId = new Map<string, RequestSpan>();
  readonly #tracer: Tracer;
  readonly #api: Api;

  constructor(tracer: Tracer, api: Api) {
    this.#tracer = tracer;
    this.#api = api;
  }

  get(requestId: unknown): RequestSpan | undefined {
    return typeof requestId === 'string' ? this.#byId.get(requestId) : undefined;
  }

  begin(requestId: string, name: string, attributes: Attributes, parent: Context): RequestSpan {
    const { SpanKind, trace } = this.#api;
    const span = this.#tracer.startSpan(name, { kind: SpanKind.SERVER, attributes }, parent);
    const entry = { span, context: trace.setSpan(parent, span) };
    this.#byId.set(requestId, entry);
    return entry;
  }

  end(requestId: string, { span }: RequestSpan): void {
    span.end();
    // Another request may have come with the same id.
    if (this.#byId.get(requestId)?.span === span) this.#byId.delete(requestId);
  }

  /** A step of the request; ends with its outcome, of which all but `successes` and a cancellation are errors. */
  step(
    requestId: string,
    name: string,
    {
      attributes,
      kind,
      successes,
    }: { attributes: Attributes; kind: 'CLIENT' | 'INTERNAL'; successes: ReadonlySet<string> },
  ): ((outcome: string) => void) | undefined {
    const parent = this.get(requestId);
    if (!parent) return undefined;
    const { SpanKind, SpanStatusCode } = this.#api;
    const span = this.#tracer.startSpan(name, { kind: SpanKind[kind], attributes }, parent.context);
    return (outcome) => {
      span.setAttribute('forecourt.outcome', outcome);
      if (!successes.has(outcome) && outcome !== 'CANCELLED')
        span.setStatus({ code: SpanStatusCode.ERROR, message: outcome });
      span.end();
    };
  }
}

const RENDERED: ReadonlySet<string> = new Set(['ok']);
const CALLED: ReadonlySet<string> = new Set(['ok', 'unchanged', 'kept', 'skipped']);

/** The SDK is loaded here and nowhere else: a shell without an endpoint neither reads nor runs any of it. */
async function startProvider({ endpoint, serviceName, share, onDropped }: TracingOptions) {
  const { BatchSpanProcessor, ParentBasedSampler, TraceIdRatioBasedSampler, TracerProvider } =
    await import('@opentelemetry/sdk-trace');
  const { OTLPTraceExporter } = await import('@opentelemetry/exporter-trace-otlp-http');
  const { resourceFromAttributes } = await import('@opentelemetry/resources');
  const otlp = new OTLPTraceExporter({ url: `${endpoint.replace(/\/$/, '')}/v1/traces` });
  const exporter: SpanExporter = {
    export: (spans, done) =>
      otlp.export(spans, (result) => {
        if (result.error) onDropped(result.error);
        done(result);
      }),
    shutdown: () => otlp.shutdown(),
  };
  return new TracerProvider({
    resource: resourceFromAttributes({ 'service.name': serviceName }),
    sampler: new ParentBasedSampler({ root: new TraceIdRatioBasedSampler(share) }),
    // Bounded: spans beyond 2,048 that wait for their export are dropped.
    spanProcessors: [new BatchSpanProcessor({ exporter })],
  });
}

/** Traces requests and exports their spans by OTLP over HTTP (https://opentelemetry.io/docs/specs/otlp). */
export async function startTracing(options: TracingOptions): Promise<Tracing> {
  const api = await import('@opentelemetry/api');
  const { W3CTraceContextPropagator } = await import('@opentelemetry/core');
  const provider = await startProvider(options);
  const spans = new RequestSpans(provider.getTracer('forecourt'), api);
  const propagator = new W3CTraceContextPropagator();

  return {
    request({ headers, method = 'GET' }, { requestId, route }) {
      const parent = propagator.extract(api.ROOT_CONTEXT, headers, api.defaultTextMapGetter);
      const attributes = {
        'http.request.method': method,
        'http.route': route,
        'forecourt.request_id': requestId,
      };
      const entry = spans.begin(requestId, `${method} ${route}`, attributes, parent);
      return ({ statusCode, writableFinished }) => {
        entry.span.setAttribute('http.response.status_code', statusCode);
        if (!writableFinished) entry.span.setAttribute('forecourt.outcome', 'CANCELLED');
        if (statusCode >= 500) entry.span.setStatus({ code: api.SpanStatusCode.ERROR });
        spans.end(requestId, entry);
      };
    },
    slot: ({ slot, deadlineMs, criticality }, release, requestId) =>
      spans.step(requestId, `slot ${slot}`, {
        kind: 'INTERNAL',
        successes: RENDERED,
        attributes: {
          'forecourt.slot': slot,
          'forecourt.release': release,
          'forecourt.deadline_ms': deadlineMs,
          'forecourt.criticality': criticality,
        },
      }),
    calls: {
      start: (call, requestId) =>
        spans.step(requestId, `call ${call}`, {
          kind: 'CLIENT',
          successes: CALLED,
          attributes: { 'forecourt.call': call },
        }),
      headers(requestId) {
        const headers: Record<string, string> = {};
        // The request's context, not the call's own: the calls of a batch have their headers in common.
        const context = spans.get(requestId)?.context;
        if (context) propagator.inject(context, headers, api.defaultTextMapSetter);
        return headers;
      },
    },
    cache: (requestId, outcome) => spans.get(requestId)?.span.setAttribute('forecourt.cache', outcome),
    logFields({ requestId }) {
      const traceId = spans.get(requestId)?.span.spanContext().traceId;
      return traceId === undefined ? {} : { traceId };
    },
    async close() {
      // A failure of the last export was reported by `onDropped`.
      const closed = provider.shutdown().catch(() => undefined);
      await Promise.race([closed, wait(CLOSE_MS, undefined, { ref: false })]);
    },
  };
}
