export type CompatErrorCode = 'UNKNOWN_REF' | 'BUILD_FAILED' | 'INSTALL_FAILED' | 'HOST_FAILED';

/** The comparison failed, so nothing is known about compatibility. */
export class CompatError extends Error {
  override readonly name = 'CompatError';
  readonly code: CompatErrorCode;

  constructor(code: CompatErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}
