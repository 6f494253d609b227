import type { NearMiss } from '@forecourt/shared-contracts/entities';
import {
  EMPTY_SLUG_REFERENCE,
  changeFilters,
  encodeUrl,
  filterSection,
  withoutParams,
  type SearchCriteria,
} from '@forecourt/shared-contracts/search';

/** One filter whose removal brings results. */
export interface NearMissLink {
  readonly name: string;
  readonly label: string;
  readonly count: number;
  readonly criteria: SearchCriteria;
  readonly href: string;
}

/** The API's near misses as edited searches, best first; names of no known section are left out. */
export function nearMissLinks(
  criteria: SearchCriteria,
  nearMisses: readonly NearMiss[],
): readonly NearMissLink[] {
  return nearMisses
    .flatMap(({ name, count }): NearMissLink[] => {
      const section = filterSection(name);
      if (!section || count === 0) return [];
      const edited = changeFilters(criteria, withoutParams(criteria.filters, section.params));
      const href = encodeUrl(edited, EMPTY_SLUG_REFERENCE);
      return [{ name, label: section.label, count, criteria: edited, href }];
    })
    .sort((left, right) => right.count - left.count);
}
