import { decodeQuery } from '@forecourt/search/decode';
import { type FilterValues, type SlugData, type SlugReference } from '@forecourt/search/criteria';
import { encodeUrl } from '@forecourt/search/url';
import { MILEAGE_STATS_BELOW } from '@forecourt/upstream/agreements';
import type { CallResponses } from '@forecourt/upstream/calls';
import { BODY_STYLES, FUEL_GROUPS } from '@forecourt/upstream/codes';
import type { CrawlLink } from '@forecourt/upstream/entities';
import type { ModelInfo } from '../../domain/callTypes.ts';
import type { ListingIndex, MileageStats } from '../listingIndex/listingIndex.ts';
import type { PlaceFinder } from '../../domain/places/index.ts';
import { toListingQuery } from '../listings/request.ts';
import {
  type Catalog,
  type CatalogModel,
  type Variant,
  isSoldIn,
  msrpIn,
  slugFromName,
} from '../../domain/catalog.ts';
import type { VehicleNode } from '../listingIndex/vehicleTree.ts';

export type CrawlKind = 'modelyears' | 'newmodelyears' | 'trims' | 'newtrims';

export const CRAWL_KINDS: readonly CrawlKind[] = ['modelyears', 'newmodelyears', 'trims', 'newtrims'];

/** Parameters of the crawl calls. */
const READ = ['makeCode', 'modelCode', 'listingType', 'zip', 'searchRadius'] as const;

export interface CrawlDeps {
  readonly index: ListingIndex;
  readonly places: PlaceFinder;
  readonly reference: () => SlugReference;
}

const pick = (filters: FilterValues): FilterValues =>
  Object.fromEntries(READ.flatMap((name) => (filters[name] ? [[name, filters[name]]] : [])));

/**
 * Links to the years or trims of a model with counts and prices. Years newest first, trims by name; empty without a make
 * and a model.
 */
export async function crawlLinks(
  kind: CrawlKind,
  params: URLSearchParams,
  deps: CrawlDeps,
): Promise<CrawlLink[]> {
  const requested = pick(decodeQuery(params).filters);
  if (!requested.makeCode || !requested.modelCode) return [];
  const isNew = kind.startsWith('new');
  const filters: FilterValues = isNew ? { ...requested, listingType: ['NEW'] } : requested;
  const byYear = kind.endsWith('years');
  const query = toListingQuery(filters, deps.places);
  const groups = await deps.index.groupPrices(query, byYear ? 'year' : 'trim');

  const link = (own: FilterValues) => {
    const { zip: _, searchRadius: __, ...shown } = filters;
    return encodeUrl(
      { filters: { ...shown, ...own }, sortBy: 'relevance', firstRecord: 0, numRecords: 30, unknown: [] },
      deps.reference(),
    );
  };
  return groups
    .map(({ key, name, count, prices }) => ({
      value: key,
      label: name,
      link: link(byYear ? { startYear: [key], endYear: [key] } : { trimCode: [key] }),
      count,
      avgPrice: prices?.average,
      startingPrice: prices?.lowest,
      maxPrice: prices?.highest,
    }))
    .sort((a, b) => (byYear ? Number(b.value) - Number(a.value) : a.label.localeCompare(b.label, 'en')));
}

type MileageResponse = CallResponses['mileageStats'];

const spreadOf = (stats: MileageStats | undefined): MileageResponse['stats'] =>
  stats && {
    count: stats.count,
    mileageMin: stats.min,
    mileageMax: stats.max,
    mileageMean: stats.mean,
    mileagePerYearMean: stats.perYearMean,
    minYear: stats.minYear,
    maxYear: stats.maxYear,
  };

/**
 * Mileages of a model's listings by model year, with those of all cars in the
 * same condition for comparison.
 */
export async function mileageStats(
  params: URLSearchParams,
  { index, places }: { index: ListingIndex; places: PlaceFinder },
): Promise<MileageResponse> {
  const { makeCode, modelCode, trimCode, listingType } = decodeQuery(params).filters;
  const of = (filters: FilterValues) =>
    index.mileageStats(toListingQuery(filters, places), MILEAGE_STATS_BELOW);
  const [stats, allCars] = await Promise.all([
    of({ makeCode, modelCode, trimCode, listingType }),
    of({ listingType }),
  ]);
  return {
    stats: spreadOf(stats),
    allCars: spreadOf(allCars),
    facetStats: (stats?.years ?? []).map(({ year, count, min, max, mean }) => ({
      name: String(year),
      count,
      mileageMin: min,
      mileageMax: max,
      mileageMean: mean,
    })),
  };
}

export interface ModelInfoDeps {
  readonly index: ListingIndex;
  readonly catalog: Catalog;
}

const DEFAULT_RECORDS = 1;
const MAX_RECORDS = 30;

function spanOf(values: readonly (number | undefined)[]): { min: number; max: number } | undefined {
  const definedValues = values.filter((value) => value !== undefined);
  return definedValues.length > 0
    ? { min: Math.min(...definedValues), max: Math.max(...definedValues) }
    : undefined;
}

