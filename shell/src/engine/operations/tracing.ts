import type { IncomingMessage } from 'node:http';
import { endServerSpan, startExport, type ExportOptions } from '@forecourt/service-kit/tracing';
import type * as ApiModule from '@opentelemetry/api';
import type { Attributes, Context, Span, TextMapPropagator, Tracer } from '@opentelemetry/api';
import type { PageTrace } from '../universal/pageTrace.ts';
import type { RenderDeps } from '../compose/renderSlots.ts';
import { createSigner } from '@forecourt/service-kit/signer';
import type { RegistryTrace } from '../releases/registryClient.ts';
import type { CallTrace } from '../gateway/gatewayMetrics.ts';

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
  /** Begins the next phase of a page and ends the one before; the first one is `prepare`, the last ends with the request. */
  readonly phase: (requestId: string, name: string) => void;
  readonly slot: NonNullable<RenderDeps['trace']>;
  readonly calls: CallTrace;
  readonly registry: RegistryTrace;
  /** How the cache answered the request: miss, join, hit, stale or own. */
  readonly cache: (requestId: string, outcome: string) => void;
  /** What a recorded request lets its page add to the trace with. */
  readonly forBrowser: (requestId: string) => string | undefined;
  /** Adds the loading of a page. False if the shell did not ask for it lately. */
  readonly addPage: (page: PageTrace) => boolean;
  /** Fields of every log line of the request. */
  readonly logFields: (line: { readonly requestId?: unknown }) => { readonly traceId?: string };
  /** Exports what is left. */
  readonly close: () => Promise<void>;
}

export interface TracingOptions extends ExportOptions {
  /** Signs what recorded pages add to their traces with. */
  readonly browserSecret: string;
}

interface RequestSpan {
  readonly span: Span;
  readonly context: Context;
  /** When each began; ms since 1970. */
  readonly phases: { readonly name: string; readonly startedAt: number }[];
}

