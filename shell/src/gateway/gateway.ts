import axios, { type AxiosInstance, isCancel } from 'axios';
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
  handleWhen,
  isBrokenCircuitError,
  SamplingBreaker,
  timeout,
  TimeoutStrategy,
  wrap,
  isTaskCancelledError,
  type IPolicy,
} from 'cockatiel';
import { ZodError } from 'zod';
import { CallFailure } from './callFailure.ts';
import type { GatewayMetrics } from './metrics.ts';

export interface GatewayOptions {
  /** Origin of the upstream. */
  readonly baseUrl: string;
  readonly metrics: GatewayMetrics;
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

/** Fills `{name}` parts of a path from the parameters and leaves the rest as query. */
function addressOf(definition: CallDefinition, params: CallParams | URLSearchParams): string {
  const query = new URLSearchParams(params as Record<string, string>);
  const path = definition.path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = query.get(name) ?? '';
    query.delete(name);
    return encodeURIComponent(value);
  });
  const text = query.toString();
  return text ? `${path}?${text}` : path;
}

/** A visitor who left or sent nonsense says nothing about the upstream's health. */
const countsAsFailure = (error: unknown): boolean =>
  !isCancel(error) && !(error instanceof CallFailure && error.status !== undefined && error.status < 500);

export function createGateway(options: GatewayOptions): Gateway {
  const http: AxiosInstance = axios.create({
    baseURL: options.baseUrl,
    // Only this one host is ever asked: a redirect would leave it.
    maxRedirects: 0,
    maxContentLength: 32 * 1024 * 1024,
    validateStatus: () => true,
    proxy: false,
  });
  const policies = new Map<string, IPolicy>(
    Object.entries<CallDefinition>(CALLS).map(([name, definition]) => [
      name,
      wrap(
        circuitBreaker(handleWhen(countsAsFailure), {
          halfOpenAfter: definition.resetMs,
          breaker: new SamplingBreaker({
            threshold: BREAKER_OPENS.failureShare,
            duration: BREAKER_OPENS.windowMs,
            minimumRps: BREAKER_OPENS.minimumCalls / (BREAKER_OPENS.windowMs / 1000),
          }),
        }),
        timeout(definition.timeoutMs, TimeoutStrategy.Aggressive),
      ),
    ]),
  );

  async function send(
    name: CallName,
    params: CallParams | URLSearchParams,
    context: CallContext,
  ): Promise<unknown> {
    const definition: CallDefinition = CALLS[name];
    const policy = policies.get(name) as IPolicy;
    return policy.execute(async ({ signal }) => {
      const answer = await http.request<unknown>({
        method: definition.method,
        url: addressOf(definition, params),
        data: context.body,
        signal,
        headers: {
          'X-fwd-svc': definition.service,
          'X-Request-Id': context.requestId,
          Accept: 'application/json',
        },
      });
      if (answer.status >= 300) throw CallFailure.ofAnswer(name, answer.status, answer.data);
      return definition.answer.parse(answer.data);
    }, context.signal);
  }

  return {
    async call(name, params, context) {
      const { fallback, path } = CALLS[name] as CallDefinition;
      const stop = options.metrics.start(name);
      try {
        const answer = await send(name, params, context);
        stop('ok');
        return answer as never;
      } catch (error) {
        const failure = toFailure(name, error, context.signal);
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
            : 'Request timed out';
        return { error: text, path } as never;
      }
    },
  };
}

function toFailure(name: string, error: unknown, signal: AbortSignal | undefined): CallFailure {
  if (error instanceof CallFailure) return error;
  if (signal?.aborted || isCancel(error)) return new CallFailure('CANCELLED', name, 'nobody waits any more');
  if (isBrokenCircuitError(error)) return new CallFailure('BREAKER_OPEN', name, 'the breaker is open');
  if (isTaskCancelledError(error)) return new CallFailure('TIMED_OUT', name, 'no answer in time');
  if (error instanceof ZodError) {
    const first = error.issues[0];
    return new CallFailure('INVALID_ANSWER', name, `${first?.path.join('.')}: ${first?.message}`);
  }
  return new CallFailure('UNREACHABLE', name, error instanceof Error ? error.message : String(error));
}
