import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { create, Parser, type ReadEntry } from 'tar';
import { hasCode, RegistryError } from './errors.ts';
import { MANIFEST_FILE, MAX_RELEASE_BYTES, MAX_RELEASE_FILES, type ReleaseUpload } from './format.ts';

const unzip = promisify(gunzip);

/** tar pads each file to 512 bytes and adds up to four headers per file, then pads the end. */
const MAX_ARCHIVE_BYTES = MAX_RELEASE_BYTES + (MAX_RELEASE_FILES + 1) * 4 * 512 + 20 * 512;

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
  try {
    // Stops a decompression bomb: zlib gives up at the limit.
    return await unzip(archive, { maxOutputLength: MAX_ARCHIVE_BYTES });
  } catch (error) {
    if (hasCode(error, 'ERR_BUFFER_TOO_LARGE')) {
      throw new RegistryError('TOO_LARGE', `the archive unpacks to more than ${MAX_RELEASE_BYTES} bytes`);
    }
    throw invalid('the body is not a gzip archive', error);
  }
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
    parser.on('error', (error: unknown) =>
      reject(
        error instanceof RegistryError ? error : invalid('the body is not a readable tar archive', error),
      ),
    );
    parser.on('end', () => void Promise.all(pending).then(() => resolve(files), reject));
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
