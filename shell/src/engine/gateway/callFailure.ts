import { isAxiosError, isCancel } from 'axios';
import { isBrokenCircuitError, isTaskCancelledError } from 'cockatiel';
import { z, ZodError } from 'zod';
import type { CallDefinition } from '@forecourt/upstream/callDefinition';
import { messageOf } from '../universal/messageOf.ts';

/** Body of an upstream's error response. */
const errorBodySchema = z.object({ error: z.object({ code: z.string(), message: z.string() }) });

export type CallFailureCode =
  | 'BREAKER_OPEN'
  | 'TIMED_OUT'
  | 'UNREACHABLE'
  | 'INVALID_RESPONSE'
  | 'REFUSED'
  | 'UPSTREAM_ERROR'
  | 'CANCELLED';

/** Why a call failed. `status` and `upstreamCode` come from the upstream's response, if there was one. */
export class CallFailure extends Error {
  override readonly name = 'CallFailure';
  readonly code: CallFailureCode;
  readonly call: string;
  readonly status: number | undefined;
  readonly upstreamCode: string | undefined;

  constructor(code: CallFailureCode, call: string, message: string, status?: number, upstreamCode?: string) {
    super(`${call}: ${message}`);
    this.code = code;
    this.call = call;
    this.status = status;
    this.upstreamCode = upstreamCode;
  }

  /** For a response that is not 2xx: 4xx means a refused request (except 429), others a failing upstream. */
  static ofResponse(call: string, status: number, body: unknown): CallFailure {
    const parsed = errorBodySchema.safeParse(body);
    const message = parsed.success ? parsed.data.error.message : `status ${status}`;
    return new CallFailure(
      status >= 400 && status < 500 && status !== 429 ? 'REFUSED' : 'UPSTREAM_ERROR',
      call,
      message,
      status,
      parsed.success ? parsed.data.error.code : undefined,
    );
  }
}

/** Calls aborted by a slot's deadline count as timeouts only after this time; ms. */
const MIN_TIMEOUT_MS = 250;

/** Whether the other side closed the connection in the middle of an exchange, as a process that ends does. */
export const isLostConnection = (error: unknown): boolean =>
  ['ECONNRESET', 'EPIPE'].includes((error as { code?: string }).code ?? '');

/** Maps an error of axios, cockatiel or zod; `signal`: the client's, `elapsedMs`: the duration of the call. */
export function toFailure(
  name: string,
  error: unknown,
  signal: AbortSignal | undefined,
  elapsedMs: number,
): CallFailure {
  if (error instanceof CallFailure) return error;
  if (isAxiosError(error) && error.response)
    return CallFailure.ofResponse(name, error.response.status, error.response.data);
  if (signal?.aborted) {
    const isDeadline = (signal.reason as Error | undefined)?.name === 'TimeoutError';
    return isDeadline && elapsedMs >= MIN_TIMEOUT_MS
      ? new CallFailure('TIMED_OUT', name, "no response within the slot's deadline")
      : new CallFailure('CANCELLED', name, 'the client disconnected');
  }
  if (isBrokenCircuitError(error)) return new CallFailure('BREAKER_OPEN', name, 'the breaker is open');
  if (isTaskCancelledError(error) || isCancel(error))
    return new CallFailure('TIMED_OUT', name, 'no response in time');
  if (error instanceof ZodError) {
    const first = error.issues[0];
    return new CallFailure('INVALID_RESPONSE', name, `${first?.path.join('.')}: ${first?.message}`);
  }
  return new CallFailure('UNREACHABLE', name, messageOf(error));
}

/** The result of an optional call that failed, with the texts of the error catalogs. */
export function fallbackOf(
  fallback: Exclude<CallDefinition['fallback'], { kind: 'required' }>,
  { code, upstreamCode }: Pick<CallFailure, 'code' | 'upstreamCode'>,
): unknown {
  if (fallback.kind === 'empty') return fallback.value;
  const error =
    code === 'BREAKER_OPEN'
      ? `Circuit Breaker for ${fallback.tail} is open`
      : code === 'TIMED_OUT'
        ? 'Request timed out'
        : 'Request failed';
  return { error, code: upstreamCode ?? code };
}
