import type { CrawlLink } from '@forecourt/shared-contracts/entities';
import { type FilterValues, type SlugReference, decodeQuery } from '@forecourt/shared-contracts/criteria';
import { encodeUrl } from '@forecourt/shared-contracts/url';
import type { ListingIndex } from '../index/listingIndex.ts';
import type { PlaceFinder } from '../search/places.ts';
import { toListingQuery } from '../search/request.ts';

export type CrawlKind = 'modelyears' | 'newmodelyears' | 'trims' | 'newtrims';

export const CRAWL_KINDS: readonly CrawlKind[] = ['modelyears', 'newmodelyears', 'trims', 'newtrims'];

/** Parameters of the crawl calls (AMB-067). */
const READ = ['makeCode', 'modelCode', 'listingType', 'zip', 'searchRadius'] as const;

export interface CrawlDeps {
  readonly index: ListingIndex;
  readonly places: PlaceFinder;
  readonly reference: () => SlugReference;
}

const pick = (filters: FilterValues): FilterValues =>
  Object.fromEntries(READ.flatMap((name) => (filters[name] ? [[name, filters[name]]] : [])));

/**
 * Links to the years or trims of a model with count and prices of what is for
 * sale (A7-CRAWL-01..04). Years newest first, trims by name; none without a
 * make and a model.
 */
export function crawlLinks(kind: CrawlKind, params: URLSearchParams, deps: CrawlDeps): CrawlLink[] {
  const asked = pick(decodeQuery(params).filters);
  if (!asked.makeCode || !asked.modelCode) return [];
  const isNew = kind.startsWith('new');
  const filters: FilterValues = isNew ? { ...asked, listingType: ['NEW'] } : asked;
  const byYear = kind.endsWith('years');
  const groups = deps.index.groupPrices(toListingQuery(filters, deps.places), byYear ? 'year' : 'trim');

  const link = (own: FilterValues) => {
    const { zip: _, searchRadius: __, ...shown } = filters;
    return encodeUrl(
      { filters: { ...shown, ...own }, sortBy: 'relevance', firstRecord: 0, numRecords: 30, unknown: [] },
      deps.reference(),
    );
  };
  return groups
    .map(({ key, name, count, average, lowest, highest }) => ({
      value: key,
      label: name,
      link: link(byYear ? { startYear: [key], endYear: [key] } : { trimCode: [key] }),
      count,
      avgPrice: average,
      startingPrice: lowest,
      maxPrice: highest,
    }))
    .sort((a, b) => (byYear ? Number(b.value) - Number(a.value) : a.label.localeCompare(b.label, 'en')));
}
