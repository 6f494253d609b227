import { describe, expect, it } from '@jest/globals';
import { BODY_STYLES } from '@forecourt/shared-contracts/entities/codes';
import { type BodyStyle } from '@forecourt/marketplace-api/stock';
import { COLORS } from '@forecourt/marketplace-api/labels';
import {
  parsePicturePath,
  PICTURE_ANGLES,
  picturePath,
  type PictureKey,
  TURN_DEGREES,
} from './picturePath.ts';
import { renderVehicleSvg } from './draw.ts';

const STYLES = Object.keys(BODY_STYLES) as BodyStyle[];
const EVERY_PICTURE: PictureKey[] = STYLES.flatMap((bodyStyle) =>
  Object.keys(COLORS).flatMap((paint) => PICTURE_ANGLES.map((angle) => ({ bodyStyle, paint, angle }))),
);

describe('vehicle pictures', () => {
  it('renders well-formed pictures below 8 KB for every body style, paint and angle', () => {
    for (const key of EVERY_PICTURE) {
      const svg = renderVehicleSvg(key);
      expect(svg.length).toBeLessThan(8 * 1024);
      expect(svg).not.toMatch(/NaN|undefined|Infinity/);
      expect((svg.match(/<g[ >]/g) ?? []).length).toBe((svg.match(/<\/g>/g) ?? []).length);
      expect(svg).not.toMatch(/<script|on\w+=|href="(?!#)/);
    }
  });

  it('renders few elements and none that requires its own compositing layer', () => {
    for (const key of EVERY_PICTURE) {
      const svg = renderVehicleSvg(key);
      expect((svg.match(/<[a-z]/gi) ?? []).length).toBeLessThan(90);
      expect(svg).not.toMatch(/<filter|<mask|<clipPath| opacity=/i);
    }
  });

  it('renders a different, reproducible picture for each body style, paint and angle', () => {
    const pictures = EVERY_PICTURE.filter(({ angle }) => angle !== 'interior').map(renderVehicleSvg);
    expect(new Set(pictures).size).toBe(pictures.length);
    const hero: PictureKey = { bodyStyle: 'TRUCKS', paint: 'BLUE', angle: 'front-three-quarter' };
    expect(renderVehicleSvg(hero)).toBe(renderVehicleSvg(hero));
  });

  it('renders an unknown color in the neutral paint', () => {
    const drawn = renderVehicleSvg({ bodyStyle: 'SEDAN', paint: 'CHAMELEON', angle: 'side' });
    expect(drawn).toBe(renderVehicleSvg({ bodyStyle: 'SEDAN', paint: 'GRAY', angle: 'side' }));
  });
});

describe('the turn around a vehicle', () => {
  const turn = (bodyStyle: BodyStyle, degrees: number) =>
    renderVehicleSvg({ bodyStyle, paint: 'BLUE', angle: `turn-${degrees}` });

  it('renders a different well-formed picture below 8 KB for every angle of the turn', () => {
    for (const bodyStyle of STYLES) {
      const pictures = TURN_DEGREES.map((degrees) => turn(bodyStyle, degrees));
      for (const svg of pictures) {
        expect(svg.length).toBeLessThan(8 * 1024);
        expect(svg).not.toMatch(/NaN|undefined|Infinity/);
      }
      expect(new Set(pictures).size).toBe(TURN_DEGREES.length);
    }
  });

  it('keeps one scale throughout the turn', () => {
    for (const bodyStyle of STYLES) {
      const wheelbase = (degrees: number) => {
        const [front = 0, rear = 0] = [
          ...turn(bodyStyle, degrees).matchAll(/href="#w" transform="matrix\(([^)]+)/g),
        ].map(([, matrix = '']) => Number(matrix.split(' ')[4]));
        return Math.abs(rear - front);
      };
      const places = TURN_DEGREES.filter((degrees) => degrees > 0 && degrees < 180);
      expect(Math.max(...places.map(wheelbase))).toBeCloseTo(wheelbase(90), 0);
      expect(wheelbase(45)).toBeLessThan(wheelbase(90) * 0.85);
    }
  });

  it('mirrors the near side for the far side', () => {
    const inner = (svg: string) =>
      svg.slice(svg.indexOf('stroke-linecap="round">') + 23, -'</g></svg>'.length);
    expect(inner(turn('SUV', 300))).toBe(
      `<g transform="matrix(-1 0 0 1 800 0)">${inner(turn('SUV', 60))}</g>`,
    );
  });

  it('maps paths of the turn to its own angles only', () => {
    expect(parsePicturePath('/pictures/suv/blue/turn-345.svg')).toEqual({
      bodyStyle: 'SUV',
      paint: 'BLUE',
      angle: 'turn-345',
    });
    for (const name of ['turn-360', 'turn-7', 'turn-015', 'turn--15', 'turn-1e1', 'turn-'])
      expect(parsePicturePath(`/pictures/suv/blue/${name}.svg`)).toBeUndefined();
  });
});

describe('picture paths', () => {
  it('maps every picture to one path and back', () => {
    const paths = EVERY_PICTURE.map(picturePath);
    expect(new Set(paths).size).toBe(EVERY_PICTURE.length);
    expect(paths.map(parsePicturePath)).toEqual(EVERY_PICTURE);
  });

  it.each([
    '/pictures/sedan/blue/side.png',
    '/pictures/SEDAN/blue/side.svg',
    '/pictures/sedan/constructor/side.svg',
    '/pictures/tostring/blue/side.svg',
    '/pictures/sedan/blue/top.svg',
    '/pictures/sedan/blue/side.svg?x=1',
    '/pictures/../sedan/blue/side.svg',
    '/pictures/sedan/blue/side.svg/',
    '/pictures/sedan/blue/side.svg\n',
  ])('rejects the picture path %j', (path) => {
    expect(parsePicturePath(path)).toBeUndefined();
  });
});
