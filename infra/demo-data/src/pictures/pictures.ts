import type { BodyStyle } from '@forecourt/marketplace-api/stock';
import type { PicturedVehicle, PictureSource, TileKind } from '@forecourt/marketplace-api/pictures';
import escapeHtml from 'escape-html';
import { catalog } from '../catalog/catalog.ts';
import { type Look, lookOf } from './look.ts';
import { shapeOf } from './modelShapes.ts';
import { renderVehicleSvg } from './draw.ts';
import {
  parsePicturePath,
  PICTURE_ANGLES,
  picturePath,
  TURN_DEGREES,
  UNKNOWN_PAINT,
  type PictureAngle,
  type TurnAngle,
} from './picturePath.ts';

/** Alternative text of each angle. */
const VIEWS: Readonly<Record<PictureAngle, string>> = {
  front: 'front view',
  side: 'side view',
  rear: 'rear view',
  interior: 'interior',
  detail: 'detail of the front',
};

/** Labels of the tiles by name; a certified tile is labelled with its make. */
const TILE_LABELS: Readonly<Record<TileKind, Readonly<Record<string, string>>>> = {
  certified: { 'third-party': 'Third-Party Certified' },
  history: { 'one-owner': 'One Owner', 'no-accidents': 'No Accidents' },
  dealer: { 'home-delivery': 'Home Delivery', 'buy-online': 'Buy Online', 'top-rated': 'Top Rated' },
};
const TILE_COLORS: Readonly<Record<TileKind, string>> = {
  certified: '#0b5d3b',
  history: '#24466f',
  dealer: '#6b3a0f',
};
const CHECK_MARK = 'M5 12.5 9.5 17 19 7.5';
/** px of one character, and the most that a label may take. */
const CHARACTER_WIDTH = 6.4;
const MAX_LABEL_WIDTH = 120;

export const tilePath = (kind: TileKind, name: string): string => `/pictures/tiles/${kind}/${name}.svg`;

function tileLabel(kind: TileKind, name: string): string | undefined {
  const labels = TILE_LABELS[kind];
  if (Object.hasOwn(labels, name)) return labels[name];
  const make = kind === 'certified' ? catalog.findMakeBySlug(name) : undefined;
  return make && `${make.name} Certified`;
}

/** A check mark and a label on a colored plate, 5:1. */
function renderTile(kind: TileKind, name: string): string | undefined {
  const label = tileLabel(kind, name);
  if (!label) return undefined;
  const textLength = Math.min(MAX_LABEL_WIDTH, label.length * CHARACTER_WIDTH);
  return (
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 160 32" role="img">' +
    `<title>${escapeHtml(label)}</title><rect width="160" height="32" rx="6" fill="${TILE_COLORS[kind]}"/>` +
    `<path d="${CHECK_MARK}" transform="translate(2 4)" fill="none" stroke="#fff" stroke-width="2.5" stroke-linecap="round" stroke-linejoin="round"/>` +
    `<text x="32" y="20.5" fill="#fff" font-family="system-ui,sans-serif" font-size="12" font-weight="600" textLength="${textLength}" lengthAdjust="spacingAndGlyphs">${escapeHtml(label)}</text></svg>`
  );
}

/** Steps of the color circle that logos use. */
const HUES = 12;

/** '/pictures/logos/7/lf.svg' for 'Lakeside Ford': the same name always has the same logo. */
export function logoPath(name: string): string | undefined {
  const initials = name
    .split(/[^A-Za-z0-9]+/)
    .filter(Boolean)
    .slice(0, 2)
    .map((word) => word[0])
    .join('')
    .toLowerCase();
  let hue = 0;
  for (const letter of name) hue = (hue * 31 + letter.charCodeAt(0)) % HUES;
  return initials ? `/pictures/logos/${hue}/${initials}.svg` : undefined;
}

/** Initials on a colored square. */
function renderLogo(hue: number, initials: string): string | undefined {
  if (hue >= HUES) return undefined;
  return (
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 96 96" role="img">' +
    `<rect width="96" height="96" rx="16" fill="hsl(${hue * (360 / HUES)} 45% 32%)"/>` +
    `<text x="48" y="62" text-anchor="middle" fill="#fff" font-family="system-ui,sans-serif" font-size="40" font-weight="700">${initials.toUpperCase()}</text></svg>`
  );
}

function renderBadge(path: string): string | undefined {
  const [, kind, name = ''] =
    /^\/pictures\/tiles\/(certified|history|dealer)\/([\w-]+)\.svg$/.exec(path) ?? [];
  if (kind) return renderTile(kind as TileKind, name);
  const [, hue, initials = ''] = /^\/pictures\/logos\/(\d{1,2})\/([a-z0-9]{1,2})\.svg$/.exec(path) ?? [];
  return hue === undefined ? undefined : renderLogo(Number(hue), initials);
}

/** A vehicle whose body style is known. */
type DrawnVehicle = PicturedVehicle & { readonly bodyStyle: BodyStyle };
const isDrawn = (vehicle: PicturedVehicle): vehicle is DrawnVehicle => vehicle.bodyStyle !== undefined;

/** The paths of a vehicle's pictures, by angle. */
function pathsOf({ bodyStyle, make, model, extColor: paint = UNKNOWN_PAINT }: DrawnVehicle, look?: Look) {
  const shape = make && model && shapeOf(make.code, model.code, bodyStyle);
  return (angle: PictureAngle | TurnAngle): string =>
    picturePath({ bodyStyle, shape, paint, angle, ...(look && { look }) });
}

/** Drawings kept in memory, up to 8 KB each. */
const MAX_CACHED = 500;

/** Drawings of every body style, paint and look. */
export function createPictures(): PictureSource {
  const cache = new Map<string, string>();
  return {
    gallery(vehicle) {
      if (!isDrawn(vehicle)) return [];
      const pathOf = pathsOf(vehicle, lookOf(vehicle));
      return PICTURE_ANGLES.map((angle) => ({ src: pathOf(angle), view: VIEWS[angle] }));
    },
    spinFrames(vehicle) {
      if (!isDrawn(vehicle)) return [];
      const pathOf = pathsOf(vehicle);
      return TURN_DEGREES.map((degrees) => ({ degrees, src: pathOf(`turn-${degrees}`) }));
    },
    tile: tilePath,
    logo: logoPath,
    render(path) {
      const key = parsePicturePath(path);
      if (!key) return renderBadge(path);
      const svg = cache.get(path) ?? renderVehicleSvg(key);
      // Spin frames are seldom requested and too many to cache.
      if (!key.angle.startsWith('turn-')) cache.set(path, svg);
      if (cache.size > MAX_CACHED) cache.delete(cache.keys().next().value!);
      return svg;
    },
  };
}