/** Of finer resolution than Date.now(). */
const now = () => performance.timeOrigin + performance.now();

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
    // By the clock of its phases. With theirs it ends, too: the SDK may export a batch in between.
    const startedAt = now();
    const options = { kind: SpanKind.SERVER, attributes, startTime: startedAt };
    const span = this.#tracer.startSpan(name, options, parent);
    const phases = [{ name: 'prepare', startedAt }];
    const entry = { span, context: trace.setSpan(parent, span), phases };
    this.#byId.set(requestId, entry);
    return entry;
  }

  end(requestId: string, { span, context, phases }: RequestSpan): void {
    const endedAt = now();
    // Requests to APIs have no phases.
    if (phases.length > 1 && span.isRecording())
      for (const [at, { name, startedAt: startTime }] of phases.entries())
        this.#tracer.startSpan(name, { startTime }, context).end(phases[at + 1]?.startedAt ?? endedAt);
    span.end(endedAt);
    // Another request may have come with the same id.
    if (this.#byId.get(requestId)?.span === span) this.#byId.delete(requestId);
  }

  /** Ends a span with its outcome, of which all but `successes` and a cancellation are errors. */
  ending(span: Span, successes: ReadonlySet<string>): (outcome: string) => void {
    return (outcome) => {
      span.setAttribute('forecourt.outcome', outcome);
      if (!successes.has(outcome) && outcome !== 'CANCELLED')
        span.setStatus({ code: this.#api.SpanStatusCode.ERROR, message: outcome });
      span.end();
    };
  }

  /** A step of the request. */
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
    // Its steps follow its decision: they would not be recorded either.
    if (!parent?.span.isRecording()) return undefined;
    const { SpanKind } = this.#api;
    const span = this.#tracer.startSpan(name, { kind: SpanKind[kind], attributes }, parent.context);
    return this.ending(span, successes);
  }
}

const RENDERED: ReadonlySet<string> = new Set(['ok', 'reused']);
const CALLED: ReadonlySet<string> = new Set(['ok', 'unchanged', 'cached', 'skipped']);
const FETCHED: ReadonlySet<string> = new Set(['ok']);

/** A page may add to its trace for so long; ms. */
const PAGE_TRACE_MS = 600_000;

/** Invites recorded pages to add their loading, and checks by the signature that what they add was invited. */
function createPageTraces(
  spans: RequestSpans,
  {
    api,
    propagator,
    tracer,
  }: { readonly api: Api; readonly propagator: TextMapPropagator; readonly tracer: Tracer },
  secret: string,
): Pick<Tracing, 'forBrowser' | 'addPage'> {
  const signer = createSigner(secret, 'traces of pages');
  return {
    forBrowser(requestId) {
      const entry = spans.get(requestId);
      if (!entry?.span.isRecording()) return undefined;
      const { traceId, spanId } = entry.span.spanContext();
      // With the shell's time of the request, because clocks of browsers differ.
      const invitation = `00-${traceId}-${spanId}-01 ${Math.round(entry.phases[0]?.startedAt ?? now())}`;
      return `${invitation} ${signer.sign(invitation)}`;
    },
    addPage({ trace, spans: steps }) {
      const [traceparent = '', startedAt = '', signature = ''] = trace.split(' ');
      if (!signer.verify(`${traceparent} ${startedAt}`, signature)) return false;
      if (now() - Number(startedAt) > PAGE_TRACE_MS) return false;
      const parent = propagator.extract(api.ROOT_CONTEXT, { traceparent }, api.defaultTextMapGetter);
      for (const { name, startMs, ms } of steps) {
        const startTime = Number(startedAt) + startMs;
        tracer.startSpan(`browser ${name}`, { startTime }, parent).end(startTime + ms);
      }
      return true;
    },
  };
}

/** Traces requests and exports their spans. */
export async function startTracing(options: TracingOptions): Promise<Tracing> {
  const { api, tracer, propagator, close } = await startExport(options);
  const spans = new RequestSpans(tracer, api);

  return {
    request({ headers, method = 'GET' }, { requestId, route }) {
      const parent = propagator.extract(api.ROOT_CONTEXT, headers, api.defaultTextMapGetter);
      const attributes = {
        'http.request.method': method,
        'http.route': route,
        'forecourt.request_id': requestId,
      };
      const entry = spans.begin(requestId, `${method} ${route}`, attributes, parent);
      return (response) => endServerSpan(entry.span, api, response, () => spans.end(requestId, entry));
    },
    phase: (requestId, name) => void spans.get(requestId)?.phases.push({ name, startedAt: now() }),
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
    registry(name) {
      const span = tracer.startSpan(`registry ${name}`, { kind: api.SpanKind.CLIENT }, api.ROOT_CONTEXT);
      const headers: Record<string, string> = {};
      propagator.inject(api.trace.setSpan(api.ROOT_CONTEXT, span), headers, api.defaultTextMapSetter);
      return { headers, end: spans.ending(span, FETCHED) };
    },
    ...createPageTraces(spans, { api, propagator, tracer }, options.browserSecret),
    cache: (requestId, outcome) => spans.get(requestId)?.span.setAttribute('forecourt.cache', outcome),
    logFields({ requestId }) {
      const traceId = spans.get(requestId)?.span.spanContext().traceId;
      return traceId === undefined ? {} : { traceId };
    },
    close,
  };
}

/** Starts tracing if a receiver is configured. */
export const openTracing = async (
  config: {
    readonly OTEL_EXPORTER_OTLP_ENDPOINT?: string | undefined;
    readonly OTEL_TRACES_SAMPLER_ARG: number;
  },
  { sessionSecret, onDropped }: Pick<TracingOptions, 'onDropped'> & { readonly sessionSecret: string },
): Promise<Tracing | undefined> =>
  config.OTEL_EXPORTER_OTLP_ENDPOINT === undefined
    ? undefined
    : startTracing({
        endpoint: config.OTEL_EXPORTER_OTLP_ENDPOINT,
        serviceName: 'forecourt-shell',
        share: config.OTEL_TRACES_SAMPLER_ARG,
        browserSecret: sessionSecret,
        onDropped,
      });
