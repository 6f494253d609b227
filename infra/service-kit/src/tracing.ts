import { AsyncLocalStorage } from 'node:async_hooks';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import type { Context } from '@opentelemetry/api';
import type { Logger } from 'pino';
import { z } from 'zod';
import type { Sql } from './sql.ts';

/** Keys of a service that exports traces. */
export const tracingKeys = {
  /** Base URL of an OTLP/HTTP receiver; without it nothing is traced. */
  OTEL_EXPORTER_OTLP_ENDPOINT: z.url({ protocol: /^https?$/ }).optional(),
  /** 'name=value,…': headers for it, which the exporter reads itself. */
  OTEL_EXPORTER_OTLP_HEADERS: z.string().optional(),
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
  traceMethods(tracing, 'database', sql, ['all', 'get', 'run', 'transaction']);

/** ms that the end of the process waits for the last export. */
const CLOSE_MS = 2_000;

interface Routed extends IncomingMessage {
  readonly route?: { readonly path?: unknown };
}

/** The SDK is loaded here, and only with an endpoint. */
async function startProvider(endpoint: string, service: string, logger: Pick<Logger, 'warn'>) {
  const { AlwaysOffSampler, BatchSpanProcessor, ParentBasedSampler, TracerProvider } =
    await import('@opentelemetry/sdk-trace');
  const { OTLPTraceExporter } = await import('@opentelemetry/exporter-trace-otlp-http');
  const { resourceFromAttributes } = await import('@opentelemetry/resources');
  const otlp = new OTLPTraceExporter({ url: `${endpoint.replace(/\/$/, '')}/v1/traces` });
  return new TracerProvider({
    resource: resourceFromAttributes({ 'service.name': `forecourt-${service}` }),
    // The caller decides whether a trace is recorded; services start no traces.
    sampler: new ParentBasedSampler({ root: new AlwaysOffSampler() }),
    spanProcessors: [
      new BatchSpanProcessor({
        exporter: {
          export: (spans, done) =>
            otlp.export(spans, (result) => {
              if (result.error) logger.warn({ err: result.error }, 'spans were not exported');
              done(result);
            }),
          shutdown: () => otlp.shutdown(),
        },
      }),
    ],
  });
}

/** Continues the traces of callers and exports the spans by OTLP over HTTP, or does nothing without an endpoint. */
export async function startTracing(
  { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint }: { readonly OTEL_EXPORTER_OTLP_ENDPOINT?: string | undefined },
  { service, logger }: { readonly service: string; readonly logger: Pick<Logger, 'warn'> },
): Promise<Tracing> {
  if (endpoint === undefined) return NO_TRACING;
  const api = await import('@opentelemetry/api');
  const { W3CTraceContextPropagator } = await import('@opentelemetry/core');
  const provider = await startProvider(endpoint, service, logger);
  const tracer = provider.getTracer('forecourt');
  const propagator = new W3CTraceContextPropagator();
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
        span.setAttribute('http.response.status_code', response.statusCode);
        if (!response.writableFinished) span.setAttribute('forecourt.outcome', 'CANCELLED');
        if (response.statusCode >= 500) span.setStatus({ code: api.SpanStatusCode.ERROR });
        span.end();
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
    async close() {
      // A failure of the last export was logged.
      const closed = provider.shutdown().catch(() => undefined);
      await Promise.race([closed, wait(CLOSE_MS, undefined, { ref: false })]);
    },
  };
}
