import { BRAND_CODES } from '@forecourt/search/brands';
import {
  FILTER_PARAMS,
  type FilterParam,
  MAX_MAKE_GROUPS,
  MAX_SEARCH_RADIUS,
  SORT_VALUES,
} from '@forecourt/search/criteria';
import { MAX_EXCLUDED_LISTING_IDS } from '@forecourt/search/query';
import { LISTING_TYPES, SELLER_TYPES } from '@forecourt/upstream/codes';
import { z } from 'zod';

/** A query parameter: name, meaning, values, and whether the call needs it. */
export interface QueryParameter {
  readonly name: string;
  readonly description: string;
  /** Of an array, whose elements are separated by commas, or of one value. */
  readonly schema: z.ZodType;
  readonly required?: boolean;
}
const query = (name: string, description: string, schema: z.ZodType): QueryParameter => ({
  name,
  description,
  schema,
});
const required = (parameter: QueryParameter): QueryParameter => ({ ...parameter, required: true });

const code = z.string().min(1).max(64);
const text = z.string().min(1).max(120);
const isTrue = z.boolean();
const codes = (one: z.ZodType = code, max = 100) => z.array(one).min(1).max(max);
const whole = (min: number, max: number) => z.number().int().min(min).max(max);
const zip = z.string().regex(/^\d{5}$/);
const year = whole(1900, 2099);
const MAX_NUMBER = 999_999_999;
const mapArea = z.string().regex(/^-?\d{1,3}(?:\.\d{1,15})?(?:~-?\d{1,3}(?:\.\d{1,15})?){3}$/);
const brand = z.enum(BRAND_CODES);

/** Values of the filters that are not lists of codes; the service ignores others. */
const FILTER_SCHEMAS: Partial<Record<FilterParam, z.ZodType>> = {
  zip,
  searchRadius: whole(0, MAX_SEARCH_RADIUS),
  state: z.string().regex(/^[A-Za-z]{2}$/),
  city: text,
  keyword: text,
  area: mapArea,
  marketExtension: z.enum(['include', 'off']),
  startYear: year,
  endYear: year,
  minPrice: whole(1, MAX_NUMBER),
  maxPrice: whole(1, MAX_NUMBER),
  monthlyPayment: z.string().regex(/^[1-9]\d{0,8}(?:-\d{1,9}(?:-\d{1,3}(?:-\d{1,2}(?:\.\d{1,4})?)?)?)?$/),
  mileage: whole(0, MAX_NUMBER),
  listingType: codes(z.enum(LISTING_TYPES), LISTING_TYPES.length),
  sellerType: codes(z.enum(Object.keys(SELLER_TYPES)), Object.keys(SELLER_TYPES).length),
  dealType: codes(z.enum(['goodprice', 'greatprice']), 2),
  mpgRange: codes(z.string().regex(/^\d{1,3}(?:-MPG|\+)?$/)),
  makeCode: codes(code, MAX_MAKE_GROUPS),
  trimCode: codes(z.string().regex(/^[^|,]{1,32}\|[^|,]{1,31}$/)),
};

/** Meanings that the name does not tell. */
const FILTER_DESCRIPTIONS: Partial<Record<FilterParam, string>> = {
  searchRadius: 'Miles around the place.',
  area: 'South~west~north~east in degrees.',
  minPrice: 'US dollars.',
  maxPrice: 'US dollars.',
  mileage: 'At most so many miles.',
  monthlyPayment: 'US dollars a month, then down payment, months and percent a year, separated by hyphens.',
  mpgRange: 'Miles per gallon, or more.',
  trimCode: 'Codes of model and trim with a bar between.',
  keyword: 'Words, a VIN or a stock number.',
};

const FILTERS = FILTER_PARAMS.map((name) =>
  query(name, FILTER_DESCRIPTIONS[name] ?? 'A filter.', FILTER_SCHEMAS[name] ?? codes()),
);
const SEARCH = [
  ...FILTERS,
  query('sortBy', 'Order of the listings.', z.enum(SORT_VALUES)),
  query('firstRecord', 'Zero-based offset.', whole(0, 10_000_000)),
  query('numRecords', 'Listings in the response; 30 unless told.', whole(1, 100)),
  query('vin', 'VINs.', codes(z.string().regex(/^[A-Za-z0-9]{1,17}$/))),
  query('excludedListingId', 'Ids of listings to leave out.', codes(code, MAX_EXCLUDED_LISTING_IDS)),
  query('collapseFilters', 'Leaves the options of filters out.', isTrue),
  query('channel', 'Site or campaign that asks.', code),
];
const SPOTLIGHT = [
  ...SEARCH,
  query('numSpotlights', 'Spotlights in the response.', whole(1, 30)),
  query('listingTier', 'Level of the spotlights.', z.enum(['premium', 'featured', 'standard'])),
  query('spotlightPage', 'Page of the spotlights, from 1.', whole(1, 10_000)),
];

/** One filter in a list of its own, as in a search. */
const filter = (name: FilterParam): QueryParameter => FILTERS[FILTER_PARAMS.indexOf(name)]!;
const MODEL = [filter('makeCode'), filter('modelCode')];
const LISTING_ID = required(query('listingId', 'The vehicle.', code));
const CONSUMER_ID = query('consumerId', 'Instead of X-Consumer-Id.', z.string().max(128));
const BRAND = query('brand', 'The edition that asks.', brand);
const PAYMENT = [
  LISTING_ID,
  query('enableLease', 'Allows a lease.', isTrue),
  query('disableIncentives', 'Leaves incentives out.', isTrue),
  query('hasSpecialOffers', 'The vehicle has special offers.', isTrue),
  query('defaultRate', "Calculates with the site's rate.", isTrue),
  query('dealerId', 'The seller.', code),
  query('partnerId', 'The brand.', code),
];
const CRAWL = [...MODEL, filter('listingType'), filter('zip'), filter('searchRadius')];

