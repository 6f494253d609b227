import type { CatalogModel } from '@forecourt/marketplace-api/catalog';
import type { BodyStyle } from '@forecourt/marketplace-api/stock';
import { catalog } from '../catalog/catalog.ts';
import { type Body, BODIES } from './bodies.data.ts';
import { FACES, PLAIN_FACE } from './faces.data.ts';
import { type Interior, interiorOf } from './interiors.data.ts';
import { PROPORTIONS } from './models.data.ts';
import { reshape } from './reshape.ts';

/** A model's shape in one of its body styles. */
export interface ModelShape {
  /** In paths: 'tesla-model-y', or 'honda-civic.hatch' in a body style that is not the model's first one. */
  readonly name: string;
  readonly bodyStyle: BodyStyle;
  /** Made when it is drawn: most programs only need the names. */
  readonly body: Body;
  readonly interior: Interior;
}

const stylesOf = ({ trims }: CatalogModel): BodyStyle[] => [
  ...new Set(trims.flatMap(({ variants }) => variants.map(({ bodyStyle }) => bodyStyle))),
];
/** The most seats of a model's variants in a body style. */
const seatsOf = ({ trims }: CatalogModel, bodyStyle: BodyStyle): number =>
  Math.max(
    ...trims.flatMap(({ variants }) =>
      variants.filter((variant) => variant.bodyStyle === bodyStyle).map(({ seats }) => seats),
    ),
  );
const isElectric = ({ trims }: CatalogModel): boolean =>
  trims.every(({ variants }) => variants.every(({ fuel }) => fuel === 'ELE'));

const shapes: readonly (readonly [key: string, shape: ModelShape])[] = catalog.makes.flatMap((make) =>
  make.models.flatMap((model) => {
    const proportions = PROPORTIONS[make.code]?.[model.code];
    if (!proportions) return [];
    const face = FACES[make.code] ?? PLAIN_FACE;
    return stylesOf(model).map((bodyStyle, index) => {
      const suffix = index === 0 ? '' : `.${bodyStyle.toLowerCase()}`;
      const name = `${make.slug}-${model.slug}${suffix}`;
      const shape = {
        name,
        bodyStyle,
        get body() {
          // What needs no air to burn has no opening for it.
          const ownFace = isElectric(model) ? { ...face, grille: 'none' as const } : face;
          return { ...reshape(BODIES[bodyStyle], proportions), face: ownFace };
        },
        get interior() {
          return interiorOf(bodyStyle, { seats: seatsOf(model, bodyStyle), isElectric: isElectric(model) });
        },
      };
      return [`${make.code} ${model.code} ${bodyStyle}`, shape] as const;
    });
  }),
);

const BY_KEY: ReadonlyMap<string, ModelShape> = new Map(shapes);
const BY_NAME: ReadonlyMap<string, ModelShape> = new Map(shapes.map(([, shape]) => [shape.name, shape]));

/** Undefined for a vehicle that the catalog lacks. */
export const shapeOf = (make: string, model: string, bodyStyle: BodyStyle): ModelShape | undefined =>
  BY_KEY.get(`${make} ${model} ${bodyStyle}`);

export const shapeNamed = (name: string): ModelShape | undefined => BY_NAME.get(name);
