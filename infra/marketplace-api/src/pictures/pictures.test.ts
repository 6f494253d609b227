import { describe, expect, it } from '@jest/globals';
import { BODY_STYLES, type BodyStyle } from '@forecourt/shared-contracts/entities';
import { COLORS } from '../catalogue/labels.ts';
import { parsePicturePath, PICTURE_ANGLES, picturePath, type PictureKey } from './picturePath.ts';
import { renderVehicleSvg } from './renderVehicleSvg.ts';

const STYLES = Object.keys(BODY_STYLES) as BodyStyle[];
const EVERY_PICTURE: PictureKey[] = STYLES.flatMap((bodyStyle) =>
  Object.keys(COLORS).flatMap((paint) => PICTURE_ANGLES.map((angle) => ({ bodyStyle, paint, angle }))),
);

describe('vehicle pictures', () => {
  it('are well-formed, finite and below 8 KB for every body style, paint and angle', () => {
    for (const key of EVERY_PICTURE) {
      const svg = renderVehicleSvg(key);
      expect(svg.length).toBeLessThan(8 * 1024);
      expect(svg).not.toMatch(/NaN|undefined|Infinity/);
      expect((svg.match(/<g[ >]/g) ?? []).length).toBe((svg.match(/<\/g>/g) ?? []).length);
      expect(svg).not.toMatch(/<script|on\w+=|href="(?!#)/);
    }
  });

  it('differ by body style, paint and angle, and are the same each time', () => {
    const pictures = EVERY_PICTURE.filter(({ angle }) => angle !== 'interior').map(renderVehicleSvg);
    expect(new Set(pictures).size).toBe(pictures.length);
    const hero: PictureKey = { bodyStyle: 'TRUCKS', paint: 'BLUE', angle: 'front-three-quarter' };
    expect(renderVehicleSvg(hero)).toBe(renderVehicleSvg(hero));
  });

  it('draws an unknown colour in the neutral paint', () => {
    const drawn = renderVehicleSvg({ bodyStyle: 'SEDAN', paint: 'CHAMELEON', angle: 'side' });
    expect(drawn).toBe(renderVehicleSvg({ bodyStyle: 'SEDAN', paint: 'GRAY', angle: 'side' }));
  });
});

describe('picture paths', () => {
  it('name every picture once and lead back to it', () => {
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
  ])('refuses %j', (path) => {
    expect(parsePicturePath(path)).toBeUndefined();
  });
});
