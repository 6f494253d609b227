import { type Body, BODIES } from './bodies.data.ts';
import { definitions } from './materials.ts';
import { drawInterior } from './interior.ts';
import { type Interior, INTERIORS } from './interiors.data.ts';
import { drawExterior } from './exterior.ts';
import { extentOfTurn, type Camera, type Frame } from './geometry.ts';
import {
  TURN_DEGREES,
  UNKNOWN_PAINT,
  type PictureAngle,
  type PictureOptions,
  type TurnAngle,
} from './picturePath.ts';
import { type Look, PLAIN_LOOK } from './look.ts';
import { COLORS } from '@forecourt/marketplace-api/labels';

const cameraAt = (degrees: number): Camera => ({ azimuth: 90 - degrees, elevation: 8, distance: 10 });
const TURN_FRAME: Frame = { left: 40, right: 760, top: 70, bottom: 520 };

/**
 * A vehicle on a turntable, with one scale and position in all pictures. The
 * passenger side is the mirrored driver side, because the models are symmetric.
 */
function drawTurn(body: Body, paint: string, degrees: number): string {
  const isFarSide = degrees > 180;
  const extent = extentOfTurn(body, TURN_DEGREES.filter((each) => each <= 180).map(cameraAt));
  const drawing = drawExterior(
    body,
    paint,
    cameraAt(isFarSide ? 360 - degrees : degrees),
    TURN_FRAME,
    extent,
  );
  return isFarSide ? mirrored(drawing) : drawing;
}

/** Cameras of the main picture; the second half of the stands are on the other side of the vehicle. */
const STANDS: readonly Camera[] = [
  { azimuth: 43, elevation: 8, distance: 10 },
  { azimuth: 33, elevation: 6, distance: 10 },
  { azimuth: 52, elevation: 11, distance: 11 },
  { azimuth: 26, elevation: 9, distance: 14 },
];
const CAMERAS: Readonly<Record<Exclude<PictureAngle, 'front' | 'interior' | 'detail'>, Camera>> = {
  side: { azimuth: 0, elevation: 1.5, distance: 40 },
  rear: { azimuth: -52, elevation: 9, distance: 10 },
};
const FRAME: Frame = { left: 62, right: 738, top: 110, bottom: 486 };
/** The detail view zooms in on the front corner. */
const CLOSE_UP: Camera = { azimuth: 24, elevation: 6, distance: 10 };
const CLOSE_UP_FRAME: Frame = { left: 60, right: 1500, top: -160, bottom: 520 };

/**
 * Draws a vehicle, 4:3, as an SVG document below 8 KB. All angles are drawn from
 * one model in three dimensions.
 */
export function renderVehicleSvg({
  bodyStyle,
  shape,
  paint,
  angle,
  look = PLAIN_LOOK,
}: PictureOptions): string {
  const body = fitted(shape?.body ?? BODIES[bodyStyle], look);
  const color = /^#[0-9a-f]{6}$/i.test(paint)
    ? paint
    : ((COLORS[paint] ?? COLORS[UNKNOWN_PAINT])?.hex ?? '#6d737a');
  return (
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 800 600">' +
    `<defs>${definitions(body, color, look)}</defs><rect width="800" height="600" fill="url(#k)"/>` +
    `<g stroke-linejoin="round" stroke-linecap="round">${draw(body, color, angle, look, shape?.interior ?? INTERIORS[bodyStyle])}</g></svg>`
  );
}

/** Fittings of a rugged trim. */
const fitted = (body: Body, { trim }: Look): Body =>
  trim === 2 ? { ...body, rim: 'rugged', cladding: true, roofRails: !body.cockpit && !body.bed } : body;

const mirrored = (drawing: string): string => `<g transform="matrix(-1 0 0 1 800 0)">${drawing}</g>`;

function draw(
  body: Body,
  color: string,
  angle: PictureAngle | TurnAngle,
  look: Look,
  interior: Interior,
): string {
  if (isTurn(angle)) return drawTurn(body, color, Number(angle.slice(TURN.length)));
  switch (angle) {
    case 'interior':
      return drawInterior({ interior, isOpen: body.cockpit !== undefined, paint: color }, look);
    case 'detail':
      return drawExterior(body, color, CLOSE_UP, CLOSE_UP_FRAME);
    case 'front': {
      const drawing = drawExterior(body, color, STANDS[look.stand % STANDS.length]!, FRAME);
      return look.stand >= STANDS.length ? mirrored(drawing) : drawing;
    }
    default:
      return drawExterior(body, color, CAMERAS[angle], FRAME);
  }
}

const TURN = 'turn-';
const isTurn = (angle: PictureAngle | TurnAngle): angle is TurnAngle => angle.startsWith(TURN);
