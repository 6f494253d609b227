import type { ListingsResponse } from '@forecourt/shared-contracts/entities';
import { SPOTLIGHT_TIERS } from '../domain/stock.ts';
import type { ListingSearch } from './listingSearch.ts';
import type { PlaceFinder } from '../places/places.ts';
import { minimalListings, minimalSearch } from './minimal.ts';
import { readSearchRequest } from './request.ts';
import { ApiError } from '../http/middleware.ts';
import type { Read, ReadRequest } from '../http/reads.ts';

/** Stock changes within seconds, so cached responses are always revalidated. */
const REVALIDATE = 'no-cache';

const listOf = (params: URLSearchParams, name: string) =>
  params.getAll(name).flatMap((value) => value.split(',').filter(Boolean));

const found = <Found>(result: Found | undefined, code: string, message: string): Found => {
  if (result === undefined) throw new ApiError(404, code, message);
  return result;
};

const ofStock = (path: string, read: Read['read']): Read => ({
  path,
  control: REVALIDATE,
  isOfStock: true,
  read,
});

/** The listing calls (A7, B7): search, count, spotlights, highlight, similar, new-car boosts, one listing. */
export function listingRoutes({ search, places }: { search: ListingSearch; places: PlaceFinder }): Read[] {
  const read = ({ query }: ReadRequest) => readSearchRequest(query, places);
  const ofListings = (path: string, find: (request: ReadRequest) => ListingsResponse): Read =>
    ofStock(path, (request) => (request.isMinimal ? minimalListings(find(request)) : find(request)));
  return [
    ofStock('/rest/lsc/listing', (request) => {
      const response = search.search(read(request));
      return request.isMinimal ? minimalSearch(response) : response;
    }),
    ofStock('/rest/lsc/listing/count', (request) => search.count(read(request))),
    ofListings('/rest/lsc/listing/spotlight/premiumresults', (request) =>
      search.spotlights(read(request), 'premium'),
    ),
    ofListings('/rest/lsc/listing/spotlight/results', (request) => {
      const requested = request.query.get('listingTier')?.toLowerCase();
      const tier = SPOTLIGHT_TIERS.find((candidate) => candidate === requested) ?? 'featured';
      return search.spotlights(read(request), tier);
    }),
    ofListings('/rest/lsc/listing/spotlight/vehiclehighlight', (request) => search.highlight(read(request))),
    ofListings('/rest/lsc/listing/similar', (request) =>
      search.similar(read(request), {
        bodyStyles: listOf(request.query, 'bodyStyleCode'),
        series: listOf(request.query, 'classSeriesCode'),
      }),
    ),
    ofListings('/rest/lsc/newcarboost/listing', (request) =>
      search.newCarBoosts(read(request), {
        models: listOf(request.query, 'modelCodeToBoost'),
        trims: listOf(request.query, 'trimCodeToBoost'),
        series: listOf(request.query, 'seriesCodeToBoost'),
      }),
    ),
    ofStock('/cars-for-sale/svc/esntial-eligibility', ({ query }) => ({
      eligible: search.isEcommerceEligible(query.get('listingId') ?? ''),
    })),
    ofStock('/rest/lsc/listing/:id/model', ({ params }) =>
      found(search.modelOf(params['id']!), 'LISTING_NOT_FOUND', 'This vehicle was never for sale'),
    ),
    ofStock('/rest/lsc/listing/:id/spin', ({ params }) =>
      found(search.spin(params['id']!), 'SPIN_NOT_FOUND', 'This vehicle has no 360° view'),
    ),
    ofStock('/rest/lsc/listing/:id', ({ params }) =>
      found(search.listing(params['id']!), 'LISTING_NOT_FOUND', 'This vehicle is no longer for sale'),
    ),
  ];
}
