import { type Chip, filterSection, type LabelOf, placeText, sectionOfParam } from '@forecourt/search/catalog';
import {
  type FilterValues,
  type SlugReference,
  withValues,
  withoutParams,
  type SearchCriteria,
  changeFilters,
  withMakeList,
  type FilterParam,
  EMPTY_SLUG_REFERENCE,
  valuesOf,
  leaveSponsorship,
  filtersInPlace,
  addFilters,
  clearFilters,
} from '@forecourt/search/criteria';
import { selectFlag } from '@forecourt/search/state';
import { usePageState } from '@forecourt/slots';

/**
 * Drops models whose make is gone and trims whose model is gone. A model belongs to the makes that the
 * reference names; an unknown one to the first make before the change. Unrelated models and trims
 * stay until no make or model is left. Without any model, trims and series are dropped too.
 */
function prune(before: FilterValues, after: FilterValues, reference: SlugReference): FilterValues {
  const makes = after.makeCode ?? [];
  const firstMake = before.makeCode?.[0];
  let next = after;
  if (before.makeCode && next.modelCode) {
    const remainingModels = next.modelCode.filter((model) => {
      const owners = reference.makesOfModel(model);
      if (owners.length === 0) return firstMake !== undefined && makes.includes(firstMake);
      // A model of none of the previously selected makes is not affected by this change.
      const wasOwned = owners.some((make) => before.makeCode?.includes(make));
      return makes.length > 0 && (!wasOwned || owners.some((make) => makes.includes(make)));
    });
    next = withValues(next, 'modelCode', remainingModels);
  }
  if (before.modelCode && next.trimCode) {
    const removedModels = before.modelCode.filter((model) => !next.modelCode?.includes(model));
    next = withValues(
      next,
      'trimCode',
      next.trimCode.filter((trim) => next.modelCode && !removedModels.includes(trim.split('|')[0] ?? '')),
    );
  }
  if (before.modelCode && !next.modelCode) next = withoutParams(next, ['seriesCode']);
  if (before.trimCode && !next.trimCode) next = withoutParams(next, ['packages']);
  return next;
}

const withFilters = (
  criteria: SearchCriteria,
  filters: FilterValues,
  reference: SlugReference,
): SearchCriteria =>
  changeFilters(criteria, prune(withMakeList(criteria.filters), withMakeList(filters), reference));

/**
 * Replaces all values of one parameter; an empty list removes it. Values are clamped and dropped as in a URL.
 */
export function setValues(
  criteria: SearchCriteria,
  param: FilterParam,
  values: readonly string[],
  reference: SlugReference = EMPTY_SLUG_REFERENCE,
): SearchCriteria {
  return withFilters(criteria, withValues(criteria.filters, param, values), reference);
}

/** Adds a value that is not selected, removes one that is. */
export function toggleValue(
  criteria: SearchCriteria,
  param: FilterParam,
  value: string,
  reference?: SlugReference,
): SearchCriteria {
  const values = valuesOf(criteria, param);
  const next = values.includes(value) ? values.filter((other) => other !== value) : [...values, value];
  return setValues(criteria, param, next, reference);
}

const RANGES = { yearRange: ['startYear', 'endYear'], priceRange: ['minPrice', 'maxPrice'] } as const;

export type RangeName = keyof typeof RANGES;

/** Sets both bounds of a range; a missing one is open. USD or years. */
export function setRange(
  criteria: SearchCriteria,
  range: RangeName,
  bounds: { readonly min?: number; readonly max?: number },
): SearchCriteria {
  const [lower, upper] = RANGES[range];
  const text = (bound: number | undefined) => (bound === undefined ? [] : [String(bound)]);
  const filters = withValues(withValues(criteria.filters, lower, text(bounds.min)), upper, text(bounds.max));
  return changeFilters(criteria, filters);
}

/** Removes the criteria that a chip stands for. */
export function removeChip(
  criteria: SearchCriteria,
  chip: Pick<Chip, 'kind' | 'params' | 'values'>,
  reference: SlugReference = EMPTY_SLUG_REFERENCE,
): SearchCriteria {
  if (chip.kind === 'sponsorship') return leaveSponsorship(criteria);
  if (chip.kind === 'experience') {
    const { experience: _, ...rest } = criteria;
    return changeFilters(rest, rest.filters);
  }
  const [param] = chip.params;
  if (chip.kind !== 'value' || !param)
    return withFilters(criteria, withoutParams(criteria.filters, chip.params), reference);
  const remaining = valuesOf(criteria, param).filter((value) => !chip.values.includes(value));
  return setValues(criteria, param, remaining, reference);
}

