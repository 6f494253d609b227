import type { SearchCriteria } from '@forecourt/shared-contracts/criteria';
import { writeQuery } from '@forecourt/shared-contracts/url';
import type { SearchState } from '@forecourt/shared-contracts/store';

type Pair = readonly [name: string, value: string];

function split(url: string): { readonly path: string; readonly pairs: readonly Pair[] } {
  const [path = '', query = ''] = url.split('?');
  return { path, pairs: [...new URLSearchParams(query)] };
}

/** Target and hidden fields of a GET form that repeats a search but for the names in `without`. */
export function formOf(url: string, without: readonly string[]): { action: string; fields: readonly Pair[] } {
  const { path, pairs } = split(url);
  return { action: path, fields: pairs.filter(([name]) => !without.includes(name)) };
}

/**
 * The URL of another page of the search at `url`. The offset stands at its
 * place in the normal order, known names ascending before the unknown, so that
 * following the link costs no redirect (AMB-029, AMB-048).
 */
export function pageUrl(url: string, criteria: Pick<SearchCriteria, 'unknown'>, firstRecord: number): string {
  const { action, fields } = formOf(url, ['firstRecord']);
  const pairs = [...fields];
  if (firstRecord > 0) {
    const known = pairs.length - criteria.unknown.length;
    const later = pairs.slice(0, known).findIndex(([name]) => name > 'firstRecord');
    pairs.splice(later < 0 ? known : later, 0, ['firstRecord', String(firstRecord)]);
  }
  return pairs.length === 0 ? action : `${action}?${writeQuery(pairs)}`;
}

type Paged = Pick<SearchState, 'criteria' | 'firstLoadedRecord' | 'totalResultCount'>;

/** Offset of the page after the loaded ones; undefined after the last. */
export function nextRecord({ criteria, totalResultCount }: Paged): number | undefined {
  const next = criteria.firstRecord + criteria.numRecords;
  return next < totalResultCount ? next : undefined;
}

/** Offset of the page before the loaded ones; undefined before the first. */
export function previousRecord({ criteria, firstLoadedRecord }: Paged): number | undefined {
  return firstLoadedRecord > 0 ? Math.max(0, firstLoadedRecord - criteria.numRecords) : undefined;
}
