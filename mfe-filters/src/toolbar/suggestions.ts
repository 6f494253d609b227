import type { NearMiss, SuggestedFilter } from '@forecourt/shared-contracts/entities';
import {
  addFilters,
  changeFilters,
  type FilterParam,
  filterSection,
  type SearchCriteria,
  withoutParams,
} from '@forecourt/shared-contracts/search';

/** Makes take their models and trims with them, models their trims (AMB-080). */
const DROPPED_TOGETHER: Readonly<Record<string, readonly FilterParam[]>> = {
  makeCode: ['makeCode', 'modelCode', 'trimCode', 'seriesCode', 'packages'],
  modelCode: ['modelCode', 'trimCode', 'seriesCode', 'packages'],
  trimCode: ['trimCode', 'packages'],
};

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

/** The search with a suggestion added. */
export const withSuggestion =
  (suggestion: SuggestedFilter) =>
  (criteria: SearchCriteria): SearchCriteria =>
    addFilters(criteria, suggestion.codes);

export interface Recovery {
  readonly name: string;
  /** Label of the filter to drop. */
  readonly label: string;
  readonly count: number;
  readonly apply: (criteria: SearchCriteria) => SearchCriteria;
}

/** Which single filter, dropped, brings more results; filters that the catalogue does not know are left out. */
export function recoveries(nearMisses: readonly NearMiss[], criteria: SearchCriteria): readonly Recovery[] {
  return nearMisses.flatMap(({ name, count }) => {
    const section = filterSection(name);
    if (!section) return [];
    const params = DROPPED_TOGETHER[name] ?? section.params;
    if (!params.some((param) => criteria.filters[param])) return [];
    const apply = (newest: SearchCriteria) => changeFilters(newest, withoutParams(newest.filters, params));
    return [{ name, label: section.label, count, apply }];
  });
}
