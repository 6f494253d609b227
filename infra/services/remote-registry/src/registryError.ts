/** Code of every error the registry answers with, and the HTTP status it travels under. */
export const registryErrorStatus = {
  BAD_REQUEST: 400,
  ARCHIVE_INVALID: 400,
  RELEASE_INVALID: 400,
  UNAUTHORIZED: 401,
  WRITE_REFUSED: 403,
  NOT_FOUND: 404,
  UNKNOWN_RELEASE: 404,
  RELEASE_EXISTS: 409,
  REVISION_CHANGED: 409,
  NO_LIVE_RELEASE: 409,
  NO_CANARY: 409,
  NO_PREVIOUS_RELEASE: 409,
  CANARY_IS_LIVE: 409,
  TOO_LARGE: 413,
  GATE_REFUSED: 422,
  STORAGE_DAMAGED: 500,
  INTERNAL: 500,
  SHELL_UNREACHABLE: 502,
  STORAGE_FULL: 507,
} as const;

export type RegistryErrorCode = keyof typeof registryErrorStatus;

/** A refusal with a stable code; the message is one line for the person who called. */
export class RegistryError extends Error {
  override readonly name = 'RegistryError';
  readonly code: RegistryErrorCode;

  /** What travels beside code and message, for programs. */
  readonly details: object;

  constructor(
    code: RegistryErrorCode,
    message: string,
    options?: ErrorOptions & { readonly details?: object },
  ) {
    super(message, options);
    this.code = code;
    this.details = options?.details ?? {};
  }

  get status(): number {
    return registryErrorStatus[this.code];
  }
}
