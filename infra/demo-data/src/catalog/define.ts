import type { BodyStyle } from '@forecourt/marketplace-api/stock';
import type { FuelGroup } from '@forecourt/upstream/codes';
import {
  codeFromName,
  slugFromName,
  type CatalogMake,
  type CatalogModel,
  type CatalogTrim,
  type Drive,
  type Transmission,
  type TruckBed,
  type TruckCab,
  type Variant,
} from '@forecourt/marketplace-api/catalog';

/** Newest model year on sale; models without a last year run up to it. */
export const NEWEST_MODEL_YEAR = 2027;

/** Facts that all variants of a model share unless an offer overrides them. */
interface BuildFacts {
  readonly body?: BodyStyle;
  readonly subtype?: string;
  readonly years?: readonly [first: number, last?: number];
  readonly doors?: number;
  readonly seats?: number;
  readonly gearbox?: readonly Transmission[];
  readonly cabs?: readonly TruckCab[];
  readonly beds?: readonly TruckBed[];
  readonly commercial?: boolean;
}

/** One engine, and the list price of each trim that it came in. */
export interface Offer {
  readonly engine: string;
  readonly fuel: FuelGroup;
  readonly drives: readonly Drive[];
  /** City, highway, and miles on electricity; empty where not rated. */
  readonly economy: readonly [] | readonly [city: number, highway: number, range?: number];
  readonly prices: Readonly<Record<string, number>>;
  readonly facts: BuildFacts;
}

const DRIVES: Record<string, readonly Drive[]> = {
  F: ['FWD'],
  R: ['RWD'],
  A: ['AWD4WD'],
  FA: ['FWD', 'AWD4WD'],
  RA: ['RWD', 'AWD4WD'],
};

function offerOf(fuel: FuelGroup) {
  return (
    engine: string,
    drives: 'F' | 'R' | 'A' | 'FA' | 'RA',
    economy: Offer['economy'],
    prices: Offer['prices'],
    facts: BuildFacts = {},
  ): Offer => ({ engine, fuel, drives: DRIVES[drives] ?? [], economy, prices, facts });
}

export const gas = offerOf('GSL');
export const diesel = offerOf('DSL');
export const hybrid = offerOf('HYB');
export const plugIn = offerOf('PIH');
export const electric = offerOf('ELE');
export const hydrogen = offerOf('HYD');
export const flexFuel = offerOf('ALT');

interface ModelFacts extends BuildFacts {
  readonly body: BodyStyle;
  readonly years: readonly [first: number, last?: number];
  /** Thousands a year in the United States. */
  readonly sales: number;
  readonly series?: string;
}

interface ModelDefinition {
  readonly name: string;
  readonly facts: ModelFacts;
  readonly offers: readonly Offer[];
}

/** A model with its engines. */
export function model(name: string, facts: ModelFacts, ...offers: Offer[]): ModelDefinition {
  return { name, facts, offers };
}

interface MakeFacts {
  readonly wmi: string;
  readonly luxury?: boolean;
  readonly aliases?: readonly string[];
}

/** A make and its models; codes and slugs are derived from the names. */
export function make(name: string, facts: MakeFacts, definitions: readonly ModelDefinition[]): CatalogMake {
  const code = codeFromName(name);
  return {
    code,
    name,
    slug: slugFromName(name),
    wmi: facts.wmi,
    isLuxury: facts.luxury ?? false,
    aliases: facts.aliases ?? [],
    models: definitions.map((definition) => buildModel(code, definition)),
  };
}

function buildModel(makeCode: string, { name, facts, offers }: ModelDefinition): CatalogModel {
  const code = codeFromName(name);
  const variantsByTrim = new Map<string, Variant[]>();
  for (const offer of offers) {
    for (const [trimName, msrp] of Object.entries(offer.prices)) {
      const variants = variantsByTrim.get(trimName) ?? [];
      variants.push(buildVariant(facts, offer, msrp));
      variantsByTrim.set(trimName, variants);
    }
  }
  const trims = [...variantsByTrim].map(([trimName, variants]): CatalogTrim => ({
    code: `${code}|${trimName}`,
    name: trimName,
    variants,
    msrp: Math.min(...variants.map((variant) => variant.msrp)),
  }));
  return {
    makeCode,
    code,
    name,
    slug: slugFromName(name),
    bodyStyle: facts.body,
    firstYear: facts.years[0],
    lastYear: facts.years[1] ?? NEWEST_MODEL_YEAR,
    yearlySales: facts.sales,
    ...(facts.series && { series: { code: codeFromName(facts.series), name: facts.series } }),
    trims,
  };
}

const DOORS: Partial<Record<BodyStyle, number>> = { COUPE: 2, CONVERT: 2 };
const SEATS: Partial<Record<BodyStyle, number>> = {
  COUPE: 4,
  CONVERT: 4,
  VANMV: 8,
  VANS: 2,
};

function buildVariant(facts: ModelFacts, offer: Offer, msrp: number): Variant {
  const own = offer.facts;
  const bodyStyle = own.body ?? facts.body;
  const isOwnBody = bodyStyle === facts.body;
  const subtype = own.subtype ?? (isOwnBody ? facts.subtype : undefined);
  const years = own.years ?? facts.years;
  const [mpgCity, mpgHighway, electricRange] = offer.economy;
  const lastYear = years[1] ?? facts.years[1] ?? NEWEST_MODEL_YEAR;
  return {
    bodyStyle,
    ...(subtype && { bodySubtype: subtype }),
    msrp,
    msrpYear: Math.min(lastYear, NEWEST_MODEL_YEAR - 1),
    firstYear: years[0],
    lastYear,
    fuel: offer.fuel,
    engineName: offer.engine,
    ...cylindersOf(offer.engine),
    ...displacementOf(offer.engine),
    drives: offer.drives,
    transmissions: own.gearbox ?? facts.gearbox ?? ['AUT'],
    ...(mpgCity && { mpgCity, mpgHighway }),
    ...(electricRange && { electricRange }),
    doors: own.doors ?? (isOwnBody ? facts.doors : undefined) ?? DOORS[bodyStyle] ?? 4,
    seats: own.seats ?? (isOwnBody ? facts.seats : undefined) ?? SEATS[bodyStyle] ?? 5,
    cabs: own.cabs ?? facts.cabs ?? [],
    beds: own.beds ?? facts.beds ?? [],
    isCommercial: own.commercial ?? facts.commercial ?? false,
  };
}

/** '2.7L V6 Turbo' has six cylinders; 'Dual Motor' has none. */
function cylindersOf(engine: string): { engineCode?: string } {
  const count = /\b(?:V|I|H|W)-?(\d{1,2})\b/.exec(engine)?.[1];
  return count ? { engineCode: `${count}CLDR` } : {};
}

function displacementOf(engine: string): { displacement?: string } {
  const liters = /^(\d\.\d)L\b/.exec(engine)?.[1];
  return liters ? { displacement: `${liters}L` } : {};
}
