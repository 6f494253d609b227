/** What went wrong, in one line that says what to do; the troubleshooting page lists the codes. */
export class LocalError extends Error {
  override readonly name = 'LocalError';
  readonly code: LocalErrorCode;

  constructor(code: LocalErrorCode, message: string) {
    super(message);
    this.code = code;
  }
}

export type LocalErrorCode =
  | 'CONFIGURATION_INVALID'
  | 'PORT_TAKEN'
  | 'DATA_DIR_IN_USE'
  | 'DATA_DIR_REFUSED'
  | 'DISK_FULL'
  | 'BUILD_FAILED'
  | 'DATABASE_FAILED'
  | 'PUBLISH_FAILED'
  | 'SERVICE_FAILED'
  | 'STOPPED';

const FULL = /\b(ENOSPC|DISK_FULL|STORAGE_FULL|SQLITE_FULL)\b|no space left/i;
const REFUSED = /\b(EACCES|EPERM|EROFS)\b/;

/** Any failure of a step as one of ours: a full disk or a refused folder is said as such, wherever it showed. */
export function toLocalError(error: unknown, code: LocalErrorCode, place: string): LocalError {
  if (error instanceof LocalError) return error;
  const { message, code: systemCode = '' } = error as NodeJS.ErrnoException;
  const text = `${systemCode} ${message}`;
  if (FULL.test(text))
    return new LocalError('DISK_FULL', `The disk is full: make room for ${place} and run again.`);
  if (REFUSED.test(text))
    return new LocalError(
      'DATA_DIR_REFUSED',
      `No right to write ${place}: change its owner, or set DATA_DIR to another folder.`,
    );
  return new LocalError(code, message);
}
