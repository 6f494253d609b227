import { describe, expect, it } from '@jest/globals';
import { BODY_STYLES } from '@forecourt/upstream/codes';
import { catalog } from '../catalog/catalog.ts';
import { type BodyStyle } from '@forecourt/marketplace-api/stock';
import { COLORS } from '@forecourt/marketplace-api/labels';
import {
  parsePicturePath,
  PICTURE_ANGLES,
  picturePath,
  type PictureKey,
  type PictureOptions,
  TURN_DEGREES,
} from './picturePath.ts';
import { type Interior, INTERIORS } from './interiors.data.ts';
import { lookOf, PLAIN_LOOK } from './look.ts';
import { shapeOf } from './modelShapes.ts';
import { createPictures } from './pictures.ts';
import { renderVehicleSvg } from './draw.ts';

const STYLES = Object.keys(BODY_STYLES) as BodyStyle[];
const EVERY_PICTURE: PictureKey[] = STYLES.flatMap((bodyStyle) =>
  Object.keys(COLORS).flatMap((paint) =>
    PICTURE_ANGLES.map((angle) => ({ bodyStyle, paint, angle, look: PLAIN_LOOK })),
  ),
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
    const hero: PictureOptions = { bodyStyle: 'TRUCKS', paint: 'BLUE', angle: 'front' };
    expect(renderVehicleSvg(hero)).toBe(renderVehicleSvg(hero));
  });

  it('renders an unknown color in the neutral paint', () => {
    const drawn = renderVehicleSvg({ bodyStyle: 'SEDAN', paint: 'CHAMELEON', angle: 'side' });
    expect(drawn).toBe(renderVehicleSvg({ bodyStyle: 'SEDAN', paint: 'GRAY', angle: 'side' }));
  });
});

describe('pictures of the models of the catalog', () => {
  const angles = ['front', 'side', 'rear'] as const;
  const shapes = catalog.makes.flatMap((make) =>
    make.models.flatMap((model) =>
      [...new Set(model.trims.flatMap(({ variants }) => variants.map(({ bodyStyle }) => bodyStyle)))].map(
        (bodyStyle) => ({ make, model, bodyStyle, shape: shapeOf(make.code, model.code, bodyStyle)! }),
      ),
    ),
  );

  it('have a shape of their own each, with a path that leads back to it', () => {
    expect(shapes.filter(({ shape }) => shape === undefined).map(({ model }) => model.code)).toEqual([]);
    for (const { shape, bodyStyle } of shapes) {
      const path = picturePath({ bodyStyle, shape, paint: 'BLUE', angle: 'side' });
      expect(parsePicturePath(path)).toMatchObject({ bodyStyle, shape: { name: shape.name } });
    }
    expect(new Set(shapes.map(({ shape }) => shape.name)).size).toBe(shapes.length);
  });

  it('differ from those of every other model, below 8 KB with few elements', () => {
    for (const angle of angles) {
      const svgs = shapes.map(({ bodyStyle, shape }) =>
        renderVehicleSvg({ bodyStyle, shape, paint: 'BLUE', angle }),
      );
      for (const [at, svg] of svgs.entries()) {
        expect([shapes[at]!.shape.name, svg.length]).toEqual([
          shapes[at]!.shape.name,
          Math.min(svg.length, 8 * 1024),
        ]);
        expect(svg).not.toMatch(/NaN|undefined|Infinity/);
        expect((svg.match(/<[a-z]/gi) ?? []).length).toBeLessThan(90);
      }
      expect(new Set(svgs).size).toBe(svgs.length);
    }
  });

  it('keep roofs above windows, wheels below fenders and everything between the bumpers', () => {
    for (const { shape } of shapes) {
      const { name, body } = shape;
      const { nose, cabin, tail, axles, length, wheelRadius } = body;
      const xs = [...nose, ...cabin, ...tail].map(([x]) => x);
      const inOrder = cabin.every(([x], at) => at === 0 || x >= cabin[at - 1]![0]);
      expect([name, inOrder, Math.min(...xs) >= 0, Math.max(...xs) <= length + 0.001]).toEqual([
        name,
        true,
        true,
        true,
      ]);
      expect([name, nose.at(-1)]).toEqual([name, cabin[0]]);
      expect([name, tail[0]]).toEqual([name, cabin.at(-1)]);
      expect([name, axles[0] > wheelRadius, axles[1] < length - wheelRadius]).toEqual([name, true, true]);
    }
  });

  it('have no grille on models that are electric only, and one on the others of their make', () => {
    const grilleOf = (make: string, model: string) => shapeOf(make, model, 'SUVCROSS')?.body.face?.grille;
    expect(grilleOf('TESLA', 'MODELY')).toBe('none');
    expect(grilleOf('CHEVROLET', 'EQUINOXEV')).toBe('none');
    expect(grilleOf('CHEVROLET', 'EQUINOX')).not.toBe('none');
  });

  it('are those of their model in the gallery, and of their body style where the catalog lacks them', () => {
    const vehicle = { bodyStyle: 'SUVCROSS' as const, extColor: 'RED', make: { code: 'TESLA' } };
    const sources = (model: string) =>
      createPictures()
        .gallery({ ...vehicle, model: { code: model } })
        .map(({ src }) => src);
    expect(sources('MODELY')[0]).toBe('/pictures/tesla-model-y/red/front.svg');
    expect(sources('MODELZ')[0]).toBe('/pictures/suvcross/red/front.svg');
  });
});

