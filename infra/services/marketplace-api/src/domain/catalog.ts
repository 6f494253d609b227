import type { BodyStyle } from './stock.ts';
import type { FuelGroup } from '@forecourt/upstream/codes';

export type Drive = 'AWD4WD' | 'FWD' | 'RWD';
export type Transmission = 'AUT' | 'MAN';
export type TruckCab = 'REGCAB' | 'EXTCAB' | 'CREWCAB' | 'CREWMAX';
export type TruckBed = 'SHORT' | 'STANDARD' | 'LONG';

/**
 * One build of a trim: a body with an engine. Economy is miles per gallon
 * (MPGe for electric vehicles), range is miles.
 */
export interface Variant {
  readonly bodyStyle: BodyStyle;
  readonly bodySubtype?: string;
  /** List price in `msrpYear`, whole US dollars. */
  readonly msrp: number;
  readonly msrpYear: number;
  readonly firstYear: number;
  readonly lastYear: number;
  readonly fuel: FuelGroup;
  readonly engineName: string;
  /** Cylinders, e.g. '4CLDR'; missing for electric motors. */
  readonly engineCode?: string;
  /** Liters, e.g. '2.5L'. */
  readonly displacement?: string;
  readonly drives: readonly Drive[];
  readonly transmissions: readonly Transmission[];
  /** Missing for heavy trucks and vans, which are not rated. */
  readonly mpgCity?: number;
  readonly mpgHighway?: number;
  readonly electricRange?: number;
  readonly doors: number;
  readonly seats: number;
  readonly cabs: readonly TruckCab[];
  readonly beds: readonly TruckBed[];
  readonly isCommercial: boolean;
}

export interface CatalogTrim {
  /** 'MODEL|Trim'. */
  readonly code: string;
  readonly name: string;
  readonly variants: readonly Variant[];
  /** List price of the cheapest variant. */
  readonly msrp: number;
}

export interface CatalogModel {
  readonly makeCode: string;
  readonly code: string;
  readonly name: string;
  readonly slug: string;
  /** The most common body style. */
  readonly bodyStyle: BodyStyle;
  readonly firstYear: number;
  readonly lastYear: number;
  /** Thousands sold in the United States in a typical year on sale. */
  readonly yearlySales: number;
  readonly series?: { readonly code: string; readonly name: string };
  readonly trims: readonly CatalogTrim[];
}

export interface CatalogMake {
  readonly code: string;
  readonly name: string;
  readonly slug: string;
  /** World manufacturer identifier: first three characters of a VIN. */
  readonly wmi: string;
  readonly isLuxury: boolean;
  /** Other spellings in feeds. */
  readonly aliases: readonly string[];
  readonly models: readonly CatalogModel[];
}

/** Makes, models and trims with their facts. Vehicles that it lacks keep the names that their feed gives them. */
export interface Catalog {
  /** By name. */
  readonly makes: readonly CatalogMake[];
  readonly models: readonly CatalogModel[];
  findMake(makeCode: string): CatalogMake | undefined;
  /** By name or alias in any spelling: 'Mercedes Benz', 'VW', 'chevy'. */
  findMakeByName(name: string): CatalogMake | undefined;
  /** By URL segment; 'mercedes-benz' and 'mercedesbenz' both resolve. */
  findMakeBySlug(slug: string): CatalogMake | undefined;
  findModel(makeCode: string, modelCode: string): CatalogModel | undefined;
  /** By URL segment; 'f150' and 'f-150' both resolve. */
  findModelBySlug(makeCode: string, slug: string): CatalogModel | undefined;
}

export function createCatalog(makes: readonly CatalogMake[]): Catalog {
  const models = makes.flatMap((make) => make.models);
  const makesByCode = new Map(makes.map((make) => [make.code, make]));
  const makesByName = new Map(
    makes.flatMap((make) => [make.name, ...make.aliases].map((name) => [nameKey(name), make] as const)),
  );
  const modelKey = (makeCode: string, code: string) => `${makeCode.toUpperCase()} ${code}`;
  const modelsByCode = new Map(models.map((model) => [modelKey(model.makeCode, model.code), model]));
  return {
    makes,
    models,
    findMake: (code) => makesByCode.get(code.toUpperCase()),
    findMakeByName: (name) => makesByName.get(nameKey(name)),
    findMakeBySlug: (slug) => makesByCode.get(nameKey(slug)),
    findModel: (makeCode, code) => modelsByCode.get(modelKey(makeCode, code.toUpperCase())),
    findModelBySlug: (makeCode, slug) => modelsByCode.get(modelKey(makeCode, nameKey(slug))),
  };
}

export const EMPTY_CATALOG: Catalog = createCatalog([]);

export const isSoldIn = (variant: Variant, year: number): boolean =>
  variant.firstYear <= year && year <= variant.lastYear;

/** List prices rise by this factor from one model year to the next. */
const LIST_PRICE_GROWTH = 1.028;

/** List price of a variant in a model year, whole dollars. */
export const msrpIn = (variant: Variant, year: number): number =>
  Math.round((variant.msrp * LIST_PRICE_GROWTH ** (year - variant.msrpYear)) / 5) * 5;

/** Upper-case letters and digits of a name: 'Grand Cherokee' is GRANDCHEROKEE, 'F-150' is F150. */
export function codeFromName(name: string): string {
  return withoutAccents(name)
    .toUpperCase()
    .replace(/&/g, 'AND')
    .replace(/\+/g, 'PLUS')
    .replace(/[^A-Z0-9]/g, '');
}

/**
 * Lower-case, hyphenated name for a URL segment, without a hyphen
 * before a digit: 'F-150' is f150, 'Grand Cherokee' is grand-cherokee.
 */
export function slugFromName(name: string): string {
  return withoutAccents(name)
    .toLowerCase()
    .replace(/-(?=\d)/g, '')
    .replace(/&/g, 'and')
    .replace(/\+/g, ' plus')
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '');
}

/** Key of a name in any spelling: equal for 'f-150', 'F150' and 'F 150'. */
export function nameKey(name: string): string {
  return codeFromName(name);
}

function withoutAccents(name: string): string {
  return name.normalize('NFD').replace(/\p{M}/gu, '');
}
