import type { Named, StockListing } from '../../domain/stock.ts';
import {
  type Catalog,
  type CatalogMake,
  type CatalogModel,
  type CatalogTrim,
  type Variant,
  codeFromName,
  isSoldIn,
  nameKey,
} from '../../domain/catalog.ts';
import { optionalField, UnreadableValue } from './values.ts';
import { bodyStyleNamed, fuelNamed } from './vehicleWords.ts';
import { knownMake } from './vin.ts';

/** The catalog's part of a listing. */
export type ResolvedVehicle = Pick<
  StockListing,
  | 'make'
  | 'model'
  | 'series'
  | 'trim'
  | 'bodyStyle'
  | 'bodySubtype'
  | 'fuel'
  | 'drive'
  | 'transmission'
  | 'engineCode'
  | 'engineName'
  | 'engineDisplacement'
  | 'doors'
  | 'seats'
  | 'mpgCity'
  | 'mpgHighway'
  | 'electricRange'
  | 'isCommercial'
> & { readonly isModelKnown: boolean };

/** Words of the longest make name. */
const LONGEST_MAKE = 2;

const DRIVE_WORDS: readonly (readonly [RegExp, string])[] = [
  [/^(?:awd|4wd|4x4|4matic\+?|4motion|quattro|xdrive.*|.*4xe|all-wheel|sh-awd|s-awc|q4|all4)$/i, 'AWD4WD'],
  [/^(?:fwd|front-wheel)$/i, 'FWD'],
  [/^(?:rwd|rear-wheel|sdrive.*)$/i, 'RWD'],
];
/** Drive words that are no part of a trim's name. */
const BARE_DRIVE = /^(?:awd|4wd|4x4|fwd|rwd|2wd|4x2)$/i;

/** The feed's words for the kind of vehicle; empty without any. */
interface KindWords {
  readonly bodyStyle: string;
  readonly fuel: string;
}

export type VehicleResolver = (
  makeText: string,
  modelText: string,
  /** Empty in a row without a trim; undefined in a feed without trims, whose models may contain them. */
  trimText: string | undefined,
  year: number,
  kind?: KindWords,
) => ResolvedVehicle;

/**
 * Finds make, model and trim in a feed's words and adds what the catalog knows
 * about them. Names match by their longest prefix, wherever the feed cut them
 * ('Alfa' + 'Romeo Giulia Ti'). Vehicles that the catalog lacks get a code made
 * from their name. A fact is added only if all variants of that trim and model
 * year agree on it. The feed's words for body style and fuel choose among the
 * variants, as those in the name do; the catalog knows better what a model is.
 */
export function createVehicleResolver(catalog: Catalog): VehicleResolver {
  const longestModel = Math.max(0, ...catalog.models.map(({ name }) => name.split(/\s/).length)) + 1;
  return (makeText, modelText, trimText, year, kind = { bodyStyle: '', fuel: '' }) => {
    const words = `${makeText} ${modelText}`.split(/\s+/).filter(Boolean);
    const [make, afterMake] = takeMake(catalog, words, makeText);
    const [model, afterModel] = takeModel(make.catalogEntry, afterMake, longestModel, trimText !== undefined);
    const rest = [...afterModel, ...(trimText ?? '').split(/\s+/).filter(Boolean)];
    const drive = rest.map(driveOf).find(Boolean);
    const [trim, knownTrim] = chooseTrim(model.catalogEntry, rest, model.namedEntry.code);
    const identity = {
      make: make.namedEntry,
      model: model.namedEntry,
      ...(model.catalogEntry?.series && { series: model.catalogEntry.series }),
      ...(trim && { trim }),
      ...(drive && { drive }),
      isModelKnown: model.catalogEntry !== undefined,
    };
    const text = rest.join(' ');
    if (!model.catalogEntry) {
      return {
        ...identity,
        // Without such a word they stay open: no body style is better than a wrong one.
        ...optionalField(
          'bodyStyle',
          bodyStyleNamed(kind.bodyStyle) ?? bodyStyleNamed(`${modelText} ${text}`),
        ),
        ...optionalField('fuel', fuelNamed(kind.fuel) ?? fuelNamed(`${modelText} ${text}`)),
        isCommercial: false,
      };
    }
    const variants = variantsFor(model.catalogEntry, knownTrim, year, { text, drive, kind });
    return { ...agreedFacts(variants), ...identity };
  };
}

type Found<T> = { readonly catalogEntry: T | undefined; readonly namedEntry: Named };

function takeMake(
  catalog: Catalog,
  words: readonly string[],
  makeText: string,
): [Found<CatalogMake>, readonly string[]] {
  for (let count = Math.min(LONGEST_MAKE, words.length - 1); count >= 1; count -= 1) {
    const catalogEntry = catalog.findMakeByName(words.slice(0, count).join(' '));
    if (catalogEntry)
      return [
        { catalogEntry, namedEntry: { code: catalogEntry.code, name: catalogEntry.name } },
        words.slice(count),
      ];
  }
  for (let count = Math.min(LONGEST_MAKE, words.length - 1); count >= 1; count -= 1) {
    const known = knownMake(words.slice(0, count).join(' '));
    if (known)
      return [
        { catalogEntry: undefined, namedEntry: { code: codeFromName(known), name: known } },
        words.slice(count),
      ];
  }
  const name = makeText.trim();
  if (!name)
    throw new UnreadableValue(`make is missing, and '${words.join(' ')}' begins with none that is known`);
  return [
    { catalogEntry: undefined, namedEntry: { code: codeFromName(name), name } },
    words.slice(name.split(/\s+/).length),
  ];
}

