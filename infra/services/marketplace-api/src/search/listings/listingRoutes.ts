import { readMapArea } from '@forecourt/search/criteria';
import type { Filter, Listing, ListingsResponse, Owner, SearchResponse } from '@forecourt/upstream/entities';
import { SPOTLIGHT_TIERS } from '../../domain/stock.ts';
import type { ListingIndex } from '../listingIndex/listingIndex.ts';
import type { ListingSearch } from './listingSearch.ts';
import type { PlaceFinder } from '../../domain/places/index.ts';
import { readSearchRequest } from './request.ts';
import { sellerMapOf } from './sellerMap.ts';
import { ApiError } from '../../http/middleware.ts';
import type { Read, ReadRequest } from '../../http/reads.ts';

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
export function listingRoutes(deps: {
  search: ListingSearch;
  index: ListingIndex;
  places: PlaceFinder;
}): Read[] {
  const { search, places } = deps;
  const read = ({ query }: ReadRequest) => readSearchRequest(query, places);
  const ofListings = (path: string, find: (request: ReadRequest) => Promise<ListingsResponse>): Read =>
    ofStock(path, async (request) => {
      const response = await find(request);
      return request.isMinimal ? minimalListings(response) : response;
    });
  return [
    ofStock('/rest/lsc/listing', async (request) => {
      const response = await search.search(read(request));
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
    ofStock('/cars-for-sale/svc/esntial-eligibility', async ({ query }) => ({
      eligible: await search.isEcommerceEligible(query.get('listingId') ?? ''),
    })),
    // Before the path of one listing.
    ofStock('/rest/lsc/listing/sellers', async (request) =>
      sellerMapOf(deps, await search.queryOf(read(request)), readMapArea(request.query.get('mapView') ?? '')),
    ),
    ofStock('/rest/lsc/listing/sitemap', ({ query }) => {
      const file = Number(query.get('file') ?? NaN);
      return search.sitemap(Number.isSafeInteger(file) && file > 0 ? file : undefined);
    }),
    ofStock('/rest/lsc/listing/:id/model', async ({ params }) =>
      found(await search.modelOf(params['id']!), 'LISTING_NOT_FOUND', 'This vehicle was never for sale'),
    ),
    ofStock('/rest/lsc/listing/:id/spin', async ({ params }) =>
      found(await search.spin(params['id']!), 'SPIN_NOT_FOUND', 'This vehicle has no 360° view'),
    ),
    ofStock('/rest/lsc/listing/:id', async ({ params, query }) =>
      found(
        await search.listing(params['id']!, places.byZip(query.get('zip') ?? '')),
        'LISTING_NOT_FOUND',
        'This vehicle is no longer for sale',
      ),
    ),
  ];
}

// `Prefer: return=minimal`: responses without what their schemas in shared-contracts restore, a tenth to a fifth of a
// page's JSON. `toListing` and `toOwner` fill one shape of the specifications from the other;
// `undefined` is not serialized.

const unlessFalse = (value: boolean | undefined): true | undefined => value || undefined;

function minimalListing(listing: Listing): object {
  const { specifications, pricingDetail, bodyStyles, isReducedPrice, isHot, hasSpecialOffer } = listing;
  return {
    ...listing,
    makeCode: undefined,
    modelCode: undefined,
    vehicleStyleCodes: bodyStyles.length > 0 ? undefined : listing.vehicleStyleCodes,
    fuelTypeGroup: undefined,
    specifications: { ...specifications, mileage: undefined, driveType: undefined, engine: undefined },
    pricingDetail: { ...pricingDetail, derivedPrice: undefined },
    isReducedPrice: unlessFalse(isReducedPrice),
    isHot: unlessFalse(isHot),
    hasSpecialOffer: unlessFalse(hasSpecialOffer),
  };
}

const minimalOwner = (owner: Owner): object => ({
  ...owner,
  ownerName: undefined,
  logo: owner.images?.sources.length ? undefined : owner.logo,
});

const minimalFilter = (filter: Filter): object => ({
  ...filter,
  options: filter.options.map((option) => ({
    ...option,
    selected: unlessFalse(option.selected),
    disabled: unlessFalse(option.disabled),
  })),
});

/** The response of the spotlight, highlight, similar and boost calls. */
const minimalListings = ({ listings, owners, ...rest }: ListingsResponse): object => ({
  ...rest,
  listings: listings.map(minimalListing),
  owners: owners.map(minimalOwner),
});

/** The response of `GET /rest/lsc/listing`. */
const minimalSearch = ({ alpha, ...response }: SearchResponse): object => ({
  ...response,
  ...minimalListings(response),
  filters: response.filters.map(minimalFilter),
  boost: response.boost.map(minimalListing),
  ...(alpha && {
    alpha: {
      alphaShowcase: { ...alpha.alphaShowcase, listings: alpha.alphaShowcase.listings.map(minimalListing) },
      ownerBean: minimalOwner(alpha.ownerBean),
    },
  }),
});
