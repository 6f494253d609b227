/** An answer other than the one asked for; the body is AMB-174's. */
export class ApiError extends Error {
  readonly status: number;
  /** Stable, for machines. */
  readonly code: string;

  constructor(status: number, code: string, message: string) {
    super(message);
    this.status = status;
    this.code = code;
  }
}
