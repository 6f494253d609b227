import { Router } from 'express';
import { parsePicturePath } from '../pictures/picturePath.ts';
import { renderVehicleSvg } from '../pictures/renderVehicleSvg.ts';
import { ApiError } from './apiError.ts';

const FOR_EVER = 'public, max-age=31536000, immutable';

/** Pictures of vehicles. There are some hundreds of 8 KB at most, each drawn once. */
export function pictureRoutes(): Router {
  const drawn = new Map<string, string>();
  const router = Router();
  router.get('/pictures/:bodyStyle/:paint/:file', (request, response) => {
    const key = parsePicturePath(request.path);
    if (!key) throw new ApiError(404, 'PICTURE_NOT_FOUND', 'There is no such picture');
    const svg = drawn.get(request.path) ?? renderVehicleSvg(key);
    drawn.set(request.path, svg);
    response
      .set('Cache-Control', FOR_EVER)
      // An SVG opened as a page may neither run nor load anything.
      .set('Content-Security-Policy', "default-src 'none'; style-src 'unsafe-inline'; sandbox")
      .set('Cross-Origin-Resource-Policy', 'cross-origin')
      .type('image/svg+xml')
      .send(svg);
  });
  return router;
}
