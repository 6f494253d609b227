import { type FilterParam, type SearchCriteria, valuesOf } from '@forecourt/search/criteria';
import { useSelectedValues } from '../search/searchEdits.tsx';

export interface Bounds {
  readonly min: number | undefined;
  readonly max: number | undefined;
}

const numberOf = (values: readonly string[]) => (values[0] === undefined ? undefined : Number(values[0]));

/** The bounds of a range; an open one is undefined. */
export const boundsOf = (criteria: SearchCriteria, lower: FilterParam, upper: FilterParam): Bounds => ({
  min: numberOf(valuesOf(criteria, lower)),
  max: numberOf(valuesOf(criteria, upper)),
});

/** The bounds of a range that the controls show. */
export const useBounds = (lower: FilterParam, upper: FilterParam): Bounds => ({
  min: numberOf(useSelectedValues(lower)),
  max: numberOf(useSelectedValues(upper)),
});
