import type { CallName, CallParams, CallResponse } from '@forecourt/slots/calls';
import type { CallDefinition } from '@forecourt/upstream/callDefinition';
import { EGRESS } from '../egress.ts';
import axios, { type AxiosRequestConfig } from 'axios';
import { CallFailure, fallbackOf, toFailure } from './callFailure.ts';
import {
  createProbes,
  isProbeworthy,
  createCallPolicy,
  isClosed,
  isOnTrial,
  isOpen,
  type CallPolicy,
} from './breakers.ts';
import { callUrl, createHttpAdapter, createHttpClient } from './httpAdapter.ts';
import { type CallTrace, type GatewayMetrics, startCall } from './gatewayMetrics.ts';
import { type Condition, createBatchingAdapter } from './callBatches.ts';
import { createResponseCache } from './responseCache.ts';

export interface GatewayOptions {
  /** Origin of the upstream. */
  readonly baseUrl: string;
  readonly metrics: GatewayMetrics;
  /** The table of calls. */
  readonly calls: Readonly<Record<CallName, CallDefinition>>;
  /** Without it nothing is traced. */
  readonly trace?: CallTrace | undefined;
  readonly log: (event: { call: string; code: string; message: string; requestId: string }) => void;
  /** ms since any epoch. */
  readonly now?: () => number;
}

export interface CallContext {
  readonly requestId: string;
  /** Aborted when the client disconnects. */
  readonly signal?: AbortSignal;
  readonly body?: unknown;
  /** Repeated writes with the same key have one effect. */
  readonly idempotencyKey?: string | undefined;
  /** First-party id of the visitor, for calls on the visitor's behalf. */
  readonly consumerId?: string;
  /** The signed-in visitor's token; undefined if there is none. Never rejects. */
  readonly idToken?: () => Promise<string | undefined>;
  /** Accepts an older response to a required call that failed. Default: such calls reject. */
  readonly acceptsStale?: boolean;
  /** Makes the call only if an earlier one finds enough; otherwise it resolves to its fallback. */
  readonly onlyIf?: {
    /** What the earlier call has found; undefined if it failed. */
    readonly found: Promise<number | undefined>;
    readonly atLeast: number;
    /** The call that counts, by which the upstream decides when both are parts of one request. */
    readonly count: CallName;
    readonly countParams: URLSearchParams;
  };
}

/**
 * Where the data of a response come from: the upstream or the response cache (`current`), the call's fallback because the
 * upstream failed, an older response, or nowhere because the call's condition was not met (`skipped`).
 */
export type ResponseSource = 'current' | 'fallback' | 'stale' | 'skipped';

/** The response to a call. */
interface CallResult<N extends CallName = CallName> {
  readonly data: CallResponse<N>;
  readonly source: ResponseSource;
}

/** The single access point to upstream services. */
export interface Gateway {
  /**
   * Runs one call of the table. An optional call resolves to its fallback when
   * the upstream fails; a required one rejects with CallFailure, unless the
   * context accepts an older response. Responses may be shared: callers must not
   * mutate them.
   */
  readonly call: <N extends CallName>(
    name: N,
    params: CallParams | URLSearchParams,
    context: CallContext,
  ) => Promise<CallResponse<N>>;
  /** The same, with the source of the response. */
  readonly request: <N extends CallName>(
    name: N,
    params: CallParams | URLSearchParams,
    context: CallContext,
  ) => Promise<CallResult<N>>;
}

/** What a call that did not fail has got. `cached`: from the response cache, without asking the upstream. */
interface Completed {
  readonly data: unknown;
  readonly outcome: 'ok' | 'unchanged' | 'cached' | 'skipped';
}

/** Headers that identify the visitor to the upstream: for calls on the visitor's behalf, and for its limits of other writes. */
async function callerHeaders(
  { caller, method }: CallDefinition,
  { idToken, consumerId }: CallContext,
): Promise<Record<string, string>> {
  const isAnonymousWrite = !caller && method !== 'GET';
  const consumer = (caller === 'visitor' || isAnonymousWrite) &&
    consumerId && { 'X-Consumer-Id': consumerId };
  if (!caller) return { ...consumer };
  const token = await idToken?.();
  return {
    // The standard header and the one that the account service reads.
    ...(token && { Authorization: `Bearer ${token}`, 'x-id-token': token }),
    ...consumer,
  };
}

