import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { Parser, type ReadEntry, create } from 'tar';
import { RegistryError, hasCode } from './registryError.ts';
import { MANIFEST_FILE, MAX_RELEASE_BYTES, MAX_RELEASE_FILES, type ReleaseUpload } from './releaseFiles.ts';
import { lstat, readFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { execFile } from 'node:child_process';
import { z } from 'zod';

/** Header of an upload: the commit that the release was built from. */
export const COMMIT_HEADER = 'release-commit';

/** Hash of a commit, with `-dirty` if tracked files had changed since. */
export const commitSchema = z.string().regex(/^[0-9a-f]{40,64}(?:-dirty)?$/, 'must be the hash of a commit');

const run = promisify(execFile);

/** The commit checked out around `directory`; undefined outside a Git repository and without Git. */
export async function commitOf(directory: string): Promise<string | undefined> {
  const git = async (...words: string[]) =>
    (await run('git', ['-C', directory, ...words], { timeout: 10_000 })).stdout.trim();
  try {
    const changes = await git('status', '--porcelain', '--untracked-files=no');
    const commit = `${await git('rev-parse', 'HEAD')}${changes === '' ? '' : '-dirty'}`;
    return commitSchema.safeParse(commit).data;
  } catch {
    // Publishing does not depend on Git.
    return undefined;
  }
}

const unzip = promisify(gunzip);

/** tar pads each file to 512 bytes and adds up to four headers per file, then pads the end. */
const MAX_ARCHIVE_BYTES = MAX_RELEASE_BYTES + (MAX_RELEASE_FILES + 1) * 4 * 512 + 20 * 512;

/** First bytes of gzip and zstd. */
const COMPRESSED = [Buffer.from([0x1f, 0x8b]), Buffer.from([0x28, 0xb5, 0x2f, 0xfd])];

const invalid = (message: string, cause?: unknown) =>
  new RegistryError('ARCHIVE_INVALID', message, { cause });

/**
 * Gzipped tar of `release.json` and the named files, for `PUT /api/releases/…`.
 * @param paths below `directory`, checked by the caller
 */
export async function packArchive(directory: string, paths: readonly string[]): Promise<Buffer> {
  const pack = create({ cwd: directory, gzip: true, portable: true, noMtime: true }, [
    MANIFEST_FILE,
    ...paths,
  ]);
  return Buffer.from(await pack.concat());
}

async function unzipWithinLimit(archive: Buffer): Promise<Buffer> {
  let tarBytes: Buffer;
  try {
    // Stops a decompression bomb: zlib gives up at the limit.
    tarBytes = await unzip(archive, { maxOutputLength: MAX_ARCHIVE_BYTES });
  } catch (error) {
    if (hasCode(error, 'ERR_BUFFER_TOO_LARGE')) {
      throw new RegistryError('TOO_LARGE', `the archive unpacks to more than ${MAX_RELEASE_BYTES} bytes`);
    }
    throw invalid('the body is not a gzip archive', error);
  }
  // The parser would decompress it without a limit: 400 bytes block the process for minutes.
  if (COMPRESSED.some((magic) => tarBytes.subarray(0, magic.length).equals(magic)))
    throw invalid('the archive is compressed twice');
  return tarBytes;
}

function readEntries(tarBytes: Buffer): Promise<Map<string, Buffer>> {
  return new Promise((resolve, reject) => {
    const files = new Map<string, Buffer>();
    const pending: Promise<void>[] = [];

    const take = (entry: ReadEntry): void => {
      if (entry.type === 'Directory') {
        entry.resume();
        return;
      }
      const path = entry.path.replace(/^(?:\.\/)+/, '');
      if (entry.type !== 'File' && entry.type !== 'OldFile') {
        parser.abort(invalid(`'${path}' is a ${entry.type}; a release holds plain files only`));
      } else if (files.has(path)) {
        parser.abort(invalid(`'${path}' occurs twice in the archive`));
      } else if (files.size > MAX_RELEASE_FILES) {
        parser.abort(new RegistryError('TOO_LARGE', `more than ${MAX_RELEASE_FILES} files in one release`));
      } else {
        files.set(path, Buffer.alloc(0));
        pending.push(entry.concat().then((bytes) => void files.set(path, Buffer.from(bytes))));
        return;
      }
      entry.resume();
    };

    const parser = new Parser({ strict: true, onReadEntry: take });
    const fail = (error: unknown) =>
      reject(
        error instanceof RegistryError ? error : invalid('the body is not a readable tar archive', error),
      );
    parser.on('error', fail);
    parser.on('end', () => void Promise.all(pending).then(() => resolve(files), fail));
    parser.end(tarBytes);
  });
}

/**
 * Unpacks an upload in memory. Nothing is written to disk before the release is
 * verified, so a path in the archive is only a map key.
 * @throws RegistryError ARCHIVE_INVALID (also for links and devices) or TOO_LARGE
 */
export async function unpackArchive(archive: Buffer): Promise<ReleaseUpload> {
  const files = await readEntries(await unzipWithinLimit(archive));
  const manifestBytes = files.get(MANIFEST_FILE);
  if (!manifestBytes) throw invalid(`the archive has no ${MANIFEST_FILE}`);
  files.delete(MANIFEST_FILE);
  return { manifestBytes, files };
}

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
