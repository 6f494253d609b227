import type { MouseEvent, ReactNode } from 'react';
import { EMPTY_SLUG_REFERENCE, type SearchCriteria } from '@forecourt/search/criteria';
import type { SearchState, RootState } from '@forecourt/search/state';
import { encodeUrl, writeQuery } from '@forecourt/search/url';
import { useEmit } from '@forecourt/slots';
import { isPlainClick } from '@forecourt/slots/ui';
import { focusResults } from '../browser/resultCards.ts';

export const selectSearch = (state: RootState): SearchState => state.search;

type Pair = readonly [name: string, value: string];

function split(url: string): { readonly path: string; readonly pairs: readonly Pair[] } {
  const [path = '', query = ''] = url.split('?');
  return { path, pairs: [...new URLSearchParams(query)] };
}

/** Action and hidden fields of a GET form that repeats a search without the parameters in `excludedNames`. */
export function formOf(
  url: string,
  excludedNames: readonly string[],
): { action: string; fields: readonly Pair[] } {
  const { path, pairs } = split(url);
  return { action: path, fields: pairs.filter(([name]) => !excludedNames.includes(name)) };
}

/**
 * URL of another page of the search at `url`. The offset takes its normalized position so that the link is not
 * redirected.
 */
export function pageUrl(url: string, criteria: Pick<SearchCriteria, 'unknown'>, firstRecord: number): string {
  const { action, fields } = formOf(url, ['firstRecord']);
  const pairs = [...fields];
  if (firstRecord > 0) {
    const knownCount = pairs.length - criteria.unknown.length;
    const insertIndex = pairs.slice(0, knownCount).findIndex(([name]) => name > 'firstRecord');
    pairs.splice(insertIndex < 0 ? knownCount : insertIndex, 0, ['firstRecord', String(firstRecord)]);
  }
  return pairs.length === 0 ? action : `${action}?${writeQuery(pairs)}`;
}

type PagedSearch = Pick<SearchState, 'criteria' | 'firstLoadedRecord' | 'totalResultCount'>;

/** Offset of the next page; undefined after the last. */
export function nextRecord({ criteria, totalResultCount }: PagedSearch): number | undefined {
  const next = criteria.firstRecord + criteria.numRecords;
  return next < totalResultCount ? next : undefined;
}

/** Offset of the previous page; undefined before the first. */
export function previousRecord({ criteria, firstLoadedRecord }: PagedSearch): number | undefined {
  return firstLoadedRecord > 0 ? Math.max(0, firstLoadedRecord - criteria.numRecords) : undefined;
}

/** A link to a changed search: searches within the page, and loads a document without JavaScript or in a new tab. */
export function SearchLink(props: {
  criteria: SearchCriteria;
  /** The control, e.g. 'promo'. */
  cause: string;
  className?: string | undefined;
  /** Set if the link disappears with its results: moves the focus to their heading. */
  focusesResults?: boolean;
  children: ReactNode;
}): ReactNode {
  const { criteria, cause, className, focusesResults = false, children } = props;
  const emit = useEmit();
  const follow = (event: MouseEvent) => {
    if (!isPlainClick(event)) return;
    event.preventDefault();
    if (focusesResults) focusResults();
    emit('search.changeRequested', { criteria, cause });
  };
  return (
    <a href={encodeUrl(criteria, EMPTY_SLUG_REFERENCE)} className={className} onClick={follow}>
      {children}
    </a>
  );
}
