import {
  type FilterParam,
  type SearchCriteria,
  valuesOf,
  clearFilters,
} from '@forecourt/shared-contracts/criteria';
import { filterSection, type LabelOf, sectionOfParam } from '@forecourt/shared-contracts/catalog';
import { selectFlag, usePageState } from '@forecourt/shared-contracts/store';

export interface LostValue {
  readonly param: FilterParam;
  readonly value: string;
}

/** The filter values of one search which the next has no more. */
export function lostValues(before: SearchCriteria, after: SearchCriteria): readonly LostValue[] {
  return (Object.keys(before.filters) as FilterParam[]).flatMap((param) => {
    const left = valuesOf(after, param);
    return valuesOf(before, param)
      .filter((value) => !left.includes(value))
      .map((value) => ({ param, value }));
  });
}

const hasLeftMode = (before: SearchCriteria, after: SearchCriteria) =>
  (before.experience !== undefined && after.experience === undefined) ||
  (before.isSponsorship === true && after.isSponsorship !== true);

/** A box that is clicked again, under the same pointer, is its own undo. */
function isOwnUndo(cause: string, lost: readonly LostValue[]): boolean {
  const section = filterSection(cause.replace(/^filter:/, ''));
  if (!cause.startsWith('filter:') || !section || section.kind === 'range') return false;
  return lost.every(({ param }) => section.params.includes(param));
}

/**
 * What to say of a change that took something away which no single click brings
 * back; undefined for any other change.
 */
export function undoMessage(
  before: SearchCriteria,
  after: SearchCriteria,
  cause: string,
  labelOf: LabelOf,
): string | undefined {
  const lost = lostValues(before, after);
  const [first] = lost;
  if (cause === 'undo') return undefined;
  if (!first) return hasLeftMode(before, after) ? 'Filters changed.' : undefined;
  if (isOwnUndo(cause, lost)) return undefined;
  if (cause === 'clearFilters') return 'Filters cleared.';
  const section = sectionOfParam(first.param);
  const isOneSection = lost.every(({ param }) => sectionOfParam(param)?.name === section?.name);
  if (section && isOneSection && (section.kind === 'range' || section.kind === 'location'))
    return `${section.label} changed.`;
  if (lost.length === 1) return `${labelOf(first.param, first.value)} removed.`;
  return `${lost.length} filters removed.`;
}

/**
 * Do both find the same? Whatever else an edit resets (the page, the id of a
 * stored search, a category without its values) is no change by itself.
 */
export const isSameSearch = (left: SearchCriteria, right: SearchCriteria): boolean =>
  left.experience === right.experience &&
  (left.isSponsorship ?? false) === (right.isSponsorship ?? false) &&
  left.showcaseOwnerId === right.showcaseOwnerId &&
  lostValues(left, right).length === 0 &&
  lostValues(right, left).length === 0;

/** Clear Filters (B4-CLEAR-01..03); offered only where it changes the search: a radius alone stays. */
export function useClearFilters(criteria: SearchCriteria) {
  const clearExperience = usePageState(selectFlag('clearExperience'));
  const clear = (newest: SearchCriteria) => clearFilters(newest, { clearExperience });
  return { clear, isOffered: !isSameSearch(criteria, clear(criteria)) };
}
