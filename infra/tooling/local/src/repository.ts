import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Absolute path of the repository, without a trailing slash. */
export const REPOSITORY = fileURLToPath(new URL('../../../..', import.meta.url)).replace(/[/\\]$/, '');

/** Folder names of all remotes, sorted. */
export const remoteNames = (): string[] =>
  readdirSync(REPOSITORY)
    .filter((name) => name.startsWith('mfe-') && existsSync(join(REPOSITORY, name, 'package.json')))
    .sort();

/** An error whose message says what to do; the troubleshooting page lists the codes. */
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

const DISK_FULL = /\b(ENOSPC|DISK_FULL|STORAGE_FULL|SQLITE_FULL)\b|no space left/i;
const NO_PERMISSION = /\b(EACCES|EPERM|EROFS)\b/;

/** Wraps any error of a step; a full disk and missing permissions get their own codes. */
export function toLocalError(error: unknown, code: LocalErrorCode, place: string): LocalError {
  if (error instanceof LocalError) return error;
  const { message, code: systemCode = '' } = error as NodeJS.ErrnoException;
  const text = `${systemCode} ${message}`;
  if (DISK_FULL.test(text))
    return new LocalError('DISK_FULL', `The disk is full: free some space for ${place} and try again.`);
  if (NO_PERMISSION.test(text))
    return new LocalError(
      'DATA_DIR_REFUSED',
      `No permission to write ${place}: change its owner, or set DATA_DIR to another folder.`,
    );
  return new LocalError(code, message);
}
