import type { z } from 'zod';

/** Every error code of the registry with its HTTP status. */
export const registryErrorStatus = {
  BAD_REQUEST: 400,
  ARCHIVE_INVALID: 400,
  RELEASE_INVALID: 400,
  UNAUTHORIZED: 401,
  WRITE_REFUSED: 403,
  FORBIDDEN: 403,
  NOT_FOUND: 404,
  UNKNOWN_RELEASE: 404,
  UNKNOWN_CREDENTIAL: 404,
  UNKNOWN_KEY: 404,
  NOT_SIGNED: 404,
  RELEASE_EXISTS: 409,
  CREDENTIAL_EXISTS: 409,
  REVISION_CHANGED: 409,
  NO_LIVE_RELEASE: 409,
  NO_CANARY: 409,
  NO_PREVIOUS_RELEASE: 409,
  CANARY_IS_LIVE: 409,
  REMOTE_HELD: 409,
  TOO_LARGE: 413,
  GATE_REFUSED: 422,
  SIGNATURE_INVALID: 422,
  STORAGE_DAMAGED: 500,
  INTERNAL: 500,
  SHELL_UNREACHABLE: 502,
  ISSUER_UNAVAILABLE: 503,
  STORAGE_UNAVAILABLE: 503,
  STORAGE_FULL: 507,
} as const;

export type RegistryErrorCode = keyof typeof registryErrorStatus;

/** An error with a stable code and a one-line message for the caller. */
export class RegistryError extends Error {
  override readonly name = 'RegistryError';
  readonly code: RegistryErrorCode;

  /** Machine-readable fields of the error response besides code and message. */
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

/** Whether a thrown value carries one of these system codes ('ENOENT', …). */
export const hasCode = (error: unknown, ...codes: string[]): boolean =>
  typeof error === 'object' && error !== null && 'code' in error && codes.includes(String(error.code));

/** The issues of a failed parse in one line: `path: message; path: message`. */
export const zodReasons = (error: z.ZodError): string =>
  error.issues
    .map(({ path, message }) => (path.length > 0 ? `${path.join('.')}: ${message}` : message))
    .join('; ');
