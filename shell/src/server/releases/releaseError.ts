import type { Refusal } from '@forecourt/shared-contracts/slots/gate';

export type ReleaseErrorCode =
  'REGISTRY_UNREACHABLE' | 'REGISTRY_ANSWER' | 'TOO_LARGE' | 'INTEGRITY' | 'SIGNATURE' | 'NOT_ACCEPTED';

/** Why a release cannot be used. */
export class ReleaseError extends Error {
  override readonly name = 'ReleaseError';
  readonly code: ReleaseErrorCode;
  /** Of NOT_ACCEPTED: every reason. */
  readonly refusals: readonly Refusal[];
  constructor(code: ReleaseErrorCode, message: string, refusals: readonly Refusal[] = []) {
    super(message);
    this.code = code;
    this.refusals = refusals;
  }
}
