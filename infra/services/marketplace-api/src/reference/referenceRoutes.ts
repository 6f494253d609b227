import { type SlugReference, createSlugReference, decodeQuery } from '@forecourt/shared-contracts/criteria';
import { Router } from 'express';
import { ApiError } from '../http/middleware.ts';
import { ONE_DAY, ONE_MINUTE, queryOf } from '../http/requests.ts';
import type { Catalog } from '../domain/catalog.ts';
import type { ListingIndex } from '../index/listingIndex.ts';
import { type FilterBuilder, createFilterBuilder } from '../search/filters.ts';
import type { PlaceFinder, ZipDirectory } from '../places/places.ts';
import { createKeywordSuggestions } from './keywords.ts';
import { CRAWL_KINDS, crawlLinks, mileageStats, modelInfos, slugData } from './models.ts';
import { CALLS } from '@forecourt/shared-contracts/calls';
import type { PackageName, ReferenceOption } from '../http/callTypes.ts';
import { FILTERS } from '@forecourt/shared-contracts/catalog';
import { readSearchRequest } from '../search/request.ts';
import { compareOptions, optionLabel } from '../search/optionLabels.ts';
import { ANY_VEHICLE } from '../index/vehicleTree.ts';

export interface ReferenceDeps {
  readonly index: ListingIndex;
  readonly catalog: Catalog;
  readonly places: PlaceFinder;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

/** Crawl links, options, statistics, keyword suggestions and slugs, all from the current stock. */
export function referenceRoutes({ index, catalog, places, now }: ReferenceDeps): Router {
  const router = Router();
  let cached: { vehicles: number; body: string; reference: SlugReference } | undefined;
  /** Slugs change only when a make, model or trim appears for the first time. */
  const slugs = () => {
    const vehicles = index.vehicles();
    if (cached?.vehicles !== vehicles.length) {
      const data = slugData(vehicles, catalog);
      cached = {
        vehicles: vehicles.length,
        body: JSON.stringify(data),
        reference: createSlugReference(data),
      };
    }
    return cached;
  };

  const reference = () => slugs().reference;
  const buildFilters = createFilterBuilder(catalog);
  const suggest = createKeywordSuggestions({ index, catalog, places, reference, now });

  for (const kind of CRAWL_KINDS) {
    router.get(`/rest/lsc/crawl/${kind}`, (request, response) => {
      const links = crawlLinks(kind, queryOf(request), { index, places, reference });
      response.set('Cache-Control', ONE_MINUTE).json({ links });
    });
  }
  router.get('/rest/lsc/crawl/stats/mileage', (request, response) => {
    const stats = mileageStats(queryOf(request), { index, places });
    response.set('Cache-Control', ONE_MINUTE).json(stats);
  });
  router.get('/rest/lsc/modelinfo/ymm', (request, response) => {
    const models = modelInfos(queryOf(request), { index, catalog }, new Date(now()).getUTCFullYear());
    response.set('Cache-Control', ONE_MINUTE).json({ models });
  });
  router.get('/cars-for-sale/searchoptions/packages', (request, response) => {
    const results = { packageNames: packageNames(queryOf(request), index) };
    response.set('Cache-Control', ONE_MINUTE).json({ results });
  });
  router.get('/rest/lsc/marketplace/suggested/keywords/:term', (request, response) => {
    const suggestions = suggest(request.params.term, queryOf(request));
    response.set('Cache-Control', ONE_MINUTE).json({ suggestions });
  });
  router.get('/rest/lsc/reference/slugs', (_, response) => {
    response.set('Cache-Control', ONE_MINUTE).type('json').send(slugs().body);
  });
  router.get('/cars-for-sale/searchoptions/reference', (request, response) => {
    const options = referenceOptions(queryOf(request), { index, places, buildFilters });
    if (!options) throw new ApiError(400, 'INVALID_PARAMETERS', 'Unknown category');
    response.set('Cache-Control', ONE_MINUTE).json({ options });
  });
  return router;
}

/** ZIP lookup (AMB-182) and the base path of detail pages (AMB-190). */
export function siteRoutes({ zips }: { zips: ZipDirectory }): Router {
  const router = Router();
  router.get('/cars-for-sale/svc/zip/:zip', (request, response) => {
    const result = CALLS.zipLookup.response.parse(zips.lookup(request.params.zip));
    response.set('Cache-Control', ONE_DAY).json(result);
  });
  // The same for every brand.
  router.get('/cars-for-sale/svc/vdp-base', (_, response) => {
    response.set('Cache-Control', ONE_DAY).json({ basePath: '/cars-for-sale/vehicle' });
  });
  return router;
}

/** Categories whose names differ from their filter's (AMB-176). */
const FILTER_OF: Readonly<Record<string, string>> = {
  years: 'yearRange',
  mileageRanges: 'mileage',
};

/**
 * Options of one category with the listings of each, for the make and model
 * that the query names (A7-REF-01, A7-REF-02). Undefined for a category that
 * does not exist.
 */
function referenceOptions(
  params: URLSearchParams,
  deps: { index: ListingIndex; places: PlaceFinder; buildFilters: FilterBuilder },
): ReferenceOption[] | undefined {
  const category = params.get('category') ?? '';
  const name = FILTER_OF[category] ?? category;
  if (!FILTERS.some((section) => section.name === name)) return undefined;
  const { criteria, query } = readSearchRequest(params, deps.places);
  const { counts } = deps.index.search(query, { sort: 'yearDESC', first: 0, size: 1 }, { counts: true });
  const makeOf = new Map(counts?.models.map(({ code, make }) => [code, make?.code]));
  const filter = deps.buildFilters(criteria, counts).find((candidate) => candidate.name === name);
  return (filter?.options ?? []).map(({ label, value, count }) => ({
    label,
    value,
    count,
    ...(name === 'modelCode' && { makeCode: makeOf.get(value) }),
  }));
}

/** Packages with which the make, model and trim are for sale (A7-PACK-01, A7-PACK-02), in display order. */
function packageNames(params: URLSearchParams, index: ListingIndex): PackageName[] {
  const { makeCode = [], modelCode = [], trimCode = [] } = decodeQuery(params).filters;
  const query = { vehicle: { ...ANY_VEHICLE, makes: makeCode, models: modelCode, trims: trimCode } };
  const { counts } = index.search(query, { sort: 'yearDESC', first: 0, size: 1 }, { counts: true });
  const { values, counts: perPackage } = counts!.facets.packages;
  return values
    .filter((_, code) => perPackage[code]! > 0)
    .map((value) => ({ value, label: optionLabel('packages', value) }))
    .sort(compareOptions('packages'))
    .map(({ value, label }) => ({ name: label, code: value }));
}
