import { type Body, BODIES } from './bodies.data.ts';
import { lit, mix, definitions } from './materials.ts';
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

/** What is seen through the windshield, by place. */
const VIEWS_AHEAD = [
  { sky: '#d9e6ee', hills: '#a9bcae', road: '#9aa3a9' },
  { sky: '#f3ddc6', hills: '#b7a487', road: '#a39a92' },
  { sky: '#b9c4e0', hills: '#7d86a8', road: '#83889a' },
  { sky: '#e9edf0', hills: '#c3cbd2', road: '#adb4ba' },
  { sky: '#cfe3f1', hills: '#7f9f76', road: '#8f9699' },
  { sky: '#dcdfe0', hills: '#b4b9bb', road: '#9ea3a6' },
] as const;

/** Upholstery: dark, gray, light and brown. */
const CABINS = [
  { seats: '#3d4248', cushions: '#474d54', plastic: '#2a2e33' },
  { seats: '#767d84', cushions: '#878e95', plastic: '#3b4046' },
  { seats: '#bfae97', cushions: '#d0c1ac', plastic: '#4a443d' },
  { seats: '#6d4a36', cushions: '#7f5942', plastic: '#33291f' },
] as const;

/** The view from the rear bench: dashboard, wheel, screen and front seats. Tall bodies sit upright. */
function drawInterior(body: Body, paint: string, look: Look): string {
  const roof = Math.max(...body.cabin.map(([, y]) => y));
  const isTall = roof > 1.6;
  const dash = isTall ? 330 : 310;
  const trim = mix(paint, '#8a8f95', 0.35);
  const { sky, hills, road } = VIEWS_AHEAD[look.place]!;
  const { seats, cushions, plastic } = CABINS[look.cabin]!;
  const pillar = (flip: string): string =>
    `<path d="M0 0H${isTall ? 92 : 118}L${isTall ? 150 : 176} ${dash + 4}V${dash + 40}H0Z" fill="#3a3f45" ${flip}/>`;
  const seat = (x: number): string =>
    `<g transform="translate(${x} 0)"><rect x="-38" y="${dash - 42}" width="76" height="58" rx="18" fill="${seats}"/>` +
    `<path d="M-24 ${dash + 12}h10v28h-10zm38 0h10v28h-10z" fill="#8c939a"/>` +
    `<path d="M-92 600C-104 ${dash + 150}-92 ${dash + 70}-74 ${dash + 42}Q-66 ${dash + 30} 0 ${dash + 30}T74 ${dash + 42}C92 ${dash + 70} 104 ${dash + 150} 92 600Z" fill="${seats}"/>` +
    `<path d="M-52 600C-60 ${dash + 160}-52 ${dash + 84}-44 ${dash + 58}H44C52 ${dash + 84} 60 ${dash + 160} 52 600Z" fill="${cushions}"/>` +
    `<path d="M-50 ${dash + 130}H50M-52 ${dash + 190}H52" stroke="#3a3f45" stroke-width="3"/></g>`;
  return (
    `<rect width="800" height="600" fill="${sky}"/>` +
    `<path d="M0 ${dash - 66}Q200 ${dash - 120} 400 ${dash - 96}T800 ${dash - 88}V${dash + 10}H0Z" fill="${hills}"/>` +
    `<path d="M250 ${dash}L390 ${dash - 92}H410L600 ${dash}Z" fill="${road}"/>` +
    `<path d="M0 0H800V46Q400 ${body.cockpit ? 18 : 82} 0 46Z" fill="${body.cockpit ? lit(paint, -0.1) : '#4a5056'}"/>` +
    pillar('') +
    pillar('transform="matrix(-1 0 0 1 800 0)"') +
    '<rect x="344" y="62" width="112" height="34" rx="12" fill="#24282c"/><rect x="350" y="67" width="100" height="24" rx="8" fill="#8fa3b0"/>' +
    `<path d="M0 ${dash + 8}Q130 ${dash - 34} 400 ${dash - 34}T800 ${dash + 8}V600H0Z" fill="${plastic}"/>` +
    `<path d="M0 ${dash + 46}Q170 ${dash + 8} 400 ${dash + 8}T800 ${dash + 46}V${dash + 74}Q620 ${dash + 36} 400 ${dash + 36}T0 ${dash + 74}Z" fill="${trim}"/>` +
    `<rect x="158" y="${dash - 40}" width="176" height="58" rx="26" fill="#1a1d20"/>` +
    `<circle cx="205" cy="${dash - 10}" r="20" fill="none" stroke="#7fb4d6" stroke-width="3"/><circle cx="287" cy="${dash - 10}" r="20" fill="none" stroke="#7fb4d6" stroke-width="3"/>` +
    `<rect x="352" y="${dash - 62}" width="126" height="78" rx="9" fill="#101316" stroke="#3f454b" stroke-width="3"/>` +
    `<path d="M362 ${dash - 2}L392 ${dash - 36}L420 ${dash - 20}L468 ${dash - 50}" fill="none" stroke="#4d8fd1" stroke-width="4"/>` +
    `<circle cx="420" cy="${dash - 20}" r="6" fill="#fff"/>` +
    [0, 1]
      .map(
        (side) =>
          `<rect x="${side ? 632 : 60}" y="${dash + 12}" width="92" height="20" rx="6" fill="#15181b" transform="rotate(${side ? 5 : -5} ${side ? 678 : 106} ${dash + 22})"/>`,
      )
      .join('') +
    `<path d="M352 ${dash + 62}H470L494 600H330Z" fill="#222529"/><rect x="386" y="${dash + 92}" width="52" height="66" rx="14" fill="#33383d"/><rect x="402" y="${dash + 78}" width="20" height="52" rx="9" fill="#8c939a"/>` +
    `<ellipse cx="246" cy="${dash + 34}" rx="104" ry="96" fill="none" stroke="#17191c" stroke-width="20"/><ellipse cx="246" cy="${dash + 34}" rx="104" ry="96" fill="none" stroke="#3d4248" stroke-width="4"/>` +
    `<path d="M146 ${dash + 40}H200M292 ${dash + 40}H346M246 ${dash + 76}V${dash + 126}" stroke="#1c1f23" stroke-width="20"/>` +
    `<rect x="196" y="${dash + 8}" width="100" height="66" rx="26" fill="#262a2e"/><circle cx="246" cy="${dash + 40}" r="15" fill="${trim}"/>` +
    seat(188) +
    seat(612)
  );
}

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
    `<g stroke-linejoin="round" stroke-linecap="round">${draw(body, color, angle, look)}</g></svg>`
  );
}

/** Fittings of a rugged trim. */
const fitted = (body: Body, { trim }: Look): Body =>
  trim === 2 ? { ...body, rim: 'rugged', cladding: true, roofRails: !body.cockpit && !body.bed } : body;

const mirrored = (drawing: string): string => `<g transform="matrix(-1 0 0 1 800 0)">${drawing}</g>`;

function draw(body: Body, color: string, angle: PictureAngle | TurnAngle, look: Look): string {
  if (isTurn(angle)) return drawTurn(body, color, Number(angle.slice(TURN.length)));
  switch (angle) {
    case 'interior':
      return drawInterior(body, color, look);
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
