import { NEWEST_MODEL_YEAR } from './define.ts';
import * as chevrolet from './makes/chevrolet.ts';
import * as electricOnly from './makes/electricOnly.ts';
import * as europe from './makes/europe.ts';
import * as ford from './makes/ford.ts';
import * as germany from './makes/germany.ts';
import * as honda from './makes/honda.ts';
import * as japanSmall from './makes/japanSmall.ts';
import * as korea from './makes/korea.ts';
import * as nissan from './makes/nissan.ts';
import * as stellantis from './makes/stellantis.ts';
import * as toyota from './makes/toyota.ts';
import { nameKey } from './naming.ts';
import type { CatalogueMake, CatalogueModel, CatalogueTrim, Variant } from './types.ts';

/** Every make, by name. */
export const MAKES: readonly CatalogueMake[] = [
  chevrolet,
  electricOnly,
  europe,
  ford,
  germany,
  honda,
  japanSmall,
  korea,
  nissan,
  stellantis,
  toyota,
]
  .flatMap((group): CatalogueMake[] => Object.values(group))
  .sort((a, b) => a.name.localeCompare(b.name, 'en'));

export const MODELS: readonly CatalogueModel[] = MAKES.flatMap((make) => make.models);

const makesByCode = new Map(MAKES.map((make) => [make.code, make]));
const makesByName = new Map(
  MAKES.flatMap((make) => [make.name, ...make.aliases].map((name) => [nameKey(name), make] as const)),
);
const modelsByCode = new Map(MODELS.map((model) => [modelKey(model.makeCode, model.code), model]));
const trimsByCode = new Map(
  MODELS.flatMap((model) => model.trims.map((trim) => [modelKey(model.makeCode, trim.code), trim] as const)),
);

export function findMakeByCode(makeCode: string): CatalogueMake | undefined {
  return makesByCode.get(makeCode.toUpperCase());
}

/** By name or alias, however it is spelt: 'Mercedes Benz', 'VW', 'chevy'. */
export function findMakeByName(name: string): CatalogueMake | undefined {
  return makesByName.get(nameKey(name));
}

/** By URL segment; 'mercedes-benz' and 'mercedesbenz' both resolve. */
export function findMakeBySlug(slug: string): CatalogueMake | undefined {
  return makesByCode.get(nameKey(slug));
}

export function findModelByCode(makeCode: string, modelCode: string): CatalogueModel | undefined {
  return modelsByCode.get(modelKey(makeCode.toUpperCase(), modelCode.toUpperCase()));
}

/** By URL segment; 'f150' and 'f-150' both resolve. */
export function findModelBySlug(makeCode: string, slug: string): CatalogueModel | undefined {
  return modelsByCode.get(modelKey(makeCode.toUpperCase(), nameKey(slug)));
}

export function findTrimByCode(makeCode: string, trimCode: string): CatalogueTrim | undefined {
  return trimsByCode.get(modelKey(makeCode, trimCode));
}

/** By URL segment within a model: 'king-ranch' is King Ranch. */
export function findTrimBySlug(model: CatalogueModel, slug: string): CatalogueTrim | undefined {
  const key = nameKey(slug);
  return model.trims.find((trim) => nameKey(trim.name) === key);
}

/** The trims of a model, of one model year if given; none for an unknown model. */
export function trimsOf(makeCode: string, modelCode: string, year?: number): readonly CatalogueTrim[] {
  const trims = findModelByCode(makeCode, modelCode)?.trims ?? [];
  return year === undefined
    ? trims
    : trims.filter((trim) => trim.variants.some((variant) => isSoldIn(variant, year)));
}

export function isSoldIn(variant: Variant, year: number): boolean {
  return variant.firstYear <= year && year <= variant.lastYear;
}

/** How much list prices rise from one model year to the next. */
const LIST_PRICE_GROWTH = 1.028;

/** What a variant listed at in a model year, in whole dollars. */
export function msrpIn(variant: Variant, year: number): number {
  const newest = Math.min(variant.lastYear, NEWEST_MODEL_YEAR - 1);
  return Math.round((variant.msrp * LIST_PRICE_GROWTH ** (year - newest)) / 5) * 5;
}

function modelKey(makeCode: string, code: string): string {
  return `${makeCode} ${code}`;
}
