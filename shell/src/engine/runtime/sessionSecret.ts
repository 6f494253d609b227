import { randomBytes } from 'node:crypto';
import { linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PRIVATE_FILE, PRIVATE_FOLDER } from '@forecourt/service-kit/privateFiles';

/**
 * The secret of the session cookies: configured, the same for every replica, or in
 * local mode generated on the first start and stored in the data folder, readable
 * by this user only. Throws one line that names the key.
 */
export function readSessionSecret({
  SESSION_SECRET,
  LOCAL_MODE,
  DATA_DIR,
}: {
  readonly SESSION_SECRET?: string | undefined;
  readonly LOCAL_MODE: boolean;
  readonly DATA_DIR: string;
}): string {
  if (SESSION_SECRET !== undefined) return SESSION_SECRET;
  if (!LOCAL_MODE)
    throw new Error('configuration: SESSION_SECRET: is required outside local mode (32 characters or more)');
  mkdirSync(DATA_DIR, { recursive: true, mode: PRIVATE_FOLDER });
  const file = join(DATA_DIR, 'session-secret');
  const draft = `${file}.${process.pid}`;
  const read = () => readFileSync(file, 'utf8').trim();
  try {
    return read();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
  writeFileSync(draft, randomBytes(32).toString('base64url'), { mode: PRIVATE_FILE, flush: true });
  try {
    // Atomic; fails if another process was first.
    linkSync(draft, file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    rmSync(draft, { force: true });
  }
  return read();
}
