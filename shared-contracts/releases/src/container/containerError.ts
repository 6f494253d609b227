/** Which part of a federation container does not work. */
export type ContainerFault =
  /** Its entry does not run, or gives no container. */
  | 'ENTRY'
  /** It takes none of the modules in the share scope `default`. */
  | 'SHARE_SCOPE'
  /** A module that it exposes does not load. */
  | 'MODULE';

export class ContainerError extends Error {
  override readonly name = 'ContainerError';
  readonly fault: ContainerFault;
  constructor(fault: ContainerFault, message: string, cause?: unknown) {
    super(message, { cause });
    this.fault = fault;
  }
}

/** Errors of another context are no instances of this one's `Error`. */
export function messageOfAny(error: unknown): string {
  const { message } = (error ?? {}) as { message?: unknown };
  return typeof message === 'string' ? message : String(error);
}
