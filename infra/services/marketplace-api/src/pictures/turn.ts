import type { Body } from './bodies.ts';
import { drawExterior } from './exterior.ts';
import { extentOfTurn, type Camera, type Frame } from './geometry.ts';

/** Degrees from one picture of a turn to the next. */
export const TURN_STEP = 15;
/** Places of the turn: 0 is the front, 90 the driver's side, 180 the rear. */
export const TURN_DEGREES = Array.from({ length: 360 / TURN_STEP }, (_, index) => index * TURN_STEP);

const cameraAt = (degrees: number): Camera => ({ azimuth: 90 - degrees, elevation: 8, distance: 10 });
const FRAME: Frame = { left: 40, right: 760, top: 70, bottom: 520 };

/**
 * A vehicle on a turntable: one scale and one place in all pictures. The
 * passenger's side is the mirrored driver's side, for the models are alike on
 * both; nothing of them reads.
 */
export function drawTurn(body: Body, paint: string, degrees: number): string {
  const isFarSide = degrees > 180;
  const extent = extentOfTurn(body, TURN_DEGREES.filter((each) => each <= 180).map(cameraAt));
  const drawing = drawExterior(body, paint, cameraAt(isFarSide ? 360 - degrees : degrees), FRAME, extent);
  return isFarSide ? `<g transform="matrix(-1 0 0 1 800 0)">${drawing}</g>` : drawing;
}
