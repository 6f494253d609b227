import { formatLastExecuted } from '@forecourt/shared-contracts/rules';
import { encodeStoredSearch } from '@forecourt/shared-contracts/url';
import type { SearchState } from '@forecourt/shared-contracts/store';
import type { BookmarkForm } from '../callTypes.ts';

/** Name of a search by its heading, in the case of the brand's copy (AMB-068): 'Used Ford F-150 in Atlanta, GA'. */
export const searchTitle = ({ texts, chips }: Pick<SearchState, 'texts' | 'chips'>): string => {
  const heading = texts.heading.replace(/^(cars) for sale(?= )/i, '$1').replace(/ ?cars for sale/i, '');
  const name = heading.trim() || chips.map(({ label }) => label).join(', ') || 'All cars';
  return name.slice(0, 120);
};

/** Body of the save-search call for a new bookmark (A7-BOOK-03, AMB-099). */
export function bookmarkOf(
  search: Pick<SearchState, 'criteria' | 'texts' | 'chips'>,
  now: Date,
): BookmarkForm {
  const title = searchTitle(search);
  return {
    bookmarkId: '',
    bookmarkTitle: title,
    searchName: title,
    lastExecuted: formatLastExecuted(now),
    searchResultsURL: encodeStoredSearch(search.criteria),
  };
}
