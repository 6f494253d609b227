import { type SlugReference, createSlugReference } from '@forecourt/shared-contracts/criteria';
import { Router } from 'express';
import { ApiError } from '../http/apiError.ts';
import { queryOf } from '../http/query.ts';
import type { ListingIndex } from '../index/listingIndex.ts';
import { createFilterBuilder } from '../search/filters.ts';
import type { PlaceFinder } from '../search/places.ts';
import { createKeywordSuggestions } from '../keywords/suggestKeywords.ts';
import { CRAWL_KINDS, crawlLinks } from './crawl.ts';
import { mileageStatsAnswer } from './mileage.ts';
import { modelInfos } from './modelInfo.ts';
import { referenceOptions } from './options.ts';
import { packageNames } from './packages.ts';
import { slugData } from './slugs.ts';

const ONE_MINUTE = 'public, max-age=60';

export interface ReferenceDeps {
  readonly index: ListingIndex;
  readonly places: PlaceFinder;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

/** Crawl links, option lists, statistics, keyword suggestions and slugs, all from what is for sale. */
export function referenceRoutes({ index, places, now }: ReferenceDeps): Router {
  const router = Router();
  let known: { vehicles: number; body: string; reference: SlugReference } | undefined;
  /** Slugs change only when a make, model or trim is seen for the first time. */
  const slugs = () => {
    const vehicles = index.vehicles();
    if (known?.vehicles !== vehicles.length) {
      const data = slugData(vehicles);
      known = { vehicles: vehicles.length, body: JSON.stringify(data), reference: createSlugReference(data) };
    }
    return known;
  };

  const reference = () => slugs().reference;
  const buildFilters = createFilterBuilder();
  const suggest = createKeywordSuggestions({ index, places, reference, now });

  for (const kind of CRAWL_KINDS) {
    router.get(`/rest/lsc/crawl/${kind}`, (request, response) => {
      const links = crawlLinks(kind, queryOf(request), { index, places, reference });
      response.set('Cache-Control', ONE_MINUTE).json({ links });
    });
  }
  router.get('/rest/lsc/crawl/stats/mileage', (request, response) => {
    const stats = mileageStatsAnswer(queryOf(request), { index, places });
    response.set('Cache-Control', ONE_MINUTE).json(stats);
  });
  router.get('/rest/lsc/modelinfo/ymm', (request, response) => {
    const models = modelInfos(queryOf(request), index, new Date(now()).getUTCFullYear());
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
    if (!options) throw new ApiError(400, 'INVALID_PARAMETERS', 'There is no such category');
    response.set('Cache-Control', ONE_MINUTE).json({ options });
  });
  return router;
}
