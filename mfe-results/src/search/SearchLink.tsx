import type { MouseEvent, ReactNode } from 'react';
import {
  EMPTY_SLUG_REFERENCE,
  type SearchCriteria,
  MAX_SEARCH_RADIUS,
} from '@forecourt/shared-contracts/criteria';
import { encodeUrl, writeQuery } from '@forecourt/shared-contracts/url';
import { useEmit } from '@forecourt/shared-contracts/slots';
import { focusResults } from '../browser/resultCards.ts';
import type { SearchState, RootState } from '@forecourt/shared-contracts/store';
import {
  MAX_EXCLUDED_LISTING_IDS,
  toSearchQuery,
  type RequestContext,
} from '@forecourt/shared-contracts/query';

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
 * redirected (AMB-029, AMB-048).
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

/** Query of `GET /rest/lsc/listing/similar` (A7-SIM-01..05, AMB-020). */
export function toSimilarQuery(
  criteria: SearchCriteria,
  context: RequestContext & {
    /** Ids of the listings already shown. */
    readonly shownIds: readonly string[];
    /** Body styles of the listings already shown, for a search that names none. */
    readonly shownStyles?: readonly string[];
  },
): URLSearchParams {
  const params = toSearchQuery(criteria, context);
  const { shownStyles = [] } = context;
  const style = criteria.filters.vehicleStyleCode ?? (shownStyles.length > 0 ? shownStyles : undefined);
  const series = criteria.filters.seriesCode;
  const excluded = excludedIds(context.shownIds);
  if (style) params.set('bodyStyleCode', style.join(','));
  if (series) params.set('classSeriesCode', series.join(','));
  params.set('searchRadius', String(similarRadius(Number(params.get('searchRadius') ?? 0))));
  params.set('numRecords', String(SIMILAR_NUM_RECORDS));
  params.set('firstRecord', '0');
  params.set('ignorePriority', 'true');
  params.set('includeVehicleHighlights', 'true');
  params.set('vhrProvider', VHR_PROVIDERS);
  if (excluded) params.set('excludedListingId', excluded);
  return params;
}

/** Radius of a similar request: none, 0 and 100 or more become 100 (A5-RULE-02, AMB-008). Miles. */
export function similarRadius(radius: number | undefined): number {
  return !radius || radius < 0 || radius >= MAX_SEARCH_RADIUS ? MAX_SEARCH_RADIUS : radius;
}

/** 1 to 25 excluded ids; for more than 25 the parameter is omitted, not truncated (A5-RULE-03, AMB-093). */
export function excludedIds(ids: readonly string[]): string | undefined {
  const unique = [...new Set(ids)];
  return unique.length >= 1 && unique.length <= MAX_EXCLUDED_LISTING_IDS ? unique.join(',') : undefined;
}

/** Number of listings in a similar request (A9-LIMIT-03). */
const SIMILAR_NUM_RECORDS = 20;

/** Providers of vehicle history reports (AMB-165). */
const VHR_PROVIDERS = 'CARFAX,AUTOCHECK';

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
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
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