/** Query parameters by path. Paths that are not listed take none. */
export const QUERIES: Readonly<Record<string, readonly QueryParameter[]>> = {
  '/rest/lsc/listing': SEARCH,
  '/rest/lsc/listing/count': FILTERS,
  '/rest/lsc/listing/sellers': [
    ...FILTERS,
    query(
      'mapView',
      'South~west~north~east of the map in degrees; by default, the place of the search.',
      mapArea,
    ),
  ],
  '/rest/lsc/listing/spotlight/premiumresults': SPOTLIGHT,
  '/rest/lsc/listing/spotlight/results': SPOTLIGHT,
  '/rest/lsc/listing/spotlight/vehiclehighlight': [
    ...SEARCH,
    query('includeExtendedVehicleHighlights', 'Looks outside of the radius, too.', isTrue),
  ],
  '/rest/lsc/newcarboost/listing': [
    ...SEARCH,
    ...['modelCodeToBoost', 'trimCodeToBoost', 'seriesCodeToBoost'].map((name) =>
      query(name, 'Codes of what is shown.', codes()),
    ),
  ],
  '/rest/lsc/listing/sitemap': [
    query('file', 'Number of a file, from 1; without it, the files are listed.', whole(1, 100_000)),
  ],
  '/rest/lsc/listing/{id}': [query('zip', 'Where distances are measured from.', zip)],
  '/rest/lsc/listing/similar': [
    ...SEARCH,
    query('bodyStyleCode', 'Body styles that count as alike.', codes()),
    query('classSeriesCode', 'Series that count as alike.', codes()),
  ],
  '/cars-for-sale/searchoptions/reference': [
    required(query('category', 'Name of a filter, years or mileageRanges.', code)),
    ...FILTERS,
  ],
  '/cars-for-sale/searchoptions/packages': [...MODEL, filter('trimCode')],
  ...Object.fromEntries(
    ['modelyears', 'newmodelyears', 'trims', 'newtrims'].map((kind) => [`/rest/lsc/crawl/${kind}`, CRAWL]),
  ),
  '/rest/lsc/crawl/stats/mileage': [...MODEL, filter('listingType')],
  '/rest/lsc/modelinfo/ymm': [
    ...MODEL,
    filter('startYear'),
    query('numRecords', 'Model years in the response; one unless told.', whole(1, 30)),
  ],
  '/rest/lsc/personalization': [
    query('pc.origin', 'Where the shopper comes from.', code),
    query('pc.fueltype', 'Fuel group of the search.', code),
    query('zip', 'The ZIP code of the shopper.', zip),
    CONSUMER_ID,
  ],
  '/account-api/searchbookmarks': [
    query('searchBookmarkId', 'One of them; all without it.', code),
    query('countNew', 'All with their numbers of new matches.', isTrue),
  ],
  '/cars-for-sale/svc/browsing-history': [CONSUMER_ID, BRAND],
  '/cars-for-sale/svc/lead-candidates': [CONSUMER_ID],
  '/cars-for-sale/svc/listing-view-count': [
    required(query('vin', 'The vehicle.', z.string().regex(/^[A-Za-z0-9]{1,17}$/))),
    query('dateRange', 'Days, 7 unless told.', whole(1, 90)),
  ],
  '/cars-for-sale/svc/vdp-base': [BRAND],
  '/cars-for-sale/svc/esntial-eligibility': [LISTING_ID],
  '/cars-for-sale/kbbresearch/reference/vehicles': [
    required(query('yearId', 'Model year.', year)),
    required(query('atcMakeCode', 'Code of a make.', code)),
    required(query('atcModelCode', 'Code of a model.', code)),
  ],
  '/expert-reviews/{year}/{make}/{model}/{trim}': [
    query('_embed', 'Present: with author and picture.', z.string().max(1)),
  ],
  '/ads/slot': [
    required(query('slot', 'Name of the slot.', code)),
    required(query('size', "Px, e.g. '728x90'.", z.string().regex(/^\d{2,4}x\d{2,4}$/))),
    query('n', 'How often the slot was refreshed.', whole(0, 9999)),
    ...['make', 'model', 'style', 'condition', 'zip', 'page'].map((name) =>
      query(`t.${name}`, 'Targeting.', z.string().max(200)),
    ),
  ],
  '/payments/calculate': [
    ...PAYMENT,
    query('type', 'Kind of the contract.', z.enum(['finance', 'lease'])),
    query('downPayment', 'US dollars.', z.number().min(0).max(10_000_000)),
    query('term', 'Months.', whole(0, 120)),
    query('apr', 'Percent a year.', z.number().min(0).max(40)),
  ],
  '/payments/incentives': PAYMENT,
};

/** Values of path segments; others are any text of up to 256 characters. */
export const IN_PATH: Readonly<Record<string, z.ZodType>> = {
  ...Object.fromEntries(
    ['id', 'listingId', 'bookmarkId', 'alertId', 'vehicleId', 'productId', 'contentId'].map((name) => [
      name,
      code,
    ]),
  ),
  zip,
  term: text,
  year,
};
