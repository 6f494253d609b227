import type { Response } from 'express';
import { Router } from 'express';
import { renderLogoSvg, renderTileSvg } from '../pictures/badges.ts';
import { parsePicturePath } from '../pictures/picturePath.ts';
import { renderVehicleSvg } from '../pictures/renderVehicleSvg.ts';
import { ApiError } from './apiError.ts';

const FOR_EVER = 'public, max-age=31536000, immutable';

function answer(response: Response, svg: string | undefined): void {
  if (svg === undefined) throw new ApiError(404, 'PICTURE_NOT_FOUND', 'There is no such picture');
  response
    .set('Cache-Control', FOR_EVER)
    // An SVG opened as a page may neither run nor load anything.
    .set('Content-Security-Policy', "default-src 'none'; style-src 'unsafe-inline'; sandbox")
    .set('Cross-Origin-Resource-Policy', 'cross-origin')
    .type('image/svg+xml')
    .send(svg);
}

/** Pictures: vehicles (some hundreds of 8 KB at most, each drawn once, and turns, which are looked at more seldom), product tiles, dealers' logos. */
export function pictureRoutes(): Router {
  const drawn = new Map<string, string>();
  const router = Router();
  router.get('/pictures/tiles/:kind/:name.svg', (request, response) => {
    answer(response, renderTileSvg(request.params.kind, request.params.name));
  });
  router.get('/pictures/logos/:hue/:initials.svg', (request, response) => {
    answer(response, renderLogoSvg(request.params.hue, request.params.initials));
  });
  router.get('/pictures/:bodyStyle/:paint/:file', (request, response) => {
    const key = parsePicturePath(request.path);
    const svg = key && (drawn.get(request.path) ?? renderVehicleSvg(key));
    if (svg && !key.angle.startsWith('turn-')) drawn.set(request.path, svg);
    answer(response, svg);
  });
  return router;
}
