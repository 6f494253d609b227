import { randomUUID } from 'node:crypto';
import { open, readdir, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';

/** Windows cannot sync a folder; its file system journals renames. */
const canSyncFolders = process.platform !== 'win32';

/** Makes created, renamed and removed entries of `folder` survive a power failure. */
export async function syncFolder(folder: string): Promise<void> {
  if (!canSyncFolders) return;
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Writes a new file and syncs it to disk. Fails if the file exists. */
export async function writeNewFile(path: string, bytes: Buffer | string, mode = 0o666): Promise<void> {
  const handle = await open(path, 'wx', mode);
  try {
    await handle.writeFile(bytes);
    await handle.sync();
  } finally {
    await handle.close();
  }
}

const DRAFT_FILE = /^\.[0-9a-f-]{36}\.tmp$/;

/** Removes drafts of `replaceFile` in `folder` that a killed process left. Only one process at a time writes a folder. */
export async function removeDrafts(folder: string): Promise<void> {
  for (const name of await readdir(folder))
    if (DRAFT_FILE.test(name)) await rm(join(folder, name), { force: true });
}

/** Replaces a file atomically, also with respect to crashes. */
export async function replaceFile(path: string, bytes: Buffer | string, mode?: number): Promise<void> {
  const folder = dirname(path);
  const draft = join(folder, `.${randomUUID()}.tmp`);
  try {
    await writeNewFile(draft, bytes, mode);
    await rename(draft, path);
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  }
  await syncFolder(folder);
}
