import { chmodSync, statSync } from 'node:fs';

/** Modes of data: only the process's own user reads them. Given explicitly, because commands run under any umask. */
export const PRIVATE_FILE = 0o600;
export const PRIVATE_FOLDER = 0o700;

/** Permissions of the group and of others. */
const OTHERS = 0o077;

/**
 * Closes a service's folder below the data directory to other users, if an earlier release or a restored backup left it open.
 * That protects everything below it. Does nothing without the folder, or for one of another user.
 */
export function tightenFolder(path: string): void {
  const found = statSync(path, { throwIfNoEntry: false });
  if (!found?.isDirectory() || (found.mode & OTHERS) === 0 || found.uid !== process.getuid?.()) return;
  chmodSync(path, PRIVATE_FOLDER);
}
