import type { NearMiss } from '../entities/searchResponse.ts';
import { filterSection } from '../criteria/filterSections.ts';
import { changeFilters } from '../criteria/changes.ts';
import type { FilterParam, SearchCriteria } from '../criteria/criteria.ts';
import { withoutParams } from '../criteria/filterValues.ts';

/** Dropping a make also drops its models and trims; dropping a model, its trims (AMB-080). */
const DROPPED_TOGETHER: Readonly<Record<string, readonly FilterParam[]>> = {
  makeCode: ['makeCode', 'modelCode', 'trimCode', 'seriesCode', 'packages'],
  modelCode: ['modelCode', 'trimCode', 'seriesCode', 'packages'],
  trimCode: ['trimCode', 'packages'],
};

/** A filter whose removal brings results. */
interface Recovery {
  readonly name: string;
  /** Label of the filter to drop. */
  readonly label: string;
  readonly count: number;
  readonly apply: (criteria: SearchCriteria) => SearchCriteria;
}

/**
 * Filters whose removal alone brings more results, in the upstream's order. Omits filters that are unknown,
 * not set, or whose removal brings nothing.
 */
export function recoveries(nearMisses: readonly NearMiss[], criteria: SearchCriteria): readonly Recovery[] {
  return nearMisses.flatMap(({ name, count }) => {
    const section = filterSection(name);
    if (!section || count === 0) return [];
    const params = DROPPED_TOGETHER[name] ?? section.params;
    if (!params.some((param) => criteria.filters[param])) return [];
    const apply = (current: SearchCriteria) => changeFilters(current, withoutParams(current.filters, params));
    return [{ name, label: section.label, count, apply }];
  });
}
