import type { ModelInfo } from '@forecourt/shared-contracts/entities';
import { BODY_STYLES, FUEL_GROUPS } from '@forecourt/shared-contracts/entities/codes';
import { decodeQuery } from '@forecourt/shared-contracts/criteria';
import { findMakeByCode, findModelByCode, isSoldIn, msrpIn } from '../catalogue/catalogue.ts';
import type { CatalogueModel, Variant } from '../catalogue/types.ts';
import type { ListingIndex } from '../index/listingIndex.ts';

const DEFAULT_RECORDS = 1;
const MAX_RECORDS = 30;

function spanOf(values: readonly (number | undefined)[]): { min: number; max: number } | undefined {
  const known = values.filter((value) => value !== undefined);
  return known.length > 0 ? { min: Math.min(...known), max: Math.max(...known) } : undefined;
}

const named = <Code extends string>(codes: Iterable<Code>, nameOf: (code: Code) => string) =>
  [...new Set(codes)].map((code) => ({ code, name: nameOf(code) }));

function infoOf(model: CatalogueModel, year: number, index: ListingIndex): ModelInfo | undefined {
  const make = findMakeByCode(model.makeCode);
  const sold = (variant: Variant) => isSoldIn(variant, year);
  const trims = model.trims.filter((trim) => trim.variants.some(sold));
  const variants = trims.flatMap((trim) => trim.variants.filter(sold));
  if (!make || variants.length === 0) return undefined;
  return {
    year,
    make: { code: make.code, name: make.name },
    model: { code: model.code, name: model.name },
    bodyStyles: named(
      variants.map(({ bodyStyle }) => bodyStyle),
      (code) => BODY_STYLES[code].label,
    ),
    fuelTypes: named(
      variants.map(({ fuel }) => fuel),
      (code) => FUEL_GROUPS[code],
    ),
    trims: trims.map(({ code, name }) => ({ code, name })),
    msrp: spanOf(variants.map((variant) => msrpIn(variant, year))),
    mpg: spanOf(variants.flatMap(({ mpgCity, mpgHighway }) => [mpgCity, mpgHighway])),
    seats: spanOf(variants.map(({ seats }) => seats)),
    count: index.count({
      vehicle: { makes: [make.code], models: [model.code], trims: [] },
      year: { min: year, max: year },
    }),
  };
}

/**
 * What the catalogue says of a model: the years from `startYear` on, or the
 * newest first when no year is named (A7-YMM-01). Nothing for a model that it does not know or that
 * was not built then.
 */
export function modelInfos(params: URLSearchParams, index: ListingIndex, currentYear: number): ModelInfo[] {
  const { makeCode, modelCode, startYear } = decodeQuery(params).filters;
  const model = makeCode?.[0] && modelCode?.[0] ? findModelByCode(makeCode[0], modelCode[0]) : undefined;
  if (!model) return [];
  const asked = Number(params.get('numRecords') ?? DEFAULT_RECORDS);
  const size = Number.isInteger(asked) && asked > 0 ? Math.min(asked, MAX_RECORDS) : DEFAULT_RECORDS;
  const newest = Math.min(model.lastYear, currentYear + 1);
  const first = startYear?.[0] === undefined ? undefined : Number(startYear[0]);
  const years =
    first === undefined
      ? Array.from({ length: MAX_RECORDS }, (_, n) => newest - n)
      : Array.from({ length: size }, (_, n) => first + n);
  return years.flatMap((year) => (year > newest ? [] : (infoOf(model, year, index) ?? []))).slice(0, size);
}
