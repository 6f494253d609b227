import type { CallFailure } from './callFailure.ts';
import type { CallDefinition } from '@forecourt/shared-contracts/calls';

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
