import type { SlugReference } from '@forecourt/shared-contracts/search';
import { createSlugReference } from '@forecourt/shared-contracts/search';
import { Router } from 'express';
import { ApiError } from '../http/apiError.ts';
import { queryOf } from '../http/query.ts';
import type { ListingIndex } from '../index/listingIndex.ts';
import type { PlaceFinder } from '../search/places.ts';
import { CRAWL_KINDS, crawlLinks } from './crawl.ts';
import { referenceOptions } from './options.ts';
import { slugData } from './slugs.ts';

const ONE_MINUTE = 'public, max-age=60';

/** Crawl links, option lists and slugs, all from what is for sale. */
export function referenceRoutes({ index, places }: { index: ListingIndex; places: PlaceFinder }): Router {
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

  for (const kind of CRAWL_KINDS) {
    router.get(`/rest/lsc/crawl/${kind}`, (request, response) => {
      const reference = () => slugs().reference;
      const links = crawlLinks(kind, queryOf(request), { index, places, reference });
      response.set('Cache-Control', ONE_MINUTE).json({ links });
    });
  }
  router.get('/rest/lsc/reference/slugs', (_, response) => {
    response.set('Cache-Control', ONE_MINUTE).type('json').send(slugs().body);
  });
  router.get('/cars-for-sale/searchoptions/reference', (request, response) => {
    const options = referenceOptions(queryOf(request), { index, places });
    if (!options) throw new ApiError(400, 'INVALID_PARAMETERS', 'There is no such category');
    response.set('Cache-Control', ONE_MINUTE).json({ options });
  });
  return router;
}
