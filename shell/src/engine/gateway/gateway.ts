import type { CallName, CallParams, CallResponse } from '@forecourt/slots/calls';
import type { AxiosAdapter } from 'axios';
import type { CallDefinition } from '@forecourt/upstream/callDefinition';
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
import type { Condition } from './callBatches.ts';
import { callUrl } from './callUrl.ts';
import { type CallTrace, type GatewayMetrics, startCall } from './gatewayMetrics.ts';
import { createResponseCache } from './responseCache.ts';
import { createResponseParser } from './responseParser.ts';
import { createUpstreamClient } from './upstreamClient.ts';

export interface GatewayOptions {
  /** Origin of the upstream. */
  readonly baseUrl: string;
  readonly metrics: GatewayMetrics;
  /** The table of calls. */
  readonly calls: Readonly<Record<CallName, CallDefinition>>;
  /** Without it nothing is traced. */
  readonly trace?: CallTrace | undefined;
  readonly log: (event: { call: string; code: string; message: string; requestId: string }) => void;
  /** Sends requests; default: axios' own HTTP. */
  readonly send?: AxiosAdapter;
  /** Parses responses by the table; gateways that share it compile its schemas once. */
  readonly parse?: ReturnType<typeof createResponseParser>;
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
async function credentialsOf(
  { caller, method }: CallDefinition,
  { idToken, consumerId }: CallContext,
): Promise<Record<string, string>> {
  const isAnonymousWrite = !caller && method !== 'GET';
  const consumer = (caller === 'visitor' || isAnonymousWrite) &&
    consumerId && { 'X-Consumer-Id': consumerId };
  const token = caller && (await idToken?.());
  return {
    // The standard header and the one that the account service reads.
    ...(token && { Authorization: `Bearer ${token}`, 'x-id-token': token }),
    ...consumer,
  };
}

/** Only responses without user credentials are cached. */
const cacheKey = (name: CallName, { method, caller }: CallDefinition, url: string): string | undefined =>
  method === 'GET' && !caller ? `${name} ${url}` : undefined;

interface SentCall {
  readonly url: string;
  readonly context: CallContext;
  readonly signal: AbortSignal;
  readonly etag?: string | undefined;
  readonly onlyIf?: Condition | undefined;
}

/** Sends calls. Rejects with AxiosError for a status other than 2xx, 304 to an etag, and 412 to a condition. */
const createSender =
  ({ http }: Pick<ReturnType<typeof createUpstreamClient>, 'http'>) =>
  (definition: CallDefinition, { url, context, signal, etag, onlyIf }: SentCall) =>
    http.request<unknown>({
      url,
      method: definition.method,
      data: context.body,
      signal,
      onlyIf,
      requestId: context.requestId,
      ...((definition.caller || definition.method !== 'GET') && {
        credentials: () => credentialsOf(definition, context),
      }),
      validateStatus: (status) =>
        status < 300 || (status === 304 && etag !== undefined) || (status === 412 && onlyIf !== undefined),
      headers: {
        'X-fwd-svc': definition.service,
        ...(etag && { 'If-None-Match': etag }),
        ...(context.idempotencyKey && { 'Idempotency-Key': context.idempotencyKey }),
      },
    });

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
  { send, parse }: { send: ReturnType<typeof createSender>; parse: ReturnType<typeof createResponseParser> },
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
        await policy.attempt.execute(async ({ signal }) =>
          parse(name, (await send(definition, { url, context, signal })).data),
        );
      },
      isStillOpen: () => policies.get(name) === policy && !isClosed(policy),
      close: () => policies.set(name, createCallPolicy(name, definition)),
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
    Object.entries(calls).map(([name, definition]) => [name, createCallPolicy(name, definition)] as const),
  );
  const cache = createResponseCache(options.now ?? Date.now);
  const upstream = createUpstreamClient(options.baseUrl, options);
  const send = createSender(upstream);
  const { parse = createResponseParser(calls) } = options;
  const probe = createProber(calls, policies, { send, parse });
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
    if (context.onlyIf && !upstream.isBatching()) {
      const found = await context.onlyIf.found;
      if (found === undefined || found < context.onlyIf.atLeast) return skipped(definition);
    }
    // One trial call at a time; other calls fail at once.
    if (isOnTrial(policy)) throw new CallFailure('BREAKER_OPEN', name, 'the trial call is in progress');
    // A trial call ignores its client's disconnect: its outcome decides for everyone.
    const clientSignal = isClosed(policy) ? context.signal : undefined;

    const fetchOrRevalidate = async ({ signal }: { signal: AbortSignal }): Promise<Completed> => {
      const response = await send(definition, { url, context, signal, etag: cached?.etag, onlyIf });
      cache.observe(response.headers);
      if (response.status === 412 && onlyIf) return skipped(definition);
      if (response.status === 304 && key !== undefined && cached) {
        cache.store(key, cached.data, { etag: cached.etag, ...response.headers });
        return { data: cached.data, outcome: 'unchanged' };
      }
      const data = parse(name, response.data);
      if (key !== undefined) cache.store(key, data, response.headers);
      return { data, outcome: 'ok' };
    };

    return policy.guarded.execute(fetchOrRevalidate, clientSignal);
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