/** Only responses without user credentials are cached. */
const cacheKey = (name: CallName, { method, caller }: CallDefinition, url: string): string | undefined =>
  method === 'GET' && !caller ? `${name} ${url}` : undefined;

/** The response's data. @throws CallFailure for an error status, ZodError for other data than the call's */
function dataOf(
  name: CallName,
  definition: CallDefinition,
  { status, data }: { readonly status: number; readonly data: unknown },
): unknown {
  if (status >= 300) throw CallFailure.ofResponse(name, status, data);
  return definition.response.parse(data);
}

interface SentCall {
  readonly url: string;
  readonly headers: Record<string, string>;
  readonly context: CallContext;
  readonly signal: AbortSignal;
  readonly onlyIf?: Condition | undefined;
}

function createSender({ baseUrl, trace }: GatewayOptions) {
  const client = createHttpClient(EGRESS.upstream(baseUrl));
  const { adapter, isBatching } = createBatchingAdapter(client, createHttpAdapter(client));
  const http = axios.create({
    baseURL: baseUrl,
    adapter,
    maxContentLength: 32 * 1024 * 1024,
    validateStatus: () => true,
  });
  const send = (definition: CallDefinition, { context, headers, ...request }: SentCall) =>
    http.request<unknown>({
      ...request,
      method: definition.method,
      data: context.body,
      headers: {
        'X-fwd-svc': definition.service,
        'X-Request-Id': context.requestId,
        ...trace?.headers(context.requestId),
        Accept: 'application/json',
        // Compression costs more time than it saves within a network.
        'Accept-Encoding': 'identity',
        // The response's schema restores what an upstream then leaves out.
        ...(definition.method === 'GET' && { Prefer: 'return=minimal' }),
        ...(context.idempotencyKey && { 'Idempotency-Key': context.idempotencyKey }),
        ...headers,
      },
    } as AxiosRequestConfig);
  return { send, isBatching };
}

const conditionOf = (
  { onlyIf }: CallContext,
  calls: Readonly<Record<CallName, CallDefinition>>,
): Condition | undefined =>
  onlyIf && {
    countUrl: callUrl(onlyIf.count, calls[onlyIf.count], onlyIf.countParams, undefined),
    atLeast: onlyIf.atLeast,
  };

/** The result of a call whose condition is not met. */
const skipped = ({ fallback }: CallDefinition): Completed => ({
  data: fallback.kind === 'empty' ? fallback.value : undefined,
  outcome: 'skipped',
});

/** Probes the upstream of a read whose breaker has opened; a write is never repeated. */
function createProber(
  calls: Readonly<Record<CallName, CallDefinition>>,
  policies: Map<string, CallPolicy>,
  send: ReturnType<typeof createSender>['send'],
) {
  const probes = createProbes();
  const context = { requestId: 'breaker-probe' };
  return (name: CallName, params: CallParams | URLSearchParams): void => {
    const definition = calls[name];
    const policy = policies.get(name) as CallPolicy;
    if (definition.method !== 'GET' || !isOpen(policy)) return;
    void probes.start(name, {
      async send() {
        const url = callUrl(name, definition, params, undefined);
        const response = await policy.limit.execute(({ signal }) =>
          send(definition, { url, headers: {}, context, signal }),
        );
        dataOf(name, definition, response);
      },
      isStillOpen: () => policies.get(name) === policy && !isClosed(policy),
      close: () => policies.set(name, createCallPolicy(definition)),
    });
  };
}

