import {
  type FilterParam,
  type SearchCriteria,
  valuesOf,
  clearFilters,
} from '@forecourt/shared-contracts/criteria';
import { filterSection, type LabelOf, sectionOfParam } from '@forecourt/shared-contracts/catalog';
import { selectFlag, usePageState } from '@forecourt/shared-contracts/store';

export interface RemovedValue {
  readonly param: FilterParam;
  readonly value: string;
}

/** Filter values of `before` that `after` no longer has. */
function removedValues(before: SearchCriteria, after: SearchCriteria): readonly RemovedValue[] {
  return (Object.keys(before.filters) as FilterParam[]).flatMap((param) => {
    const remaining = valuesOf(after, param);
    return valuesOf(before, param)
      .filter((value) => !remaining.includes(value))
      .map((value) => ({ param, value }));
  });
}

const hasLeftMode = (before: SearchCriteria, after: SearchCriteria) =>
  (before.experience !== undefined && after.experience === undefined) ||
  (before.isSponsorship === true && after.isSponsorship !== true);

/** Clicking the same checkbox again undoes the change, so no toast is needed. */
function isUndoneByClick(cause: string, removed: readonly RemovedValue[]): boolean {
  const section = filterSection(cause.replace(/^filter:/, ''));
  if (!cause.startsWith('filter:') || !section || section.kind === 'range') return false;
  return removed.every(({ param }) => section.params.includes(param));
}

/** Message for a change that removed something a single click can't restore; undefined for any other change. */
export function undoMessage(
  before: SearchCriteria,
  after: SearchCriteria,
  cause: string,
  labelOf: LabelOf,
): string | undefined {
  const removed = removedValues(before, after);
  const [first] = removed;
  if (cause === 'undo') return undefined;
  if (!first) return hasLeftMode(before, after) ? 'Filters changed.' : undefined;
  if (isUndoneByClick(cause, removed)) return undefined;
  if (cause === 'clearFilters') return 'Filters cleared.';
  const section = sectionOfParam(first.param);
  const isOneSection = removed.every(({ param }) => sectionOfParam(param)?.name === section?.name);
  if (section && isOneSection && (section.kind === 'range' || section.kind === 'location'))
    return `${section.label} changed.`;
  if (removed.length === 1) return `${labelOf(first.param, first.value)} removed.`;
  return `${removed.length} filters removed.`;
}

/**
 * True if both criteria find the same listings. Other parts that an edit resets (page, stored search id, empty category)
 * don't count.
 */
export const isSameSearch = (left: SearchCriteria, right: SearchCriteria): boolean =>
  left.experience === right.experience &&
  (left.isSponsorship ?? false) === (right.isSponsorship ?? false) &&
  left.showcaseOwnerId === right.showcaseOwnerId &&
  removedValues(left, right).length === 0 &&
  removedValues(right, left).length === 0;

/** Clear Filters (B4-CLEAR-01..03); offered only if it would change the search. */
export function useClearFilters(criteria: SearchCriteria) {
  const clearExperience = usePageState(selectFlag('clearExperience'));
  const visitorZip = usePageState(({ session }) => session.visitorZip);
  const clear = (current: SearchCriteria) => clearFilters(current, { clearExperience });
  const cleared = clear(criteria);
  // The visitor's own ZIP comes back with the response (AMB-031).
  const { zip } = criteria.filters;
  const filters = zip?.[0] === visitorZip ? { ...cleared.filters, ...(zip && { zip }) } : cleared.filters;
  return { clear, isOffered: !isSameSearch(criteria, { ...cleared, filters }) };
}
