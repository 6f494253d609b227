import type { BodyStyle } from '../../domain/stock.ts';
import { type Request, type Response, Router } from 'express';
import { ApiError } from '../../http/middleware.ts';

/** What a picture shows of a vehicle. */
export interface PicturedVehicle {
  /** Missing where it is unknown; such a vehicle has no drawing. */
  readonly bodyStyle?: BodyStyle;
  /** Vehicles of one model look alike. */
  readonly make?: { readonly code: string };
  readonly model?: { readonly code: string };
  /** Color code; missing where it is unknown. */
  readonly extColor?: string;
  readonly intColor?: string;
  /** Pictures of different listings differ. */
  readonly id?: string;
  readonly trim?: { readonly name: string };
}

export type TileKind = 'certified' | 'history' | 'dealer';

/** Pictures of vehicles, badges and sellers, addressed by paths below /pictures. */
export interface PictureSource {
  /** Pictures of a vehicle in display order, the main one first; empty without any. */
  gallery(vehicle: PicturedVehicle): readonly { readonly src: string; readonly view: string }[];
  /** Frames of the 360° view; empty without one. */
  spinFrames(vehicle: PicturedVehicle): readonly { readonly degrees: number; readonly src: string }[];
  /** Image of a small tile on a card. */
  tile(kind: TileKind, name: string): string | undefined;
  logo(sellerName: string): string | undefined;
  /** The SVG document at a path; undefined for an unknown path. */
  render(path: string): string | undefined;
}

const IMMUTABLE = 'public, max-age=31536000, immutable';

/** Serves vehicle pictures, product tiles and dealer logos. */
export function pictureRoutes(pictures: PictureSource): Router {
  const router = Router();
  const send = (request: Request, response: Response): void => {
    const svg = pictures.render(request.path);
    if (svg === undefined) throw new ApiError(404, 'PICTURE_NOT_FOUND', 'Picture not found');
    response
      .set('Cache-Control', IMMUTABLE)
      // An SVG opened as a page must not run scripts or load anything.
      .set('Content-Security-Policy', "default-src 'none'; style-src 'unsafe-inline'; sandbox")
      .set('Cross-Origin-Resource-Policy', 'cross-origin')
      .type('image/svg+xml')
      .send(svg);
  };
  // Separate routes, because the request metrics are labelled by route.
  router.get('/pictures/tiles/:kind/:name.svg', send);
  router.get('/pictures/logos/:hue/:initials.svg', send);
  router.get('/pictures/:shape/:paint/:file', send);
  return router;
}
