import { errorBodySchema } from '@forecourt/shared-contracts/entities';
import { isBrokenCircuitError, isTaskCancelledError } from 'cockatiel';
import { ZodError } from 'zod';
import type { CallDefinition } from '@forecourt/shared-contracts/calls';

export type CallFailureCode =
  | 'BREAKER_OPEN'
  | 'TIMED_OUT'
  | 'UNREACHABLE'
  | 'INVALID_ANSWER'
  | 'REFUSED'
  | 'UPSTREAM_ERROR'
  | 'CANCELLED';

/** Why a call has no answer. `status` and `upstreamCode` are the upstream's own, when it gave any. */
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

  /** An answer that is not 2xx: 4xx means that the upstream refused what it was asked, all else that it is unwell. */
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

/** Calls cut by a slot's deadline count against the upstream only when they had a fair share of it. */
const FAIR_SHARE_MS = 250;

/** Names why a call failed. `elapsedMs` is how long the upstream had. */
export function toFailure(
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

/** What a caller gets whose call may fail, with the texts of the error catalogues (A8-ERR-04, -05, -06; B8-ERR-14). */
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
