import { isBrokenCircuitError, isTaskCancelledError } from 'cockatiel';
import { ZodError } from 'zod';
import { CallFailure } from './callFailure.ts';

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
