import type { BodyStyle } from '@forecourt/shared-contracts/entities/codes';
import { COLORS } from '../catalogue/labels.ts';
import { BODIES, type Body } from './bodies.ts';
import { definitions } from './definitions.ts';
import { drawExterior } from './exterior.ts';
import type { Camera, Frame } from './geometry.ts';
import { drawInterior } from './interior.ts';
import { UNKNOWN_PAINT, type PictureAngle, type TurnAngle } from './picturePath.ts';
import { drawTurn } from './turn.ts';

export interface PictureOptions {
  readonly bodyStyle: BodyStyle;
  /** A colour code, or a colour of the form '#rrggbb'. */
  readonly paint: string;
  readonly angle: PictureAngle | TurnAngle;
}

const CAMERAS: Readonly<Record<Exclude<PictureAngle, 'interior' | 'detail'>, Camera>> = {
  'front-three-quarter': { azimuth: 43, elevation: 8, distance: 10 },
  side: { azimuth: 0, elevation: 1.5, distance: 40 },
  rear: { azimuth: -52, elevation: 9, distance: 10 },
};
const FRAME: Frame = { left: 62, right: 738, top: 110, bottom: 486 };
/** The detail looks closer at the front corner. */
const CLOSE_UP: Camera = { azimuth: 24, elevation: 6, distance: 10 };
const CLOSE_UP_FRAME: Frame = { left: 60, right: 1500, top: -160, bottom: 520 };

/**
 * Draws a vehicle, 4:3, as an SVG document below 8 KB. Every picture comes
 * from one model of the body style, so that all angles show the same car.
 */
export function renderVehicleSvg({ bodyStyle, paint, angle }: PictureOptions): string {
  const body = BODIES[bodyStyle];
  const color = /^#[0-9a-f]{6}$/i.test(paint)
    ? paint
    : ((COLORS[paint] ?? COLORS[UNKNOWN_PAINT])?.hex ?? '#6d737a');
  return (
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 800 600">' +
    `<defs>${definitions(body, color)}</defs><rect width="800" height="600" fill="url(#k)"/>` +
    `<g stroke-linejoin="round" stroke-linecap="round">${draw(body, color, angle)}</g></svg>`
  );
}

function draw(body: Body, color: string, angle: PictureAngle | TurnAngle): string {
  if (isTurn(angle)) return drawTurn(body, color, Number(angle.slice(TURN.length)));
  switch (angle) {
    case 'interior':
      return drawInterior(body, color);
    case 'detail':
      return drawExterior(body, color, CLOSE_UP, CLOSE_UP_FRAME);
    default:
      return drawExterior(body, color, CAMERAS[angle], FRAME);
  }
}

const TURN = 'turn-';
const isTurn = (angle: PictureAngle | TurnAngle): angle is TurnAngle => angle.startsWith(TURN);
