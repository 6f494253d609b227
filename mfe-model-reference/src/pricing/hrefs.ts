import {
  EMPTY_SLUG_REFERENCE,
  withValues,
  type FilterValues,
  type SearchCriteria,
} from '@forecourt/shared-contracts/criteria';
import { encodeUrl } from '@forecourt/shared-contracts/url';
import type { ReferenceData } from '../load.ts';
import type { PriceRow } from './priceRows.ts';

/** The search which the great-price count counts: the whole country, great prices only. */
export function greatPriceHref(criteria: SearchCriteria): string {
  const filters = withValues(withValues(criteria.filters, 'searchRadius', ['0']), 'dealType', ['greatprice']);
  return encodeUrl({ ...criteria, filters, firstRecord: 0 }, EMPTY_SLUG_REFERENCE);
}

/**
 * The search whose listings a price list counts: the model in its condition and area, and nothing else of the page's
 * criteria, which the crawl calls do not know (AMB-067). Without a place it has an address for crawlers, the row's own;
 * radius 0 is the whole country, wherever the visitor is.
 */
export function countedHref(
  { filters, sortBy, numRecords }: SearchCriteria,
  area: ReferenceData['area'],
  { link, own }: PriceRow,
): string {
  const { makeCode, modelCode, listingType, zip, city, state } = filters;
  if (!area && !zip && !city && !state) return link;
  const counted: FilterValues = {
    ...(makeCode && { makeCode }),
    ...(modelCode && { modelCode }),
    ...(listingType && { listingType }),
    ...(area && { zip: [area.zip] }),
    searchRadius: [String(area?.radius ?? 0)],
    ...own,
  };
  return encodeUrl(
    { filters: counted, sortBy, numRecords, firstRecord: 0, unknown: [] },
    EMPTY_SLUG_REFERENCE,
  );
}
