import { SPOTLIGHT_TIERS } from '../domain/stock.ts';
import { type Request, type Response, Router } from 'express';
import type { ListingSearch } from './listingSearch.ts';
import type { PlaceFinder } from '../places/places.ts';
import { readSearchRequest } from './request.ts';
import { ApiError } from '../http/middleware.ts';
import { queryOf } from '../http/requests.ts';

/** Stock changes within seconds, so cached responses are always revalidated. */
const REVALIDATE = 'no-cache';

const listOf = (params: URLSearchParams, name: string) =>
  params.getAll(name).flatMap((value) => value.split(',').filter(Boolean));

/** The listing calls (A7, B7): search, count, spotlights, highlight, similar, new-car boosts, one listing. */
export function listingRoutes({ search, places }: { search: ListingSearch; places: PlaceFinder }): Router {
  const router = Router();
  const read = (request: Request) => readSearchRequest(queryOf(request), places);
  const send = (response: Response, body: unknown) => response.set('Cache-Control', REVALIDATE).json(body);

  router.get('/rest/lsc/listing', (request, response) => {
    send(response, search.search(read(request)));
  });
  router.get('/rest/lsc/listing/count', (request, response) => {
    send(response, search.count(read(request)));
  });
  router.get('/rest/lsc/listing/spotlight/premiumresults', (request, response) => {
    send(response, search.spotlights(read(request), 'premium'));
  });
  router.get('/rest/lsc/listing/spotlight/results', (request, response) => {
    const requested = queryOf(request).get('listingTier')?.toLowerCase();
    const tier = SPOTLIGHT_TIERS.find((candidate) => candidate === requested) ?? 'featured';
    send(response, search.spotlights(read(request), tier));
  });
  router.get('/rest/lsc/listing/spotlight/vehiclehighlight', (request, response) => {
    send(response, search.highlight(read(request)));
  });
  router.get('/rest/lsc/listing/similar', (request, response) => {
    const params = queryOf(request);
    const criteria = {
      bodyStyles: listOf(params, 'bodyStyleCode'),
      series: listOf(params, 'classSeriesCode'),
    };
    send(response, search.similar(read(request), criteria));
  });
  router.get('/rest/lsc/newcarboost/listing', (request, response) => {
    const params = queryOf(request);
    const criteria = {
      models: listOf(params, 'modelCodeToBoost'),
      trims: listOf(params, 'trimCodeToBoost'),
      series: listOf(params, 'seriesCodeToBoost'),
    };
    send(response, search.newCarBoosts(read(request), criteria));
  });
  router.get('/cars-for-sale/svc/esntial-eligibility', (request, response) => {
    send(response, { eligible: search.isEcommerceEligible(queryOf(request).get('listingId') ?? '') });
  });
  router.get('/rest/lsc/listing/:id/model', (request, response) => {
    const result = search.modelOf(request.params.id);
    if (!result) throw new ApiError(404, 'LISTING_NOT_FOUND', 'This vehicle was never for sale');
    send(response, result);
  });
  router.get('/rest/lsc/listing/:id/spin', (request, response) => {
    const result = search.spin(request.params.id);
    if (!result) throw new ApiError(404, 'SPIN_NOT_FOUND', 'This vehicle has no 360° view');
    send(response, result);
  });
  router.get('/rest/lsc/listing/:id', (request, response) => {
    const result = search.listing(request.params.id);
    if (!result) throw new ApiError(404, 'LISTING_NOT_FOUND', 'This vehicle is no longer for sale');
    send(response, result);
  });
  return router;
}
