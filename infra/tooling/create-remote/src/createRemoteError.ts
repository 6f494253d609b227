export type CreateRemoteErrorCode = 'NAME_INVALID' | 'REMOTE_EXISTS' | 'SLOT_TAKEN' | 'REPOSITORY_UNEXPECTED';

/** A refusal before anything is written; the message is one line for the person who called. */
export class CreateRemoteError extends Error {
  override readonly name = 'CreateRemoteError';
  readonly code: CreateRemoteErrorCode;

  constructor(code: CreateRemoteErrorCode, message: string) {
    super(message);
    this.code = code;
  }
}
