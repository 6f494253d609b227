import {
  singleValue,
  type FilterParam,
  type SearchCriteria,
  type SlugReference,
} from '@forecourt/search/criteria';
import { encodeUrl, sameOriginPath } from '@forecourt/search/url';

/** Parameter that carries the shopper's search from one vehicle page to the next. */
export const SEARCH_PARAM = 'search';

export interface PreviousSearch {
  /** Normalized path and query. */
  readonly url: string;
  readonly criteria: SearchCriteria;
}

/**
 * The search that a shopper came from: the page's own parameter, otherwise the referrer; undefined when
 * neither is a search.
 */
export async function previousSearch(
  candidates: readonly (string | null)[],
  reference: SlugReference,
): Promise<PreviousSearch | undefined> {
  // Browsers have the data of a page that loads completely, and never decode.
  const { normalizeUrl } = await import(/* webpackChunkName: "decode" */ '@forecourt/search/decode');
  for (const candidate of candidates) {
    const path = candidate ? sameOriginPath(candidate) : undefined;
    const result = path ? normalizeUrl(path, reference) : undefined;
    if (result?.kind === 'search') return { url: result.canonicalUrl, criteria: result.criteria };
  }
  return undefined;
}

/** ZIP code of the search that a shopper came from: distances are measured from there. */
export function previousZip(candidates: readonly (string | null)[]): string | undefined {
  const zips = candidates.map((candidate) => {
    const path = candidate ? sameOriginPath(candidate) : undefined;
    return new URLSearchParams(path?.split('?')[1]).get('zip');
  });
  return zips.find((zip) => zip !== null && /^\d{5}$/.test(zip)) ?? undefined;
}

/** Filters that still apply when the search for another vehicle becomes one for this model. */
const PLACE_FILTERS = [
  'zip',
  'searchRadius',
  'state',
  'city',
  'area',
] as const satisfies readonly FilterParam[];

const isForModel = (model: { makeCode: string; modelCode: string }, criteria: SearchCriteria): boolean =>
  singleValue(criteria, 'makeCode') === model.makeCode &&
  singleValue(criteria, 'modelCode') === model.modelCode;

/** All vehicles of one model. */
export const modelCriteria = (makeCode: string, modelCode: string): SearchCriteria => ({
  filters: { makeCode: [makeCode], modelCode: [modelCode] },
  sortBy: 'relevance',
  firstRecord: 0,
  numRecords: 30,
  unknown: [],
});

/** A search with the place of another one. */
export function nearPlaceOf(previous: PreviousSearch | undefined, criteria: SearchCriteria): SearchCriteria {
  const place = PLACE_FILTERS.flatMap((param) => {
    const values = previous?.criteria.filters[param];
    return values ? [[param, values] as const] : [];
  });
  return { ...criteria, filters: { ...Object.fromEntries(place), ...criteria.filters } };
}

/**
 * The results to show instead of a vehicle that is no longer for sale, path and query: the previous
 * search if it was for the same model or the model is not known in time, otherwise the model near the place of the
 * previous search.
 */
export function expiredListingUrl(
  model: { readonly makeCode: string; readonly modelCode: string } | undefined,
  previous: PreviousSearch | undefined,
  reference: SlugReference,
): string {
  if (previous && (!model || isForModel(model, previous.criteria)))
    return encodeUrl({ ...previous.criteria, expiredListing: true }, reference);
  if (!model) return '/cars-for-sale/all-cars?expiredListing=1';
  const criteria = nearPlaceOf(previous, modelCriteria(model.makeCode, model.modelCode));
  return encodeUrl({ ...criteria, expiredListing: true }, reference);
}
