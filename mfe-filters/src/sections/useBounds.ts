import { type FilterParam, type SearchCriteria, valuesOf } from '@forecourt/shared-contracts/criteria';
import { useChosen } from '../search/searchEdits.tsx';

export interface Bounds {
  readonly min: number | undefined;
  readonly max: number | undefined;
}

const numberOf = (values: readonly string[]) => (values[0] === undefined ? undefined : Number(values[0]));

/** The bounds of a range in criteria; an open one is undefined. */
export const boundsOf = (criteria: SearchCriteria, lower: FilterParam, upper: FilterParam): Bounds => ({
  min: numberOf(valuesOf(criteria, lower)),
  max: numberOf(valuesOf(criteria, upper)),
});

/** The bounds of a range as its controls show them. */
export const useBounds = (lower: FilterParam, upper: FilterParam): Bounds => ({
  min: numberOf(useChosen(lower)),
  max: numberOf(useChosen(upper)),
});