const namedOptions = <Code extends string>(codes: Iterable<Code>, nameOf: (code: Code) => string) =>
  [...new Set(codes)].map((code) => ({ code, name: nameOf(code) }));

async function infoOf(
  model: CatalogModel,
  year: number,
  { index, catalog }: ModelInfoDeps,
): Promise<ModelInfo | undefined> {
  const make = catalog.findMake(model.makeCode);
  const sold = (variant: Variant) => isSoldIn(variant, year);
  const trims = model.trims.filter((trim) => trim.variants.some(sold));
  const variants = trims.flatMap((trim) => trim.variants.filter(sold));
  if (!make || variants.length === 0) return undefined;
  return {
    year,
    make: { code: make.code, name: make.name },
    model: { code: model.code, name: model.name },
    bodyStyles: namedOptions(
      variants.map(({ bodyStyle }) => bodyStyle),
      (code) => BODY_STYLES[code].label,
    ),
    fuelTypes: namedOptions(
      variants.map(({ fuel }) => fuel),
      (code) => FUEL_GROUPS[code],
    ),
    trims: trims.map(({ code, name }) => ({ code, name })),
    msrp: spanOf(variants.map((variant) => msrpIn(variant, year))),
    mpg: spanOf(variants.flatMap(({ mpgCity, mpgHighway }) => [mpgCity, mpgHighway])),
    seats: spanOf(variants.map(({ seats }) => seats)),
    count: await index.count({
      vehicle: { makes: [make.code], models: [model.code], trims: [] },
      year: { min: year, max: year },
    }),
  };
}

/**
 * Catalog facts of a model: the years from `startYear` on, or the
 * newest first without one. Empty for a model that is unknown or was not built
 * then.
 */
export async function modelInfos(
  params: URLSearchParams,
  deps: ModelInfoDeps,
  currentYear: number,
): Promise<ModelInfo[]> {
  const { makeCode, modelCode, startYear } = decodeQuery(params).filters;
  const model =
    makeCode?.[0] && modelCode?.[0] ? deps.catalog.findModel(makeCode[0], modelCode[0]) : undefined;
  if (!model) return [];
  const requested = Number(params.get('numRecords') ?? DEFAULT_RECORDS);
  const size =
    Number.isInteger(requested) && requested > 0 ? Math.min(requested, MAX_RECORDS) : DEFAULT_RECORDS;
  const newest = Math.min(model.lastYear, currentYear + 1);
  const first = startYear?.[0] === undefined ? undefined : Number(startYear[0]);
  const years =
    first === undefined
      ? Array.from({ length: MAX_RECORDS }, (_, n) => newest - n)
      : Array.from({ length: size }, (_, n) => first + n);
  const infos = await Promise.all(
    years.filter((year) => year <= newest).map((year) => infoOf(model, year, deps)),
  );
  return infos.filter((info) => info !== undefined).slice(0, size);
}

interface Entry {
  readonly code: string;
  readonly name: string;
  readonly slug: string;
}
type TrimEntries = Map<string, Entry>;
type ModelEntries = Map<string, Entry & { readonly trims: TrimEntries }>;

const byName = (a: Entry, b: Entry) => a.name.localeCompare(b.name, 'en', { numeric: true });
const sorted = <Item extends Entry>(entries: ReadonlyMap<string, Item>): Item[] =>
  [...entries.values()].sort(byName);

/**
 * Makes, models and trims with their slugs: those of the catalog and
 * of the listings. A known model without listings keeps its URL.
 */
export function slugData(forSale: readonly VehicleNode[], catalog: Catalog): SlugData {
  const makes = new Map<string, Entry & { readonly models: ModelEntries }>();
  const makeEntry = (entry: Entry) => {
    const present = makes.get(entry.code) ?? { ...entry, models: new Map() };
    makes.set(entry.code, present);
    return present;
  };
  const modelEntry = (models: ModelEntries, entry: Entry) => {
    const present = models.get(entry.code) ?? { ...entry, trims: new Map() };
    models.set(entry.code, present);
    return present;
  };
  const slugged = ({ code, name }: { code: string; name: string }): Entry => ({
    code,
    name,
    slug: slugFromName(name),
  });

  for (const make of catalog.makes) {
    const { models } = makeEntry({ code: make.code, name: make.name, slug: make.slug });
    for (const model of make.models) {
      const { trims } = modelEntry(models, { code: model.code, name: model.name, slug: model.slug });
      for (const trim of model.trims) trims.set(trim.code, slugged(trim));
    }
  }
  for (const { make, model, trim } of forSale) {
    const { trims } = modelEntry(makeEntry(slugged(make)).models, slugged(model));
    if (trim && !trims.has(trim.code)) trims.set(trim.code, slugged(trim));
  }
  return {
    makes: sorted(makes).map(({ models, ...make }) => ({
      ...make,
      models: sorted(models).map(({ trims, ...model }) => ({ ...model, trims: sorted(trims) })),
    })),
  };
}