/**
 * A ZIP or a city and state replaces the previous place and the map area; the radius stays unless given.
 */
export function setLocation(
  criteria: SearchCriteria,
  location: {
    readonly zip?: string;
    readonly city?: string;
    readonly state?: string;
    /** Miles; 0 = nationwide. */
    readonly searchRadius?: number;
  },
): SearchCriteria {
  let filters = withoutParams(criteria.filters, ['zip', 'city', 'state', 'area']);
  for (const param of ['zip', 'city', 'state'] as const) {
    const value = location[param];
    if (value !== undefined) filters = withValues(filters, param, [value]);
  }
  if (location.searchRadius !== undefined)
    filters = withValues(filters, 'searchRadius', [String(location.searchRadius)]);
  return changeFilters(criteria, filters);
}

/**
 * A keyword or a suggestion replaces all filters but the place, and like Clear Filters leaves category, sponsor and best
 * deals. The order stays, unless the words ask for another one.
 */
export function replaceFilters(
  criteria: SearchCriteria,
  codes: Readonly<Record<string, readonly string[]>>,
  sortBy: SearchCriteria['sortBy'] = criteria.sortBy,
): SearchCriteria {
  const { filters } = addFilters({ ...criteria, filters: {} }, codes);
  return changeFilters({ ...clearFilters(criteria), sortBy }, filtersInPlace(criteria.filters, filters));
}

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

/** Where a search with another place or radius looks now. */
function placeMessage(before: SearchCriteria, { filters }: SearchCriteria): string {
  const place = placeText(filters);
  const radius = filters.searchRadius?.[0];
  if (!place || radius === '0') return 'Now searching the whole country.';
  return radius && place === placeText(before.filters)
    ? `Now searching within ${radius} miles.`
    : `Now searching near ${place}.`;
}

/** Label of the button that undoes a change. */
export function undoLabel(before: SearchCriteria, after: SearchCriteria): string {
  const place = placeText(before.filters);
  const isMoved = removedValues(before, after).every(
    ({ param }) => sectionOfParam(param)?.kind === 'location' && param !== 'searchRadius',
  );
  return place && place !== placeText(after.filters) && isMoved ? `Stay near ${place}` : 'Undo';
}

/** Message for a change that removed something a single click can't restore; undefined for any other change. */
export function undoMessage(
  before: SearchCriteria,
  after: SearchCriteria,
  cause: string,
  labelOf: LabelOf,
): string | undefined {
  const removedFilters = removedValues(before, after);
  const [first] = removedFilters;
  if (cause === 'undo') return undefined;
  if (!first) return hasLeftMode(before, after) ? 'Filters changed.' : undefined;
  if (isUndoneByClick(cause, removedFilters)) return undefined;
  if (cause === 'clearFilters') return 'Filters cleared.';
  const section = sectionOfParam(first.param);
  const isOneSection = removedFilters.every(({ param }) => sectionOfParam(param)?.name === section?.name);
  if (section?.kind === 'location' && isOneSection) return placeMessage(before, after);
  const isReplaced = section?.kind === 'single' && valuesOf(after, first.param).length > 0;
  if (section && isOneSection && (isReplaced || section.kind === 'range')) return `${section.label} changed.`;
  if (removedFilters.length === 1) return `${labelOf(first.param, first.value)} removed.`;
  return `${removedFilters.length} filters removed.`;
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

/** Clear Filters; offered only if it would change the search. */
export function useClearFilters(criteria: SearchCriteria) {
  const clearExperience = usePageState(selectFlag('clearExperience'));
  const visitorZip = usePageState(({ session }) => session.visitorZip);
  const clear = (current: SearchCriteria) => clearFilters(current, { clearExperience });
  const cleared = clear(criteria);
  // The visitor's own ZIP comes back with the response.
  const { zip } = criteria.filters;
  const filters = zip?.[0] === visitorZip ? { ...cleared.filters, ...(zip && { zip }) } : cleared.filters;
  return { clear, isOffered: !isSameSearch(criteria, { ...cleared, filters }) };
}
