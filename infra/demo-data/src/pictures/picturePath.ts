import { BODY_STYLES } from '@forecourt/upstream/codes';
import { type BodyStyle } from '@forecourt/marketplace-api/stock';
import { type Look, lookCode, parseLook, PLAIN_LOOK } from './look.ts';
import { COLORS } from '@forecourt/marketplace-api/labels';
import { type ModelShape, shapeNamed } from './modelShapes.ts';

/** In gallery order; the first is the main picture. */
export const PICTURE_ANGLES = ['front', 'side', 'rear', 'interior', 'detail'] as const;
export type PictureAngle = (typeof PICTURE_ANGLES)[number];
/** A picture of the turn around the vehicle, by its degrees. */
export type TurnAngle = `turn-${number}`;

export interface PictureKey {
  readonly bodyStyle: BodyStyle;
  /** Of a model of the catalog; the body style's own shape without one. */
  readonly shape?: ModelShape | undefined;
  /** A color code. */
  readonly paint: string;
  readonly angle: PictureAngle | TurnAngle;
  readonly look: Look;
}

/** A picture in the plain look, unless told. */
export type PictureOptions = Omit<PictureKey, 'look'> & Partial<Pick<PictureKey, 'look'>>;

/** Paint of vehicles of unknown color. */
export const UNKNOWN_PAINT = 'GRAY';

/** '/pictures/ford-f150/blue/side-71320.svg', or 'trucks' for a model that the catalog lacks; without the number in the plain look. */
export function picturePath({ bodyStyle, shape, paint, angle, look = PLAIN_LOOK }: PictureOptions): string {
  const knownPaint = paint in COLORS ? paint : UNKNOWN_PAINT;
  return `/pictures/${shape?.name ?? bodyStyle.toLowerCase()}/${knownPaint.toLowerCase()}/${[angle, lookCode(look)].filter(Boolean).join('-')}.svg`;
}

/**
 * Parses the path of a picture; undefined for any other path. The set of
 * pictures is finite, so that each can be cached forever.
 */
export function parsePicturePath(path: string): PictureKey | undefined {
  const [, name = '', paint = '', angle = '', code = ''] =
    /^\/pictures\/([a-z\d.-]+)\/([a-z]+)\/([a-z-]+|turn-\d+)(?:-(\d{5}))?\.svg$/.exec(path) ?? [];
  const look = parseLook(code);
  const shape = shapeNamed(name);
  const bodyStyle = shape?.bodyStyle ?? name.toUpperCase();
  const color = paint.toUpperCase();
  return look && isBodyStyle(bodyStyle) && Object.hasOwn(COLORS, color) && isAngle(angle)
    ? { bodyStyle, ...(shape && { shape }), paint: color, angle, look }
    : undefined;
}

function isBodyStyle(code: string): code is BodyStyle {
  return Object.hasOwn(BODY_STYLES, code);
}

/** An angle of the gallery or of the turn. */
function isAngle(text: string): text is PictureAngle | TurnAngle {
  return (
    PICTURE_ANGLES.some((angle) => angle === text) ||
    TURN_DEGREES.some((degrees) => `turn-${degrees}` === text)
  );
}

/** Degrees from one picture of a turn to the next. */
const TURN_STEP = 15;

/** Places of the turn: 0 is the front, 90 the driver's side, 180 the rear. */
export const TURN_DEGREES = Array.from({ length: 360 / TURN_STEP }, (_, index) => index * TURN_STEP);
