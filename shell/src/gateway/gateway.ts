import axios, { type AxiosInstance, type AxiosResponse } from 'axios';
import {
  CALLS,
  type CallResponses,
  type CallDefinition,
  type CallName,
  type CallParams,
} from '@forecourt/shared-contracts/calls';
import { addressOf } from './address.ts';
import { CallFailure } from './callFailure.ts';
import { createCallPolicy, isClosed, isOnTrial, type CallPolicy } from './callPolicy.ts';
import { fallbackOf } from './fallback.ts';
import { createKeptAnswers } from './keptAnswers.ts';
import type { GatewayMetrics } from './metrics.ts';
import { toFailure } from './toFailure.ts';

export interface GatewayOptions {
  /** Origin of the upstream. */
  readonly baseUrl: string;
  readonly metrics: GatewayMetrics;
  /** Other limits than the table's, for tests. */
  readonly calls?: Readonly<Record<CallName, CallDefinition>>;
  readonly log: (event: { call: string; code: string; message: string; requestId: string }) => void;
  /** ms since any epoch. */
  readonly now?: () => number;
}

export interface CallContext {
  readonly requestId: string;
  /** Aborted when nobody waits for the answer any more. */
  readonly signal?: AbortSignal;
  readonly body?: unknown;
  /** A write that is repeated with it is stored once. */
  readonly idempotencyKey?: string | undefined;
  /** First-party id of the visitor, for calls in a visitor's name. */
  readonly consumerId?: string;
  /** The signed-in visitor's token; none when there is none or it cannot be had. Never rejects. */
  readonly idToken?: () => Promise<string | undefined>;
  /** Told when the upstream was unwell and the call goes on with its fallback. */
  readonly onFallback?: (call: CallName) => void;
}

/** The shell's one door to upstream services. */
export interface Gateway {
  /**
   * Runs one call of the table. Optional calls never reject for upstream
   * reasons: they answer their fallback. Required ones reject with CallFailure.
   * Answers may be shared: nobody changes them.
   */
  readonly call: <N extends CallName>(
    name: N,
    params: CallParams | URLSearchParams,
    context: CallContext,
  ) => Promise<CallResponses[N]>;
}

/** Who the upstream is told that the call is for; nothing where it is nobody's business. */
async function callerHeaders(
  { caller }: CallDefinition,
  { idToken, consumerId }: CallContext,
): Promise<Record<string, string>> {
  if (!caller) return {};
  const token = await idToken?.();
  return {
    // Both names of it: the standard's and the one of the account service (A7-BOOK-02, AMB-104).
    ...(token && { Authorization: `Bearer ${token}`, 'x-id-token': token }),
    ...(caller === 'visitor' && consumerId && { 'X-Consumer-Id': consumerId }),
  };
}

/** Reads about a visitor name the consumer in their query too (AMB-178, AMB-179, AMB-181); nobody asks for another's. */
function withConsumer(
  { caller, method }: CallDefinition,
  params: CallParams | URLSearchParams,
  { consumerId }: CallContext,
): URLSearchParams {
  const query = new URLSearchParams(params);
  if (caller !== 'visitor' || method !== 'GET') return query;
  query.delete('consumerId');
  if (consumerId) query.set('consumerId', consumerId);
  return query;
}

interface Answered {
  readonly answer: unknown;
  readonly outcome: 'ok' | 'unchanged' | 'kept';
}

export function createGateway(options: GatewayOptions): Gateway {
  const calls: Readonly<Record<CallName, CallDefinition>> = options.calls ?? CALLS;
  const http: AxiosInstance = axios.create({
    baseURL: options.baseUrl,
    // Only this one host is ever asked: a redirect would leave it.
    maxRedirects: 0,
    maxContentLength: 32 * 1024 * 1024,
    validateStatus: () => true,
    proxy: false,
  });
  const policies = new Map(
    Object.entries(calls).map(([name, definition]) => [name, createCallPolicy(definition)] as const),
  );
  const kept = createKeptAnswers(options.now ?? Date.now);
  options.metrics.watchBreakers(() => [...policies].map(([name, policy]) => [name, isClosed(policy)]));

  async function request(
    definition: CallDefinition,
    url: string,
    context: CallContext,
    headers: Record<string, string>,
    signal: AbortSignal,
  ): Promise<AxiosResponse<unknown>> {
    return http.request<unknown>({
      method: definition.method,
      url,
      data: context.body,
      signal,
      headers: {
        'X-fwd-svc': definition.service,
        'X-Request-Id': context.requestId,
        Accept: 'application/json',
        // The upstream is next door: packing and unpacking would cost more than it saves.
        'Accept-Encoding': 'identity',
        ...(context.idempotencyKey && { 'Idempotency-Key': context.idempotencyKey }),
        ...headers,
      },
    });
  }

  async function send(
    name: CallName,
    params: CallParams | URLSearchParams,
    context: CallContext,
  ): Promise<Answered> {
    const definition = calls[name];
    const policy = policies.get(name) as CallPolicy;
    const url = addressOf(name, definition, withConsumer(definition, params, context));
    // An answer to somebody is nobody else's.
    const key = definition.method === 'GET' && !definition.caller ? `${name} ${url}` : undefined;
    const known = key === undefined ? undefined : kept.find(key);
    if (known?.isFresh) return { answer: known.answer, outcome: 'kept' };
    // One trial decides; whoever comes meanwhile need not wait for it.
    if (isOnTrial(policy)) throw new CallFailure('BREAKER_OPEN', name, 'its trial call is under way');
    // A trial goes on when its visitor leaves: its outcome is everybody's.
    const leaving = isClosed(policy) ? context.signal : undefined;
    return policy.breaker.execute(async () => {
      const startedAt = performance.now();
      try {
        return await policy.limit.execute(async ({ signal }): Promise<Answered> => {
          const headers = {
            ...(await callerHeaders(definition, context)),
            ...(known?.etag && { 'If-None-Match': known.etag }),
          };
          const answer = await request(definition, url, context, headers, signal);
          if (answer.status === 304 && key !== undefined && known) {
            kept.keep(key, known.answer, { etag: known.etag, ...answer.headers });
            return { answer: known.answer, outcome: 'unchanged' };
          }
          if (answer.status >= 300) throw CallFailure.ofAnswer(name, answer.status, answer.data);
          const parsed: unknown = definition.response.parse(answer.data);
          if (key !== undefined) kept.keep(key, parsed, answer.headers);
          return { answer: parsed, outcome: 'ok' };
        }, leaving);
      } catch (error) {
        throw toFailure(name, error, leaving, performance.now() - startedAt);
      }
    });
  }

  return {
    async call(name, params, context) {
      const stop = options.metrics.start(name);
      try {
        const { answer, outcome } = await send(name, params, context);
        stop(outcome);
        return answer as never;
      } catch (error) {
        const failure = toFailure(name, error, context.signal, 0);
        const { code, message } = failure;
        stop(code);
        if (code === 'CANCELLED') throw failure;
        options.log({ call: name, code, message, requestId: context.requestId });
        const { fallback } = calls[name];
        if (fallback.kind === 'required') throw failure;
        if (code !== 'REFUSED') context.onFallback?.(name);
        return fallbackOf(fallback, failure) as never;
      }
    },
  };
}
