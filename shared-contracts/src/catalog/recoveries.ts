import type { NearMiss } from '../entities/searchResponse.ts';
import { filterSection } from '../criteria/filterSections.ts';
import { changeFilters } from '../criteria/changes.ts';
import type { FilterParam, SearchCriteria } from '../criteria/criteria.ts';
import { withoutParams } from '../criteria/filterValues.ts';

/** Makes take their models and trims with them, models their trims (AMB-080). */
const DROPPED_TOGETHER: Readonly<Record<string, readonly FilterParam[]>> = {
  makeCode: ['makeCode', 'modelCode', 'trimCode', 'seriesCode', 'packages'],
  modelCode: ['modelCode', 'trimCode', 'seriesCode', 'packages'],
  trimCode: ['trimCode', 'packages'],
};

/** One filter whose removal brings results. */
interface Recovery {
  readonly name: string;
  /** Label of the filter to drop. */
  readonly label: string;
  readonly count: number;
  readonly apply: (criteria: SearchCriteria) => SearchCriteria;
}

/**
 * Which single filter, dropped, brings more results, in the upstream's order;
 * filters that the catalogue does not know, that are not set, or whose removal
 * brings nothing are left out.
 */
export function recoveries(nearMisses: readonly NearMiss[], criteria: SearchCriteria): readonly Recovery[] {
  return nearMisses.flatMap(({ name, count }) => {
    const section = filterSection(name);
    if (!section || count === 0) return [];
    const params = DROPPED_TOGETHER[name] ?? section.params;
    if (!params.some((param) => criteria.filters[param])) return [];
    const apply = (newest: SearchCriteria) => changeFilters(newest, withoutParams(newest.filters, params));
    return [{ name, label: section.label, count, apply }];
  });
}
