import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Bucket } from '@forecourt/service-kit/bucket';
import { Router } from 'express';
import { type PhotoFormat, PHOTO_FORMATS, type StockPhoto } from '../../domain/stock.ts';
import { ApiError } from '../../http/middleware.ts';
import type { EncodedPhoto } from './photoEncoder.ts';
import { PRIVATE_FILE, PRIVATE_FOLDER, tightenFolder } from '@forecourt/service-kit/privateFiles';

interface PhotoFile {
  readonly hash: string;
  /** px */
  readonly width: number;
  readonly format: PhotoFormat;
}

/** Storage of encoded photos, content-addressed: what has a name never changes. */
export interface PhotoFiles {
  /** Repeatable; a reader sees each file completely or not at all. */
  write(hash: string, files: EncodedPhoto['files']): Promise<void>;
  /** Undefined for a file that does not exist. */
  read(file: PhotoFile): Promise<Buffer | undefined>;
  /** Repeatable; does nothing for a photo that does not exist. */
  remove(hash: string): Promise<void>;
}

/** '3f/3f2a…': few entries per folder. */
const pathOf = (hash: string): string => `${hash.slice(0, 2)}/${hash}`;

/** In a folder per photo below 256 folders: `3f/3f2a…/640.avif`. */
export function createPhotoFolder(root: string): PhotoFiles {
  const folderOf = (hash: string): string => join(root, pathOf(hash));
  tightenFolder(root);
  return {
    async write(hash, files) {
      const folder = folderOf(hash);
      await mkdir(folder, { recursive: true, mode: PRIVATE_FOLDER });
      for (const { width, format, bytes } of files) {
        const path = join(folder, `${width}.${format}`);
        // A reader never sees a part of a file.
        await writeFile(`${path}.part`, bytes, { mode: PRIVATE_FILE });
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

/** The bucket refuses, or does not respond in time. */
export class PhotosUnavailable extends Error {
  readonly code = 'PHOTOS_UNAVAILABLE';
}

/** ms; a shell waits 5 s for a picture. */
const READ_MS = 3_000;

/**
 * In a bucket that several inventories may share, under the keys of the folder. Each inventory that has a photo marks it by
 * an object, `3f/3f2a…/uses/<inventory>`; the last one to remove it deletes its files. @throws PhotosUnavailable
 */
export function createPhotoBucket(bucket: Bucket, inventory: string, readMs = READ_MS): PhotoFiles {
  async function guarded<T>(task: string, hash: string, work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      const place = bucket.urlOf(pathOf(hash));
      throw new PhotosUnavailable(`${place} could not be ${task}: ${reason}`, { cause: error });
    }
  }
  const useOf = (hash: string): string => `${pathOf(hash)}/uses/${inventory}`;
  return {
    write: (hash, files) =>
      guarded('written', hash, async () => {
        // First: from now on no other inventory deletes the files.
        await bucket.put(useOf(hash), inventory, 'text/plain');
        await Promise.all(
          files.map(({ width, format, bytes }) =>
            bucket.put(`${pathOf(hash)}/${width}.${format}`, bytes, `image/${format}`),
          ),
        );
      }),
    read: ({ hash, width, format }) =>
      guarded('read', hash, () => bucket.readBytes(`${pathOf(hash)}/${width}.${format}`, readMs)),
    remove: (hash) =>
      guarded('removed', hash, async () => {
        await bucket.remove(useOf(hash));
        const files: string[] = [];
        for await (const { key } of bucket.list(`${pathOf(hash)}/`)) {
          if (key.startsWith(`${pathOf(hash)}/uses/`)) return;
          files.push(key);
        }
        await Promise.all(files.map((key) => bucket.remove(key)));
      }),
  };
}

const IMMUTABLE = 'public, max-age=31536000, immutable';

/** '/pictures/photos/3f2a…-640' */
const photoPath = (hash: string, width: number): string => `/pictures/photos/${hash}-${width}`;

/** The variant that pages name first; `widths` are those that can stand in its place. */
export const defaultPhotoPath = ({ hash, widths }: StockPhoto): string =>
  photoPath(hash, widths.find((width) => width >= 640) ?? widths.at(-1)!);

/** What accepts each format: not `q=0`, which refuses it (RFC 9110, 12.4.2). */
const ACCEPTS = PHOTO_FORMATS.map(
  (format) => [format, new RegExp(`image/${format}(?!\\s*;\\s*q=0(?:\\.0*)?\\s*(?:,|$))`)] as const,
);

/** The best format that the request accepts. Browsers without AVIF get WebP. */
const formatFor = (accept = ''): PhotoFormat =>
  ACCEPTS.find(([, pattern]) => pattern.test(accept))?.[0] ?? 'webp';

/** Whether an If-None-Match header names a tag; caches may have weakened it (RFC 9110, 13.1.2). */
const namesTag = (header: string | undefined, etag: string): boolean =>
  header?.split(',').some((tag) => tag.trim().replace(/^W\//, '') === etag) ?? false;

/** Serves stored photos; one URL in two formats, because a page with both would name each photo twice. */
export function photoRoutes(files: PhotoFiles): Router {
  const router = Router();
  router.get('/pictures/photos/:name', async (request, response) => {
    const [, hash, width] = /^([0-9a-f]{32})-(\d{2,4})$/.exec(request.params.name) ?? [];
    if (hash === undefined) throw new ApiError(404, 'PICTURE_NOT_FOUND', 'Picture not found');
    const format = formatFor(request.headers.accept);
    const etag = `"${hash}-${width}.${format}"`;
    const headers = {
      'Cache-Control': IMMUTABLE,
      ETag: etag,
      Vary: 'Accept',
      'Content-Security-Policy': "default-src 'none'; sandbox",
      'Cross-Origin-Resource-Policy': 'cross-origin',
    };
    // What has this name never changes: not even the storage is asked.
    if (namesTag(request.headers['if-none-match'], etag)) return void response.set(headers).status(304).end();
    const bytes = await files.read({ hash, width: Number(width), format });
    if (!bytes) throw new ApiError(404, 'PICTURE_NOT_FOUND', 'Picture not found');
    return void response.set(headers).type(`image/${format}`).send(bytes);
  });
  return router;
}
