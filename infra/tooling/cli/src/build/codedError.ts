/** A failure with a stable code; its message has cause and remedy in one line. */
export class CodedError extends Error {
  override readonly name = 'CodedError';
  readonly code: string;
  constructor(code: string, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}
