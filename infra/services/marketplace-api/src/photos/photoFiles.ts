import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { EncodedPhoto } from './photoEncoder.ts';
import { type PhotoFormat, PHOTO_FORMATS, type StockPhoto } from '../domain/stock.ts';
import { Router } from 'express';
import { ApiError } from '../http/middleware.ts';

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

const IMMUTABLE = 'public, max-age=31536000, immutable';

/** '/pictures/photos/3f2a…-640' */
const photoPath = (hash: string, width: number): string => `/pictures/photos/${hash}-${width}`;

/** The variant that pages name first; `widths` are those that can stand in its place. */
export const defaultPhotoPath = ({ hash, widths }: StockPhoto): string =>
  photoPath(hash, widths.find((width) => width >= 640) ?? widths.at(-1)!);

/** The best format that the request accepts. Browsers without AVIF get WebP. */
const formatFor = (accept: string | undefined): PhotoFormat =>
  PHOTO_FORMATS.find((format) => accept?.includes(`image/${format}`)) ?? 'webp';

/** Serves stored photos; one URL in two formats, because a page with both would name each photo twice. */
export function photoRoutes(files: PhotoFiles): Router {
  const router = Router();
  router.get('/pictures/photos/:name', async (request, response) => {
    const [, hash, width] = /^([0-9a-f]{32})-(\d{2,4})$/.exec(request.params.name) ?? [];
    const format = formatFor(request.headers.accept);
    const bytes = hash && (await files.read({ hash, width: Number(width), format }));
    if (!bytes) throw new ApiError(404, 'PICTURE_NOT_FOUND', 'Picture not found');
    response
      .set({
        'Cache-Control': IMMUTABLE,
        Vary: 'Accept',
        'Content-Security-Policy': "default-src 'none'; sandbox",
        'Cross-Origin-Resource-Policy': 'cross-origin',
      })
      .type(`image/${format}`)
      .send(bytes);
  });
  return router;
}
