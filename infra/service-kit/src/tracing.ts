import { AsyncLocalStorage } from 'node:async_hooks';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import type * as ApiModule from '@opentelemetry/api';
import type { Context, Span, TextMapPropagator, Tracer } from '@opentelemetry/api';
import type { SpanExporter } from '@opentelemetry/sdk-trace';
import type { Logger } from './log.ts';
import { z } from 'zod';
import type { Sql } from './sql.ts';

/** Keys of a service that exports traces. */
export const tracingKeys = {
  OTEL_EXPORTER_OTLP_ENDPOINT: z
    .url({ protocol: /^https?$/ })
    .optional()
    .describe(
      'base URL of an OTLP/HTTP receiver of [traces](../../docs/operations.md#traces); the SDK reads its other `OTEL_EXPORTER_OTLP_…` keys, `OTEL_SERVICE_NAME` and `OTEL_RESOURCE_ATTRIBUTES` itself',
    ),
} as const;

/** Runs a step of the request in flight, in a span of its own if the request is recorded. */
export type Step = <T>(name: string, work: () => T, attributes?: Readonly<Record<string, string>>) => T;

/** A service's spans, below those of its callers. */
export interface Tracing {
  /** Middleware before all others: a span for each request whose `traceparent` says that its trace is recorded. */
  readonly requests: (request: IncomingMessage, response: ServerResponse, next: () => void) => void;
  readonly step: Step;
  /** For log lines. */
  readonly traceIdOf: (request: IncomingMessage) => string | undefined;
  /** Exports what is left. */
  readonly close: () => Promise<void>;
}

/** Without tracing, steps only run. */
const onlyRun: Step = (_, work) => work();

export const NO_TRACING: Tracing = {
  requests: (_, __, next) => next(),
  step: onlyRun,
  traceIdOf: () => undefined,
  close: () => Promise.resolve(),
};

/** The object, with a span around each call of these methods; without tracing the object itself. */
export function traceMethods<T extends object>(
  { step }: Tracing,
  layer: string,
  target: T,
  methods: readonly (keyof T & string)[],
): T {
  if (step === onlyRun) return target;
  const traced = new Set<PropertyKey>(methods);
  return new Proxy(target, {
    get(_, key) {
      const value: unknown = Reflect.get(target, key, target);
      if (typeof value !== 'function') return value;
      const method = value as (...values: unknown[]) => unknown;
      if (!traced.has(key)) return method.bind(target);
      return (...values: unknown[]) => step(`${layer} ${String(key)}`, () => method.apply(target, values));
    },
  });
}

export const traceSql = (tracing: Tracing, sql: Sql): Sql =>
  traceMethods(tracing, 'database', sql, ['all', 'get', 'run', 'transaction', 'inTurn']);

/** ms that the end of the process waits for the last export. */
const CLOSE_MS = 2_000;

interface Routed extends IncomingMessage {
  readonly route?: { readonly path?: unknown };
}

export interface ExportOptions {
  /** Base URL of an OTLP/HTTP receiver; spans go to `v1/traces` below it. */
  readonly endpoint: string;
  /** As traces name the process, unless OTEL_SERVICE_NAME does. */
  readonly serviceName: string;
  /** Share of traces that begin here and are recorded, 0 to 1; those of a `traceparent` follow its flag. */
  readonly share: number;
  /** Spans were dropped, because the receiver did not take them. */
  readonly onDropped: (reason: Error | undefined) => void;
}

/** What makes spans, and exports them by OTLP over HTTP (https://opentelemetry.io/docs/specs/otlp). */
export interface SpanExport {
  readonly api: typeof ApiModule;
  readonly tracer: Tracer;
  readonly propagator: TextMapPropagator;
  /** Exports what is left. */
  readonly close: () => Promise<void>;
}

