import { Router } from 'express';
import { ApiError } from '../http/middleware.ts';
import { PHOTO_FORMATS, type PhotoFormat, type StockPhoto } from '../domain/stock.ts';
import type { PhotoFiles } from './photoFiles.ts';

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
