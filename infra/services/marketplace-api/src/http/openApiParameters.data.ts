import { FILTER_PARAMS } from '@forecourt/search/criteria';

/** A query parameter: name, what it means, whether the call needs it. */
export interface QueryParameter {
  readonly name: string;
  readonly description: string;
  readonly required?: boolean;
}
const query = (name: string, description: string, required = false): QueryParameter => ({
  name,
  description,
  required,
});

const FILTERS = FILTER_PARAMS.map((name) => query(name, 'A filter; several values separated by commas.'));
const PAGING = [
  query(
    'sortBy',
    'relevance, derivedpriceASC, derivedpriceDESC, distanceASC, datelistedASC, datelistedDESC, mileageASC, mileageDESC, yearASC, yearDESC',
  ),
  query('firstRecord', 'Zero-based offset.'),
  query('numRecords', '1 to 100; 30 unless told.'),
];
const SEARCH = [
  ...FILTERS,
  ...PAGING,
  query('vin', 'VINs, separated by commas.'),
  query('excludedListingId', 'Up to 25 ids, separated by commas.'),
  query('collapseFilters', 'true: omits filter options from the response.'),
  query('channel', 'Site or campaign that asks.'),
];
const SPOTLIGHT = [
  ...SEARCH,
  query('numSpotlights', '1 to 30.'),
  query('listingTier', 'premium, featured or standard.'),
  query('spotlightPage', 'From 1.'),
];
const MODEL = [query('makeCode', 'Code of a make.'), query('modelCode', 'Code of a model.')];
const PAYMENT = [
  query('listingId', 'The vehicle.', true),
  ...['enableLease', 'disableIncentives', 'hasSpecialOffers', 'defaultRate'].map((name) =>
    query(name, 'true or false'),
  ),
  query('dealerId', 'The seller.'),
  query('partnerId', 'The brand.'),
];

/** Query parameters by path. What is not listed takes none. */
export const QUERIES: Readonly<Record<string, readonly QueryParameter[]>> = {
  '/rest/lsc/listing': SEARCH,
  '/rest/lsc/listing/count': FILTERS,
  '/rest/lsc/listing/sellers': [
    ...FILTERS,
    query('mapView', 'South~west~north~east of the map in degrees; by default, the place of the search.'),
  ],
  '/rest/lsc/listing/spotlight/premiumresults': SPOTLIGHT,
  '/rest/lsc/listing/spotlight/results': SPOTLIGHT,
  '/rest/lsc/listing/spotlight/vehiclehighlight': [
    ...SEARCH,
    query('includeExtendedVehicleHighlights', 'true or false'),
  ],
  '/rest/lsc/newcarboost/listing': [
    ...SEARCH,
    ...['modelCodeToBoost', 'trimCodeToBoost', 'seriesCodeToBoost'].map((name) => query(name, 'A code.')),
  ],
  '/rest/lsc/listing/sitemap': [query('file', 'Number of a file, from 1; without it, the files are listed.')],
  '/rest/lsc/listing/{id}': [query('zip', 'Where distances are measured from.')],
  '/rest/lsc/listing/similar': [
    ...SEARCH,
    query('bodyStyleCode', 'Body styles that count as alike.'),
    query('classSeriesCode', 'Series that count as alike.'),
  ],
  '/cars-for-sale/searchoptions/reference': [
    query('category', 'Name of a filter, years or mileageRanges.', true),
    ...FILTERS,
  ],
  '/cars-for-sale/searchoptions/packages': [...MODEL, query('trimCode', 'Code of a trim.')],
  ...Object.fromEntries(
    ['modelyears', 'newmodelyears', 'trims', 'newtrims'].map((kind) => [
      `/rest/lsc/crawl/${kind}`,
      [
        ...MODEL,
        query('listingType', 'Condition.'),
        query('zip', 'Center.'),
        query('searchRadius', 'Miles.'),
      ],
    ]),
  ),
  '/rest/lsc/crawl/stats/mileage': [...MODEL, query('listingType', 'Condition.')],
  '/rest/lsc/modelinfo/ymm': [
    ...MODEL,
    query('startYear', 'Model year.'),
    query('numRecords', 'At most so many.'),
  ],
  '/rest/lsc/personalization': [
    query('pc.origin', 'Where the shopper comes from.'),
    query('pc.fueltype', 'Fuel group of the search.'),
    query('zip', 'The shopper’s ZIP.'),
    query('consumerId', 'Instead of X-Consumer-Id.'),
  ],
  '/account-api/searchbookmarks': [
    query('searchBookmarkId', 'One of them; all without it.'),
    query('countNew', 'true: all with their numbers of new matches.'),
  ],
  '/cars-for-sale/svc/browsing-history': [
    query('consumerId', 'Instead of X-Consumer-Id.'),
    query('brand', 'The edition that asks.'),
  ],
  '/cars-for-sale/svc/lead-candidates': [query('consumerId', 'Instead of X-Consumer-Id.')],
  '/cars-for-sale/svc/listing-view-count': [
    query('vin', 'The vehicle.', true),
    query('dateRange', 'Days, 7 unless told.'),
  ],
  '/cars-for-sale/svc/vdp-base': [query('brand', 'The edition that asks.')],
  '/cars-for-sale/svc/esntial-eligibility': [query('listingId', 'The vehicle.', true)],
  '/cars-for-sale/kbbresearch/reference/vehicles': [
    query('yearId', 'Model year.', true),
    query('atcMakeCode', 'Code of a make.', true),
    query('atcModelCode', 'Code of a model.', true),
  ],
  '/expert-reviews/{year}/{make}/{model}/{trim}': [query('_embed', 'Present: with author and picture.')],
  '/ads/slot': [
    query('slot', 'Name of the slot.', true),
    query('size', "Px, e.g. '728x90'.", true),
    query('n', 'How often the slot was refreshed.'),
    ...['make', 'model', 'style', 'condition', 'zip', 'page'].map((name) => query(`t.${name}`, 'Targeting.')),
  ],
  '/payments/calculate': [
    ...PAYMENT,
    query('type', 'finance or lease.'),
    query('downPayment', 'US dollars.'),
    query('term', 'Months.'),
    query('apr', 'Percent a year.'),
  ],
  '/payments/incentives': PAYMENT,
};
