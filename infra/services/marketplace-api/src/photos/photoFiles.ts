import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { EncodedPhoto } from './encodePhoto.ts';
import type { PhotoFormat } from '../domain/stock.ts';

interface PhotoFile {
  readonly hash: string;
  /** px */
  readonly width: number;
  readonly format: PhotoFormat;
}

/** Storage of encoded photos, content-addressed: what has a name never changes. */
export interface PhotoFiles {
  write(hash: string, files: EncodedPhoto['files']): Promise<void>;
  /** Undefined for a file that does not exist. */
  read(file: PhotoFile): Promise<Buffer | undefined>;
  remove(hash: string): Promise<void>;
}

/** In a folder per photo below 256 folders: `3f/3f2a…/640.avif`. */
export function createPhotoFolder(root: string): PhotoFiles {
  const folderOf = (hash: string): string => join(root, hash.slice(0, 2), hash);
  return {
    async write(hash, files) {
      const folder = folderOf(hash);
      await mkdir(folder, { recursive: true });
      for (const { width, format, bytes } of files) {
        const path = join(folder, `${width}.${format}`);
        // A reader never sees a part of a file.
        await writeFile(`${path}.part`, bytes);
        await rename(`${path}.part`, path);
      }
    },
    async read({ hash, width, format }) {
      try {
        return await readFile(join(folderOf(hash), `${width}.${format}`));
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
        throw error;
      }
    },
    async remove(hash) {
      await rm(folderOf(hash), { recursive: true, force: true });
    },
  };
}