/** Loads the SDK: here and nowhere else, so that a process without an endpoint neither reads nor runs any of it. */
export async function startExport({
  endpoint,
  serviceName,
  share,
  onDropped,
}: ExportOptions): Promise<SpanExport> {
  const api = await import('@opentelemetry/api');
  const { W3CTraceContextPropagator } = await import('@opentelemetry/core');
  const { BatchSpanProcessor, ParentBasedSampler, TraceIdRatioBasedSampler, TracerProvider } =
    await import('@opentelemetry/sdk-trace');
  const { OTLPTraceExporter } = await import('@opentelemetry/exporter-trace-otlp-http');
  const { detectResources, envDetector, resourceFromAttributes } = await import('@opentelemetry/resources');
  const otlp = new OTLPTraceExporter({ url: `${endpoint.replace(/\/$/, '')}/v1/traces` });
  const exporter: SpanExporter = {
    export: (spans, done) =>
      otlp.export(spans, (result) => {
        if (result.error) onDropped(result.error);
        done(result);
      }),
    shutdown: () => otlp.shutdown(),
  };
  const provider = new TracerProvider({
    // By OTEL_SERVICE_NAME and OTEL_RESOURCE_ATTRIBUTES, which the SDK reads itself.
    resource: resourceFromAttributes({ 'service.name': serviceName }).merge(
      detectResources({ detectors: [envDetector] }),
    ),
    sampler: new ParentBasedSampler({ root: new TraceIdRatioBasedSampler(share) }),
    // Bounded: spans beyond 2,048 that wait for their export are dropped.
    spanProcessors: [new BatchSpanProcessor({ exporter })],
  });
  return {
    api,
    tracer: provider.getTracer('forecourt'),
    propagator: new W3CTraceContextPropagator(),
    async close() {
      // A failure of the last export was reported by `onDropped`.
      const closed = provider.shutdown().catch(() => undefined);
      await Promise.race([closed, wait(CLOSE_MS, undefined, { ref: false })]);
    },
  };
}

/** Ends the span of a request with its response. */
export function endServerSpan(
  span: Span,
  { SpanStatusCode }: Pick<typeof ApiModule, 'SpanStatusCode'>,
  { statusCode, writableFinished }: { readonly statusCode: number; readonly writableFinished: boolean },
  end: () => void = () => span.end(),
): void {
  span.setAttribute('http.response.status_code', statusCode);
  if (!writableFinished) span.setAttribute('forecourt.outcome', 'CANCELLED');
  if (statusCode >= 500) span.setStatus({ code: SpanStatusCode.ERROR });
  end();
}

/** Continues the traces of callers and exports the spans by OTLP over HTTP, or does nothing without an endpoint. */
export async function startTracing(
  { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint }: { readonly OTEL_EXPORTER_OTLP_ENDPOINT?: string | undefined },
  { service, logger }: { readonly service: string; readonly logger: Pick<Logger, 'warn'> },
): Promise<Tracing> {
  if (endpoint === undefined) return NO_TRACING;
  const { api, tracer, propagator, close } = await startExport({
    endpoint,
    serviceName: `forecourt-${service}`,
    // The caller decides whether a trace is recorded; services start no traces.
    share: 0,
    onDropped: (err) => logger.warn({ err }, 'spans were not exported'),
  });
  const current = new AsyncLocalStorage<Context>();
  const traceIds = new WeakMap<IncomingMessage, string>();

  return {
    requests(request, response, next) {
      const { headers, method = 'GET' } = request;
      const parent = propagator.extract(api.ROOT_CONTEXT, headers, api.defaultTextMapGetter);
      const span = tracer.startSpan(method, { kind: api.SpanKind.SERVER }, parent);
      if (!span.isRecording()) return next();
      traceIds.set(request, span.spanContext().traceId);
      response.once('close', () => {
        const { route } = request as Routed;
        const path = typeof route?.path === 'string' ? route.path : 'none';
        span.updateName(`${method} ${path}`);
        span.setAttributes({ 'http.request.method': method, 'http.route': path });
        endServerSpan(span, api, response);
      });
      current.run(api.trace.setSpan(parent, span), next);
    },
    step(name, work, attributes = {}) {
      const parent = current.getStore();
      if (!parent) return work();
      const span = tracer.startSpan(name, { attributes }, parent);
      const fail = (error: unknown): never => {
        span.setStatus({ code: api.SpanStatusCode.ERROR });
        span.end();
        throw error;
      };
      try {
        const result = current.run(api.trace.setSpan(parent, span), work);
        if (result instanceof Promise)
          return result.then((value: unknown) => {
            span.end();
            return value;
          }, fail) as typeof result;
        span.end();
        return result;
      } catch (error) {
        return fail(error);
      }
    },
    traceIdOf: (request) => traceIds.get(request),
    close,
  };
}
