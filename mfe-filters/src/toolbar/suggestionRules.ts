import type { SuggestedFilter } from '@forecourt/shared-contracts/entities';
import { addFilters, type FilterParam, type SearchCriteria } from '@forecourt/shared-contracts/criteria';

const isChosen = (criteria: SearchCriteria, { codes }: SuggestedFilter) =>
  Object.entries(codes).every(([param, values]) =>
    values.every((value) => criteria.filters[param as FilterParam]?.includes(value)),
  );

/** One key for one meaning, whatever the order of its names and values. */
const meaning = ({ codes }: SuggestedFilter) =>
  JSON.stringify(
    Object.entries(codes)
      .map(([param, values]) => [param, [...values].sort()] as const)
      .sort(([left], [right]) => (left < right ? -1 : 1)),
  );

/** Suggested filters, then strong attributes; what is chosen already or said before is left out (AMB-073). */
export function offeredSuggestions(
  suggestions: {
    readonly filters: readonly SuggestedFilter[];
    readonly strongAttributes: readonly SuggestedFilter[];
  },
  criteria: SearchCriteria,
): readonly SuggestedFilter[] {
  const offered = new Map<string, SuggestedFilter>();
  for (const suggestion of [...suggestions.filters, ...suggestions.strongAttributes]) {
    const key = meaning(suggestion);
    if (!offered.has(key) && !isChosen(criteria, suggestion)) offered.set(key, suggestion);
  }
  return [...offered.values()];
}

/** Which parameter says what a segment is about: 'style:TRUCKS' (AMB-181). */
const SEGMENT_PARAMS: Readonly<Record<string, FilterParam>> = {
  make: 'makeCode',
  style: 'vehicleStyleCode',
  fuel: 'fuelTypeGroup',
};

/** Suggestions that fit a visitor's segments first, the likeliest at the front; the others as they are. */
export function likedFirst(
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

/** The search with a suggestion added. */
export const withSuggestion =
  (suggestion: SuggestedFilter) =>
  (criteria: SearchCriteria): SearchCriteria =>
    addFilters(criteria, suggestion.codes);
