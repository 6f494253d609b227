import { storedSearchUrl } from '@forecourt/search/url';
import { createSlugReference } from '@forecourt/search/criteria';
import type { Bookmark } from '@forecourt/upstream/entities';
import type { Catalog } from '../../domain/catalog.ts';
import type { PlaceFinder } from '../../domain/places/index.ts';
import type { NewListings } from '../../inventory/index.ts';
import { type ListingIndex, readSearchRequest, slugData } from '../../search/index.ts';
import type { SeenArrivals } from '../people/savedStore.ts';
import { normalizeSearch } from './alertMails.ts';

/** Most arrivals that are searched for matches of one saved search. */
const MAX_ARRIVALS = 5_000;

/**
 * Counts the matches of a saved search among the vehicles that arrived after those that its account has seen. Undefined
 * for arrivals that another replica's inventory has numbered, and for a search that can't be read.
 */
export function createNewMatchCounter(deps: {
  readonly index: ListingIndex;
  readonly catalog: Catalog;
  readonly places: PlaceFinder;
  readonly newListings: NewListings;
}) {
  const { index, catalog, places, newListings } = deps;
  return async (
    { searchResultsURL }: Pick<Bookmark, 'searchResultsURL'>,
    seen: SeenArrivals,
  ): Promise<Bookmark['newMatches']> => {
    if (seen.inventory !== newListings.inventory) return undefined;
    const newest = await newListings.newestRow();
    const { ids, lastRow } = await newListings.between(seen.row, newest, MAX_ARRIVALS);
    const isAtLeast = lastRow < newest;
    if (ids.length === 0) return { count: 0, isAtLeast };
    const stored = storedSearchUrl(searchResultsURL);
    const normalized =
      stored && normalizeSearch(stored, () => createSlugReference(slugData(index.vehicleNodes, catalog)));
    if (!normalized) return undefined;
    const { query } = readSearchRequest(new URLSearchParams(normalized.search), places);
    const { total } = await index.search({ ...query, ids }, { sort: 'relevance', first: 0, size: 1 });
    return { count: total, isAtLeast };
  };
}
