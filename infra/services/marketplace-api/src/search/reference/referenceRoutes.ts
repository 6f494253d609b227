import { decodeQuery } from '@forecourt/search/decode';
import { FILTERS } from '@forecourt/search/catalog';
import { type SlugReference, createSlugReference } from '@forecourt/search/criteria';
import { CALLS } from '@forecourt/upstream/calls';
import { ApiError } from '../../http/middleware.ts';
import { JsonText, type Read } from '../../http/reads.ts';
import type { PackageName, ReferenceOption } from '../../domain/callTypes.ts';
import { ONE_DAY, ONE_MINUTE } from '../../http/requests.ts';
import type { Catalog } from '../../domain/catalog.ts';
import { type ListingIndex, ONE_HIT } from '../listingIndex/listingIndex.ts';
import { type FilterBuilder, createFilterBuilder } from '../listings/filters.ts';
import type { PlaceFinder, ZipDirectory } from '../../domain/places/index.ts';
import { createKeywordSuggestions } from './keywords.ts';
import { CRAWL_KINDS, crawlLinks, mileageStats, modelInfos, slugData } from './models.ts';
import { readSearchRequest } from '../listings/request.ts';
import { compareOptions, optionLabel } from '../../domain/labels.ts';
import { ANY_VEHICLE } from '../listingIndex/vehicleTree.ts';

export interface ReferenceDeps {
  readonly index: ListingIndex;
  readonly catalog: Catalog;
  readonly places: PlaceFinder;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

/** Crawl links, options, statistics, keyword suggestions and slugs, all from the current stock. */
export function referenceRoutes({ index, catalog, places, now }: ReferenceDeps): Read[] {
  let cached: { version: number; vehicles: number; body: JsonText; reference: SlugReference } | undefined;
  /** Slugs change only when a make, model or trim appears for the first time. */
  const slugs = () => {
    const { version } = index;
    if (cached?.version === version) return cached;
    const vehicles = index.vehicleNodes;
    if (cached?.vehicles === vehicles.length) cached = { ...cached, version };
    else {
      const data = slugData(vehicles, catalog);
      cached = {
        version,
        vehicles: vehicles.length,
        body: new JsonText(JSON.stringify(data)),
        reference: createSlugReference(data),
      };
    }
    return cached;
  };

  const reference = () => slugs().reference;
  const buildFilters = createFilterBuilder(catalog);
  const suggest = createKeywordSuggestions({ index, catalog, places, reference, now });
  const ofStock = (path: string, read: Read['read']): Read => ({
    path,
    control: ONE_MINUTE,
    isOfStock: true,
    read,
  });
  const reads: Read[] = [
    ...CRAWL_KINDS.map((kind) =>
      ofStock(`/rest/lsc/crawl/${kind}`, async ({ query }) => ({
        links: await crawlLinks(kind, query, { index, places, reference }),
      })),
    ),
    ofStock('/rest/lsc/crawl/stats/mileage', ({ query }) => mileageStats(query, { index, places })),
    ofStock('/rest/lsc/modelinfo/ymm', async ({ query }) => ({
      models: await modelInfos(query, { index, catalog }, new Date(now()).getUTCFullYear()),
    })),
    ofStock('/cars-for-sale/searchoptions/packages', async ({ query }) => ({
      results: { packageNames: await packageNames(query, index) },
    })),
    ofStock('/rest/lsc/marketplace/suggested/keywords/:term', async ({ query, params }) => ({
      suggestions: await suggest(params['term']!, query),
    })),
    ofStock('/rest/lsc/reference/slugs', () => slugs().body),
    ofStock('/cars-for-sale/searchoptions/reference', async ({ query }) => {
      const options = await referenceOptions(query, { index, places, buildFilters });
      if (!options) throw new ApiError(400, 'INVALID_PARAMETERS', 'Unknown category');
      return { options };
    }),
  ];
  return reads;
}

/** ZIP lookup and the base path of detail pages. */
export function siteRoutes({ zips }: { zips: ZipDirectory }): Read[] {
  return [
    {
      path: '/cars-for-sale/svc/zip/:zip',
      control: ONE_DAY,
      read: ({ params }) => CALLS.zipLookup.response.parse(zips.lookup(params['zip']!)),
    },
    // The same for every brand.
    {
      path: '/cars-for-sale/svc/vdp-base',
      control: ONE_DAY,
      read: () => ({ basePath: '/cars-for-sale/vehicle' }),
    },
  ];
}

/** Categories whose names differ from their filter's. */
const FILTER_OF: Readonly<Record<string, string>> = {
  years: 'yearRange',
  mileageRanges: 'mileage',
};

/**
 * Options of one category with the listings of each, for the make and model
 * that the query names. Undefined for a category that
 * does not exist.
 */
async function referenceOptions(
  params: URLSearchParams,
  deps: { index: ListingIndex; places: PlaceFinder; buildFilters: FilterBuilder },
): Promise<ReferenceOption[] | undefined> {
  const category = params.get('category') ?? '';
  const name = FILTER_OF[category] ?? category;
  if (!FILTERS.some((section) => section.name === name)) return undefined;
  const { criteria, query } = readSearchRequest(params, deps.places);
  const { counts } = await deps.index.search(query, ONE_HIT, { counts: true });
  const makeOf = new Map(counts?.models.map(({ code, make }) => [code, make?.code]));
  const filter = deps.buildFilters(criteria, counts).find((candidate) => candidate.name === name);
  return (filter?.options ?? []).map(({ label, value, count }) => ({
    label,
    value,
    count,
    ...(name === 'modelCode' && { makeCode: makeOf.get(value) }),
  }));
}

/** Packages with which the make, model and trim are for sale, in display order. */
async function packageNames(params: URLSearchParams, index: ListingIndex): Promise<PackageName[]> {
  const { makeCode = [], modelCode = [], trimCode = [] } = decodeQuery(params).filters;
  const query = { vehicle: { ...ANY_VEHICLE, makes: makeCode, models: modelCode, trims: trimCode } };
  const { counts } = await index.search(query, ONE_HIT, { counts: true });
  const { values, counts: perPackage } = counts!.facets.packages;
  return values
    .filter((_, code) => perPackage[code]! > 0)
    .map((value) => ({ value, label: optionLabel('packages', value) }))
    .sort(compareOptions('packages'))
    .map(({ value, label }) => ({ name: label, code: value }));
}
