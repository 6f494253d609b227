import axios, { type AxiosInstance } from 'axios';
import {
  CALLS,
  type CallAnswers,
  type CallDefinition,
  type CallName,
  type CallParams,
} from '@forecourt/shared-contracts/calls';
import { BREAKER_OPENS } from '@forecourt/shared-contracts/rules';
import {
  circuitBreaker,
  CircuitState,
  handleWhen,
  isBrokenCircuitError,
  isTaskCancelledError,
  SamplingBreaker,
  timeout,
  TimeoutStrategy,
} from 'cockatiel';
import { ZodError } from 'zod';
import { CallFailure } from './callFailure.ts';
import type { GatewayMetrics } from './metrics.ts';

export interface GatewayOptions {
  /** Origin of the upstream. */
  readonly baseUrl: string;
  readonly metrics: GatewayMetrics;
  /** Other limits than the table's, for tests. */
  readonly calls?: Readonly<Record<CallName, CallDefinition>>;
  readonly log: (event: { call: string; code: string; message: string; requestId: string }) => void;
}

export interface CallContext {
  readonly requestId: string;
  /** Aborted when nobody waits for the answer any more. */
  readonly signal?: AbortSignal;
  readonly body?: unknown;
}

/** The shell's one door to upstream services. */
export interface Gateway {
  /**
   * Runs one call of the table. Optional calls never reject for upstream
   * reasons: they answer their fallback. Required ones reject with CallFailure.
   */
  readonly call: <N extends CallName>(
    name: N,
    params: CallParams | URLSearchParams,
    context: CallContext,
  ) => Promise<CallAnswers[N]>;
}

/**
 * Fills `{name}` parts of a path from the parameters and leaves the rest as
 * query. A part that would be another path ('', '.', '..') is refused as the
 * upstream would refuse what it cannot find.
 */
function addressOf(call: string, definition: CallDefinition, params: CallParams | URLSearchParams): string {
  const query = new URLSearchParams(params);
  const path = definition.path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = query.get(name) ?? '';
    query.delete(name);
    if (/^\.{0,2}$/.test(value))
      throw new CallFailure('REFUSED', call, `no ${name} is called '${value}'`, 404);
    return encodeURIComponent(value);
  });
  const text = query.toString();
  return text ? `${path}?${text}` : path;
}

/** A visitor who left or asked for nonsense says nothing about the upstream's health. */
const countsAsFailure = (error: unknown): boolean =>
  !(
    error instanceof CallFailure &&
    (error.code === 'CANCELLED' || (error.status !== undefined && error.status >= 400 && error.status < 500))
  );

/** Calls cut by a slot's deadline count against the upstream only when they had a fair share of it. */
const FAIR_SHARE_MS = 250;

/** cockatiel opens above its threshold, the table says from the share on (AMB-168). */
const JUST_BELOW = 1e-6;

/** There is nothing left to abort when a call has ended. */
const LIMIT_OPTIONS = { strategy: TimeoutStrategy.Aggressive, abortOnReturn: false };

function createPolicy(definition: CallDefinition) {
  const breaker = circuitBreaker(handleWhen(countsAsFailure), {
    halfOpenAfter: definition.resetMs,
    breaker: new SamplingBreaker({
      threshold: BREAKER_OPENS.failureShare - JUST_BELOW,
      duration: BREAKER_OPENS.windowMs,
      minimumRps: BREAKER_OPENS.minimumCalls / (BREAKER_OPENS.windowMs / 1000),
    }),
  });
  return { breaker, limit: timeout(definition.timeoutMs, LIMIT_OPTIONS) };
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
    Object.entries(calls).map(([name, definition]) => [name, createPolicy(definition)] as const),
  );

  async function send(
    name: CallName,
    params: CallParams | URLSearchParams,
    context: CallContext,
  ): Promise<unknown> {
    const definition = calls[name];
    const { breaker, limit } = policies.get(name) as ReturnType<typeof createPolicy>;
    const url = addressOf(name, definition, params);
    const isClosed = breaker.state === CircuitState.Closed;
    // One trial decides; whoever comes meanwhile need not wait for it.
    if (breaker.state === CircuitState.HalfOpen)
      throw new CallFailure('BREAKER_OPEN', name, 'its trial call is under way');
    return breaker.execute(async () => {
      const startedAt = performance.now();
      // A trial goes on when its visitor leaves: its outcome is everybody's.
      const leaving = isClosed ? context.signal : undefined;
      try {
        return await limit.execute(async ({ signal }) => {
          const answer = await http.request<unknown>({
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
            },
          });
          if (answer.status >= 300) throw CallFailure.ofAnswer(name, answer.status, answer.data);
          return definition.answer.parse(answer.data);
        }, leaving);
      } catch (error) {
        throw toFailure(name, error, leaving, performance.now() - startedAt);
      }
    });
  }

  return {
    async call(name, params, context) {
      const { fallback, path } = calls[name];
      const stop = options.metrics.start(name);
      try {
        const answer = await send(name, params, context);
        stop('ok');
        return answer as never;
      } catch (error) {
        const failure = toFailure(name, error, context.signal, 0);
        stop(failure.code);
        if (failure.code === 'CANCELLED') throw failure;
        options.log({
          call: name,
          code: failure.code,
          message: failure.message,
          requestId: context.requestId,
        });
        if (fallback.kind === 'required') throw failure;
        if (fallback.kind === 'empty') return fallback.value as never;
        const text =
          failure.code === 'BREAKER_OPEN'
            ? `Circuit Breaker for ${fallback.tail} is open`
            : failure.code === 'TIMED_OUT'
              ? 'Request timed out'
              : 'Request failed';
        return { error: text, path } as never;
      }
    },
  };
}

/** `elapsedMs` is how long the upstream had. */
function toFailure(
  name: string,
  error: unknown,
  signal: AbortSignal | undefined,
  elapsedMs: number,
): CallFailure {
  if (error instanceof CallFailure) return error;
  if (signal?.aborted) {
    const isDeadline = (signal.reason as Error | undefined)?.name === 'TimeoutError';
    return isDeadline && elapsedMs >= FAIR_SHARE_MS
      ? new CallFailure('TIMED_OUT', name, "no answer within its slot's deadline")
      : new CallFailure('CANCELLED', name, 'nobody waits any more');
  }
  if (isBrokenCircuitError(error)) return new CallFailure('BREAKER_OPEN', name, 'the breaker is open');
  if (isTaskCancelledError(error)) return new CallFailure('TIMED_OUT', name, 'no answer in time');
  if (error instanceof ZodError) {
    const first = error.issues[0];
    return new CallFailure('INVALID_ANSWER', name, `${first?.path.join('.')}: ${first?.message}`);
  }
  return new CallFailure('UNREACHABLE', name, error instanceof Error ? error.message : String(error));
}