function takeModel(
  make: CatalogMake | undefined,
  words: readonly string[],
  longestModel: number,
  isWhole: boolean,
): [Found<CatalogModel>, readonly string[]] {
  for (let count = Math.min(longestModel, words.length); make && count >= 1; count -= 1) {
    const key = nameKey(words.slice(0, count).join(''));
    const catalogEntry = make.models.find((model) => nameKey(model.name) === key);
    if (catalogEntry)
      return [
        { catalogEntry, namedEntry: { code: catalogEntry.code, name: catalogEntry.name } },
        words.slice(count),
      ];
  }
  const count = isWhole ? words.length : 1;
  const name = words.slice(0, count).join(' ');
  return [{ catalogEntry: undefined, namedEntry: { code: codeFromName(name), name } }, words.slice(count)];
}

function chooseTrim(
  model: CatalogModel | undefined,
  words: readonly string[],
  modelCode: string,
): [Named | undefined, CatalogTrim | undefined] {
  const trimWords = words.filter((word) => !BARE_DRIVE.test(word));
  for (let start = 0; model && start < trimWords.length; start += 1) {
    for (let end = trimWords.length; end > start; end -= 1) {
      const key = nameKey(trimWords.slice(start, end).join(''));
      const catalogEntry = model.trims.find((trim) => nameKey(trim.name) === key);
      if (catalogEntry) return [{ code: catalogEntry.code, name: catalogEntry.name }, catalogEntry];
    }
  }
  const name = trimWords.join(' ');
  return [name ? { code: `${modelCode}|${name}`, name } : undefined, undefined];
}

function driveOf(word: string): string | undefined {
  return DRIVE_WORDS.find(([pattern]) => pattern.test(word))?.[1];
}

function variantsFor(
  model: CatalogModel,
  trim: CatalogTrim | undefined,
  year: number,
  { text, drive, kind }: { text: string; drive: string | undefined; kind: KindWords },
): readonly Variant[] {
  const all = (trim ? [trim] : model.trims).flatMap((candidate) => candidate.variants);
  const [bodyStyle, fuel] = [bodyStyleNamed(kind.bodyStyle), fuelNamed(kind.fuel)];
  const liters = /\b(\d\.\d)(?:L|T|\s|$)/i.exec(text)?.[1];
  const tests: ((variant: Variant) => boolean)[] = [
    (variant) => isSoldIn(variant, year),
    (variant) => !liters || variant.displacement === `${liters}L`,
    (variant) => !drive || variant.drives.some((candidate) => candidate === drive),
    (variant) => !bodyStyle || variant.bodyStyle === bodyStyle,
    (variant) => !fuel || variant.fuel === fuel,
    (variant) => !/hybrid/i.test(text) || variant.fuel === 'HYB' || variant.fuel === 'PIH',
    (variant) => !/diesel|tdi/i.test(text) || variant.fuel === 'DSL',
    (variant) => !/coupe/i.test(text) || variant.bodyStyle === 'COUPE',
    (variant) => !/convertible|cabriolet|roadster/i.test(text) || variant.bodyStyle === 'CONVERT',
  ];
  // Ignore a hint that matches no variant.
  return tests.reduce<readonly Variant[]>((candidates, test) => {
    const narrowed = candidates.filter(test);
    return narrowed.length > 0 ? narrowed : candidates;
  }, all);
}

function agreedFacts(variants: readonly Variant[]) {
  const [first] = variants;
  const only = <T>(valueOf: (variant: Variant) => T | undefined): T | undefined => {
    const value = first && valueOf(first);
    return variants.every((variant) => valueOf(variant) === value) ? value : undefined;
  };
  const facts = {
    bodySubtype: only(
      (variant) => variant.bodySubtype ?? (variant.cabs.length === 1 ? variant.cabs[0] : undefined),
    ),
    drive: only((variant) => (variant.drives.length === 1 ? variant.drives[0] : undefined)),
    transmission: only((variant) =>
      variant.transmissions.length === 1 ? variant.transmissions[0] : undefined,
    ),
    engineCode: only((variant) => variant.engineCode),
    engineName: only((variant) => variant.engineName),
    engineDisplacement: only((variant) => variant.displacement),
    doors: only((variant) => (variant.cabs.includes('REGCAB') ? undefined : variant.doors)),
    seats: only((variant) => (variant.cabs.includes('REGCAB') ? undefined : variant.seats)),
    mpgCity: only((variant) => variant.mpgCity),
    mpgHighway: only((variant) => variant.mpgHighway),
    electricRange: only((variant) => variant.electricRange),
  };
  const knownFacts = Object.fromEntries(
    Object.entries(facts).filter(([, value]) => value !== undefined),
  ) as typeof facts;
  return {
    ...knownFacts,
    ...optionalField(
      'bodyStyle',
      only((variant) => variant.bodyStyle),
    ),
    ...optionalField(
      'fuel',
      only((variant) => variant.fuel),
    ),
    isCommercial: only((variant) => variant.isCommercial) ?? false,
  };
}
