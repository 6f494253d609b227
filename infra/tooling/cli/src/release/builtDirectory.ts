import { lstat, readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { hasCode, RegistryError } from './errors.ts';
import { MANIFEST_FILE, MAX_RELEASE_BYTES, MAX_RELEASE_FILES, type ReleaseUpload } from './format.ts';

/** The folders of a build that belong to the release; other files are not published. */
const RELEASE_FOLDERS = ['web', 'node'];

async function readPlainFile(directory: string, path: string): Promise<Buffer> {
  const location = join(directory, path);
  // A link could put any file of the builder's disk into a public release.
  const stats = await lstat(location);
  if (!stats.isFile()) throw new RegistryError('RELEASE_INVALID', `'${path}' is not a plain file`);
  if (stats.size > MAX_RELEASE_BYTES) {
    throw new RegistryError('TOO_LARGE', `'${path}' alone has ${stats.size} bytes`);
  }
  return readFile(location);
}

async function listFiles(directory: string, folder: string): Promise<string[]> {
  const entries = await readdir(join(directory, folder), { withFileTypes: true });
  const nested = await Promise.all(
    entries.map(async (entry) => {
      const path = `${folder}/${entry.name}`;
      return entry.isDirectory() ? listFiles(directory, path) : [path];
    }),
  );
  return nested.flat();
}

const isAbsent = (error: unknown): boolean => hasCode(error, 'ENOENT', 'ENOTDIR');

/**
 * Reads a build from `directory`: `release.json`, `web/` and `node/`.
 * @throws RegistryError RELEASE_INVALID when there is no build, or a link in it
 */
export async function readBuiltDirectory(directory: string): Promise<ReleaseUpload> {
  let manifestBytes: Buffer;
  try {
    manifestBytes = await readPlainFile(directory, MANIFEST_FILE);
  } catch (error) {
    if (!isAbsent(error)) throw error;
    throw new RegistryError(
      'RELEASE_INVALID',
      `no ${MANIFEST_FILE} in ${directory}: build the remote first`,
      {
        cause: error,
      },
    );
  }
  const paths: string[] = [];
  for (const folder of RELEASE_FOLDERS) {
    paths.push(
      ...(await listFiles(directory, folder).catch((error: unknown) => {
        if (isAbsent(error)) return [];
        throw error;
      })),
    );
  }
  if (paths.length > MAX_RELEASE_FILES) {
    throw new RegistryError('TOO_LARGE', `more than ${MAX_RELEASE_FILES} files in ${directory}`);
  }
  const files = new Map<string, Buffer>();
  for (const path of paths.sort()) files.set(path, await readPlainFile(directory, path));
  return { manifestBytes, files };
}
