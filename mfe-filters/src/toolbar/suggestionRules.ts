import type { SuggestedFilter } from '@forecourt/shared-contracts/entities';
import { addFilters, type FilterParam, type SearchCriteria } from '@forecourt/shared-contracts/criteria';

const isChosen = (criteria: SearchCriteria, { codes }: SuggestedFilter) =>
  Object.entries(codes).every(([param, values]) =>
    values.every((value) => criteria.filters[param as FilterParam]?.includes(value)),
  );

/** Equal for equal suggestions, regardless of the order of parameters and values. */
const suggestionKey = ({ codes }: SuggestedFilter) =>
  JSON.stringify(
    Object.entries(codes)
      .map(([param, values]) => [param, [...values].sort()] as const)
      .sort(([left], [right]) => (left < right ? -1 : 1)),
  );

/** Suggested filters, then strong attributes, without duplicates and selected ones (AMB-073). */
export function offeredSuggestions(
  suggestions: {
    readonly filters: readonly SuggestedFilter[];
    readonly strongAttributes: readonly SuggestedFilter[];
  },
  criteria: SearchCriteria,
): readonly SuggestedFilter[] {
  const offered = new Map<string, SuggestedFilter>();
  for (const suggestion of [...suggestions.filters, ...suggestions.strongAttributes]) {
    const key = suggestionKey(suggestion);
    if (!offered.has(key) && !isChosen(criteria, suggestion)) offered.set(key, suggestion);
  }
  return [...offered.values()];
}

/** Filter parameter by kind of segment, e.g. 'style:TRUCKS' (AMB-181). */
const SEGMENT_PARAMS: Readonly<Record<string, FilterParam>> = {
  make: 'makeCode',
  style: 'vehicleStyleCode',
  fuel: 'fuelTypeGroup',
};

/** Moves suggestions that match the visitor's segments to the front, in the order of the segments. */
export function segmentsFirst(
  suggestions: readonly SuggestedFilter[],
  segments: readonly string[],
): readonly SuggestedFilter[] {
  const placeOf = ({ codes }: SuggestedFilter) => {
    const place = segments.findIndex((segment) => {
      const [kind = '', code = ''] = segment.split(':', 2);
      const param = SEGMENT_PARAMS[kind];
      return param !== undefined && codes[param]?.includes(code);
    });
    return place < 0 ? segments.length : place;
  };
  return suggestions.toSorted((left, right) => placeOf(left) - placeOf(right));
}

/** Adds a suggestion's filters to the search. */
export const withSuggestion =
  (suggestion: SuggestedFilter) =>
  (criteria: SearchCriteria): SearchCriteria =>
    addFilters(criteria, suggestion.codes);
