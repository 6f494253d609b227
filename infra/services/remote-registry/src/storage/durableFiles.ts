import { randomUUID } from 'node:crypto';
import { open, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';

/** Windows cannot open a folder to sync it; its file system journals renames by itself. */
const canSyncFolders = process.platform !== 'win32';

/** Makes names created, renamed or removed in `folder` survive a power cut. */
export async function syncFolder(folder: string): Promise<void> {
  if (!canSyncFolders) return;
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Writes a new file and waits until its bytes are on the disk. Fails if the file exists. */
export async function writeNewFile(path: string, bytes: Buffer | string): Promise<void> {
  const handle = await open(path, 'wx');
  try {
    await handle.writeFile(bytes);
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Replaces a file in one step: a reader, or a crash, finds the old bytes or the new ones, never a mixture. */
export async function replaceFile(path: string, bytes: Buffer | string): Promise<void> {
  const folder = dirname(path);
  const draft = join(folder, `.${randomUUID()}.tmp`);
  try {
    await writeNewFile(draft, bytes);
    await rename(draft, path);
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  }
  await syncFolder(folder);
}
