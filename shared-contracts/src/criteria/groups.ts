import { type BrandCode, BRANDS } from '../brands/brands.ts';
import type { FilterValues } from './criteria.ts';
import type { SlugReference } from './slugs.ts';

type Codes = readonly string[];

const modelOf = (trim: string) => trim.split('|')[0] ?? '';

/**
 * The makes, models and trims of a search that stay. Trims of a make and model
 * do when the reference knows them; without both, without known trims or
 * without any reference they stay as given (B5-TRIM-01, AMB-051). A brand with
 * a single group keeps the first make, its first model and that one's first
 * trim (AMB-082).
 */
export function limitGroups(
  filters: FilterValues,
  reference: SlugReference,
  brand: BrandCode | undefined,
): FilterValues {
  const isSingle = brand !== undefined && BRANDS[brand].hasSingleMakeGroup;
  const { makeCode: makes, modelCode: models, trimCode: trims, ...others } = filters;
  const makeCode = isSingle ? makes?.slice(0, 1) : makes;
  const modelCode = isSingle && models ? firstModel(models, makeCode?.[0], reference) : models;
  const known =
    makeCode && modelCode && !reference.isEmpty
      ? trims?.filter((trim) => isKnownTrim(trim, makeCode, modelCode, reference))
      : trims;
  const trimCode = isSingle ? firstTrim(known, modelCode) : known;
  return {
    ...others,
    ...(makeCode && { makeCode }),
    ...(modelCode?.length && { modelCode }),
    ...(trimCode?.length && { trimCode }),
  };
}

function isKnownTrim(trim: string, makes: Codes, models: Codes, reference: SlugReference): boolean {
  const model = modelOf(trim);
  if (!models.includes(model)) return false;
  const lists = makes.map((make) => reference.trimCodes(make, model)).filter((codes) => codes !== undefined);
  return lists.length === 0 || lists.some((codes) => codes.includes(trim));
}

/** The first model that is the make's, else the first that nobody knows whose it is. */
function firstModel(models: Codes, make: string | undefined, reference: SlugReference): Codes {
  if (make === undefined) return models.slice(0, 1);
  const ofMake = models.find((model) => reference.makesOfModel(model).includes(make));
  const first = ofMake ?? models.find((model) => reference.makesOfModel(model).length === 0);
  return first === undefined ? [] : [first];
}

const firstTrim = (trims: Codes = [], models: Codes | undefined): Codes =>
  trims.filter((trim) => models?.includes(modelOf(trim)) ?? true).slice(0, 1);
