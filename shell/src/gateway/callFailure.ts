import { errorBodySchema } from '@forecourt/shared-contracts/entities';

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
  static ofAnswer(call: string, status: number, body: unknown): CallFailure {
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
