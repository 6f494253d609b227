import type { SearchCriteria } from '@forecourt/shared-contracts/criteria';
import { replaceFilters } from '../search/changes.ts';
import type { KeywordSuggestion } from '../callTypes.ts';

/** Typed words as a search of their own, in place of all filters (B4-KEY-03). */
export const searchFor = (words: string) => (criteria: SearchCriteria) =>
  replaceFilters(criteria, { keyword: [words] });

/** A suggestion's filters in place of all others, from the first page (B4-KEY-03). */
export const suggestedSearch =
  (suggestion: Extract<KeywordSuggestion, { kind: 'filters' }>) => (criteria: SearchCriteria) =>
    replaceFilters(criteria, suggestion.filters);

/** Address of a suggested page, if it is one that a browser may open: http or https (AMB-090). */
export function contentUrl(url: string, base: string): string | undefined {
  if (!URL.canParse(url, base)) return undefined;
  const { protocol, href } = new URL(url, base);
  return protocol === 'http:' || protocol === 'https:' ? href : undefined;
}