describe('interiors', () => {
  const kinds = {
    pickup: ['FORD', 'F150', 'TRUCKS'],
    'sports car': ['FORD', 'MUSTANG', 'COUPE'],
    minivan: ['HONDA', 'ODYSSEY', 'VANMV'],
    sedan: ['HONDA', 'ACCORD', 'SEDAN'],
    suv: ['TOYOTA', 'RAV4', 'SUVCROSS'],
    electric: ['TESLA', 'MODELY', 'SUVCROSS'],
  } as const;
  const shapeOfKind = (kind: keyof typeof kinds) => {
    const [make, model, bodyStyle] = kinds[kind];
    return shapeOf(make, model, bodyStyle)!;
  };
  const interiorOf = (kind: keyof typeof kinds) => shapeOfKind(kind).interior;
  const names = Object.keys(kinds) as (keyof typeof kinds)[];
  const pairs = names.flatMap((one, at) => names.slice(at + 1).map((other) => [one, other] as const));

  it.each(pairs)('of a %s and of a %s differ in three parts, and are drawn so', (one, other) => {
    const [first, second] = [interiorOf(one), interiorOf(other)];
    const parts = Object.keys({ ...first, ...second }) as (keyof Interior)[];
    const different = parts.filter((part) => typeof first[part] !== 'number' && first[part] !== second[part]);
    expect(different.length).toBeGreaterThanOrEqual(3);
    const drawn = (kind: keyof typeof kinds) =>
      renderVehicleSvg({
        bodyStyle: kinds[kind][2],
        shape: shapeOfKind(kind),
        paint: 'BLUE',
        angle: 'interior',
      });
    expect(drawn(one)).not.toBe(drawn(other));
  });

  it('show the second row of vehicles with three, and no rear bench in front of two seats', () => {
    const rowsOf = (make: string, model: string, bodyStyle: BodyStyle) =>
      shapeOf(make, model, bodyStyle)?.interior.rows;
    expect([rowsOf('CHEVROLET', 'CORVETTE', 'COUPE'), rowsOf('FORD', 'MUSTANG', 'COUPE')]).toEqual([1, 2]);
    expect([rowsOf('TOYOTA', 'RAV4', 'SUVCROSS'), rowsOf('CHEVROLET', 'TRAVERSE', 'SUVCROSS')]).toEqual([
      2, 3,
    ]);
    expect(INTERIORS.VANMV.rows).toBe(3);
  });

  it('of an electric pickup have its seats and the screen of an electric car', () => {
    const electric = shapeOf('RIVIAN', 'R1T', 'TRUCKS')!.interior;
    expect(electric).toMatchObject({ seats: INTERIORS.TRUCKS.seats, gauges: 'none', screen: 'slab' });
  });

  it('are below 8 KB with few elements for every model', () => {
    for (const make of catalog.makes)
      for (const model of make.models)
        for (const bodyStyle of STYLES) {
          const shape = shapeOf(make.code, model.code, bodyStyle);
          if (!shape) continue;
          const svg = renderVehicleSvg({ bodyStyle, shape, paint: 'BLUE', angle: 'interior' });
          expect([shape.name, svg.length < 8 * 1024, (svg.match(/<[a-z]/gi) ?? []).length < 90]).toEqual([
            shape.name,
            true,
            true,
          ]);
          expect(svg).not.toMatch(/NaN|undefined|Infinity| opacity=/);
        }
  });
});

describe('pictures of listings of one body style and paint', () => {
  const vehicle = (id: number, trim = 'XLT') => ({
    id: `generated-${id}`,
    bodyStyle: 'TRUCKS' as const,
    extColor: 'WHITE',
    intColor: 'BLACK',
    trim: { code: trim, name: trim },
  });
  const ids = Array.from({ length: 1000 }, (_, index) => index);
  const mainOf = (id: number, trim?: string) => createPictures().gallery(vehicle(id, trim))[0]!.src;

  it('differ between neighbors in 97 of 100 cases, and between trims', () => {
    const pictures = ids.map((id) => mainOf(id));
    const repeated = pictures.filter((src, index) => src === pictures[index + 1]).length;
    expect(repeated).toBeLessThan(ids.length * 0.03);
    expect(mainOf(1, 'Raptor')).not.toBe(mainOf(1));
    expect(mainOf(1)).toBe(mainOf(1));
  });

  it('render every look below 8 KB with few elements', () => {
    const angles = ['front', 'interior'] as const;
    const looks = ids.map((id) =>
      lookOf(vehicle(id, id % 3 === 0 ? 'Raptor' : id % 3 === 1 ? 'Sport' : 'SE')),
    );
    const svgs = looks
      .slice(0, 200)
      .flatMap((look) =>
        angles.map((angle) => renderVehicleSvg({ bodyStyle: 'SUVCROSS', paint: 'BLUE', angle, look })),
      );
    for (const svg of svgs) {
      expect(svg.length).toBeLessThan(8 * 1024);
      expect(svg).not.toMatch(/NaN|undefined|Infinity/);
      expect((svg.match(/<[a-z]/gi) ?? []).length).toBeLessThan(90);
    }
  });

  it('have the upholstery of their interior color', () => {
    const interior = (intColor: string) =>
      createPictures()
        .gallery({ ...vehicle(1), intColor })
        .find(({ view }) => view === 'interior')!.src;
    expect(new Set(['BLACK', 'GRAY', 'BEIGE', 'BROWN'].map(interior)).size).toBe(4);
  });

  it('have paths that lead back to them', () => {
    for (const { src } of ids.slice(0, 100).flatMap((id) => createPictures().gallery(vehicle(id))))
      expect(picturePath(parsePicturePath(src)!)).toBe(src);
    for (const code of ['80000', '06000', '00400', '00030', '00004', '00000', '1000', '100000'])
      expect(parsePicturePath(`/pictures/suv/blue/side-${code}.svg`)).toBeUndefined();
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
      look: PLAIN_LOOK,
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