/** The response to a failed call: an older response or the call's fallback. Throws the failure if there is neither. */
const fallbackFor =
  (calls: Readonly<Record<CallName, CallDefinition>>, cache: ReturnType<typeof createResponseCache>) =>
  (
    failure: CallFailure,
    name: CallName,
    params: CallParams | URLSearchParams,
    context: CallContext,
  ): { readonly data: unknown; readonly source: ResponseSource } => {
    const definition = calls[name];
    const { fallback } = definition;
    const isRefused = failure.code === 'REFUSED';
    // What the upstream refuses, it has answered.
    if (fallback.kind !== 'required')
      return { data: fallbackOf(fallback, failure), source: isRefused ? 'current' : 'fallback' };
    if (isRefused || !context.acceptsStale) throw failure;
    const key = cacheKey(name, definition, callUrl(name, definition, params, context.consumerId));
    const stale = key === undefined ? undefined : cache.findStale(key);
    if (!stale) throw failure;
    return { data: stale.data, source: 'stale' };
  };

export function createGateway(options: GatewayOptions): Gateway {
  const { calls } = options;
  const policies = new Map(
    Object.entries(calls).map(([name, definition]) => [name, createCallPolicy(definition)] as const),
  );
  const cache = createResponseCache(options.now ?? Date.now);
  const { send, isBatching } = createSender(options);
  const probe = createProber(calls, policies, send);
  const fallback = fallbackFor(calls, cache);
  options.metrics.watchBreakers(() => [...policies].map(([name, policy]) => [name, isClosed(policy)]));

  async function run(
    name: CallName,
    params: CallParams | URLSearchParams,
    context: CallContext,
  ): Promise<Completed> {
    const definition = calls[name];
    const policy = policies.get(name) as CallPolicy;
    const url = callUrl(name, definition, params, context.consumerId);
    const key = cacheKey(name, definition, url);
    const cached = key === undefined ? undefined : cache.find(key);
    if (cached?.isFresh) return { data: cached.data, outcome: 'cached' };
    const onlyIf = conditionOf(context, calls);
    if (context.onlyIf && !isBatching()) {
      const found = await context.onlyIf.found;
      if (found === undefined || found < context.onlyIf.atLeast) return skipped(definition);
    }
    // One trial call at a time; other calls fail at once.
    if (isOnTrial(policy)) throw new CallFailure('BREAKER_OPEN', name, 'the trial call is in progress');
    // A trial call ignores its client's disconnect: its outcome decides for everyone.
    const clientSignal = isClosed(policy) ? context.signal : undefined;

    const fetchOrRevalidate = async ({ signal }: { signal: AbortSignal }): Promise<Completed> => {
      const headers = {
        ...(await callerHeaders(definition, context)),
        ...(cached?.etag && { 'If-None-Match': cached.etag }),
      };
      const response = await send(definition, { url, headers, context, signal, onlyIf });
      cache.observe(response.headers);
      if (response.status === 412 && onlyIf) return skipped(definition);
      if (response.status === 304 && key !== undefined && cached) {
        cache.store(key, cached.data, { etag: cached.etag, ...response.headers });
        return { data: cached.data, outcome: 'unchanged' };
      }
      const data = dataOf(name, definition, response);
      if (key !== undefined) cache.store(key, data, response.headers);
      return { data, outcome: 'ok' };
    };

    return policy.breaker.execute(async () => {
      const startedAt = performance.now();
      try {
        return await policy.limit.execute(fetchOrRevalidate, clientSignal);
      } catch (error) {
        throw toFailure(name, error, clientSignal, performance.now() - startedAt);
      }
    });
  }

  const request: Gateway['request'] = async (name, params, context) => {
    const stop = startCall(options, name, context);
    try {
      const { data, outcome } = await run(name, params, context);
      stop(outcome);
      return { data, source: outcome === 'skipped' ? 'skipped' : 'current' } as never;
    } catch (error) {
      const failure = toFailure(name, error, context.signal, 0);
      const { code, message } = failure;
      stop(code);
      if (code === 'CANCELLED') throw failure;
      options.log({ call: name, code, message, requestId: context.requestId });
      if (isProbeworthy(failure)) probe(name, params);
      return fallback(failure, name, params, context) as never;
    }
  };
  return { request, call: async (name, params, context) => (await request(name, params, context)).data };
}
